"""Files as they come: bytes into rows of cells, within bounds.

What an XLSX holds is turned into rows when it is uploaded; of a CSV the bytes are kept,
because how its letters and columns are meant is sometimes asked afterwards.
"""

from __future__ import annotations

import csv
import json
import lzma
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from io import BytesIO, StringIO
from itertools import islice
from typing import Any
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from ledger.exports import cells

MOST_BYTES = 4 * 2**20
MOST_UNPACKED = 40 * 2**20
"""So much may be in an XLSX; a zip bomb holds more."""
MOST_ROWS = 20_000
LAST_ROW = 2**20
"""Of an XLSX; a cell may say that it stands anywhere."""
MOST_COLUMNS = 60
MOST_LETTERS = 500
"""In one cell."""
SEPARATORS = (";", ",", "\t")
ENCODINGS = ("utf-8", "cp1250", "cp1252")
SURE, ASKED = ENCODINGS[0], ENCODINGS[1:]
ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0"
"""How XLSX files begin, and those of before 2007."""


class Unreadable(ValueError):
    """The file cannot be read; says why in the active language."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not empty, with its number in the file."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A sheet: its *headings*, and the rows below them."""

    headings: Row
    rows: tuple[Row, ...]

    @property
    def width(self) -> int:
        return max(len(row.cells) for row in (self.headings, *self.rows))


@dataclass(frozen=True, slots=True)
class Asked:
    """What has to be known before the rows can be read; each with what it offers."""

    sheets: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()
    encodings: Mapping[str, str] | None = None
    """By name of the encoding, a line that shows the difference."""


def packed(name: str, data: bytes) -> bytes:
    """Return what is kept of an uploaded file. Raise `Unreadable`."""
    if len(data) > MOST_BYTES:
        raise Unreadable(
            _(
                "The file is larger than {most} MB: split it and import the parts."
            ).format(most=MOST_BYTES // 2**20)
        )
    if data.startswith(OLE) or name.lower().endswith((".xls", ".ods", ".numbers")):
        raise Unreadable(_("Save the sheet as XLSX or CSV first."))
    if data.startswith(ZIP):
        book = json.dumps({"sheets": _workbook(data)}, ensure_ascii=False)
        return b"X" + zlib.compress(book.encode())
    if b"\0" in data:
        raise Unreadable(_("This is neither an XLSX nor a CSV file."))
    return b"C" + zlib.compress(data)


def opened(content: bytes, choices: Mapping[str, Any]) -> Grid | Asked:
    """Return the rows of what `packed` kept, or what has to be asked first."""
    kind, data = content[:1], zlib.decompress(content[1:])
    if kind == b"X":
        return _of_workbook(json.loads(data)["sheets"], choices.get("sheet", ""))
    return _of_text(data, choices)


# XLSX


DAMAGED = (
    *(BadZipFile, InvalidFileException, LookupError, ValueError, TypeError),
    *(SyntaxError, AttributeError, EOFError, OSError, zlib.error, lzma.LZMAError),
    RuntimeError,  # it is locked by a password, or packed in a way we don't know
)
"""What reading an XLSX ends with that is none."""


def _workbook(data: bytes) -> dict[str, list[list[str]]]:
    _check_size(data)
    try:
        book = load_workbook(BytesIO(data), read_only=True, data_only=True)
        sheets = {sheet.title: _rows_of(sheet) for sheet in book.worksheets}
    except DAMAGED as wrong:
        if isinstance(wrong, Unreadable):
            raise
        raise Unreadable(_("This XLSX file is damaged: save it again.")) from wrong
    return {title: rows for title, rows in sheets.items() if any(map(any, rows))}


def _check_size(data: bytes) -> None:
    try:
        with ZipFile(BytesIO(data)) as archive:
            size = sum(file.file_size for file in archive.infolist())
    except BadZipFile:
        raise Unreadable(_("This XLSX file is damaged: save it again.")) from None
    if size > MOST_UNPACKED:
        raise Unreadable(_("The file holds too much: split it and import the parts."))


def _rows_of(sheet: Any) -> list[list[str]]:
    sheet.reset_dimensions()  # a file may say anything about its size
    rows = sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS + 1)
    found = [_row(row) for row in _bounded(islice(rows, LAST_ROW))]
    while found and not found[-1]:
        found.pop()
    return found


def _row(values: Iterable[object]) -> list[str]:
    row = [_spelt(value) for value in values]
    while row and not row[-1]:
        row.pop()
    return row


def _spelt(value: object) -> str:
    """Return a cell as it would be typed: dates in ISO's way, whole numbers whole.

    >>> _spelt(date(2024, 5, 3)), _spelt(12.0), _spelt(-0.5), _spelt(None)
    ('2024-05-03', '12', '-0,5', '')
    """
    match value:
        case None:
            return ""
        case bool():
            return "1" if value else "0"
        case datetime():
            return value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case float():
            return f"{value:.10g}".replace(".", ",")  # never a mark of thousands
    return str(value).replace("\0", "").strip()


# CSV


def _of_text(data: bytes, choices: Mapping[str, Any]) -> Grid | Asked:
    encoding = _encoding(data, choices.get("encoding", ""))
    if encoding is None:
        return Asked(encodings=_shown(data))
    text = data.decode(encoding).removeprefix("\ufeff")
    separator = _separator(text, choices.get("separator", ""))
    if separator is None:
        return Asked(separators=SEPARATORS)
    lines = StringIO(text, newline="")
    try:
        rows = _bounded(csv.reader(lines, delimiter=separator, strict=True))
        return _grid([_row(map(_unguarded, row)) for row in rows])
    except csv.Error as wrong:
        raise Unreadable(
            _("A quotation mark is opened but not closed: correct it.")
        ) from wrong


def _unguarded(cell: str) -> str:
    """Return a cell without the apostrophe that our own files put before some.

    >>> _unguarded("'=Ania"), _unguarded("'Ania")
    ('=Ania', "'Ania")
    """
    guarded = cell.startswith(cells.GUARD) and cell[1:2] in cells.GUARDED
    return cells.plain(cell) if guarded else cell


def _encoding(data: bytes, chosen: str) -> str | None:
    """Return how the letters are meant: what is no UTF-8 has to be asked.

    >>> _encoding("Őri".encode(), ""), _encoding("Őri".encode("cp1250"), "")
    ('utf-8', None)
    """
    if _is_in(SURE, data):
        return SURE
    return chosen if chosen in ASKED and _is_in(chosen, data) else None


def _is_in(encoding: str, data: bytes) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _shown(data: bytes) -> dict[str, str]:
    line = next(line for line in data.splitlines() if not line.isascii())
    found = {name: line.decode(name)[:80] for name in ASKED if _is_in(name, data)}
    if not found:
        raise Unreadable(_("This is neither an XLSX nor a CSV file."))
    return found


def _separator(text: str, chosen: str) -> str | None:
    """Return the mark between columns: the only one of the headings, else asked."""
    if chosen in SEPARATORS:
        return chosen
    head = next((line for line in text.splitlines() if line.strip()), "")
    found = [mark for mark in SEPARATORS if mark in head]
    if len(found) == 1:
        return found[0]
    return None if found else SEPARATORS[0]


# Both


def _of_workbook(sheets: Mapping[str, list[list[str]]], chosen: str) -> Grid | Asked:
    if not sheets:
        raise Unreadable(_("The file is empty: choose another."))
    if chosen not in sheets:
        if len(sheets) > 1:
            return Asked(sheets=tuple(sheets))
        chosen = next(iter(sheets))
    return _grid(sheets[chosen])


def _bounded(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """Yield the rows; raise `Unreadable` where there are too many, or too much."""
    for number, row in enumerate(rows):
        if number > MOST_ROWS:
            if not any(row):
                continue  # far below there often is a cell that was emptied
            raise Unreadable(
                _(
                    "The sheet has more than {most} rows: split it and import the "
                    "parts."
                ).format(most=MOST_ROWS)
            )
        if len(row) > MOST_COLUMNS and any(row[MOST_COLUMNS:]):
            raise Unreadable(
                _(
                    "The sheet has more than {most} columns: delete those that are not "
                    "needed."
                ).format(most=MOST_COLUMNS)
            )
        if any(len(str(cell)) > MOST_LETTERS for cell in row if cell):
            raise Unreadable(
                _("Row {number}: a cell is too long. Shorten it.").format(
                    number=number + 1
                )
            )
        yield row[:MOST_COLUMNS]


def _grid(table: Sequence[Sequence[str]]) -> Grid:
    rows = [
        Row(number, tuple(row)) for number, row in enumerate(table, start=1) if any(row)
    ]
    if len(rows) < 2:
        raise Unreadable(_("The sheet needs a row of headings, and rows below it."))
    return Grid(rows[0], tuple(rows[1:]))
