"""Grid: rows of cells under their headings, from one sheet or several with the same.

Sheets of a workbook are combined where their headings agree. Columns of players may
differ, as not everybody comes every time; the others must be the same, in any order.
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
"""Rows from the top that may be the headings."""
NUMBER_OR_DATE = re.compile(r"[+\-−–]?\s*\d[\d\s.,'’:/\-]*")
"""A number, a date or a time: no heading is one."""
POINTS_OR_DASH = re.compile(r"[+\-−–]?\s*[\d\s'’]*([.,]\d+)?|[\-−–—x]")
"""A cell below the name of a player."""


class NoRows(ValueError):
    """A sheet without headings, or without rows below them."""


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
        """Return an id that is unique in the file.

        >>> GridRow(7, ()).key, GridRow(7, (), "May").key
        ('7', 'May!7')
        """
        return f"{self.sheet}!{self.number}" if self.sheet else str(self.number)

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """All cells of a sheet, row by row from the first."""

    title: str
    table: Table
    bare: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Columns with a formula that carries no value, by the number of the row."""

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> SheetGrid:
        """Return the sheet that `dump` has written."""
        bare = {int(row): columns for row, columns in data["bare"].items()}
        return cls(data["title"], data["table"], bare)

    def dump(self) -> dict[str, Any]:
        return {"title": self.title, "table": self.table, "bare": self.bare}

    @property
    def fingerprint(self) -> str:
        """Return a digest of the cells: the same in whatever file they come."""
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
    """Headings, and the rows below them, of one sheet or several combined."""

    headings: GridRow
    rows: tuple[GridRow, ...]
    heading_candidates: tuple[GridRow, ...] = ()
    """Rows that may be the headings."""
    sheets: tuple[str, ...] = ()
    """Titles of the combined sheets, where the workbook has several."""
    left_out: tuple[str, ...] = ()
    """Titles of chosen sheets with other columns."""
    fingerprints: tuple[str, ...] = ()
    separator: str = ""
    """Character between the columns of a text."""

    @property
    def width(self) -> int:
        return max(len(row.cells) for row in (self.headings, *self.rows))


@dataclass(frozen=True, slots=True)
class _HeadedSheet:
    """A sheet divided into headings and rows."""

    sheet: SheetGrid
    headings: GridRow
    rows: tuple[GridRow, ...]
    columns: tuple[str, ...]
    """Folded headings; one that repeats another is numbered."""
    player_columns: frozenset[str]
    """Those with points or dashes alone below them."""
    other_columns: frozenset[str]
    """All others with a heading."""

    @classmethod
    def of(
        cls, sheet: SheetGrid, title: str, heading: int | None
    ) -> _HeadedSheet | None:
        """Return the divided sheet; None where no row is below the headings."""
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
        """Tell whether two sheets can be combined: only their players may differ."""
        shared = self.player_columns & other.player_columns
        if len(shared) < 2 and self.player_columns != other.player_columns:
            return False
        return self.other_columns == other.other_columns


def combined_grid(
    sheets: Sequence[SheetGrid], several: bool, heading: int | None = None
) -> Grid:
    """Return the largest group of *sheets* that can be combined, as one grid.

    *several*: the workbook has more than one sheet. *heading*: number of the row of
    headings; None proposes one. Raise `NoRows`.
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
        heading_candidates=tuple(read[0].sheet.rows("")[:-1][:MOST_HEADING_ROWS]),
        sheets=tuple(mine) if several else (),
        left_out=tuple(sheet.title for sheet in sheets if sheet.title not in mine),
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
    """Return the largest group of *sheets* that can be combined."""
    headed = [one for sheet in sheets if (one := _HeadedSheet.of(sheet, "", None))]
    return [one.sheet for one in _largest_group(headed)]


def _largest_group(headed: Sequence[_HeadedSheet]) -> Sequence[_HeadedSheet]:
    groups = ([one for one in headed if one.agrees(base)] for base in headed)
    return max(groups, key=len, default=[])


def _heading_index(rows: Sequence[GridRow], chosen: int | None) -> int:
    """Return the index of the headings: the *chosen* row, or the first that fits.

    >>> rows = (1, ("Club", "")), (4, ("Date", "A")), (5, ("", "1"))
    >>> _heading_index([GridRow(*row) for row in rows], None)
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
    """Return the headings of all sheets, spelled as in the first that has them."""
    first = read[0].headings
    written = {
        name: one.headings.cell(column)
        for one in reversed(read)
        for column, name in enumerate(one.columns)
    }
    return replace(first, cells=tuple(written[name] for name in names))


def _combined_rows(one: _HeadedSheet, names: Sequence[str]) -> Iterable[GridRow]:
    """Return the rows of one sheet with their cells in the combined columns."""
    if one.columns == names[: len(one.columns)]:
        return one.rows
    to = [names.index(name) for name in one.columns]
    return (_rearranged(row, to, len(names)) for row in one.rows)


def _rearranged(row: GridRow, to: Sequence[int], width: int) -> GridRow:
    cells = [""] * width
    for column, cell in enumerate(row.cells):
        cells[to[column]] = cell
    return replace(row, cells=tuple(cells), bare=frozenset(to[n] for n in row.bare))
