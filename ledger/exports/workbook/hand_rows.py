"""Hands of a season, read in batches of evenings."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from ledger.exports.workbook.season_data import SeasonData
from ledger.models import Edition, Entry, Evening, Posting, Version
from ledger.tallies import WON


class RecordedHand(NamedTuple):
    """A live hand by its latest version; *gains* by player id.

    A hand of an old sheet has no table, and an empty record. So has the total of an
    evening that is known by totals alone.
    """

    evening: Evening
    table: int | None
    number: int | None
    edition: Edition
    record: Mapping[str, Any]
    currency: str
    gains: Mapping[int, tuple[int, int]]
    played_at: datetime.datetime | None = None
    dealer: int | None = None
    multiplier: int | None = None


def hands(data: SeasonData) -> Iterator[RecordedHand]:
    """Yield the live hands by evening, table and number."""
    editions = Edition.objects.filter(club=data.season.club_id).in_bulk()
    for batch in data.batches():
        gains = _gains(batch)
        found = [*_versions(batch, gains, editions), *_old_sheets(batch, gains)]
        # A stable sort: within an evening tables and numbers stay in order.
        found.sort(key=lambda hand: (hand.evening.date, hand.evening.pk))
        yield from found


Gains = dict[UUID, dict[int, tuple[int, int]]]
"""By entry: points and minor units of money by player."""


def _versions(
    evenings: Mapping[int, Evening], gains: Gains, editions: Mapping[int, Edition]
) -> Iterator[RecordedHand]:
    found = Version.objects.in_force().filter(hand__table__evening__in=evenings)
    for (
        evening,
        entry,
        currency,
        edition,
        table,
        number,
        record,
        *rest,
    ) in found.order_by(
        "hand__table__evening__date",
        "hand__table__evening",
        "hand__table__number",
        "hand__number",
    ).values_list(
        *("hand__table__evening", "entries", "entries__currency", "edition"),
        *("hand__table__number", "hand__number", "record"),
        *("hand__played_at", "dealer", "multiplier"),
    ):
        yield RecordedHand(
            *(
                evenings[evening],
                table,
                number,
                editions[edition],
                record,
                currency,
            ),
            *(gains[entry], *rest),
        )


def _old_sheets(
    evenings: Mapping[int, Evening], gains: Gains
) -> Iterator[RecordedHand]:
    found = Entry.objects.filter(
        evening__in=evenings, kind=Entry.Kind.SHEET, reversal=None
    )
    for evening, entry, number, currency in found.order_by(
        "evening", "sheet_hand", "created_at", "pk"
    ).values_list("evening", "pk", "sheet_hand", "currency"):
        at = evenings[evening]
        yield RecordedHand(at, None, number, at.edition, {}, currency, gains[entry])


def _gains(evenings: Mapping[int, Evening]) -> Gains:
    gains: Gains = defaultdict(dict)
    for entry, player, points, money in Posting.objects.filter(
        entry__evening__in=evenings, entry__kind__in=WON, entry__reversal=None
    ).values_list("entry", "player", "points", "money"):
        gains[entry][player] = (points, money)
    return gains
