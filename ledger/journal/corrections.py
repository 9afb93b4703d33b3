"""The only way into the journal: every write is one action, in one transaction.

Locks are taken in one order: the evening, then players by id. What was sent before is
recognised by its id and answered again; nothing is written twice.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ledger.journal import actions, amendments, correction_plan, writer
from ledger.journal.actions import History, Stale, Taken, begin, known, twice
from ledger.journal.adjustments import adjust, undo_adjustment
from ledger.journal.closing import (
    close_evening,
    close_season,
    reopen_evening,
    reopen_season,
)
from ledger.journal.record import (
    Preview,
    Seen,
    Sent,
    preview,
    record_as_seen,
    record_hand,
    record_sent,
)
from ledger.journal.writer import lines_of
from ledger.models import (
    Action,
    Entry,
    Hand,
    Table,
    User,
    Version,
    locks,
)
from ledger.models.locks import Closed, SeasonClosed
from ledger.table import changes, replay
from ledger.table.changes import Change
from ledger.table.replay import TableState
from scoring import Refused

__all__ = [
    "Closed",
    "History",
    "Preview",
    "Refused",
    "SeasonClosed",
    "Seen",
    "Sent",
    "Stale",
    "Taken",
    "adjust",
    "cancel",
    "close_evening",
    "close_season",
    "correct",
    "lines_of",
    "preview",
    "record_as_seen",
    "record_hand",
    "record_sent",
    "reopen_evening",
    "reopen_season",
    "reverse_hand",
    "undo",
]


@twice
def reverse_hand(hand: Hand, *, id: UUID, by: User) -> Entry:
    """Take *hand* back and return what gives back its payments.

    Right after it was recorded that is an undo, later it is a correction.
    """
    at = locks.locked(hand.table)
    kinds = Action.Kind.VOID, Action.Kind.UNDO
    if (done := known(id, *kinds, table=at)) and not _took_back(done, hand):
        raise Refused([actions.id_is_used()])
    hand.refresh_from_db(fields=["number", "voided"])
    if not hand.voided:
        locks.open_or_closed(at.evening)
        last = History.of(at).undo
        if last and last.pk == hand.pk:
            turn_back(at, last, id, by)
        else:
            _apply(at, changes.Void(hand), id, by)
        hand.voided = True
    back = Entry.objects.filter(reverses__version__hand=hand)
    return back.latest("action__number")


@twice
def correct(
    table: Table,
    change: Change,
    *,
    id: UUID,
    by: User,
    seen: Version | None = None,
    reason: str = "",
    override: bool = False,
) -> Action | None:
    """Make *change* and all that follows from it; None when nothing would change.

    *seen* is what the scorer saw of the hand, or of the one at the number he named.
    Raise `Refused` as `record_hand` does, also when a later hand could no longer be
    scored; `Stale` when somebody changed it meanwhile; `Closed`.
    """
    at = locks.locked(table)
    if done := known(id, KINDS[type(change)], table=at):
        return done
    locks.open_or_closed(at.evening)
    return _apply(at, change, id, by, seen=seen, reason=reason, override=override)


@twice
def undo(action: Action, *, id: UUID, by: User) -> Action:
    """Turn *action* round, so that everything is as it was before.

    It is the last of its table (`History.undo`), or the last undoing, which is done
    again (`History.redo`); an adjustment can be undone at any time. Raise `Stale`
    when something was done since, `Refused` when somebody sits elsewhere by now.
    """
    evening = action.evening
    assert evening is not None
    if actions.undone_original(action).kind == Action.Kind.AMEND:
        return amendments.undo_amendment(action, id=id, by=by)
    evening = locks.locked_evening(evening)
    if done := known(id, Action.Kind.UNDO, undoes_id=action.pk):
        return done
    locks.open_or_closed(evening)
    if action.table is None:
        return undo_adjustment(evening, action, id, by)
    at = locks.locked(action.table)
    actions.check_last(action, filter(None, (action.table, action.other_table)))
    return turn_back(at, action, id, by)


def cancel(adjustment: Action, *, id: UUID, by: User) -> Action:
    """Take an adjustment back by a reversal; the same as undoing it."""
    return undo(adjustment, id=id, by=by)


# Correcting

KINDS = {
    changes.Correct: Action.Kind.CORRECT,
    changes.Void: Action.Kind.VOID,
    changes.Restore: Action.Kind.RESTORE,
    changes.Insert: Action.Kind.INSERT,
    changes.Swap: Action.Kind.REORDER,
    changes.SwapSides: Action.Kind.SWAP_SIDES,
    changes.Reseat: Action.Kind.RESEAT,
}


def _apply(
    at: Table,
    change: Change,
    id: UUID,
    by: User,
    *,
    seen: Version | None = None,
    reason: str = "",
    override: bool = False,
) -> Action | None:
    state = replay.load_state(at)
    if seen is not None:
        _check_seen(at, state, change, seen)
    if isinstance(change, changes.Insert):
        _check_new(change.id)
    plan = correction_plan.plan_on_state(at, state, change)
    if plan.refused or (plan.problems and not override):
        raise Refused(plan.problems)
    if plan.nothing:
        return None
    action = begin(
        KINDS[type(change)],
        id=id,
        by=by,
        table=at,
        reason=reason.strip(),
        **_seating(at, state, plan.after),
    )
    writer.turn(action, at, state, plan.after)
    return action


def _check_seen(at: Table, state: TableState, change: Change, seen: Version) -> None:
    place = state.by_hand().get(seen.hand_id)
    last = place.version if place else None
    right = place is not None and last == seen
    if place is not None:
        match change:
            case changes.Insert():
                right = right and place.live and place.number == change.before
            case changes.Reseat():
                right = right and place.live and place.number == change.from_hand
            case _:
                right = right and place.live is not isinstance(change, changes.Restore)
    if not right:
        raise Stale(last, actions.since(seen))


def _check_new(hand: UUID) -> None:
    if Hand.objects.filter(pk=hand).exists():
        raise Refused([actions.id_is_used()])


def _seating(at: Table, before: TableState, after: TableState) -> dict[str, Any]:
    """Return what an action keeps of line-ups, if they change."""
    if before.line_ups == after.line_ups:
        return {}
    return {
        "seating_before": {str(at.pk): writer.dump_line_ups(before.line_ups)},
        "seating_after": {str(at.pk): writer.dump_line_ups(after.line_ups)},
    }


# Undoing


def turn_back(at: Table, action: Action, id: UUID, by: User) -> Action:
    """Turn *action* round, whatever it is; its evening is locked and open."""
    undoing = begin(
        Action.Kind.UNDO,
        id=id,
        by=by,
        table=at,
        other_table_id=action.other_table_id,
        undoes=action,
        seating_before=action.seating_after,
        seating_after=action.seating_before,
    )
    before = replay.load_state(at)
    after = writer.turned_back(at, before, action)
    writer.turn(undoing, at, before, after)
    if action.other_table is not None:
        key, there = str(action.other_table_id), action.other_table
        seats = writer.load_line_ups(action.seating_before[key])
        writer.write_line_ups(there, seats)
        was = writer.load_line_ups(action.seating_after[key])
        correction_plan.check_seats(there, was, seats)
    correction_plan.check_seats(at, before.line_ups, after.line_ups)
    return undoing


def _took_back(action: Action, hand: Hand) -> bool:
    return action.steps.filter(hand=hand, after=None).exists()
