"""A hand as the statistics see it: who played what with whom, and how it ended."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
from uuid import UUID

import scoring
from scoring import Side

NOBODY = 0
"""Stands for the player where a figure is the whole club's."""


class SeatTaken(NamedTuple):
    """Where a hand stands: days and evenings in order, then tables, then numbers.

    What was played at the same time at two tables is taken one table after another.
    """

    date: str
    evening: int
    table: int
    number: int

    @property
    def day(self) -> datetime.date:
        return datetime.date.fromisoformat(self.date)


class PlayedRole(Enum):
    DECLARER = "declarer"
    """With a partner, or giving up before one was known."""
    PARTNER = "partner"
    DEFENDER = "defender"
    ALONE = "alone"
    """The declarer who has no partner."""


class ScoredLine(NamedTuple):
    """One row of the hand's explanation; points are the declarer's side's."""

    item: str
    kind: str
    side: str
    player: int | None
    announced: bool
    made: bool | None
    contra: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """What moved points at an evening without a hand that was written down."""

    day: str
    gains: Mapping[int, tuple[int, int]]
    """Points and money by player."""
    currency: str = ""
    is_adjustment: bool = False
    is_hand: bool = False
    """The points of one hand, of which nothing else is known."""
    is_rounding: bool = False
    """Money alone, that brings an evening's to the worth of its points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """One hand that counts; *players* from forehand on, everybody by id."""

    hand: UUID
    version: UUID | None = None
    place: SeatTaken
    game: scoring.Variant
    """The variant with the values that the club played it for."""
    players: tuple[int, ...]
    declarer: int | None = None
    partner: int | None = None
    contract: str = ""
    thrown_in: bool = False
    """Nobody played it, and the cards were dealt again."""
    gave_up: bool = False
    won: bool | None = None
    """Whether the declarer's side won the game; None is a tie, or no game."""
    gains: Mapping[int, int]
    money: Mapping[int, int] = field(default_factory=dict)
    currency: str = ""
    lines: tuple[ScoredLine, ...] = ()
    xxi_lost_by: int | None = None
    played_at: datetime.datetime | None = None

    @property
    def day(self) -> str:
        """The evening and its date, as digests keep them."""
        return f"{self.place.date}/{self.place.evening}"

    def role(self, player: int) -> PlayedRole | None:
        """Return what *player* was in this hand; None if nobody was anything."""
        if self.thrown_in or self.declarer is None or player not in self.players:
            return None
        if player == self.declarer:
            alone = self.partner is None and not self.gave_up
            return PlayedRole.ALONE if alone else PlayedRole.DECLARER
        return PlayedRole.PARTNER if player == self.partner else PlayedRole.DEFENDER

    def side(self, player: int) -> Side | None:
        role = self.role(player)
        if role is None:
            return None
        return Side.DEFENDERS if role is PlayedRole.DEFENDER else Side.DECLARER

    def gain(self, player: int) -> int:
        return self.gains.get(player, 0)

    def has_won(self, player: int) -> bool:
        """Tell whether the game went to the side of *player*; a tie goes to none."""
        if self.won is None:
            return False
        return self.won is (self.side(player) is Side.DECLARER)

    def about(self, item: str) -> str:
        """Return the name of *item* by which figures of all games are kept apart."""
        return f"{self.game.id}/{item}"

    @property
    def seat(self) -> int | None:
        """The declarer's place in the order of play, 0 for forehand."""
        return None if self.declarer is None else self.players.index(self.declarer)
