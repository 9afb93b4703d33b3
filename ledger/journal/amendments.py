"""Amendments: an evening or a club corrected, an evening removed.

Each is one action, undone in one step. Locks: the club, the evening, its seasons by id.
A closed evening is open within the transaction, seen by nobody else, and its digests
are built again.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from uuid import UUID

from django.db.models import Q, QuerySet

from ledger import statistics
from ledger.journal import closing, stakes, writer
from ledger.journal.actions import begin
from ledger.journal.amendment_plan import (
    STAKE,
    Amendment,
    AmendmentPlan,
    StoredValues,
    club_fingerprint,
    club_values,
    differences,
    dump_values,
    plan_amendment,
    stored_values,
)
from ledger.journal.idempotency import done_before, retry_once
from ledger.journal.undo_stack import check_is_next, check_not_undone
from ledger.models import (
    Action,
    Club,
    Entry,
    Evening,
    Season,
    Table,
    User,
    exceptions,
    locks,
)
from ledger.models.exceptions import Stale
from ledger.table import replay
from scoring import Problem, Refused, problem
from scoring.text import _

AMEND, UNDO = Action.Kind.AMEND, Action.Kind.UNDO
COLUMNS = {"season": "season_id", "edition": "edition_id"}


@retry_once
def amend_evening(
    evening: Evening,
    amendment: Amendment,
    *,
    id: UUID,
    by: User,
    reason: str = "",
    seen: str | None = None,
) -> Action | None:
    """Write what *amendment* changes of *evening*; None when it changes nothing.

    *seen* is the `AmendmentPlan.seen` that was confirmed. Raise `Refused`; `Stale` when
    the plan is another by now; `SeasonClosed`; `Removed`; `Closed`, except to owners.
    """
    now = _locked_evening(evening)
    if done := done_before(id, AMEND, evening_id=now.pk):
        return done
    locks.check_not_removed(now)
    _check_may_write(now, by)
    plan = plan_amendment(now, amendment, save_edition=True)
    _check_open(now, [plan.after.get("season", now.season)])
    if plan.nothing:
        return None
    _check_plan(plan, reason)
    if seen is not None and seen != plan.seen:
        raise Stale(None, _later_actions(now.actions.all(), last_seen(seen)))
    with _opened(now):
        before, after = dump_values(plan.before), dump_values(plan.after)
        action = _amend(now, id, by, reason, before, after)
        for at in plan.tables:
            writer.write_table(action, at.table, at.before, at.after)
    return action


@retry_once
def remove_evening(evening: Evening, *, id: UUID, by: User, reason: str = "") -> Action:
    """Hide an evening that has no entry in force; undoing shows it again.

    Raise `Refused` for its `removal_obstacles`, and otherwise as `amend_evening` does.
    """
    now = _locked_evening(evening)
    if done := done_before(id, AMEND, evening_id=now.pk):
        return done
    locks.check_not_removed(now)
    _check_may_write(now, by)
    _check_open(now)
    _refuse(removal_obstacles(now))
    with _opened(now):
        return _amend(now, id, by, reason, {"removed": False}, {"removed": True})


def _amend(
    now: Evening,
    id: UUID,
    by: User,
    reason: str,
    before: StoredValues,
    after: StoredValues,
) -> Action:
    """Write the action that gives *now* the values *after*, and these values."""
    why = reason.strip()
    action = begin(
        AMEND, id=id, by=by, evening=now, reason=why, before=before, after=after
    )
    _write_evening(action, now, after)
    return action


@retry_once
def amend_club(
    club: Club,
    *,
    id: UUID,
    by: User,
    name: str | None = None,
    language: str | None = None,
    seen: str | None = None,
) -> Action | None:
    """Change the name or language of *club*; None when it has both.

    Raise `PermissionDenied` except to owners; `Stale` as `amend_evening` does.
    """
    now = locks.locked_club(club.pk)
    if done := done_before(id, AMEND, club_id=now.pk):
        return done
    closing.check_owner(now, by)
    before, after = plan_club_amendment(now, name=name, language=language)
    if not after:
        return None
    if seen is not None and seen != club_fingerprint(now, before, after):
        raise Stale(None, _later_actions(now.actions.all(), last_seen(seen)))
    action = begin(AMEND, id=id, by=by, club=now, before=before, after=after)
    _write_club(now, after)
    return action


def plan_club_amendment(
    club: Club, *, name: str | None, language: str | None
) -> tuple[StoredValues, StoredValues]:
    """Return the values of *club* that would change, before and after."""
    before = club_values(club)
    given = {"name": name, "language": language}
    after = before | {key: value for key, value in given.items() if value is not None}
    return differences(before, after)


def undo_amendment(action: Action, id: UUID, by: User) -> Action:
    """Restore what *action* changed of an evening or a club.

    A value that a later action changed stays. Raise `Stale` when none is left, or when
    a table has gone on under its new rules; otherwise as `amend_evening` does.
    """
    if action.evening is None:
        return _undo_club(action, id, by)
    now = _locked_evening(action.evening)
    if done := done_before(id, UNDO, undoes_id=action.pk):
        return done
    check_not_undone(action)
    if not action.after.get("removed"):
        locks.check_not_removed(now)
    _check_may_write(now, by)
    restored = _restorable(action, stored_values(now))
    tables = _tables(now, action)
    check_is_next(action, tables)
    seasons = Season.objects.filter(pk__in=[restored.get("season")])
    _check_open(now, seasons)
    if restored.get("removed"):
        _refuse(removal_obstacles(now))
    if "stake" in restored:
        stake = restored["currency"], Fraction(restored["stake"])
        _refuse(stakes.stake_problems(now, *stake))
    with _opened(now):
        undoing = _begin_undo(action, restored, id, by)
        _write_evening(undoing, now, undoing.after)
        for at in tables:
            before = replay.load_state(at)
            after = writer.state_undone(at, before, action)
            writer.write_table(undoing, at, before, after)
    return undoing


def _undo_club(action: Action, id: UUID, by: User) -> Action:
    assert action.club_id is not None
    club = locks.locked_club(action.club_id)
    if done := done_before(id, UNDO, undoes_id=action.pk):
        return done
    check_not_undone(action)
    closing.check_owner(club, by)
    restored = _restorable(action, club_values(club))
    undoing = _begin_undo(action, restored, id, by)
    _write_club(club, undoing.after)
    return undoing


def _begin_undo(action: Action, restored: StoredValues, id: UUID, by: User) -> Action:
    return begin(
        UNDO,
        id=id,
        by=by,
        evening=action.evening,
        club=action.club,
        undoes=action,
        reason=action.reason,
        before={key: action.after[key] for key in restored},
        after=restored,
    )


def corrections_of(club: Club) -> QuerySet[Action]:
    """Return the amendments of the club and its evenings, and their undoing."""
    own = Action.objects.filter(Q(club=club) | Q(evening__club=club))
    return own.exclude(after={}).select_related("evening", "club", "by")


# Locks


def _locked_evening(evening: Evening) -> Evening:
    locks.locked_club(evening.club_id)
    (now,) = (
        Evening.objects.filter(pk=evening.pk)
        .select_related("club", "season", "edition")
        .select_for_update(of=("self",), no_key=True)
    )
    return now


@contextmanager
def _opened(now: Evening) -> Iterator[None]:
    """Open a closed evening for this block, and rebuild its digests behind it."""
    closed = now.closed_at
    if closed is None:
        yield
        return
    if not now.removed:
        statistics.drop(now)
    _set_closed(now, None)
    yield
    _set_closed(now, closed)
    if not now.removed:
        statistics.store(now)


def _set_closed(evening: Evening, closed_at: datetime.datetime | None) -> None:
    evening.closed_at = closed_at
    evening.save(update_fields=["closed_at"])


# Writing


def _write_evening(action: Action, now: Evening, after: StoredValues) -> None:
    """Write the values *after* to the evening and its tables."""
    if "stake" in after:
        stakes.change_stake(action, now, after["currency"], Fraction(after["stake"]))
    for key in after.keys() & {"name", "season", "edition", "removed"}:
        setattr(now, COLUMNS.get(key, key), after[key])
    if "date" in after:
        now.date = datetime.date.fromisoformat(after["date"])
    now.save(update_fields=["name", "date", "season", "edition", "removed"])
    for pk, edition in after.get("tables", {}).items():
        now.tables.filter(pk=pk).update(edition=edition)


def _write_club(club: Club, after: StoredValues) -> None:
    for key, value in after.items():
        setattr(club, key, value)
    club.save(update_fields=[*after])


def _tables(now: Evening, action: Action) -> list[Table]:
    """Return the tables to which *action* gave other rules."""
    tables = list(now.tables.filter(pk__in=action.after.get("tables", {})))
    for at in tables:
        at.evening = now
    return tables


# What is refused


def _check_may_write(now: Evening, by: User) -> None:
    if now.closed_at is not None and not closing.is_owner(now.club, by):
        raise exceptions.Closed(now)


def _check_open(now: Evening, others: Iterable[Season] = ()) -> None:
    """Lock the season of the evening and *others*. Raise `SeasonClosed`."""
    pks = {now.season_id, *(season.pk for season in others)}
    locked = Season.objects.select_for_update(no_key=True).filter(pk__in=pks)
    for season in locked.order_by("pk"):
        if season.club_id != now.club_id:
            raise ValueError(f"expected a season of club {now.club_id}")
        if season.closed_at is not None:
            raise exceptions.SeasonClosed(season)


def _check_plan(plan: AmendmentPlan, reason: str) -> None:
    problems = list(plan.problems)
    if plan.needs_reason and not reason.strip():
        message = _("Give a reason: this changes what was won.")
        problems.append(problem("reason", message))
    _refuse(problems)


def removal_obstacles(evening: Evening) -> Iterator[Problem]:
    """Yield the reasons why *evening* cannot be removed."""
    in_force = Entry.objects.filter(evening=evening, reversal=None, reverses=None)
    in_force = in_force.exclude(kind=Entry.Kind.ROUNDING)  # it follows the others
    kinds = set(in_force.values_list("kind", flat=True).order_by().distinct())
    if evening.imported_id:
        message = _("This evening came from an old sheet: take that back instead.")
        yield problem("evening", message)
    if kinds & {Entry.Kind.HAND, Entry.Kind.SHEET}:
        message = _("Hands were played here: take them back first.")
        yield problem("evening", message)
    if kinds - {Entry.Kind.HAND, Entry.Kind.SHEET}:
        message = _("Take back what was paid, charged or adjusted here first.")
        yield problem("evening", message)


def _restorable(action: Action, now: StoredValues) -> StoredValues:
    """Return the values before *action*, of those it left that are unchanged."""
    others = {
        key for key, left in action.after.items() if not _is_unchanged(left, now[key])
    }
    if others & STAKE:
        others |= STAKE
    restored = {key: old for key, old in action.before.items() if key not in others}
    if not restored:
        raise Stale(None, _later_actions(_actions_beside(action), action.number))
    return restored


def _is_unchanged(left: object, now: object) -> bool:
    if isinstance(left, dict) and isinstance(now, dict):  # some tables of all
        return left.items() <= now.items()
    return left == now


def _actions_beside(action: Action) -> QuerySet[Action]:
    return Action.objects.filter(evening=action.evening_id, club=action.club_id)


def last_seen(seen: str) -> int:
    """Return the number of the last action that a fingerprint *seen* was made after."""
    number = seen.partition(".")[0]
    return int(number) if number.isdecimal() else 0


def _later_actions(actions: QuerySet[Action], number: int) -> list[Action]:
    """Return those of *actions* after this *number*."""
    later = actions.filter(number__gt=number).select_related("by")
    return list(later.order_by("number"))


def _refuse(problems: Iterable[Problem]) -> None:
    if found := list(problems):
        raise Refused(found)
