"""The tables that are files, one each: together all balances follow from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_noop as _

from ledger.exports import hands, moves, owed, sittings
from ledger.exports.cells import Row
from ledger.exports.reach import Reach


@dataclass(frozen=True, slots=True)
class Table:
    """What gives its rows, the first of which are the headings."""

    name: str
    """As a message, translated when it is shown."""
    rows: Callable[[Reach], Iterator[Row]]


TABLES = {
    "players": Table(_("Players"), moves.players),
    "evenings": Table(_("Evenings"), sittings.evenings),
    "seats": Table(_("Who sat where"), sittings.seats),
    "hands": Table(_("Hands"), hands.hands),
    "lines": Table(_("Lines of the hands"), hands.lines),
    "postings": Table(_("What everybody gained"), moves.postings),
    "debts": Table(_("Who owes whom"), owed.rows),
    "payments": Table(_("Payments, fees, adjustments"), moves.payments),
}
"""By the word for it in an address."""
