"""Reading of rows: cells by meaning of their column, problems beside their row."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from ledger.imports.cell_values import (
    AmbiguousDate,
    UnclearCell,
    is_empty,
    names_total,
    parse_whole,
)
from ledger.imports.columns import Columns, label
from ledger.imports.grid import Grid, GridRow
from ledger.imports.plan import WITHOUT, ImportPlan, PlannedEvening, RowProblem
from ledger.imports.player_names import PlayerNames
from ledger.imports.questions import Question
from ledger.imports.sheet_dates import GIVEN_DATES, date_in_title, given_date
from ledger.models import Edition


@dataclass
class RowReader:
    """A sheet while it is read, with the problems and questions found so far."""

    grid: Grid
    columns: Columns
    names: PlayerNames
    edition: Edition
    choices: Mapping[str, Any]
    problems: list[RowProblem] = field(default_factory=list)
    warnings: list[RowProblem] = field(default_factory=list)
    ambiguous_date: str = ""
    questions: list[Question] = field(default_factory=list)
    played_order: dict[str, int] = field(default_factory=dict)
    """Positions in the order of play, by the key of the row."""
    _dates: dict[str, datetime.date | None] = field(default_factory=dict)

    @property
    def rows(self) -> Iterator[GridRow]:
        """Yield the rows that are not left out."""
        without = set(map(str, self.choices.get(WITHOUT, ())))
        return (row for row in self.grid.rows if row.key not in without)

    def cell(self, row: GridRow, meaning: str) -> str:
        column = self.columns.by_meaning.get(meaning)
        return "" if column is None else row.cell(column).strip()

    @property
    def undated(self) -> Sequence[str]:
        """Titles of the sheets without a date."""
        if "date" in self.columns:
            return ()
        titles = dict.fromkeys(row.sheet for row in self.rows)
        return [title for title in titles if self.date_of(title) is None]

    def date_of(self, title: str) -> datetime.date | None:
        """Return the date of a whole sheet: given by the reader, or in its title."""
        if title not in self._dates:
            self._dates[title] = self._date_of(title)
        return self._dates[title]

    def _date_of(self, title: str) -> datetime.date | None:
        if found := given_date(self.choices.get(GIVEN_DATES, {}), title):
            return found
        try:
            return date_in_title(title, self.choices.get("dates", ""))
        except AmbiguousDate as ambiguous:
            self.ambiguous_date = self.ambiguous_date or title
            self.problems.append(RowProblem(1, "", str(ambiguous), title))
            return None

    def total_label(self, row: GridRow) -> str:
        """Return the cell that labels a row as a total, or an empty text."""
        if self.columns.by_meaning.get("contract") is not None:
            return ""
        points = (*self.columns.scores, self.columns.by_meaning.get("points"))
        cells = (c for n, c in enumerate(row.cells) if n not in points)
        found = (c for c in cells if names_total(c) and not self.names.is_known(c))
        return next(found, "").strip()

    def names_total(self, row: GridRow, meaning: str) -> bool:
        """Tell whether a cell is the label of a total."""
        cell = self.cell(row, meaning)
        return bool(cell) and cell == self.total_label(row)

    def whole_number(self, row: GridRow, meaning: str) -> int | None:
        """Return the number in a column; None where it is empty, or a problem."""
        written = self.cell(row, meaning)
        if not written:
            return None
        try:
            return parse_whole(written)
        except UnclearCell as unclear:
            self.add_problem(row, meaning, str(unclear))
            return None

    def points_of(self, row: GridRow) -> dict[int, int] | None:
        """Return the points by player in a row; None where a cell is a problem."""
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
                self.add_problem_at(row, name, str(unclear))
                read = False
                continue
            player = self.names.find(name)
            if player in gains:
                self.add_repeated_player(row, name)
                read = False
            else:
                gains[player] = points
        return gains if read else None

    def add_repeated_player(self, row: GridRow, name: str) -> None:
        sentence = _("{name} appears here twice: leave one out.").format(name=name)
        self.add_problem_at(row, name, sentence)

    def add_problem(self, row: GridRow, meaning: str, sentence: str) -> None:
        self.add_problem_at(row, self._heading(meaning), sentence)

    def add_problem_at(self, row: GridRow, column: str, sentence: str) -> None:
        self.problems.append(RowProblem(row.number, column, sentence, row.sheet))

    def add_warning(self, row: GridRow, meaning: str, sentence: str) -> None:
        heading = self._heading(meaning)
        self.warnings.append(RowProblem(row.number, heading, sentence, row.sheet))

    def _position(self, problem: RowProblem) -> tuple[int, int]:
        sheets = self.grid.sheets
        at = sheets.index(problem.sheet) if problem.sheet in sheets else 0
        return at, problem.row

    def _heading(self, meaning: str) -> str:
        column = self.columns.by_meaning.get(meaning)
        return label(meaning) if column is None else self.grid.headings.cell(column)

    def plan(self, evenings: Sequence[PlannedEvening]) -> ImportPlan:
        """Return the plan with *evenings*, and everything found in the rows."""
        return ImportPlan(
            evenings,
            sorted(self.problems, key=self._position),
            self.names,
            sum(1 for _row in self.rows),
            tuple(self.warnings),
            self.ambiguous_date,
            tuple(self.questions),
            tuple(self.undated),
        )
