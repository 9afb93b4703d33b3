"""What a sheet comes to: its evenings, and everything that is wrong beside its row."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _

from ledger.imports.cell_values import (
    AmbiguousDate,
    UnclearCell,
    is_empty,
    names_total,
    parse_whole,
)
from ledger.imports.columns import Columns, label
from ledger.imports.dates import GIVEN_DATES, date_in_title, dated_rows, given_date
from ledger.imports.files import Grid, GridRow
from ledger.imports.player_names import PlayerNames
from ledger.imports.questions import Question
from ledger.models import Edition
from ledger.table.replay import Facts
from ledger.table.rotation import Sitting
from ledger.text.amounts import Stake, at_stake
from ledger.views.forms import evening_name

WITHOUT = "without"
"""Rows that the reader leaves out."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """What is wrong with a row, or with a cell of it."""

    row: int
    column: str
    sentence: str
    sheet: str = ""
    """The title of its sheet, where the workbook has several."""

    @property
    def key(self) -> str:
        return GridRow(self.row, (), self.sheet).key


@dataclass(frozen=True, slots=True)
class RowGains:
    """The points of one hand, or of a whole evening; *gains* by player."""

    row: str
    """The key of the first of its rows."""
    hand: int | None
    gains: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PlannedHand:
    """A hand with all its facts, and what it brings each player."""

    row: str
    """The key of its row."""
    number: int
    facts: Facts
    gains: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table of an evening: who sat at it, and what was played."""

    number: int
    sittings: Sequence[Sitting[int]]
    hands: Sequence[PlannedHand]


@dataclass(frozen=True, slots=True)
class PlannedEvening:
    """An evening that would be made."""

    date: datetime.date
    name: str
    told: Sequence[RowGains] = ()
    tables: Sequence[PlannedTable] = ()

    @property
    def hands(self) -> int:
        """How many hands are told one by one."""
        played = sum(len(table.hands) for table in self.tables)
        return played + sum(told.hand is not None for told in self.told)

    @property
    def all_gains(self) -> Iterator[tuple[bool, Mapping[int, int]]]:
        """Yield what was won, each with whether it is by a hand."""
        yield from ((told.hand is not None, told.gains) for told in self.told)
        for table in self.tables:
            yield from ((True, hand.gains) for hand in table.hands)


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """What a sheet adds to the books of a player."""

    player: int
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class ImportPlan:
    nights: Sequence[PlannedEvening]
    troubles: Sequence[RowProblem]
    people: PlayerNames
    rows: int
    doubts: Sequence[RowProblem] = ()
    """What is unlikely; it may be brought in all the same."""
    which_date: str = ""
    """A date that has two readings."""
    questions: Sequence[Question] = ()
    undated: Sequence[str] = ()
    """The titles of sheets whose evening has no date yet."""

    def worth(self, stake: Stake) -> Mapping[int, int]:
        """Return what the sheet adds in money, each evening rounded by itself."""
        worth: Counter[int] = Counter()
        for night in self.nights:
            points: Counter[int] = Counter()
            for _is_hand, gains in night.all_gains:
                points.update(gains)
            worth.update(at_stake(points, stake))
        return worth

    @property
    def changes(self) -> Sequence[PlayerTotal]:
        points: Counter[int] = Counter()
        hands: Counter[int] = Counter()
        for night in self.nights:
            for is_hand, gains in night.all_gains:
                for player, gain in gains.items():
                    points[player] += gain
                    hands[player] += is_hand
        by_points = sorted(points, key=lambda player: (-points[player], player))
        return [
            PlayerTotal(player, points[player], hands[player]) for player in by_points
        ]


@dataclass
class RowReader:
    """A sheet while it is read: what every mode needs of its rows."""

    grid: Grid
    columns: Columns
    people: PlayerNames
    edition: Edition
    choices: Mapping[str, Any]
    troubles: list[RowProblem] = field(default_factory=list)
    doubts: list[RowProblem] = field(default_factory=list)
    which_date: str = ""
    questions: list[Question] = field(default_factory=list)
    order: dict[str, int] = field(default_factory=dict)
    """The places of the rows as they were played, by their keys."""
    _days: dict[str, datetime.date | None] = field(default_factory=dict)

    @property
    def rows(self) -> Iterator[GridRow]:
        """Yield the rows that are not left out."""
        without = set(map(str, self.choices.get(WITHOUT, ())))
        return (row for row in self.grid.rows if row.key not in without)

    def cell(self, row: GridRow, meaning: str) -> str:
        column = self.columns.of.get(meaning)
        return "" if column is None else row.cell(column).strip()

    def nights(self) -> Iterator[tuple[datetime.date, str, list[GridRow]]]:
        """Yield the evenings with their rows, in the order of their dates."""
        found: dict[tuple[datetime.date, str], list[GridRow]] = {}
        for one in dated_rows(self):
            self.order[one.row.key] = len(self.order)
            found.setdefault((one.date, one.name), []).append(one.row)
        for (date, name), rows in sorted(found.items(), key=lambda item: item[0]):
            yield date, name or evening_name(date), rows

    @property
    def undated(self) -> Sequence[str]:
        """The titles of the sheets of which nobody knows when they were played."""
        if "date" in self.columns:
            return ()
        titles = dict.fromkeys(row.sheet for row in self.rows)
        return [title for title in titles if self.day_of(title) is None]

    def day_of(self, title: str) -> datetime.date | None:
        """Return when a sheet without dates was played: as was given, or its title."""
        if title not in self._days:
            self._days[title] = self._day_of(title)
        return self._days[title]

    def _day_of(self, title: str) -> datetime.date | None:
        if found := given_date(self.choices.get(GIVEN_DATES, {}), title):
            return found
        try:
            return date_in_title(title, self.choices.get("dates", ""))
        except AmbiguousDate as which:
            self.which_date = self.which_date or title
            self.troubles.append(RowProblem(1, "", str(which), title))
            return None

    # Totals

    def label(self, row: GridRow) -> str:
        """Return the cell that names a row a total, if one does."""
        if self.columns.of.get("contract") is not None:
            return ""
        figures = (*self.columns.scores, self.columns.of.get("points"))
        cells = (c for n, c in enumerate(row.cells) if n not in figures)
        found = (c for c in cells if names_total(c) and not self.people.is_known(c))
        return next(found, "").strip()

    def names_total(self, row: GridRow, meaning: str) -> bool:
        """Tell whether a cell says that its row is a total, and nothing else."""
        cell = self.cell(row, meaning)
        return bool(cell) and cell == self.label(row)

    def number(self, row: GridRow, meaning: str) -> int | None:
        """Return the whole number in a column; None where there is none."""
        written = self.cell(row, meaning)
        if not written:
            return None
        try:
            return parse_whole(written)
        except UnclearCell as unclear:
            self.wrong(row, meaning, str(unclear))
            return None

    def scores(self, row: GridRow) -> dict[int, int] | None:
        """Return the points in the columns of players; None if some can't be read."""
        return self._gains(
            row,
            ((name, row.cell(column)) for column, name in self.columns.scores.items()),
        )

    def _gains(
        self, row: GridRow, cells: Iterable[tuple[str, str]]
    ) -> dict[int, int] | None:
        gains: dict[int, int] = {}
        read = True
        for name, cell in cells:
            if is_empty(cell):
                continue
            try:
                points = parse_whole(cell)
            except UnclearCell as unclear:
                self.trouble(row, name, str(unclear))
                read = False
                continue
            player = self.people.find(name)
            if player in gains:
                self.twice(row, name)
                read = False
            else:
                gains[player] = points
        return gains if read else None

    def twice(self, row: GridRow, name: str) -> None:
        sentence = _("{name} appears here twice: leave one out.").format(name=name)
        self.trouble(row, name, sentence)

    def wrong(self, row: GridRow, meaning: str, sentence: str) -> None:
        self.trouble(row, self._heading(meaning), sentence)

    def trouble(self, row: GridRow, column: str, sentence: str) -> None:
        self.troubles.append(RowProblem(row.number, column, sentence, row.sheet))

    def doubt(self, row: GridRow, meaning: str, sentence: str) -> None:
        heading = self._heading(meaning)
        self.doubts.append(RowProblem(row.number, heading, sentence, row.sheet))

    def _place(self, trouble: RowProblem) -> tuple[int, int]:
        sheets = self.grid.sheets
        at = sheets.index(trouble.sheet) if trouble.sheet in sheets else 0
        return at, trouble.row

    def _heading(self, meaning: str) -> str:
        column = self.columns.of.get(meaning)
        return label(meaning) if column is None else self.grid.headings.cell(column)

    def plan(self, nights: Sequence[PlannedEvening]) -> ImportPlan:
        return ImportPlan(
            nights,
            sorted(self.troubles, key=self._place),
            self.people,
            sum(1 for _row in self.rows),
            tuple(self.doubts),
            self.which_date,
            tuple(self.questions),
            tuple(self.undated),
        )


def unbalanced_message(total: int) -> str:
    """Say by how much points don't come to nothing, and which way."""
    if total > 0:
        return _("The points are {points} too many: they must add up to 0.").format(
            points=total
        )
    return _("The points are {points} too few: they must add up to 0.").format(
        points=-total
    )


def short_date(date: datetime.date) -> str:
    return formats.date_format(date, "SHORT_DATE_FORMAT")
