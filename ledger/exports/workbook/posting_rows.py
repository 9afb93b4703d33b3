"""Postings of a season, read in batches of evenings."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from ledger.exports.workbook.season_data import SeasonData
from ledger.models import Posting


class PostingRow(NamedTuple):
    """One posting with the columns of its entry."""

    evening: int | None
    date: datetime.date | None
    at: datetime.datetime
    kind: str
    reversed: str | None
    """Kind of the entry that this one reverses."""
    table: int | None
    hand: int | None
    player: int
    points: int
    money: int
    currency: str
    method: str
    note: str
    by: str
    paid_on: datetime.date | None

    @property
    def day(self) -> datetime.date:
        """Return the day of a payment."""
        return self.paid_on or timezone.localdate(self.at)

    @property
    def counts_for(self) -> datetime.date | None:
        """Return the day a payment counts up to, where it is not the day of payment."""
        return None if self.evening or self.date == self.day else self.date


def postings(data: SeasonData, *kinds: str) -> Iterator[PostingRow]:
    """Yield postings in order of entry, evening by evening, then those outside.

    With *kinds*, only live entries of these kinds.
    """
    for batch in data.batches():
        yield from _posting_rows(Q(entry__evening__in=batch), kinds)
    yield from _posting_rows(Q(entry__season=data.season), kinds)


def _posting_rows(which: Q, kinds: Sequence[str]) -> Iterator[PostingRow]:
    found: QuerySet[Posting] = Posting.objects.filter(which)
    if kinds:
        found = found.filter(entry__kind__in=kinds, entry__reversal=None)
    hand, undone = "entry__version__hand__", "entry__reverses__version__hand__"
    for row in found.order_by(
        *("entry__evening__date", "entry__evening", "entry__created_at", "entry", "pk")
    ).values_list(
        *("entry__evening", "entry__date", "entry__created_at", "entry__kind"),
        "entry__reverses__kind",
        Coalesce(f"{hand}table__number", f"{undone}table__number"),
        Coalesce(f"{hand}number", f"{undone}number", "entry__sheet_hand"),
        *("player", "points", "money", "entry__currency", "entry__method"),
        *("entry__note", "entry__created_by__username", "entry__paid_on"),
    ):
        yield PostingRow(*row)
