"""How much a sheet may hold; the reader, which knows no Django, keeps to it too."""

from __future__ import annotations

MOST_BYTES = 4 * 2**20
MOST_UNPACKED = 40 * 2**20
"""So much may be in an XLSX; a zip bomb holds more."""
MOST_PARTS = 2_000
"""Files in an XLSX; each sheet is one."""
MOST_SHEETS = 400
MOST_ROWS = 20_000
MOST_ROWS_IN_ALL = 100_000
"""In all sheets of a workbook."""
MOST_COLUMNS = 60
MOST_LETTERS = 500
"""In one cell."""
MOST_LETTERS_IN_ALL = 4 * 2**20
MOST_CELLS = 500_000
"""In all sheets together, those that are only coloured too."""
MOST_OTHER_ELEMENTS = 250_000
"""Elements of an XLSX outside its rows: texts, styles, whatever there is."""


class SheetRefused(ValueError):
    """A file that is not read: *why* is one of the reasons below."""

    def __init__(self, why: str, row: int = 0) -> None:
        super().__init__(why, row)
        self.why, self.row = why, row


DAMAGED, TOO_MUCH = "damaged", "too much"
ROWS, COLUMNS, CELL = "rows", "columns", "cell"
