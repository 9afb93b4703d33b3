"""Survey of an XLSX before it is read: its size, and formulas without a value.

One pass over its parts stores none of their content, so the reader after it stays
within memory. Every part is surveyed, because a sheet may have any file name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO
from xml.parsers import expat
from zipfile import ZipFile

from openpyxl.utils.cell import column_index_from_string

from ledger.imports import bounds
from ledger.imports.bounds import SheetRefused

CHUNK_BYTES = 64 * 2**10
MOST_DEPTH = 100
MOST_ROW_CELLS = 2**14
"""Cells of a row; Excel has no more columns."""
MOST_CELL_ELEMENTS = 8
"""Elements within a cell."""


@dataclass
class XlsxPart:
    """Cells of a sheet that the reader has to know: row and column, from 1."""

    formulas: set[tuple[int, int]] = field(default_factory=set)
    """Cells with a formula."""
    bare: set[tuple[int, int]] = field(default_factory=set)
    """Cells with a formula and no value."""
    uncalculated: bool = False
    """The workbook asks for its formulas to be calculated when it is opened."""
    last_row: int = 0
    """Number of the last row that is not empty."""


def survey(archive: ZipFile) -> Mapping[str, XlsxPart]:
    """Return the parts by file name. Raise `SheetRefused` beyond the bounds."""
    parts = archive.infolist()
    if len(parts) > bounds.MOST_PARTS:
        raise SheetRefused(bounds.TOO_MUCH)
    if sum(part.file_size for part in parts) > bounds.MOST_UNPACKED:
        raise SheetRefused(bounds.TOO_MUCH)
    counted: Counter[str] = Counter()
    found = {}
    for part in parts:
        with archive.open(part) as file:
            found[part.filename] = _Surveyor(counted).survey(file)
    if sum(part.last_row for part in found.values()) > bounds.MOST_ROWS_IN_ALL:
        raise SheetRefused(bounds.TOO_MUCH)
    return found


class _Surveyor:
    def __init__(self, counted: Counter[str]) -> None:
        self.counted = counted
        """Rows, cells and other elements of all parts so far."""
        self.part = XlsxPart()
        self.open: list[str] = []
        self.row = self.column = self.in_row = 0
        self.kind = ""
        self.has_formula = self.has_value = False

    def survey(self, file: IO[bytes]) -> XlsxPart:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._declare
        try:
            while chunk := file.read(CHUNK_BYTES):
                parser.Parse(chunk)
        except expat.ExpatError:
            pass  # a picture, or damaged: who reads it will tell
        return self.part

    def _declare(self, *_declared: object) -> None:
        # A sheet has no DOCTYPE, and entities may multiply.
        raise SheetRefused(bounds.DAMAGED)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        self.open.append(name)
        if len(self.open) > MOST_DEPTH:
            raise SheetRefused(bounds.TOO_MUCH)
        if name == "row":
            self._count("rows", bounds.MOST_CELLS)
            before, self.row = self.row, _number(attributes.get("r"), self.row + 1)
            if self.row <= before:
                raise SheetRefused(bounds.DAMAGED)  # what comes late would be lost
            self.column = self.in_row = 0
        elif name == "calcPr":
            full = attributes.get("fullCalcOnLoad", "0")
            self.part.uncalculated = full in ("1", "true")
        elif "row" not in self.open[-4:]:
            self._count("elsewhere", bounds.MOST_OTHER_ELEMENTS)
        elif self.open[-2] == "row":
            self._count("cells", bounds.MOST_CELLS)
            self._begin_cell(attributes)
        else:
            self._count("within", MOST_CELL_ELEMENTS * bounds.MOST_CELLS)
            self.has_formula |= name == "f"

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        letters = attributes.get("r", "").rstrip("0123456789")
        self.column = _column(letters) if letters else self.column + 1
        self.in_row += 1
        if self.in_row > MOST_ROW_CELLS:
            raise SheetRefused(bounds.TOO_MUCH)
        self.kind = attributes.get("t", "n")
        self.has_formula = self.has_value = False

    def _text(self, text: str) -> None:
        if "c" in self.open[-4:] and text.strip():
            self._note_content()
            self.has_value |= self.open[-1] != "f"

    def _end(self, _name: str) -> None:
        name = self.open.pop()
        if name == "c" and self.has_formula and self.open[-1:] == ["row"]:
            self._note_content()
            self.part.formulas.add((self.row, self.column))
            if not self.has_value and self.kind != "str":  # which may be empty
                self.part.bare.add((self.row, self.column))

    def _note_content(self) -> None:
        """Note a cell that is not empty."""
        if self.row > bounds.MOST_ROWS:
            raise SheetRefused(bounds.ROWS)
        if self.column > bounds.MOST_COLUMNS:
            raise SheetRefused(bounds.COLUMNS)
        self.part.last_row = max(self.part.last_row, self.row)

    def _count(self, what: str, most: int) -> None:
        self.counted[what] += 1
        if self.counted[what] > most:
            raise SheetRefused(bounds.TOO_MUCH)


def _number(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not (text.isdecimal() and len(text) < 10):
        raise SheetRefused(bounds.DAMAGED)
    return int(text)


def _column(letters: str) -> int:
    try:
        return column_index_from_string(letters)
    except ValueError:
        raise SheetRefused(bounds.DAMAGED) from None
