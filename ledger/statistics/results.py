"""Rows of results: plain values with labels, ready for pages, workbook and API."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from uuid import UUID

from ledger.models import Player
from ledger.statistics.figures import Figure, Shows

Cells = tuple[int | None, Fraction | None, int | None, Fraction | None]
"""Count, success, points, average; None for columns that the figure does not show."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row of the ranking; *place* is None below the least number of hands."""

    place: int | None
    player: Player
    hands: int
    """Hands played; deals thrown in are not counted."""
    evenings: int
    points: int
    """Sum of hands, old sheets and adjustments."""
    adjusted: int
    """Part of *points* that comes from adjustments."""
    average: Fraction | None
    """Points per hand, without adjustments; None without a hand."""
    money: Mapping[str, int] = field(default_factory=dict)
    """Minor units by currency, of hands and adjustments; without payments."""

    def at(self, place: int | None) -> Ranked:
        return replace(self, place=place)


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One row of a figure; `figure.shows` says which columns are shown."""

    figure: Figure
    about: str = ""
    """Subject where a figure has many rows: id of an item, a seat, a player's id."""
    name: str = ""
    """Label of the subject: a contract, a bonus, a player."""
    game: str = ""
    """Name of the game of the item."""
    count: int = 0
    hits: int = 0
    """Successes, as the figure defines them."""
    points: int = 0
    player: int | None = None
    """Id; None for a figure of the club."""

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
        """Return the label, with the game where there are *several*."""
        return f"{self.name} ({self.game})" if several and self.game else self.name


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Rows under one heading."""

    title: str
    rows: tuple[FigureRow, ...]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The end of an evening on a curve."""

    evening: int
    date: datetime.date
    hands: int
    """Hands from the first evening of the filter up to here."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Running totals by evening; None before a player's first."""

    points: tuple[CurvePoint, ...]
    series: Mapping[int, tuple[int | None, ...]]
    """By player id, a value for each of the *points*."""
    thinned: bool = False
    """True when there are fewer points than evenings."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record: a hand, a streak, or an evening at a table."""

    figure: Figure
    about: str
    """Id among the records of the figure."""
    value: int
    player: Player | None
    date: datetime.date
    evening: int
    table: int
    first: int
    """Number of its first hand."""
    last: int
    hand: UUID | None = None
    """Set when the record is one hand."""


@dataclass(frozen=True, slots=True)
class MayorTerm:
    """Time as Mayor: from the hand in which a player loses the XXI to the next one."""

    player: Player
    hand: UUID
    number: int
    evening: int
    since: datetime.datetime
    until: datetime.datetime | None
    """None for the current Mayor."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """Tempo of play, from the first to the last hand of each table."""

    hands: int
    """Hands that followed another at the same table."""
    duration: datetime.timedelta
    """Sum over the tables."""
    start: datetime.datetime | None = None
    """Time of the first hand."""
    end: datetime.datetime | None = None

    @property
    def hands_an_hour(self) -> Fraction | None:
        seconds = int(self.duration.total_seconds())
        return Fraction(self.hands * 3600, seconds) if seconds else None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Points of the row's player in hands with, or against, the column's player."""

    players: tuple[Player, ...]
    cells: Mapping[tuple[int, int], FigureRow]
    """By ids of the row's and the column's player; without pairs that never met."""
