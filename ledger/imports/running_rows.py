"""Gains by rows of points: each row by itself, or as the difference of running totals.

A row that is the sum of rows above it, or is labelled a total, gains nothing. Which
rows these are depends on the counting of the others, and on the rows that the reader
*counted* as hands or *left_out*. A sum is that of the evening, of the sheet, or of the
rows since the total before; it needs two rows, or one where another total was found or
the evening ends. A total may also stand above its rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from scoring import Variant
from scoring.shape import can_be_paid

Points = Mapping[int, int]


class CountingMode(Enum):
    """Meaning of the points of a row: its own, or a running total."""

    APART = "apart"
    EVENING = "evening"
    THROUGHOUT = "throughout"


@dataclass(frozen=True, slots=True)
class PointsRow:
    """Points by player in a row, or in the rows of one hand or evening."""

    key: str
    """The key of the first of its rows."""
    evening: Hashable
    points: Points
    label: str = ""
    """The cell that calls it a total."""
    numbered: bool = False
    """It has the number of a hand: a total of one hand has none."""


@dataclass(frozen=True, slots=True)
class TotalRow:
    """A row that is no hand: labelled a total, or the sum of others."""

    row: PointsRow
    is_sum: bool
    difference: Points
    """Points by player that a labelled total has more than the nearest sum."""


@dataclass
class GainsSum:
    """Sum of the gains of some rows."""

    points: Counter[int] = field(default_factory=Counter)
    rows: int = 0

    def add(self, gains: Points) -> None:
        self.points.update(gains)
        self.rows += 1

    def difference(self, points: Points) -> dict[int, int]:
        """Return *points* minus this sum by player, without zeros."""
        everybody = sorted({*points, *self.points})
        differences = {who: points.get(who, 0) - self.points[who] for who in everybody}
        return {who: by for who, by in differences.items() if by}

    def equals(self, points: Points) -> bool:
        mine = self.points
        return all(mine[who] == won for who, won in points.items()) and all(
            who in points or not won for who, won in mine.items()
        )


@dataclass
class CountedRows:
    """Rows counted in one mode: the gains of each, and the totals among them."""

    rows: Sequence[PointsRow]
    counting: CountingMode
    counted: Collection[str] = ()
    left_out: Collection[str] = ()
    single_row_totals: bool = False
    """A total may be that of a single row."""
    gains: dict[str, dict[int, int]] = field(default_factory=dict)
    """Gains by player, by the key of the row."""
    totals: list[TotalRow] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        rows: Sequence[PointsRow],
        counting: CountingMode,
        counted: Collection[str] = (),
        left_out: Collection[str] = (),
    ) -> CountedRows:
        """Return *rows* counted anew until no total is taken for a hand."""
        found = cls(rows, counting, counted, left_out)._count()
        if found.totals:
            found = cls(rows, counting, counted, left_out, True)._count()
        if above := found._totals_above():
            found = cls(rows, counting, counted, {*left_out, *above}, True)._count()
        return found

    @property
    def final_points(self) -> Counter[int]:
        """Points of each player after the last row."""
        points: Counter[int] = Counter()
        for gains in self.gains.values():
            points.update(gains)
        return points

    @property
    def nonzero_gains(self) -> list[dict[int, int]]:
        """Gains of the rows in which somebody gains or loses."""
        return [gains for gains in self.gains.values() if any(gains.values())]

    def count_payable(self, variant: Variant) -> int:
        """Return how many of these are payments that a hand of the game can have."""
        return sum(can_be_paid(variant, gains.values()) for gains in self.nonzero_gains)

    def _count(self) -> CountedRows:
        self._sheet, self._since = GainsSum(), GainsSum()
        self._evenings: dict[Hashable, GainsSum] = {}
        self._last = {row.evening: row.key for row in self.rows}
        before: dict[Hashable, dict[int, int]] = {}
        named: list[PointsRow] = []
        for row in self.rows:
            if row.key in self.counted or not self._is_total(row):
                running = before.setdefault(self._running_key(row), {})
                self._add_gains(row, running)
            elif row.label and not self._sheet.rows:
                named.append(row)
            else:
                self.totals.append(self._total(row))
                self._since = GainsSum()
        self.totals += map(self._total, named)
        place = {row.key: number for number, row in enumerate(self.rows)}
        self.totals.sort(key=lambda total: place[total.row.key])
        return self

    def _running_key(self, row: PointsRow) -> Hashable:
        """Return the evening over which totals run on, or None for all of them."""
        return row.evening if self.counting is CountingMode.EVENING else None

    def _add_gains(self, row: PointsRow, running: dict[int, int]) -> None:
        gains = dict(row.points)
        if self.counting is not CountingMode.APART:
            gains = {who: has - running.get(who, 0) for who, has in gains.items()}
            running.update(row.points)
        self.gains[row.key] = gains
        self._evenings.setdefault(row.evening, GainsSum()).add(gains)
        self._sheet.add(gains)
        self._since.add(gains)

    def _is_total(self, row: PointsRow) -> bool:
        if row.key in self.left_out or row.label:
            return True
        if not any(row.points.values()):
            return False
        return any(sum.equals(row.points) for sum in self._sums(row))

    def _sums(self, row: PointsRow) -> Iterator[GainsSum]:
        """Yield the sums that an unlabelled row can be the total of."""
        evening = self._evenings.get(row.evening, GainsSum())
        single = self.single_row_totals and not row.numbered
        last = self._last[row.evening] == row.key and not row.numbered
        apart = self.counting is CountingMode.APART
        # Every row of a running total equals the sum that it runs over.
        if apart or len(self._evenings) > 1:
            if (
                evening.rows >= 2 - (single or last)
                and self.counting is not CountingMode.EVENING
            ):
                yield evening
            if self._sheet.rows > 1 and self.counting is not CountingMode.THROUGHOUT:
                yield self._sheet
        if self.totals and self._since.rows >= 2 - single:
            yield self._since

    def _total(self, row: PointsRow) -> TotalRow:
        """Return *row* as a total, compared with the nearest sum."""
        sums = (self._evenings.get(row.evening, GainsSum()), self._sheet, self._since)
        difference = min(
            (sum.difference(row.points) for sum in sums if sum.rows),
            key=_distance,
            default=row.points,
        )
        return TotalRow(row, not difference, difference)

    def _totals_above(self) -> set[str]:
        """Return the keys of unlabelled rows that are the sum of all below them."""
        if self.counting is not CountingMode.APART:
            return set()
        first: dict[Hashable, str] = {}
        for row in self.rows:
            if row.key in self.gains:
                first.setdefault(row.evening, row.key)
        found = {
            key
            for evening, key in first.items()
            if self._is_total_above(key, self._evenings[evening])
        }
        top = next(iter(first.values()), None)
        if top is not None and self._is_total_above(top, self._sheet):
            found.add(top)
        return found - set(self.counted)

    def _is_total_above(self, key: str, sum: GainsSum) -> bool:
        mine = self.gains[key]
        twice = {who: 2 * won for who, won in mine.items()}
        return any(mine.values()) and sum.rows > 2 and sum.equals(twice)


def _distance(difference: Points) -> int:
    return sum(map(abs, difference.values()))


def is_likely_running(running: CountedRows, most: float = 0) -> bool:
    """Tell whether points look like running totals: steps are small beside sizes.

    *most* is the ratio of the squares of steps to those of sizes from which on they
    are no running totals; 0 takes it from `MOST_STEP_RATIOS`.
    """
    # The step between two independent evenings has twice the square of either, on
    # the average; the step of a running total has less and less of it.
    rows = [row for row in running.rows if row.key in running.gains][1:]
    rows = [row for row in rows if any(running.gains[row.key].values())]
    steps = sum(_sum_of_squares(running.gains[row.key]) for row in rows)
    size = sum(_sum_of_squares(row.points) for row in rows)
    if rows and not most:
        most = MOST_STEP_RATIOS[min(len(rows), len(MOST_STEP_RATIOS)) - 1]
    return steps < most * size


def _sum_of_squares(points: Points) -> int:
    return sum(won * won for won in points.values())


MOST_STEP_RATIOS = (5, 4, 3, 2.2, 2, 1.8, 1.6, 1.3)
"""The ratio for one step, two, three …: few steps deny it only when very large."""
