"""Closing and reopening of evenings and seasons.

Any scorer closes an evening; only owners reopen it, or close and reopen a season, and
give a reason for reopening. Locks: the club, then the evening or season.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from ledger import statistics
from ledger.journal import actions, clock, idempotency
from ledger.journal.idempotency import retry_once
from ledger.models import Action, Club, Evening, Member, Season, User, exceptions, locks
from scoring import refuse
from scoring.text import _

CLOSE, REOPEN = Action.Kind.CLOSE, Action.Kind.REOPEN


@retry_once
def close_evening(
    evening: Evening, *, by: User, id: UUID | None = None, store: bool = True
) -> Action:
    """Close *evening*, and store its digests; return the action that closed it.

    Nothing is written for a closed one. The same *id* sent again does not close it once
    more. With *store* false the caller stores the digests of many evenings at once.
    """
    now = _locked_evening(evening)
    if id and (done := idempotency.done_before(id, CLOSE, evening_id=now.pk)):
        evening.closed_at = now.closed_at
        return done
    was_open = now.closed_at is None
    done = _close_once(now, id, by, evening=now)
    if was_open and store:
        statistics.store(now)
    evening.closed_at = now.closed_at
    return done


@retry_once
def reopen_evening(
    evening: Evening, *, by: User, reason: str, id: UUID | None = None
) -> Action:
    """Reopen *evening*, and drop its digests.

    Raise `PermissionDenied` except to owners, `Refused` without a reason or when it is
    open, `SeasonClosed`.
    """
    now = _locked_evening(evening)
    check_owner(now.club, by)
    if id and (done := idempotency.done_before(id, REOPEN, evening_id=now.pk)):
        return done
    _check_reason(reason)
    if now.season.closed_at:
        raise exceptions.SeasonClosed(now.season)
    done = _reopen(now, id, by, reason, evening=now)
    evening.closed_at = None
    statistics.drop(now)
    return done


@retry_once
def close_season(season: Season, *, by: User, id: UUID | None = None) -> Action:
    """Close *season*: no evening begins in it, and none of its own is reopened."""
    now = _locked_season(season)
    check_owner(now.club, by)
    if id and (done := idempotency.done_before(id, CLOSE, season_id=now.pk)):
        season.closed_at = now.closed_at
        return done
    done = _close_once(now, id, by, season=now)
    season.closed_at = now.closed_at
    return done


@retry_once
def reopen_season(
    season: Season, *, by: User, reason: str, id: UUID | None = None
) -> Action:
    """Reopen *season*. Raise as `reopen_evening` does."""
    now = _locked_season(season)
    check_owner(now.club, by)
    if id and (done := idempotency.done_before(id, REOPEN, season_id=now.pk)):
        return done
    _check_reason(reason)
    done = _reopen(now, id, by, reason, season=now)
    season.closed_at = None
    return done


def close_many(evenings: QuerySet[Evening], by: User) -> Iterator[Evening]:
    """Close *evenings*, which are locked; yield each when its digests are stored."""
    still_open = evenings.filter(closed_at=None)
    Action.objects.bulk_create(_next_actions(CLOSE, still_open, by))
    still_open.update(closed_at=timezone.now())
    in_order = evenings.select_related("club", "edition").order_by("date", "pk")
    yield from statistics.rebuild(in_order.iterator(chunk_size=100))


def reopen_many(evenings: QuerySet[Evening], by: User, *, reason: str) -> None:
    """Reopen those of *evenings*, which are locked, that are closed."""
    closed = evenings.exclude(closed_at=None)
    reopening = _next_actions(REOPEN, closed, by, reason)
    # The guards refuse an action in a closed evening: they are opened first.
    closed.update(closed_at=None)
    Action.objects.bulk_create(reopening)


def _next_actions(
    kind: Action.Kind, evenings: QuerySet[Evening], by: User, reason: str = ""
) -> list[Action]:
    """Return the next action of each evening, all of one kind, not saved yet."""
    lasts = evenings.annotate(last=Max("actions__number")).values_list("pk", "last")
    return [
        Action(
            id=uuid4(),
            kind=kind,
            evening_id=evening,
            number=(last or 0) + 1,
            reason=reason,
            by_id=by.pk,
        )
        for evening, last in lasts
    ]


def _close_once(now: Evening | Season, id: UUID | None, by: User, **of: Any) -> Action:
    """Close *now*, which is locked; return the action that closed it, now or before."""
    if now.closed_at is not None:
        return Action.objects.filter(kind=CLOSE, **of).latest("number")
    done = actions.begin(CLOSE, id=id or uuid4(), by=by, **of)
    now.closed_at = clock.now()
    now.save(update_fields=["closed_at"])
    return done


def _reopen(
    now: Evening | Season, id: UUID | None, by: User, reason: str, **of: Any
) -> Action:
    """Reopen *now*, which is locked. Raise `Refused` when it is open."""
    if now.closed_at is None:
        refuse("closed", _("It is already open."), code="is_open")
    now.closed_at = None
    now.save(update_fields=["closed_at"])
    return actions.begin(REOPEN, id=id or uuid4(), by=by, reason=reason.strip(), **of)


def _locked_evening(evening: Evening) -> Evening:
    locks.locked_club(evening.club_id)  # settling and ratings lock it first too
    return locks.locked_evening(evening)


def _locked_season(season: Season) -> Season:
    locks.locked_club(season.club_id)
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def is_owner(club: Club, by: User) -> bool:
    owners = Member.objects.filter(club=club, role=Member.Role.OWNER)
    return owners.filter(user=by.pk).exists()


def check_owner(club: Club, by: User) -> None:
    if not is_owner(club, by):
        raise PermissionDenied(gettext("Only owners of the club may do this."))


def _check_reason(reason: str) -> None:
    if not reason.strip():
        refuse("reason", _("Give a reason for reopening."))
