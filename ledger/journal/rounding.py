"""Rounding: whole coins where a point is worth a fraction of the smallest one.

Each hand moves whole coins. Rounded one by one, they would drift from the worth of all
points. So every write of points adds an entry that brings each player to the rounded
worth of all his points of the evening: the sum does not depend on the order of writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import uuid5

from django.db.models import Q, Sum

from ledger.models import Action, Entry, Evening, Posting
from ledger.tallies import ADJUSTING, OF_THE_GAME
from ledger.text.amounts import at_stake

Gains = Mapping[int, tuple[int, int]]
"""Points and minor units by player id."""
EnteredEntry = tuple[Entry, Gains]
IN_MONEY = ADJUSTING & Q(points=0)
"""Adjustments in money, which no stake changes."""


def with_rounding(
    action: Action, evening: Evening, entries: Sequence[EnteredEntry]
) -> list[EnteredEntry]:
    """Return *entries*, and an entry with what their rounding leaves over, if any."""
    if evening.stake_parts == 1 or not entries:
        return [*entries]
    points, money = points_and_money(evening)
    for entry, gains in entries:
        _add(points, money, entry, gains)
    due = at_stake(points, evening.per_point)
    remainders = {
        player: (0, due[player] - money[player])
        for player in due
        if due[player] != money[player]
    }
    if not remainders:
        return [*entries]
    last = entries[-1][0]
    return [*entries, (_rounding_entry(action, evening, last), remainders)]


def points_and_money(evening: Evening) -> tuple[Counter[int], Counter[int]]:
    """Return points and the money posted for them, by player id."""
    rows = (
        Posting.objects.filter(OF_THE_GAME, entry__evening=evening)
        .values_list("player")
        .annotate(
            Sum("points"),
            Sum("money"),
            in_money=Sum("money", filter=IN_MONEY, default=0),
        )
        .order_by()
    )
    points, money = Counter[int](), Counter[int]()
    for player, won, worth, in_money in rows:
        points[player], money[player] = won, worth - in_money
    return points, money


def _add(points: Counter[int], money: Counter[int], entry: Entry, gains: Gains) -> None:
    for player, (won, worth) in gains.items():
        if won or not _is_adjustment(entry):
            points[player] += won
            money[player] += worth


def _is_adjustment(entry: Entry) -> bool:
    of = entry.reverses if entry.reverses_id and entry.reverses else entry
    return of.kind == Entry.Kind.ADJUSTMENT


def _rounding_entry(action: Action, evening: Evening, after: Entry) -> Entry:
    return Entry(
        id=uuid5(after.pk, "rounding"),
        club_id=evening.club_id,
        evening=evening,
        action=action,
        kind=Entry.Kind.ROUNDING,
        currency=evening.currency,
        created_by_id=action.by_id,
    )
