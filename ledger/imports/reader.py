"""Reader of workbooks: a process without Django, database and secrets.

    python -m ledger.imports.reader < old.xlsx

Limits of memory and time hold for the whole process, whatever the file contains.
Output, in JSON: the sheets that are not empty, or the reason of a refusal.
"""

from __future__ import annotations

import json
import lzma
import os
import resource
import sys
import warnings
import zlib
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from io import BytesIO
from itertools import count
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from ledger.imports import bounds
from ledger.imports.bounds import SheetRefused
from ledger.imports.grid import SheetGrid, trimmed
from ledger.imports.workbook_survey import XlsxPart, survey

NICENESS = 10
"""Behind the processes that answer the tables."""
CPU_SECONDS = 20
"""The largest sheet within bounds takes a few."""
MEMORY_BYTES = 768 * 2**20
OUTPUT_BYTES = 32 * 2**20
LIMITS = {
    resource.RLIMIT_CPU: CPU_SECONDS,
    resource.RLIMIT_AS: MEMORY_BYTES,
    resource.RLIMIT_FSIZE: OUTPUT_BYTES,
    resource.RLIMIT_NOFILE: 16,
    resource.RLIMIT_CORE: 0,
}
DAMAGE_ERRORS = (
    *(BadZipFile, InvalidFileException, LookupError, ValueError, TypeError),
    *(ParseError, AttributeError, EOFError, OSError, zlib.error, lzma.LZMAError),
    *(OverflowError, RecursionError),
    RuntimeError,  # locked by a password, or compressed in an unknown way
)
"""Exceptions of zipfile and openpyxl for a file that is no valid XLSX."""


def main() -> None:
    os.nice(NICENESS)
    for limit, most in LIMITS.items():
        resource.setrlimit(limit, (most, most))
    warnings.simplefilter("ignore")
    try:
        data = sys.stdin.buffer.read(bounds.MOST_BYTES + 1)
        answer: Any = {"sheets": [sheet.dump() for sheet in sheets(data)]}
    except SheetRefused as refused:
        answer = {"refused": refused.reason, "row": refused.row}
    except MemoryError:
        answer = {"refused": bounds.TOO_MUCH, "row": 0}
    sys.stdout.write(json.dumps(answer))


def sheets(data: bytes) -> list[SheetGrid]:
    """Return the sheets of an XLSX that are not empty. Raise `SheetRefused`."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            parts = survey(archive)
        book = load_workbook(BytesIO(data), read_only=True, data_only=True)
        return _sheets(book, parts)
    except SheetRefused:
        raise
    except DAMAGE_ERRORS as damage:
        raise SheetRefused(bounds.DAMAGED) from damage


def _sheets(book: Any, parts: Mapping[str, XlsxPart]) -> list[SheetGrid]:
    if len(book.worksheets) > bounds.MOST_SHEETS:
        raise SheetRefused(bounds.TOO_MUCH)
    uncalculated = any(part.uncalculated for part in parts.values())
    found: list[SheetGrid] = []
    letters = 0
    for sheet in book.worksheets:
        part = parts[sheet._worksheet_path]
        bare = part.formulas if uncalculated else part.bare
        table = _rows(sheet, part.last_row)
        letters += sum(len(cell) for row in table for cell in row)
        if letters > bounds.MOST_LETTERS_IN_ALL:
            raise SheetRefused(bounds.TOO_MUCH)
        if any(map(any, table)) or bare:
            title = _unique_title(sheet.title, {one.title for one in found})
            found.append(SheetGrid(title, table, _columns_by_row(bare)))
    return found


def _unique_title(written: str, taken: set[str]) -> str:
    """Return the title of a sheet, numbered where another has the same."""
    tidy = _cell_text(written)[: bounds.MOST_LETTERS] or "–"
    others = (f"{tidy} ({number})" for number in count(2))
    return tidy if tidy not in taken else next(o for o in others if o not in taken)


def _columns_by_row(cells: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """Return the columns, counted from 0, by the number of the row."""
    found: dict[int, list[int]] = {}
    for row, column in sorted(cells):
        found.setdefault(row, []).append(column - 1)
    return found


def _rows(sheet: Any, last: int) -> list[list[str]]:
    """Return the rows up to number *last*."""
    # Files often have an empty cell far below their last row.
    if not last:
        return []
    sheet.reset_dimensions()  # a file may say anything about its size
    rows = sheet.iter_rows(values_only=True, max_row=last, max_col=bounds.MOST_COLUMNS)
    return [_trimmed_row(number, row) for number, row in enumerate(rows, start=1)]


def _trimmed_row(number: int, values: Iterable[object]) -> list[str]:
    row = trimmed(map(_cell_text, values))
    if any(len(cell) > bounds.MOST_LETTERS for cell in row):
        raise SheetRefused(bounds.CELL, number)
    return row


def _cell_text(value: object) -> str:
    """Return a cell as text: dates in ISO 8601, decimals with a comma.

    >>> [_cell_text(value) for value in (date(2024, 5, 3), 12.0, -0.5, None)]
    ['2024-05-03', '12', '-0,5', '']
    >>> _cell_text(datetime(2024, 5, 3, 19, 31)), _cell_text(datetime(2024, 5, 3))
    ('2024-05-03 19:31', '2024-05-03')
    >>> _cell_text(time(19, 31, 2)), _cell_text(timedelta(hours=25, minutes=30))
    ('19:31:02', '25:30')
    """
    match value:
        case None:
            return ""
        case bool():
            return "1" if value else "0"
        case datetime():
            return _date_text(value)
        case date():
            return value.isoformat()
        case time():
            return _time_text(value.hour, value.minute, value.second)
        case timedelta():
            minutes, seconds = divmod(round(value.total_seconds()), 60)
            return _time_text(*divmod(minutes, 60), seconds)
        case float():
            return f"{value:.10g}".replace(".", ",")  # never a mark of thousands
    return str(value).replace("\0", "").strip()


def _date_text(value: datetime) -> str:
    """Return a date, with its time unless that is midnight."""
    value = (value + timedelta(milliseconds=500)).replace(microsecond=0)
    clock = _time_text(value.hour, value.minute, value.second)
    return f"{value:%Y-%m-%d}" + ("" if clock == "00:00" else f" {clock}")


def _time_text(hours: int, minutes: int, seconds: int) -> str:
    return f"{hours:02}:{minutes:02}" + (f":{seconds:02}" if seconds else "")


if __name__ == "__main__":
    main()
