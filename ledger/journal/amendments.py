"""Correcting an evening or a club, removing an evening: each is one action, undone in
one step.

Locks are taken in one order: the club, the evening, its seasons; then players by id.
A closed evening is opened for a moment, and what is kept of it made anew, all in one
transaction: nobody else sees it open.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from uuid import UUID

from django.db.models import Q, QuerySet

from ledger import statistics
from ledger.journal import actions, closing, payments, writer
from ledger.journal.actions import Stale, begin, known, twice
from ledger.journal.amendment_plan import (
    STAKE,
    Amendment,
    AmendmentPlan,
    Kept,
    as_kept,
    differing,
    kept,
    of_club,
    plan_amendment,
    seen_of,
)
from ledger.models import Action, Club, Entry, Evening, Season, Table, User, locks
from ledger.table import replay
from scoring import Problem, Refused, problem
from scoring.text import _

AMEND, UNDO = Action.Kind.AMEND, Action.Kind.UNDO
COLUMNS = {"season": "season_id", "edition": "edition_id"}


@twice
def amend_evening(
    evening: Evening,
    asked: Amendment,
    *,
    id: UUID,
    by: User,
    reason: str = "",
    seen: str | None = None,
) -> Action | None:
    """Let *evening* be what is *asked*; None when it is that already.

    Raise `Refused`; `Stale` when it is no longer what was *seen*; `SeasonClosed`;
    `Removed`; `Closed`, but for an owner.
    """
    now = _locked(evening)
    if done := known(id, AMEND, evening_id=now.pk):
        return done
    locks.there(now)
    _check_may(now, by)
    plan = plan_amendment(now, asked, keep=True)
    _check_open(now, [plan.after.get("season", now.season)])
    if plan.nothing:
        return None
    _check(plan, reason)
    if seen is not None and seen != plan.seen:
        raise Stale(None, _since(now.actions.all(), last_known(seen)))
    with _written_in(now):
        before, after = kept(plan.before), kept(plan.after)
        action = _amend(now, id, by, reason, before, after)
        for at in plan.tables:
            writer.turn(action, at.table, at.before, at.after)
    return action


@twice
def remove_evening(evening: Evening, *, id: UUID, by: User, reason: str = "") -> Action:
    """Remove an evening in which nothing counts: it is hidden, not deleted."""
    now = _locked(evening)
    if done := known(id, AMEND, evening_id=now.pk):
        return done
    locks.there(now)
    _check_may(now, by)
    _check_open(now)
    _refuse(removal_obstacles(now))
    with _written_in(now):
        return _amend(now, id, by, reason, {"removed": False}, {"removed": True})


def _amend(
    now: Evening, id: UUID, by: User, reason: str, before: Kept, after: Kept
) -> Action:
    """Write the action that makes *now* what it is *after*."""
    why = reason.strip()
    action = begin(
        AMEND, id=id, by=by, evening=now, reason=why, before=before, after=after
    )
    _put(action, now, after)
    return action


@twice
def amend_club(
    club: Club,
    *,
    id: UUID,
    by: User,
    name: str | None = None,
    language: str | None = None,
    seen: str | None = None,
) -> Action | None:
    """Let *club* have this name and language; None when it has them."""
    now = locks.locked_club(club.pk)
    if done := known(id, AMEND, club_id=now.pk):
        return done
    closing.check_owner(now, by)
    before, after = club_amended(now, name=name, language=language)
    if not after:
        return None
    if seen is not None and seen != seen_of(now, before, after):
        raise Stale(None, _since(now.actions.all(), last_known(seen)))
    action = begin(AMEND, id=id, by=by, club=now, before=before, after=after)
    _put_club(now, after)
    return action


def club_amended(
    club: Club, *, name: str | None, language: str | None
) -> tuple[Kept, Kept]:
    """Return what would differ of *club*, before and after."""
    was = of_club(club)
    said = {"name": name, "language": language}
    now = was | {key: value for key, value in said.items() if value is not None}
    return differing(was, now)


@twice
def undo_amendment(action: Action, *, id: UUID, by: User) -> Action:
    """Let an evening or a club be again what it was before *action*.

    What was corrected once more since stays so. Raise `Stale` when nothing is left to
    undo, or a table has gone on since by its other rules; otherwise as `amend` does.
    """
    if action.evening is None:
        return _undo_club(action, id, by)
    now = _locked(action.evening)
    if done := known(id, UNDO, undoes_id=action.pk):
        return done
    if since := list(Action.objects.filter(undoes=action)):
        raise Stale(None, since)
    if not action.after.get("removed"):
        locks.there(now)
    _check_may(now, by)
    back = _as_left(action, as_kept(now))
    tables = _tables(now, action)
    actions.check_last(action, tables)
    seasons = Season.objects.filter(pk__in=[back.get("season")])
    _check_open(now, seasons)
    if back.get("removed"):
        _refuse(removal_obstacles(now))
    if "stake" in back:
        stake = back["currency"], Fraction(back["stake"])
        _refuse(payments.wrong_stake(now, *stake))
    with _written_in(now):
        undoing = _undoing(action, back, id, by)
        _put(undoing, now, undoing.after)
        for at in tables:
            before = replay.load_state(at)
            after = writer.turned_back(at, before, action)
            writer.turn(undoing, at, before, after)
    return undoing


def _undo_club(action: Action, id: UUID, by: User) -> Action:
    assert action.club_id is not None
    club = locks.locked_club(action.club_id)
    if done := known(id, UNDO, undoes_id=action.pk):
        return done
    if since := list(Action.objects.filter(undoes=action)):
        raise Stale(None, since)
    closing.check_owner(club, by)
    back = _as_left(action, of_club(club))
    undoing = _undoing(action, back, id, by)
    _put_club(club, undoing.after)
    return undoing


def _undoing(action: Action, back: Kept, id: UUID, by: User) -> Action:
    return begin(
        UNDO,
        id=id,
        by=by,
        evening=action.evening,
        club=action.club,
        undoes=action,
        reason=action.reason,
        before={key: action.after[key] for key in back},
        after=back,
    )


def corrections_of(club: Club) -> QuerySet[Action]:
    """Return what was corrected of the club and its evenings, and undone of it."""
    mine = Action.objects.filter(Q(club=club) | Q(evening__club=club))
    return mine.exclude(after={}).select_related("evening", "club", "by")


# Locks


def _locked(evening: Evening) -> Evening:
    locks.locked_club(evening.club_id)
    (now,) = (
        Evening.objects.filter(pk=evening.pk)
        .select_related("club", "season", "edition")
        .select_for_update(of=("self",), no_key=True)
    )
    return now


@contextmanager
def _written_in(now: Evening) -> Iterator[None]:
    """Let *now* be written in, though it is closed."""
    closed = now.closed_at
    if closed is None:
        yield
        return
    if not now.removed:
        statistics.drop(now)
    _close(now, None)
    yield
    _close(now, closed)
    if not now.removed:
        statistics.store(now)


def _close(evening: Evening, moment: datetime.datetime | None) -> None:
    evening.closed_at = moment
    evening.save(update_fields=["closed_at"])


# Writing


def _put(action: Action, now: Evening, after: Kept) -> None:
    """Let the evening, and its tables, be what *after* says."""
    if "stake" in after:
        payments.restake(action, now, after["currency"], Fraction(after["stake"]))
    for key in after.keys() & {"name", "season", "edition", "removed"}:
        setattr(now, COLUMNS.get(key, key), after[key])
    if "date" in after:
        now.date = datetime.date.fromisoformat(after["date"])
    now.save(update_fields=["name", "date", "season", "edition", "removed"])
    for pk, edition in after.get("tables", {}).items():
        now.tables.filter(pk=pk).update(edition=edition)


def _put_club(club: Club, after: Kept) -> None:
    for key, value in after.items():
        setattr(club, key, value)
    club.save(update_fields=[*after])


def _tables(now: Evening, action: Action) -> list[Table]:
    """Return the tables that got other rules by *action*."""
    tables = list(now.tables.filter(pk__in=action.after.get("tables", {})))
    for at in tables:
        at.evening = now
    return tables


# What is refused


def _check_may(now: Evening, by: User) -> None:
    if now.closed_at is not None and not closing.owns(now.club, by):
        raise locks.Closed(now)


def _check_open(now: Evening, others: Iterable[Season] = ()) -> None:
    """Lock the season of the evening, and *others*, all of which must be open."""
    pks = {now.season_id, *(season.pk for season in others)}
    locked = Season.objects.select_for_update(no_key=True).filter(pk__in=pks)
    for season in locked.order_by("pk"):
        if season.club_id != now.club_id:
            raise ValueError(f"expected a season of club {now.club_id}")
        if season.closed_at is not None:
            raise locks.SeasonClosed(season)


def _check(plan: AmendmentPlan, reason: str) -> None:
    wrong = list(plan.problems)
    if plan.needs_reason and not reason.strip():
        wrong.append(problem("reason", _("Give a reason: this changes what was won.")))
    _refuse(wrong)


def removal_obstacles(evening: Evening) -> Iterator[Problem]:
    """Yield why *evening* cannot be removed."""
    counts = Entry.objects.filter(evening=evening, reversal=None, reverses=None)
    counts = counts.exclude(kind=Entry.Kind.ROUNDING)  # follows what else counts
    kinds = set(counts.values_list("kind", flat=True).order_by().distinct())
    if evening.imported_id:
        message = _("This evening came from an old sheet: take that back instead.")
        yield problem("evening", message)
    if kinds & {Entry.Kind.HAND, Entry.Kind.SHEET}:
        message = _("Hands were played here: take them back first.")
        yield problem("evening", message)
    if kinds - {Entry.Kind.HAND, Entry.Kind.SHEET}:
        message = _("Take back what was paid, charged or adjusted here first.")
        yield problem("evening", message)


def _as_left(action: Action, now: Kept) -> Kept:
    """Return what was before *action* of all that is still as it left it."""
    others = {key for key, left in action.after.items() if not _is(left, now[key])}
    if others & STAKE:
        others |= STAKE
    back = {key: was for key, was in action.before.items() if key not in others}
    if not back:
        raise Stale(None, _since(_book_of(action), action.number))
    return back


def _is(left: object, now: object) -> bool:
    if isinstance(left, dict) and isinstance(now, dict):  # some tables of all
        return left.items() <= now.items()
    return left == now


def _book_of(action: Action) -> QuerySet[Action]:
    return Action.objects.filter(evening=action.evening_id, club=action.club_id)


def last_known(seen: str) -> int:
    """Return the number of the last action that was known when this was *seen*."""
    number = seen.partition(".")[0]
    return int(number) if number.isdecimal() else 0


def _since(done: QuerySet[Action], number: int) -> list[Action]:
    """Return what was done in a book after the action of this *number*."""
    later = done.filter(number__gt=number).select_related("by")
    return list(later.order_by("number"))


def _refuse(problems: Iterable[Problem]) -> None:
    if wrong := list(problems):
        raise Refused(wrong)
