"""Bounds on the size of a sheet, for the site and for the reader without Django."""

from __future__ import annotations

MOST_BYTES = 4 * 2**20
MOST_UNPACKED = 40 * 2**20
"""Bytes of an XLSX without its compression; a zip bomb has more."""
MOST_PARTS = 2_000
"""Files in an XLSX; a sheet is one of them."""
MOST_SHEETS = 400
MOST_ROWS = 20_000
MOST_ROWS_IN_ALL = 100_000
"""In all sheets of a workbook."""
MOST_COLUMNS = 60
MOST_LETTERS = 500
"""Characters of one cell."""
MOST_LETTERS_IN_ALL = 4 * 2**20
MOST_CELLS = 500_000
"""In all sheets together, with those that have a colour and no value."""
MOST_OTHER_ELEMENTS = 250_000
"""Elements of an XLSX outside its rows: texts, styles and others."""


class SheetRefused(ValueError):
    """A file beyond the bounds, or damaged: *reason* is one of the constants below.

    *row* is the number of the row where `CELL` is the reason.
    """

    def __init__(self, reason: str, row: int = 0) -> None:
        super().__init__(reason, row)
        self.reason, self.row = reason, row


DAMAGED, TOO_MUCH = "damaged", "too much"
ROWS, COLUMNS, CELL = "rows", "columns", "cell"
