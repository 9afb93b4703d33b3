"""CSV as spreadsheets read it, and as it is read back unchanged.

The file is UTF-8 with a mark that says so, quoted as RFC 4180 has it. A text that a
spreadsheet would take for a formula gets an apostrophe before it, and so does one
that begins with an apostrophe: `plain` takes exactly one away. So does what follows a
mark within a text, where a spreadsheet that takes another mark for the one between
cells would begin a cell. Numbers get none.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial
from itertools import islice

MARK = "\ufeff"
"""Tells spreadsheets that it is UTF-8."""
GUARD = "'"
GUARDED = (GUARD, *"=+-@\t\r\n＝＋－＠")
"""What a text may not begin with, in full width too."""
INNER = re.compile(r"""(?<=[,;\t\r\n])(?=["']*[=+\-@＝＋－＠])""")
"""Where a formula would begin if a mark within the text were one between cells."""
INNER_GUARD = re.compile(r"""(?<=[,;\t\r\n])'(?=["']*[=+\-@＝＋－＠])""")
A_CHUNK = 500
"""Rows that are written, and sent, at once."""
SOME = 4096
"""Cells whose spelling is remembered: names, days and amounts come again and again."""

Cell = str | int | Decimal | None
Row = Sequence[Cell]

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
DECIMALS = {"point": ".", "comma": ","}


@dataclass(frozen=True, slots=True)
class Style:
    """What stands between cells, and what before decimals."""

    separator: str = "comma"
    decimal: str = "point"

    @classmethod
    def of(cls, language: str | None) -> Style:
        """Return what spreadsheets expect where *language* is spoken."""
        return cls() if language in (None, "en") else cls("semicolon", "comma")


def guarded(text: str) -> str:
    """Return *text* so that no spreadsheet takes it for a formula.

    >>> guarded("=1+1"), guarded("-"), guarded("Ania"), guarded("'s Heren")
    ("'=1+1", "'-", 'Ania', "''s Heren")
    >>> guarded("Ania,=1+1"), guarded("Kozy, +2")
    ("Ania,'=1+1", 'Kozy, +2')
    """
    text = INNER.sub(GUARD, text)
    return GUARD + text if text.startswith(GUARDED) else text


def plain(cell: str) -> str:
    """Return the text that was guarded.

    >>> plain("'=1+1"), plain("''s Heren"), plain("Ania")
    ('=1+1', "'s Heren", 'Ania')
    """
    return INNER_GUARD.sub("", cell.removeprefix(GUARD))


def unguarded(cell: str) -> str:
    """Return a cell of anybody's file without the guards that ours have.

    >>> unguarded("'=Ania"), unguarded("'Ania"), unguarded("Ania,'=1+1")
    ('=Ania', "'Ania", 'Ania,=1+1')
    """
    if cell.startswith(GUARD) and cell[1:2] in GUARDED:
        return plain(cell)
    return INNER_GUARD.sub("", cell)


def written(rows: Iterable[Row], style: Style) -> Iterator[bytes]:
    """Yield the file of *rows*, some hundred rows at a time."""
    spelled = lru_cache(SOME, typed=True)(partial(_spelled, DECIMALS[style.decimal]))
    file = io.StringIO(newline="")
    file.write(MARK)
    write = csv.writer(file, delimiter=SEPARATORS[style.separator]).writerows
    left = iter(rows)
    while some := list(islice(left, A_CHUNK)):
        write([[spelled(cell) for cell in row] for row in some])
        yield file.getvalue().encode()
        file.seek(0)
        file.truncate()


def read(text: str, separator: str = "comma") -> Iterator[list[str]]:
    """Yield the rows of a file of ours, its texts as they were before."""
    file = io.StringIO(text.removeprefix(MARK), newline="")
    for row in csv.reader(file, delimiter=SEPARATORS[separator], strict=True):
        yield [plain(cell) for cell in row]


def _spelled(mark: str, cell: Cell) -> Cell:
    if isinstance(cell, str):
        return guarded(cell)
    if isinstance(cell, Decimal):
        return f"{cell:f}".replace(".", mark)
    return int(cell) if isinstance(cell, bool) else cell
