"""Closing an evening or a season, and reopening it: the owner's, with a reason."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from ledger import statistics
from ledger.journal import actions
from ledger.journal.actions import twice
from ledger.models import Action, Club, Evening, Member, Season, User, locks
from scoring import refuse
from scoring.text import _

CLOSE, REOPEN = Action.Kind.CLOSE, Action.Kind.REOPEN


@twice
def close_evening(
    evening: Evening, *, by: User, id: UUID | None = None, keep: bool = True
) -> Action:
    """Close *evening*: from now on no hand is written in it. Once closed it is so.

    Sent again after somebody reopened it, it stays open. Who closes many at once sums
    them up himself, by `statistics.rebuild`.
    """
    now = _locked_evening(evening)
    if id and (done := actions.known(id, CLOSE, evening_id=now.pk)):
        evening.closed_at = now.closed_at
        return done
    was_open = now.closed_at is None
    done = _close(now, id, by, evening=now)
    if was_open and keep:
        statistics.store(now)
    evening.closed_at = now.closed_at
    return done


@twice
def reopen_evening(
    evening: Evening, *, by: User, reason: str, id: UUID | None = None
) -> Action:
    """Let *evening* be written in again. Only an owner may, and says why."""
    now = _locked_evening(evening)
    check_owner(now.club, by)
    if id and (done := actions.known(id, REOPEN, evening_id=now.pk)):
        return done
    _check_reason(reason)
    if now.season.closed_at:
        raise locks.SeasonClosed(now.season)
    done = _reopen(now, id, by, reason, evening=now)
    evening.closed_at = None
    statistics.drop(now)
    return done


@twice
def close_season(season: Season, *, by: User, id: UUID | None = None) -> Action:
    """Close *season*: no evening begins in it, and none of it is reopened."""
    now = _locked_season(season)
    check_owner(now.club, by)
    if id and (done := actions.known(id, CLOSE, season_id=now.pk)):
        season.closed_at = now.closed_at
        return done
    done = _close(now, id, by, season=now)
    season.closed_at = now.closed_at
    return done


@twice
def reopen_season(
    season: Season, *, by: User, reason: str, id: UUID | None = None
) -> Action:
    """Let evenings begin in *season* again. Only an owner may, and says why."""
    now = _locked_season(season)
    check_owner(now.club, by)
    if id and (done := actions.known(id, REOPEN, season_id=now.pk)):
        return done
    _check_reason(reason)
    done = _reopen(now, id, by, reason, season=now)
    season.closed_at = None
    return done


def _close(now: Evening | Season, id: UUID | None, by: User, **of: Any) -> Action:
    """Close what is locked, once; return the action by which it was closed."""
    if now.closed_at is not None:
        return Action.objects.filter(kind=CLOSE, **of).latest("number")
    done = actions.begin(CLOSE, id=id or uuid4(), by=by, **of)
    now.closed_at = actions.now()
    now.save(update_fields=["closed_at"])
    return done


def _reopen(
    now: Evening | Season, id: UUID | None, by: User, reason: str, **of: Any
) -> Action:
    """Reopen what is locked. Raise `Refused` when it is open."""
    if now.closed_at is None:
        refuse("closed", _("It is already open."), code="is_open")
    now.closed_at = None
    now.save(update_fields=["closed_at"])
    return actions.begin(REOPEN, id=id or uuid4(), by=by, reason=reason.strip(), **of)


def _locked_evening(evening: Evening) -> Evening:
    locks.locked_club(evening.club_id)  # who settles it locks it first too
    return locks.locked_evening(evening)


def _locked_season(season: Season) -> Season:
    locks.locked_club(season.club_id)
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def owns(club: Club, by: User) -> bool:
    owners = Member.objects.filter(club=club, role=Member.Role.OWNER)
    return owners.filter(user=by.pk).exists()


def check_owner(club: Club, by: User) -> None:
    if not owns(club, by):
        raise PermissionDenied(gettext("Only owners of the club may do this."))


def _check_reason(reason: str) -> None:
    if not reason.strip():
        refuse("reason", _("Give a reason for reopening."))
