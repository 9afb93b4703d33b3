"""An XLSX surveyed before it is read: how much is in it, and which formulas are bare.

One pass over its parts, which keeps nothing of them: what comes after can trust that
there is no more than it has room for. Every part is surveyed, whatever its name,
because a file may call a sheet what it likes.
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
"""Cells; a spreadsheet has no more columns."""
MOST_CELL_ELEMENTS = 8
"""Elements that a cell is made of, at the most."""


@dataclass
class XlsxPart:
    """What is worth knowing of a sheet before it is read."""

    formulas: set[tuple[int, int]] = field(default_factory=set)
    """Row and column of each."""
    bare: set[tuple[int, int]] = field(default_factory=set)
    """Of those, the ones that carry no value."""
    uncalculated: bool = False
    """Of the workbook: whether it says that its formulas are still to be calculated."""
    last: int = 0
    """The last row with something in it."""


def survey(archive: ZipFile) -> Mapping[str, XlsxPart]:
    """Return each part by its name. Raise `Refused` for more than there is room for."""
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
    if sum(part.last for part in found.values()) > bounds.MOST_ROWS_IN_ALL:
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
        raise SheetRefused(
            bounds.DAMAGED
        )  # a sheet has none, and entities may multiply

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
            asked = attributes.get("fullCalcOnLoad", "0")
            self.part.uncalculated = asked in ("1", "true")
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
            self._meet()
            self.has_value |= self.open[-1] != "f"

    def _end(self, _name: str) -> None:
        name = self.open.pop()
        if name == "c" and self.has_formula and self.open[-1:] == ["row"]:
            self._meet()
            self.part.formulas.add((self.row, self.column))
            if not self.has_value and self.kind != "str":  # which may be empty
                self.part.bare.add((self.row, self.column))

    def _meet(self) -> None:
        """Meet a cell that is not empty."""
        if self.row > bounds.MOST_ROWS:
            raise SheetRefused(bounds.ROWS)
        if self.column > bounds.MOST_COLUMNS:
            raise SheetRefused(bounds.COLUMNS)
        self.part.last = max(self.part.last, self.row)

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
