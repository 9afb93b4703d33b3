"""How everybody's total went from evening to evening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ledger.statistics.played_hand import NOBODY

EVERYBODY = str(NOBODY)

MOST_POINTS = 120
"""Evenings that have a point of their own at the least."""

Day = Mapping[str, list[int]]
"""By player's id points, hands, and 1 if he played and was not only adjusted; the
hands of all are EVERYBODY's."""


class TotalsPoint(NamedTuple):
    """The end of an evening: its place among them, and all that went before."""

    ordinal: int
    day: str
    """Date and evening, as in "2026-11-20/17"."""
    hands: int
    totals: dict[str, int]


@dataclass(slots=True)
class RunningTotals:
    """Evenings that are complete, in their order."""

    evenings: int = 0
    hands: int = 0
    played: dict[str, int] = field(default_factory=dict)
    """At how many of the evenings each player played."""
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
        """Take up evenings that came after all of these."""
        for ordinal, day, hands, totals in later.points:
            moved = {who: self.totals.get(who, 0) + won for who, won in totals.items()}
            self.points.append(
                TotalsPoint(
                    self.evenings + ordinal,
                    day,
                    self.hands + hands,
                    {**self.totals, **moved},
                )
            )
        self.evenings += later.evenings
        self.hands += later.hands
        for mine, more in (self.played, later.played), (self.totals, later.totals):
            for who, count in more.items():
                mine[who] = mine.get(who, 0) + count

    def thin(self, most: int = MOST_POINTS) -> None:
        """Leave out every second point, or three of four …, but never the last.

        Which are left depends on the number of evenings alone, and not on how often
        some were left out before.
        """
        step = 1
        while self.evenings > most * step:
            step *= 2
        last = self.points[-1:]
        kept = [point for point in self.points[:-1] if point.ordinal % step == 0]
        self.points = kept + last

    def to_json(self) -> list[Any]:
        return [self.evenings, self.hands, self.played, self.totals, self.points]

    @classmethod
    def from_json(cls, kept: list[Any]) -> RunningTotals:
        evenings, hands, played, totals, points = kept
        some = [TotalsPoint(*point) for point in points]
        return cls(evenings, hands, played, totals, some)
