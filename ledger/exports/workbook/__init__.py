"""Season workbook: an XLSX file for the treasurer, written row by row.

`write(season, file)` is the only entry point.
"""

from __future__ import annotations

from ledger.exports.workbook.season_data import hand_count
from ledger.exports.workbook.season_workbook import TooLong, write

__all__ = ["TooLong", "hand_count", "write"]
