"""Locks: rows held until the end of a transaction, in one order.

The order is: club, evenings by id, seasons by id, players by id.
"""

from __future__ import annotations

from ledger.models import Club, Evening, Table
from ledger.models.exceptions import Closed, Removed


def locked_table(table: Table) -> Table:
    """Lock the evening of *table*, then the table, and return it. Raise `Removed`."""
    # PostgreSQL checks the row again when it gets the lock, and finds none where the
    # table was given another edition meanwhile: then it is read once more.
    tables = Table.objects.select_related("evening", "edition").filter(pk=table.pk)
    waiting = tables.select_for_update(of=("evening", "self"), no_key=True)
    (now,) = list(waiting) or list(waiting.all())
    check_not_removed(now.evening)
    return now


def locked_club(pk: int) -> Club:
    """Lock a club and return it; within one transaction as often as need be."""
    (club,) = Club.objects.select_for_update(no_key=True).filter(pk=pk)
    return club


def locked_evening(evening: Evening) -> Evening:
    """Lock *evening* and return it as it is now. Raise `Removed`."""
    now = Evening.objects.select_for_update(no_key=True).get(pk=evening.pk)
    check_not_removed(now)
    return now


def check_not_removed(evening: Evening) -> None:
    if evening.removed:
        raise Removed(evening)


def check_open(evening: Evening) -> None:
    if evening.closed_at:
        raise Closed(evening)
