"""Uploaded files: bytes into rows of cells, within bounds.

A workbook is stored as the rows of its sheets, in JSON; a text as its bytes, because
the reader may choose its encoding and separator later. Both are compressed.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from ledger.imports import bounds, grid, reader_process, text
from ledger.imports.bounds import SheetRefused
from ledger.imports.grid import Grid, GridRow, NoRows, SheetGrid
from ledger.imports.reader_process import ReadersBusy

__all__ = [
    "ALL_SHEETS",
    "Grid",
    "GridRow",
    "ReadOptions",
    "SheetGrid",
    "Unreadable",
    "content_of",
    "grid_of",
]

XLSX_START = b"PK\x03\x04"
XLS_START = b"\xd0\xcf\x11\xe0"
"""First bytes of XLSX files, and of the older XLS."""
ALL_SHEETS = "*"
"""Choice of all sheets with the same columns; Excel forbids it as a title."""


class Unreadable(ValueError):
    """A file that cannot be read; the message, in the active language, says why."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """A choice to make before reading: of a sheet, a separator or an encoding."""

    sheets: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    """Titles of the sheets that can be read as one."""
    separators: tuple[str, ...] = ()
    encodings: Mapping[str, str] | None = None
    """A line with letters that differ, by the name of the encoding."""


def content_of(name: str, data: bytes) -> bytes:
    """Return the content to store of an uploaded file. Raise `Unreadable`."""
    if len(data) > bounds.MOST_BYTES:
        raise Unreadable(
            _(
                "The file is larger than {most} MB: split it and import the parts."
            ).format(most=bounds.MOST_BYTES // 2**20)
        )
    if data.startswith(XLS_START) or name.lower().endswith(
        (".xls", ".ods", ".numbers")
    ):
        raise Unreadable(_("Save the sheet as XLSX or CSV first."))
    if data.startswith(XLSX_START):
        return _dump_sheets(_read_workbook(data))
    data = text.to_utf8(data)
    if b"\0" in data:
        raise Unreadable(_("This is neither an XLSX nor a CSV file."))
    return b"C" + zlib.compress(data)


def grid_of(content: bytes, choices: Mapping[str, Any]) -> Grid | ReadOptions:
    """Return the rows of a stored content, or the choice to make first.

    Raise `Unreadable` where no choice helps.
    """
    try:
        if is_workbook(content):
            return _workbook_grid(sheets(content), choices)
        return _text_grid(zlib.decompress(content[1:]), choices)
    except SheetRefused as refused:
        raise Unreadable(_refusal_message(refused)) from refused
    except NoRows:
        message = _("The sheet needs a row of headings, and rows below it.")
        raise Unreadable(message) from None


def is_workbook(content: bytes) -> bool:
    return content[:1] == b"X"


def sheets(content: bytes) -> list[SheetGrid]:
    """Return the sheets of a stored workbook; a text has none."""
    if not is_workbook(content):
        return []
    return [SheetGrid.load(data) for data in json.loads(zlib.decompress(content[1:]))]


def remaining_content(content: bytes, fingerprints: set[str]) -> bytes | None:
    """Return the content without the sheets of these *fingerprints*.

    None where no sheet with rows is left.
    """
    left = [sheet for sheet in sheets(content) if sheet.fingerprint not in fingerprints]
    return _dump_sheets(left) if grid.combinable_sheets(left) else None


def _dump_sheets(sheets: Sequence[SheetGrid]) -> bytes:
    data = json.dumps([sheet.dump() for sheet in sheets], ensure_ascii=False)
    return b"X" + zlib.compress(data.encode())


def _read_workbook(data: bytes) -> list[SheetGrid]:
    try:
        return reader_process.read_sheets(data)
    except SheetRefused as refused:
        raise Unreadable(_refusal_message(refused)) from refused
    except ReadersBusy:
        message = _(
            "Other sheets are being read just now: wait a moment and send it again."
        )
        raise Unreadable(message) from None


def _refusal_message(refused: SheetRefused) -> str:
    match refused.reason:
        case bounds.DAMAGED:
            return _("This XLSX file is damaged: save it again.")
        case bounds.ROWS:
            message = _(
                "The sheet has more than {most} rows: split it and import the parts."
            )
            return message.format(most=bounds.MOST_ROWS)
        case bounds.COLUMNS:
            message = _(
                "The sheet has more than {most} columns: delete those that are not "
                "needed."
            )
            return message.format(most=bounds.MOST_COLUMNS)
        case bounds.CELL:
            message = _("Row {number}: a cell is too long. Shorten it.")
            return message.format(number=refused.row)
    return _("The file holds too much: split it and import the parts.")


def _workbook_grid(
    sheets: Sequence[SheetGrid], choices: Mapping[str, Any]
) -> Grid | ReadOptions:
    if not sheets:
        raise Unreadable(_("The file is empty: choose another."))
    several = len(sheets) > 1
    chosen = _chosen_sheets(sheets, choices) if several else sheets
    if not chosen:
        together = tuple(sheet.title for sheet in grid.combinable_sheets(sheets))
        titles = tuple(sheet.title for sheet in sheets)
        return ReadOptions(titles, together if len(together) > 1 else ())
    if sum(len(sheet.table) for sheet in chosen) > bounds.MOST_ROWS:
        raise SheetRefused(bounds.ROWS)
    return grid.combined_grid(chosen, several, choices.get("heading"))


def _chosen_sheets(
    sheets: Sequence[SheetGrid], choices: Mapping[str, Any]
) -> Sequence[SheetGrid]:
    """Return the chosen sheets, or none where the reader has yet to choose."""
    if choices.get("sheet") == ALL_SHEETS:
        some = choices.get("sheets") or [
            sheet.title for sheet in grid.combinable_sheets(sheets)
        ]
        return [sheet for sheet in sheets if sheet.title in some]
    return [sheet for sheet in sheets if sheet.title == choices.get("sheet")]


def _text_grid(data: bytes, choices: Mapping[str, Any]) -> Grid | ReadOptions:
    encoding = text.encoding_of(data, choices.get("encoding", ""))
    if encoding is None:
        if lines := text.encoding_samples(data):
            return ReadOptions(encodings=lines)
        raise Unreadable(_("This is neither an XLSX nor a CSV file."))
    written = data.decode(encoding).removeprefix("\ufeff")
    separator = text.separator_of(written, choices.get("separator", ""))
    if separator is None:
        return ReadOptions(separators=text.SEPARATORS)
    try:
        table = text.parse_rows(written, separator)
    except csv.Error as wrong:
        raise Unreadable(
            _("A quotation mark is opened but not closed: correct it.")
        ) from wrong
    found = grid.combined_grid([SheetGrid("", table)], False, choices.get("heading"))
    return replace(found, separator=separator)
