"""List of the CSV files; all balances can be computed from them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_noop as _

from ledger.exports.csv import hands, open_debts, postings, seats
from ledger.exports.csv.export_scope import ExportScope
from ledger.exports.csv.writer import Row


@dataclass(frozen=True, slots=True)
class CsvFile:
    """A file by name; *rows* yields its headings and then its rows."""

    name: str
    """Message id, translated where it is shown."""
    rows: Callable[[ExportScope], Iterator[Row]]


CSV_FILES = {
    "players": CsvFile(_("Players"), postings.players),
    "evenings": CsvFile(_("Evenings"), seats.evenings),
    "seats": CsvFile(_("Who sat where"), seats.seats),
    "hands": CsvFile(_("Hands"), hands.hands),
    "lines": CsvFile(_("Lines of the hands"), hands.lines),
    "postings": CsvFile(_("What everybody gained"), postings.postings),
    "debts": CsvFile(_("Who owes whom"), open_debts.rows),
    "payments": CsvFile(_("Payments, fees, adjustments"), postings.payments),
}
"""By the parameter "table" of an address."""
