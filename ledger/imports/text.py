"""Sheets as text: encoding, separator, and rows of cells, within bounds."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import islice

from ledger.exports.csv import writer
from ledger.imports import bounds
from ledger.imports.bounds import SheetRefused
from ledger.imports.grid import trimmed

SEPARATORS = (";", ",", "\t")
"""The first is the default where no line has any."""
ENCODINGS = ("utf-8", "cp1250", "cp1252")
CERTAIN, AMBIGUOUS = ENCODINGS[0], ENCODINGS[1:]
SAMPLE_BYTES = 4096
SAMPLE_LINES = 50
"""Lines from which the separator is proposed."""
SEP_LINE = re.compile(r'"?sep=(?P<mark>[^\n\r"])(?P=mark)*"?[ \t]*(\r\n|\r|\n)', re.I)
"""Excel's first line `sep=;`, which is no row."""
BLANK = ";,\t \r\n"
"""Characters of the empty rows below the last one."""


def to_utf8(data: bytes) -> bytes:
    """Return *data* in UTF-8 if it is UTF-16, Excel's "Unicode text".

    >>> to_utf8("Ő;1".encode("utf-16")) == to_utf8("Ő;1".encode("utf-16-be"))
    True
    """
    wide = _utf16_name(data)
    if wide is None:
        return data
    try:
        return data.decode(wide).removeprefix(writer.MARK).encode()
    except UnicodeError:  # as it is, it is no text at all
        return data


def _utf16_name(data: bytes) -> str | None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    even, odd = (data[side:SAMPLE_BYTES:2].count(0) for side in (0, 1))
    if even == odd or len(data) % 2:
        return None
    few, name = (even, "utf-16-le") if odd > even else (odd, "utf-16-be")
    return name if 8 * few < max(even, odd) else None


def encoding_of(data: bytes, chosen: str) -> str | None:
    """Return the encoding: UTF-8, else as *chosen*, or None where nobody has chosen.

    >>> encoding_of("Őri".encode(), ""), encoding_of("Őri".encode("cp1250"), "")
    ('utf-8', None)
    """
    if _is_in(CERTAIN, data):
        return CERTAIN
    return chosen if chosen in AMBIGUOUS and _is_in(chosen, data) else None


def encoding_samples(data: bytes) -> dict[str, str]:
    """Return a line with letters that differ, by encoding; none if it is no text."""
    line = next(line for line in data.splitlines() if not line.isascii())
    return {name: line.decode(name)[:80] for name in AMBIGUOUS if _is_in(name, data)}


def _is_in(encoding: str, data: bytes) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def separator_of(text: str, chosen: str) -> str | None:
    """Return the separator: as *chosen*, as in a line `sep=`, or the likeliest.

    None where two are as likely, and the reader has to choose.
    """
    if chosen in SEPARATORS:
        return chosen
    if sep_line := SEP_LINE.match(text):
        return sep_line["mark"]
    lines = [
        line for line in islice(StringIO(text, None), SAMPLE_LINES) if line.strip()
    ]
    even = {mark: n for mark in SEPARATORS if (n := _evenness(lines, mark))}
    if len(even) < 2:
        return next(iter(even), SEPARATORS[0])
    start = next(n for n, line in enumerate(lines) if any(map(line.__contains__, even)))
    first = [mark for mark in even if mark in lines[start]]
    best, second = sorted(even, key=even.__getitem__, reverse=True)[:2]
    if len(first) == 1 and all(first[0] in line for line in lines[start:]):
        return first[0]
    if first == [best] or (best not in first and even[best] >= 2 * even[second]):
        return best
    return None


def _evenness(lines: Sequence[str], mark: str) -> int:
    """Return the number of marks in lines that have equally many of them."""
    counts = [line.count(mark) for line in lines]
    return max(count * counts.count(count) for count in counts)


def parse_rows(text: str, separator: str) -> list[list[str]]:
    """Return the rows. Raise `SheetRefused`, or `csv.Error` for quotation marks."""
    sep_line = SEP_LINE.match(text)
    text = text[sep_line.end() :] if sep_line else text
    lines = StringIO(text.rstrip(BLANK), newline="")
    rows = csv.reader(lines, delimiter=separator, strict=True)
    return [_clean_row(row) for row in _within_bounds(rows)]


def _within_bounds(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    for number, row in enumerate(rows, start=1):
        if number > bounds.MOST_ROWS:
            raise SheetRefused(bounds.ROWS)
        if any(row[bounds.MOST_COLUMNS :]):
            raise SheetRefused(bounds.COLUMNS)
        if any(len(cell) > bounds.MOST_LETTERS for cell in row):
            raise SheetRefused(bounds.CELL, number)
        yield row[: bounds.MOST_COLUMNS]


def _clean_row(row: Iterable[str]) -> list[str]:
    return trimmed(writer.unguarded(cell).replace("\0", "").strip() for cell in row)
