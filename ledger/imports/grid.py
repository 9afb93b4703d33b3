"""Rows under their headings: found in a sheet, and in several that belong together.

The sheets of a workbook are read as one where their headings agree. Those of players
may differ, as not everybody comes every time; the other columns must be the same, in
any order.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import repeat
from typing import Any

from ledger.text.names import fold

Table = Sequence[Sequence[str]]
MOST_HEADING_ROWS = 20
"""So many rows are looked at for the headings, and offered."""
NUMBER_OR_DATE = re.compile(r"[+\-−–]?\s*\d[\d\s.,'’:/\-]*")
"""A number, a date or an hour: what no heading is."""
POINTS_OR_DASH = re.compile(r"[+\-−–]?\s*[\d\s'’]*([.,]\d+)?|[\-−–—x]")
"""What stands under a player: points, or a dash."""


class NoRows(ValueError):
    """There are no headings with rows below them."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row that is not empty, with its number in the sheet."""

    number: int
    cells: tuple[str, ...]
    sheet: str = ""
    """The title of its sheet, where the workbook has several."""
    bare: frozenset[int] = frozenset()
    """Columns with a formula that carries no value."""

    @property
    def key(self) -> str:
        """Return what tells it from all others of the file.

        >>> Row(7, ()).key, Row(7, (), "May").key
        ('7', 'May!7')
        """
        return f"{self.sheet}!{self.number}" if self.sheet else str(self.number)

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """A sheet as it was read: *table* begins with its first row."""

    title: str
    table: Table
    bare: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Columns with a formula that carries no value, by the number of their row."""

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> SheetGrid:
        """Return the sheet that was *told* in JSON."""
        bare = {int(row): columns for row, columns in told["bare"].items()}
        return cls(told["title"], told["table"], bare)

    @property
    def told(self) -> dict[str, Any]:
        return {"title": self.title, "table": self.table, "bare": self.bare}

    @property
    def fingerprint(self) -> str:
        """Return what tells the same cells again, in whatever file they come."""
        rows = [list(row) for row in self.table]
        return sha256(json.dumps(rows).encode()).hexdigest()

    def rows(self, title: str) -> list[GridRow]:
        """Return the rows that are not empty, under *title*."""
        return [
            self._row(number, row, title)
            for number, row in enumerate(self.table, start=1)
            if any(row) or number in self.bare
        ]

    def _row(self, number: int, row: Sequence[str], title: str) -> GridRow:
        bare = frozenset(self.bare.get(number, ()))
        missing = max(bare, default=-1) + 1 - len(row)
        return GridRow(number, (*row, *[""] * missing), title, bare)


@dataclass(frozen=True, slots=True)
class Grid:
    """What is read: the *headings*, and the rows below them."""

    headings: GridRow
    rows: tuple[GridRow, ...]
    heads: tuple[GridRow, ...] = ()
    """The rows that may hold the headings."""
    sheets: tuple[str, ...] = ()
    """The titles of the sheets that are read, where the workbook has several."""
    left: tuple[str, ...] = ()
    """Of those that were chosen too, but do not belong with these."""
    fingerprints: tuple[str, ...] = ()
    separator: str = ""
    """The mark that stood between the columns of a text."""

    @property
    def width(self) -> int:
        return max(len(row.cells) for row in (self.headings, *self.rows))


@dataclass(frozen=True, slots=True)
class _HeadedSheet:
    """A sheet with its headings found."""

    sheet: SheetGrid
    headings: GridRow
    rows: tuple[GridRow, ...]
    columns: tuple[str, ...]
    """The headings, folded; one that repeats another is numbered."""
    figures: frozenset[str]
    """Those with nothing but numbers below them, as players have."""
    named: frozenset[str]
    """The others."""

    @classmethod
    def of(
        cls, sheet: SheetGrid, title: str, heading: int | None
    ) -> _HeadedSheet | None:
        """Return it; None where there is nothing below the headings."""
        rows = sheet.rows(title)
        at = _heading_index(rows, heading)
        head, below = rows[at : at + 1], tuple(rows[at + 1 :])
        if not head or not below:
            return None
        columns = _column_names(head[0], below)
        figures = frozenset(
            name for n, name in enumerate(columns) if _holds_only_points(below, n)
        )
        named = frozenset(columns) - figures - {""}
        return cls(sheet, head[0], below, columns, figures, named)

    def agrees(self, other: _HeadedSheet) -> bool:
        """Tell whether *other* belongs with this one: the players may differ."""
        shared = self.figures & other.figures
        if len(shared) < 2 and self.figures != other.figures:
            return False
        return self.named == other.named


def combined_grid(
    sheets: Sequence[SheetGrid], several: bool, heading: int | None = None
) -> Grid:
    """Return the rows of *sheets* that belong together, the others' titles *left*.

    *several* tells whether the workbook has more than one; *heading* is the number
    of the row of headings, else it is proposed. Raise `NoRows`.
    """
    titles = [sheet.title if several else "" for sheet in sheets]
    found = map(_HeadedSheet.of, sheets, titles, repeat(heading))
    read = _largest_group([headed for headed in found if headed])
    if not read:
        raise NoRows
    names = tuple(dict.fromkeys(name for one in read for name in one.columns))
    mine = [one.sheet.title for one in read]
    return Grid(
        _combined_headings(read, names),
        tuple(row for one in read for row in _combined_rows(one, names)),
        heads=tuple(read[0].sheet.rows("")[:-1][:MOST_HEADING_ROWS]),
        sheets=tuple(mine) if several else (),
        left=tuple(sheet.title for sheet in sheets if sheet.title not in mine),
        fingerprints=tuple(one.sheet.fingerprint for one in read),
    )


def trimmed(cells: Iterable[str]) -> list[str]:
    """Return a row without the empty cells at its end.

    >>> trimmed(["", "Ania", "", ""])
    ['', 'Ania']
    """
    row = list(cells)
    while row and not row[-1]:
        row.pop()
    return row


def combinable_sheets(sheets: Sequence[SheetGrid]) -> list[SheetGrid]:
    """Return those of *sheets* that can be read as one, as many as possible."""
    headed = [one for sheet in sheets if (one := _HeadedSheet.of(sheet, "", None))]
    return [one.sheet for one in _largest_group(headed)]


def _largest_group(headed: Sequence[_HeadedSheet]) -> Sequence[_HeadedSheet]:
    groups = ([one for one in headed if one.agrees(base)] for base in headed)
    return max(groups, key=len, default=[])


def _heading_index(rows: Sequence[GridRow], chosen: int | None) -> int:
    """Return the place of the headings: the first row that looks like them.

    >>> _heading([Row(1, ("Club", "")), Row(4, ("Date", "A")), Row(5, ("", "1"))], None)
    1
    """
    fullest = max((_filled_cells(row) for row in rows), default=0)
    places = range(min(len(rows), MOST_HEADING_ROWS))
    same = (place for place in places if rows[place].number == chosen)
    like = (place for place in places if _looks_like_headings(rows[place], fullest))
    return next(same, next(like, 0))


def _looks_like_headings(row: GridRow, fullest: int) -> bool:
    figures = sum(
        NUMBER_OR_DATE.fullmatch(cell.strip()) is not None for cell in row.cells
    )
    filled = _filled_cells(row)
    return 2 * filled > max(fullest, 3) and 2 * figures < filled


def _filled_cells(row: GridRow) -> int:
    return sum(map(bool, row.cells))


def _column_names(headings: GridRow, rows: Sequence[GridRow]) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    found = []
    for column in range(max(len(row.cells) for row in (headings, *rows))):
        name = fold(headings.cell(column))
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if name and seen[name] > 1 else name)
    return tuple(found)


def _holds_only_points(rows: Sequence[GridRow], column: int) -> bool:
    cells = (row.cell(column).strip() for row in rows)
    return all(POINTS_OR_DASH.fullmatch(cell) for cell in cells if cell)


def _combined_headings(read: Sequence[_HeadedSheet], names: Sequence[str]) -> GridRow:
    """Return the headings of all, as each was written first."""
    first = read[0].headings
    written = {
        name: one.headings.cell(column)
        for one in reversed(read)
        for column, name in enumerate(one.columns)
    }
    return replace(first, cells=tuple(written[name] for name in names))


def _combined_rows(one: _HeadedSheet, names: Sequence[str]) -> Iterable[GridRow]:
    """Return the rows with their cells under the columns of all."""
    if one.columns == names[: len(one.columns)]:
        return one.rows
    to = [names.index(name) for name in one.columns]
    return (_rearranged(row, to, len(names)) for row in one.rows)


def _rearranged(row: GridRow, to: Sequence[int], width: int) -> GridRow:
    cells = [""] * width
    for column, cell in enumerate(row.cells):
        cells[to[column]] = cell
    return replace(row, cells=tuple(cells), bare=frozenset(to[n] for n in row.bare))
