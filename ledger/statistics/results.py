"""What the pages show of the statistics: plain values with their names."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from uuid import UUID

from ledger.models import Player
from ledger.statistics.figures import Figure, Shows

Cells = tuple[int | None, Fraction | None, int | None, Fraction | None]
"""Count, success, points, average; None where a figure's number says nothing."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One player's row of the ranking, who may be below the least number of hands."""

    place: int | None
    player: Player
    hands: int
    """Hands played out, deals thrown in left out."""
    evenings: int
    points: int
    """All that hands and adjustments moved."""
    adjusted: int
    """Points, among the *points*, that no hand has moved."""
    average: Fraction | None
    """Points a hand, adjustments left out; None without a hand."""
    money: Mapping[str, int] = field(default_factory=dict)
    """Minor units by currency, won and adjusted; payments are no part of it."""

    def at(self, place: int | None) -> Ranked:
        return replace(self, place=place)


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure's value; which of the numbers it shows, the figure says."""

    figure: Figure
    about: str = ""
    """What it is about where a figure has many rows: an item, a seat, a player's id."""
    name: str = ""
    """What it is about, in words: a contract, a bonus, a player."""
    game: str = ""
    """The name of the game whose item it is about."""
    count: int = 0
    hits: int = 0
    """How many of them succeeded, in the figure's own sense."""
    points: int = 0
    player: int | None = None
    """Whose it is; None is the club's."""

    @property
    def success(self) -> Fraction | None:
        return Fraction(self.hits, self.count) if self.count else None

    @property
    def average(self) -> Fraction | None:
        return Fraction(self.points, self.count) if self.count else None

    @property
    def cells(self) -> Cells:
        shows = self.figure.shows
        succeeds = shows in (Shows.SUCCESS, Shows.ALL)
        averaged = shows in (Shows.POINTS, Shows.ALL)
        valued = shows is Shows.VALUE
        return (
            None if valued else self.count,
            self.success if succeeds else None,
            self.points if valued or averaged else None,
            self.average if averaged else None,
        )

    def called(self, *, several: bool) -> str:
        """Return what it is about, with the game where there are *several*."""
        return f"{self.name} ({self.game})" if several and self.game else self.name


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Figures that belong under one heading."""

    title: str
    rows: tuple[FigureRow, ...]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The end of an evening on a curve."""

    evening: int
    date: datetime.date
    hands: int
    """Hands played from the beginning of what is looked at."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Running totals; None until somebody has played or been adjusted."""

    points: tuple[CurvePoint, ...]
    series: Mapping[int, tuple[int | None, ...]]
    """By player id, a value for each of the *points*."""
    thinned: bool = False
    """Whether not every evening has a point of its own."""


@dataclass(frozen=True, slots=True)
class Record:
    """Something nobody has done better: a hand, a run of hands, an evening."""

    figure: Figure
    about: str
    """What tells it from the others of its kind."""
    value: int
    player: Player | None
    date: datetime.date
    evening: int
    table: int
    first: int
    """The number of the hand where it began."""
    last: int
    hand: UUID | None = None
    """The hand, where it is one."""


@dataclass(frozen=True, slots=True)
class Worn:
    """Somebody wears the Mayor's hat, from a hand until another loses the card."""

    player: Player
    hand: UUID
    number: int
    evening: int
    since: datetime.datetime
    until: datetime.datetime | None
    """None where he wears it still."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast was played: between the first and the last hand of each table."""

    hands: int
    """Hands that followed another at the same table."""
    duration: datetime.timedelta
    """How long those took, the tables added up."""
    start: datetime.datetime | None = None
    """When the first hand was played; of one evening only."""
    end: datetime.datetime | None = None

    @property
    def hands_an_hour(self) -> Fraction | None:
        seconds = int(self.duration.total_seconds())
        return Fraction(self.hands * 3600, seconds) if seconds else None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Points of the row's player in the hands with, or against, the column's."""

    players: tuple[Player, ...]
    cells: Mapping[tuple[int, int], FigureRow]
    """By the ids of the row's and the column's player, where they met."""
