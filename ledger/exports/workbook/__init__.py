"""Season workbook: an XLSX file for the treasurer, written row by row."""

from __future__ import annotations
