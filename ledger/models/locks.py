"""Locks: rows held until the end of a transaction, in one order.

The club comes before its evenings, then seasons, then players by id.
"""

from __future__ import annotations

from django.http import Http404

from ledger.models import Club, Evening, Season, Table


class Closed(ValueError):
    """Nothing more is written in a closed evening."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        super().__init__(f"the evening {evening.name!r} is closed")


class Removed(Http404):
    """Nothing is found of an evening that was removed, until that is undone."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        super().__init__(f"the evening {evening.name!r} is removed")


class SeasonClosed(ValueError):
    """No evening begins, or is reopened, in a closed season."""

    def __init__(self, season: Season) -> None:
        self.season = season
        super().__init__(f"the season {season.name!r} is closed")


def locked(table: Table) -> Table:
    """Return the table as it is now, its evening locked until the end.

    Where it has got other rules while PostgreSQL waited, none is found at first: the
    edition that was read before is not that of the table any more. The evening is
    named first and so is locked first.
    """
    tables = Table.objects.select_related("evening", "edition").filter(pk=table.pk)
    waiting = tables.select_for_update(of=("evening", "self"), no_key=True)
    (now,) = list(waiting) or list(waiting.all())
    there(now.evening)
    return now


def locked_club(pk: int) -> Club:
    """Lock the club, which comes before its evenings, seasons and players.

    Who has locked it may call what locks it too: it stays locked once.
    """
    (club,) = Club.objects.select_for_update(no_key=True).filter(pk=pk)
    return club


def locked_evening(evening: Evening) -> Evening:
    now = Evening.objects.select_for_update(no_key=True).get(pk=evening.pk)
    there(now)
    return now


def there(evening: Evening) -> None:
    if evening.removed:
        raise Removed(evening)


def open_or_closed(evening: Evening) -> None:
    if evening.closed_at:
        raise Closed(evening)
