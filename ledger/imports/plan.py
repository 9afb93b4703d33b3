"""Plan of an import: the evenings that it would make, and the problems of rows."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ledger.imports.grid import GridRow
from ledger.imports.player_names import PlayerNames
from ledger.imports.questions import Question
from ledger.journal import SheetHand, SheetResult, SheetTable
from ledger.text.amounts import Stake, at_stake

WITHOUT = "without"
"""Key of the choices: keys of the rows to leave out."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A problem of a row, or of a cell in it."""

    row: int
    column: str
    sentence: str
    sheet: str = ""
    """Title of the sheet, where the workbook has several."""

    @property
    def key(self) -> str:
        return GridRow(self.row, (), self.sheet).key


@dataclass(frozen=True, slots=True)
class PlannedHand(SheetHand):
    """A hand scored by the rules, with its points by player."""

    gains: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PlannedTable(SheetTable):
    """A table of an evening: its line-ups and its hands, scored."""

    hands: Sequence[PlannedHand]


@dataclass(frozen=True, slots=True)
class PlannedEvening:
    """An evening to be created: rows of points, or tables with hands."""

    date: datetime.date
    name: str
    rows: Sequence[SheetResult] = ()
    tables: Sequence[PlannedTable] = ()

    @property
    def hands(self) -> int:
        """Number of hands; an evening of totals has none."""
        played = sum(len(table.hands) for table in self.tables)
        return played + sum(row.hand is not None for row in self.rows)

    @property
    def all_gains(self) -> Iterator[tuple[bool, Mapping[int, int]]]:
        """Yield gains by player, each with True if they are those of a hand."""
        yield from ((row.hand is not None, row.gains) for row in self.rows)
        for table in self.tables:
            yield from ((True, hand.gains) for hand in table.hands)


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """Points and hands that an import adds for a player."""

    player: int
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Everything that a sheet holds, with the state of its reading."""

    evenings: Sequence[PlannedEvening]
    problems: Sequence[RowProblem]
    names: PlayerNames
    rows: int
    warnings: Sequence[RowProblem] = ()
    """Unlikely hands; the reader may confirm them."""
    ambiguous_date: str = ""
    """The first date with two interpretations."""
    questions: Sequence[Question] = ()
    undated: Sequence[str] = ()
    """Titles of sheets whose evening has no date yet."""

    def money(self, stake: Stake) -> Mapping[int, int]:
        """Return minor units by player, each evening rounded by itself."""
        money: Counter[int] = Counter()
        for evening in self.evenings:
            points: Counter[int] = Counter()
            for _is_hand, gains in evening.all_gains:
                points.update(gains)
            money.update(at_stake(points, stake))
        return money

    @property
    def player_totals(self) -> Sequence[PlayerTotal]:
        """Totals by player, the highest points first."""
        points: Counter[int] = Counter()
        hands: Counter[int] = Counter()
        for evening in self.evenings:
            for is_hand, gains in evening.all_gains:
                for player, gain in gains.items():
                    points[player] += gain
                    hands[player] += is_hand
        by_points = sorted(points, key=lambda player: (-points[player], player))
        return [
            PlayerTotal(player, points[player], hands[player]) for player in by_points
        ]
