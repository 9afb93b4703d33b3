"""Dates of whole sheets: in their title, or given by the reader."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ledger.imports.cell_values import (
    AmbiguousDate,
    UnclearCell,
    parse_date,
    parse_date_and_time,
)

if TYPE_CHECKING:
    pass
GIVEN_DATES = "days"
"""Key of the choices: dates that the reader gave, by the title of the sheet."""
DATE_IN_TITLE = re.compile(r"\d{1,4}([./-])\s?\d{1,2}\1\s?\d{1,4}")


def date_in_title(title: str, order: str) -> datetime.date | None:
    """Return the date in the title of a sheet, or None. Raise `AmbiguousDate`."""
    match = DATE_IN_TITLE.search(title)
    for text in (title, match[0] if match else ""):
        try:
            return parse_date_and_time(text, order)[0] if text else None
        except AmbiguousDate:
            raise
        except UnclearCell:
            continue
    return None


def given_date(days: Mapping[str, str], title: str) -> datetime.date | None:
    """Return the date that the reader gave for a sheet, or None."""
    try:
        return parse_date(days.get(title, ""))
    except UnclearCell:
        return None
