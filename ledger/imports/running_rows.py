"""What rows of points bring: each by itself, or as totals that run on.

A row that is the sum of rows above it, or is named a total, brings nothing. Which rows
these are depends on how the others are counted, and on what the reader *kept* as hands
or left *out*. A sum is that of the evening, of the sheet, or of what came since the
total before; it counts from two rows, of one row only where another total was found or
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
    """What the points of a row are: its own, or a total that runs on."""

    APART = "apart"
    EVENING = "evening"
    THROUGHOUT = "throughout"


@dataclass(frozen=True, slots=True)
class PointsRow:
    """What a row, or the rows of one hand or evening, say that each has."""

    row: str
    """The key of the first of its rows."""
    evening: Hashable
    points: Points
    label: str = ""
    """What names it a total."""
    numbered: bool = False
    """Whether it has the number of a hand: a total of one hand has none."""


@dataclass(frozen=True, slots=True)
class TotalRow:
    """A line that is no hand: named so, or the sum of others."""

    line: PointsRow
    equal: bool
    off: Points
    """By how much a named one differs from the nearest sum."""


@dataclass
class PointsSum:
    """What some lines come to together."""

    points: Counter[int] = field(default_factory=Counter)
    lines: int = 0

    def add(self, gains: Points) -> None:
        self.points.update(gains)
        self.lines += 1

    def off(self, points: Points) -> dict[int, int]:
        """Return by how much *points* differ, without those who don't."""
        everybody = sorted({*points, *self.points})
        off = {who: points.get(who, 0) - self.points[who] for who in everybody}
        return {who: by for who, by in off.items() if by}

    def is_said_by(self, points: Points) -> bool:
        mine = self.points
        return all(mine[who] == won for who, won in points.items()) and all(
            who in points or not won for who, won in mine.items()
        )


@dataclass
class CountedRows:
    """Lines counted in one way: what each brings, and the totals among them."""

    lines: Sequence[PointsRow]
    counting: CountingMode
    kept: Collection[str] = ()
    out: Collection[str] = ()
    lonely: bool = False
    """Whether a total may be that of one line anywhere."""
    brought: dict[str, dict[int, int]] = field(default_factory=dict)
    """By the row of the line."""
    totals: list[TotalRow] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        lines: Sequence[PointsRow],
        counting: CountingMode,
        kept: Collection[str] = (),
        out: Collection[str] = (),
    ) -> CountedRows:
        account = cls(lines, counting, kept, out)._counted()
        if account.totals:
            account = cls(lines, counting, kept, out, True)._counted()
        if above := account._above():
            account = cls(lines, counting, kept, {*out, *above}, True)._counted()
        return account

    @property
    def ends(self) -> Counter[int]:
        """What each has at the end."""
        ends: Counter[int] = Counter()
        for gains in self.brought.values():
            ends.update(gains)
        return ends

    @property
    def moves(self) -> list[dict[int, int]]:
        """What lines bring that bring somebody something."""
        return [gains for gains in self.brought.values() if any(gains.values())]

    def fits(self, variant: Variant) -> int:
        """Return how many of these bring what a hand of the game can bring."""
        return sum(can_be_paid(variant, gains.values()) for gains in self.moves)

    def _counted(self) -> CountedRows:
        self._sheet, self._since = PointsSum(), PointsSum()
        self._evenings: dict[Hashable, PointsSum] = {}
        self._last = {line.evening: line.row for line in self.lines}
        before: dict[Hashable, dict[int, int]] = {}
        named: list[PointsRow] = []
        for line in self.lines:
            if line.row in self.kept or not self._is_total(line):
                running = before.setdefault(self._run(line), {})
                self._bring(line, running)
            elif line.label and not self._sheet.lines:
                named.append(line)
            else:
                self.totals.append(self._total(line))
                self._since = PointsSum()
        self.totals += map(self._total, named)
        place = {line.row: number for number, line in enumerate(self.lines)}
        self.totals.sort(key=lambda total: place[total.line.row])
        return self

    def _run(self, line: PointsRow) -> Hashable:
        """Return what a total that runs on is kept by."""
        return line.evening if self.counting is CountingMode.EVENING else None

    def _bring(self, line: PointsRow, running: dict[int, int]) -> None:
        gains = dict(line.points)
        if self.counting is not CountingMode.APART:
            gains = {who: has - running.get(who, 0) for who, has in gains.items()}
            running.update(line.points)
        self.brought[line.row] = gains
        self._evenings.setdefault(line.evening, PointsSum()).add(gains)
        self._sheet.add(gains)
        self._since.add(gains)

    def _is_total(self, line: PointsRow) -> bool:
        if line.row in self.out or line.label:
            return True
        if not any(line.points.values()):
            return False
        return any(sum.is_said_by(line.points) for sum in self._sums(line))

    def _sums(self, line: PointsRow) -> Iterator[PointsSum]:
        """Yield what an unnamed line can be the total of.

        A total that runs on says its own sum with every line.
        """
        evening = self._evenings.get(line.evening, PointsSum())
        lonely = self.lonely and not line.numbered
        last = self._last[line.evening] == line.row and not line.numbered
        apart = self.counting is CountingMode.APART
        if apart or len(self._evenings) > 1:
            if (
                evening.lines >= 2 - (lonely or last)
                and self.counting is not CountingMode.EVENING
            ):
                yield evening
            if self._sheet.lines > 1 and self.counting is not CountingMode.THROUGHOUT:
                yield self._sheet
        if self.totals and self._since.lines >= 2 - lonely:
            yield self._since

    def _total(self, line: PointsRow) -> TotalRow:
        """Return the total, compared with the nearest sum."""
        sums = (self._evenings.get(line.evening, PointsSum()), self._sheet, self._since)
        off = min(
            (sum.off(line.points) for sum in sums if sum.lines),
            key=_distance,
            default=line.points,
        )
        return TotalRow(line, not off, off)

    def _above(self) -> set[str]:
        """Return the unnamed lines that are the sum of all that follow them."""
        if self.counting is not CountingMode.APART:
            return set()
        first: dict[Hashable, str] = {}
        for line in self.lines:
            if line.row in self.brought:
                first.setdefault(line.evening, line.row)
        found = {
            row
            for evening, row in first.items()
            if self._is_above(row, self._evenings[evening])
        }
        top = next(iter(first.values()), None)
        if top is not None and self._is_above(top, self._sheet):
            found.add(top)
        return found - set(self.kept)

    def _is_above(self, row: str, sum: PointsSum) -> bool:
        mine = self.brought[row]
        twice = {who: 2 * won for who, won in mine.items()}
        return any(mine.values()) and sum.lines > 2 and sum.is_said_by(twice)


def _distance(off: Points) -> int:
    return sum(map(abs, off.values()))


def is_likely_running(running: CountedRows, most: float = 0) -> bool:
    """Whether evenings look like totals of a season: they change by less than they are.

    What single evenings come to changes by twice its own square from one to the next,
    on the average; a total that runs on by less and less of it. The fewer there are the
    less can be told, so of few it is only denied where it is as good as impossible,
    unless *most* says from how many times their size on changes are no steps.
    """
    rows = [line for line in running.lines if line.row in running.brought][1:]
    rows = [line for line in rows if any(running.brought[line.row].values())]
    steps = sum(_sum_of_squares(running.brought[line.row]) for line in rows)
    size = sum(_sum_of_squares(line.points) for line in rows)
    if rows and not most:
        most = MOST_STEP_RATIOS[min(len(rows), len(MOST_STEP_RATIOS)) - 1]
    return steps < most * size


def _sum_of_squares(points: Points) -> int:
    return sum(won * won for won in points.values())


MOST_STEP_RATIOS = (5, 4, 3, 2.2, 2, 1.8, 1.6, 1.3)
"""The same for one change, two, three …"""
