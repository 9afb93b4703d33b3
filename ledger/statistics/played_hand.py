"""Played hand: the value that figures are counted from."""

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
"""Id of the player in figures of the whole club."""


class HandPosition(NamedTuple):
    """Place of a hand in the order of play: date, evening, table, number.

    Hands played at the same time at two tables are ordered one table after the other.
    """

    date: str
    evening: int
    table: int
    number: int

    @property
    def day(self) -> datetime.date:
        return datetime.date.fromisoformat(self.date)


class PlayedRole(Enum):
    """Role of a player in a hand."""

    DECLARER = "declarer"
    """With a partner, or giving up before one was known."""
    PARTNER = "partner"
    DEFENDER = "defender"
    ALONE = "alone"
    """The declarer who has no partner."""


class ScoredLine(NamedTuple):
    """One line of a score; points are those of the declarer's side."""

    item: str
    kind: str
    side: str
    player: int | None
    announced: bool
    made: bool | None
    contra: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherEntry:
    """Entry of an evening without a recorded hand: old sheet, adjustment, rounding."""

    day: str
    gains: Mapping[int, tuple[int, int]]
    """Points and minor units of money by player."""
    currency: str = ""
    is_adjustment: bool = False
    is_hand: bool = False
    """The points of one hand of an old sheet, which tells nothing else of it."""
    is_rounding: bool = False
    """Money alone: brings the sum of an evening to the worth of its points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """One live hand; *players* are ids from forehand on."""

    id: UUID
    version: UUID | None = None
    place: HandPosition
    game: scoring.Variant
    """The variant with the values of the edition it was played by."""
    players: tuple[int, ...]
    declarer: int | None = None
    partner: int | None = None
    contract: str = ""
    thrown_in: bool = False
    """Not played: the cards were dealt again."""
    gave_up: bool = False
    won: bool | None = None
    """Won by the declarer's side; None for a tie, or without a game."""
    gains: Mapping[int, int]
    money: Mapping[int, int] = field(default_factory=dict)
    currency: str = ""
    lines: tuple[ScoredLine, ...] = ()
    xxi_lost_by: int | None = None
    played_at: datetime.datetime | None = None

    @property
    def day(self) -> str:
        """Return date and evening, as digests spell them: "2026-11-20/17"."""
        return f"{self.place.date}/{self.place.evening}"

    def role(self, player: int) -> PlayedRole | None:
        """Return the role of *player*; None without a declarer."""
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
        """Return the id of *item* across all games: "taroki/volat"."""
        return f"{self.game.id}/{item}"

    @property
    def seat(self) -> int | None:
        """Return the declarer's place in the order of play, 0 for forehand."""
        return None if self.declarer is None else self.players.index(self.declarer)
