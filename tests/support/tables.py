"""Tables at which people sit, without a hand: the start of tests of pages and API."""

from __future__ import annotations

import datetime

import scoring
from ledger import journal

FRIDAY = datetime.date(2026, 11, 20)


def start_table(
    club,
    people,
    owner,
    *,
    name="Friday",
    date=FRIDAY,
    variant="taroki",
    rules=None,
    **more,
):
    """Start an evening at whose table all *people* sit, and return the table."""
    evening = journal.start_evening(
        club,
        name=name,
        date=date,
        edition=journal.edition_of(club, scoring.tariff(variant, rules)),
        seats=people,
        dealer=people[-1],
        by=owner,
        **more,
    )
    return evening.tables.select_related("edition", "evening__club").get()
