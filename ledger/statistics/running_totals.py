"""Running totals: the points of every player after each evening, oldest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ledger.statistics.played_hand import NOBODY

EVERYBODY = str(NOBODY)

MOST_POINTS = 120
"""Points of a thinned curve are between half of these and all of them."""

Day = Mapping[str, list[int]]
"""By id of the player: points, hands, and 1 if he played (0 if he was only adjusted).
The hands of the club are under EVERYBODY."""


class TotalsPoint(NamedTuple):
    """The end of an evening: its ordinal from 1, and the totals up to there."""

    ordinal: int
    day: str
    """Date and evening, as in "2026-11-20/17"."""
    hands: int
    totals: dict[str, int]


@dataclass(slots=True)
class RunningTotals:
    """Running totals per evening, oldest first; only closed evenings."""

    evenings: int = 0
    hands: int = 0
    played: dict[str, int] = field(default_factory=dict)
    """Evenings of each player."""
    totals: dict[str, int] = field(default_factory=dict)
    points: list[TotalsPoint] = field(default_factory=list)

    def add_day(self, day: str, players: Day) -> None:
        self.evenings += 1
        for who, (points, hands, played) in players.items():
            if who == EVERYBODY:
                self.hands += hands
                continue
            self.totals[who] = self.totals.get(who, 0) + points
            if played:
                self.played[who] = self.played.get(who, 0) + 1
        self.points.append(
            TotalsPoint(self.evenings, day, self.hands, dict(self.totals))
        )

    def add(self, later: RunningTotals) -> None:
        """Append the evenings of *later*, which follow all of these."""
        for ordinal, day, hands, totals in later.points:
            new = {who: self.totals.get(who, 0) + won for who, won in totals.items()}
            self.points.append(
                TotalsPoint(
                    self.evenings + ordinal,
                    day,
                    self.hands + hands,
                    {**self.totals, **new},
                )
            )
        self.evenings += later.evenings
        self.hands += later.hands
        for mine, more in (self.played, later.played), (self.totals, later.totals):
            for who, count in more.items():
                mine[who] = mine.get(who, 0) + count

    def thin(self, most: int = MOST_POINTS) -> None:
        """Drop every second point, three of four and so on, but never the last.

        The points left depend on the number of evenings alone.
        """
        # Thinning a season evening by evening and in one go must give the same JSON.
        step = 1
        while self.evenings > most * step:
            step *= 2
        last = self.points[-1:]
        some = [point for point in self.points[:-1] if point.ordinal % step == 0]
        self.points = some + last

    def dump(self) -> list[Any]:
        return [self.evenings, self.hands, self.played, self.totals, self.points]

    @classmethod
    def load(cls, data: list[Any]) -> RunningTotals:
        evenings, hands, played, totals, rows = data
        points = [TotalsPoint(*row) for row in rows]
        return cls(evenings, hands, played, totals, points)
