"""CSV writer: rows encoded for spreadsheets, and read back unchanged.

The file is UTF-8 with a byte order mark, quoted after RFC 4180. A text that begins like
a formula is guarded by an apostrophe before it (OWASP, "CSV injection"), and so is a
text that begins with an apostrophe: `plain` removes exactly one. Within a text the same
guard follows every separator, since a spreadsheet set to another separator would begin
a cell there. Numbers are not guarded.
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
"""Byte order mark: tells spreadsheets that the file is UTF-8."""
GUARD = "'"
GUARDED = (GUARD, *"=+-@\t\r\n＝＋－＠")
"""Beginnings of a text that are guarded, in full width too."""
INNER = re.compile(r"""(?<=[,;\t\r\n])(?=["']*[=+\-@＝＋－＠])""")
"""Places within a text where a formula follows a separator."""
INNER_GUARD = re.compile(r"""(?<=[,;\t\r\n])'(?=["']*[=+\-@＝＋－＠])""")
CHUNK = 500
"""Rows encoded, and sent, at once."""
CACHED_CELLS = 4096
"""Size of the cache of formatted cells: names, days and amounts repeat."""

Cell = str | int | Decimal | None
Row = Sequence[Cell]

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
DECIMALS = {"point": ".", "comma": ","}


@dataclass(frozen=True, slots=True)
class Style:
    """Dialect of a file: separator of cells, mark of decimals."""

    separator: str = "comma"
    decimal: str = "point"

    @classmethod
    def of(cls, language: str | None) -> Style:
        """Return the dialect that spreadsheets expect in *language*."""
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
    """Return a guarded text as it was.

    >>> plain("'=1+1"), plain("''s Heren"), plain("Ania")
    ('=1+1', "'s Heren", 'Ania')
    """
    return INNER_GUARD.sub("", cell.removeprefix(GUARD))


def unguarded(cell: str) -> str:
    """Return a cell of a foreign file without guards like ours.

    >>> unguarded("'=Ania"), unguarded("'Ania"), unguarded("Ania,'=1+1")
    ('=Ania', "'Ania", 'Ania,=1+1')
    """
    if cell.startswith(GUARD) and cell[1:2] in GUARDED:
        return plain(cell)
    return INNER_GUARD.sub("", cell)


def encode(rows: Iterable[Row], style: Style) -> Iterator[bytes]:
    """Yield the encoded file of *rows*, `CHUNK` rows at a time."""
    formatted = lru_cache(CACHED_CELLS, typed=True)(
        partial(_format, DECIMALS[style.decimal])
    )
    file = io.StringIO(newline="")
    file.write(MARK)
    write = csv.writer(file, delimiter=SEPARATORS[style.separator]).writerows
    left = iter(rows)
    while some := list(islice(left, CHUNK)):
        write([[formatted(cell) for cell in row] for row in some])
        yield file.getvalue().encode()
        file.seek(0)
        file.truncate()


def read(text: str, separator: str = "comma") -> Iterator[list[str]]:
    """Yield the rows of a file that `encode` wrote, without guards."""
    file = io.StringIO(text.removeprefix(MARK), newline="")
    for row in csv.reader(file, delimiter=SEPARATORS[separator], strict=True):
        yield [plain(cell) for cell in row]


def _format(mark: str, cell: Cell) -> Cell:
    if isinstance(cell, str):
        return guarded(cell)
    if isinstance(cell, Decimal):
        return f"{cell:f}".replace(".", mark)
    return int(cell) if isinstance(cell, bool) else cell
