"""Closing an evening or a season, and reopening it: the owner's, with a reason."""

from __future__ import annotations

from typing import NoReturn
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from ledger import actions, statistics
from ledger.actions import twice
from ledger.models import Action, Club, Evening, Member, Season
from scoring import refuse
from scoring.text import _

CLOSE, REOPEN = Action.Kind.CLOSE, Action.Kind.REOPEN


@twice
def close(
    evening: Evening, *, by: User, id: UUID | None = None, keep: bool = True
) -> Action:
    """Close *evening*: from now on no hand is written in it. Once closed it is so.

    Sent again after somebody reopened it, it stays open. Who closes many at once sums
    them up himself, by `statistics.keep_many`.
    """
    now = _locked_evening(evening)
    if id and (done := actions.known(id, CLOSE, evening_id=now.pk)):
        evening.closed_at = now.closed_at
        return done
    if now.closed_at is None:
        done = actions.begin(CLOSE, id=id or uuid4(), by=by, evening=now)
        now.closed_at = actions.now()
        now.save(update_fields=["closed_at"])
        if keep:
            statistics.keep(now)
    else:
        done = Action.objects.filter(evening=now, kind=CLOSE).latest("number")
    evening.closed_at = now.closed_at
    return done


@twice
def reopen(
    evening: Evening, *, by: User, reason: str, id: UUID | None = None
) -> Action:
    """Let *evening* be written in again. Only an owner may, and says why."""
    now = _locked_evening(evening)
    check_owner(now.club, by)
    if id and (done := actions.known(id, REOPEN, evening_id=now.pk)):
        return done
    _check_reason(reason)
    if now.season.closed_at:
        raise actions.SeasonClosed(now.season)
    if now.closed_at is None:
        _refuse_open()
    now.closed_at = evening.closed_at = None
    now.save(update_fields=["closed_at"])
    statistics.forget(now)
    return actions.begin(
        REOPEN, id=id or uuid4(), by=by, evening=now, reason=reason.strip()
    )


@twice
def close_season(season: Season, *, by: User, id: UUID | None = None) -> Action:
    """Close *season*: no evening begins in it, and none of it is reopened."""
    now = _locked_season(season)
    check_owner(now.club, by)
    if id and (done := actions.known(id, CLOSE, season_id=now.pk)):
        season.closed_at = now.closed_at
        return done
    if now.closed_at is None:
        done = actions.begin(CLOSE, id=id or uuid4(), by=by, season=now)
        now.closed_at = actions.now()
        now.save(update_fields=["closed_at"])
    else:
        done = Action.objects.filter(season=now, kind=CLOSE).latest("number")
    season.closed_at = now.closed_at
    return done


@twice
def reopen_season(
    season: Season, *, by: User, reason: str, id: UUID | None = None
) -> Action:
    now = _locked_season(season)
    check_owner(now.club, by)
    if id and (done := actions.known(id, REOPEN, season_id=now.pk)):
        return done
    _check_reason(reason)
    if now.closed_at is None:
        _refuse_open()
    now.closed_at = season.closed_at = None
    now.save(update_fields=["closed_at"])
    return actions.begin(
        REOPEN, id=id or uuid4(), by=by, season=now, reason=reason.strip()
    )


def _locked_evening(evening: Evening) -> Evening:
    actions.locked_club(evening.club_id)  # who settles it locks it first too
    return actions.locked_evening(evening)


def _locked_season(season: Season) -> Season:
    actions.locked_club(season.club_id)
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


def _refuse_open() -> NoReturn:
    refuse("closed", _("It is already open."), code="is_open")
