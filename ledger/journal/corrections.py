"""Corrections of a table's hands, and of who sat where at earlier ones.

A correction is planned on the table's state (`correction_plan`), written as one action
(`writer.write_table`), and undone in one step (`table_undoing`).
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ledger.journal import actions, correction_plan, writer
from ledger.journal.actions import begin
from ledger.journal.idempotency import done_before, id_conflict, retry_once
from ledger.journal.table_undoing import undo_steps
from ledger.journal.undo_stack import UndoStack
from ledger.models import Action, Entry, Hand, Table, User, Version, locks
from ledger.models.exceptions import Stale
from ledger.table import changes, replay
from ledger.table.changes import Change
from ledger.table.replay import TableState
from scoring import Refused


@retry_once
def reverse_hand(hand: Hand, *, id: UUID, by: User) -> Entry:
    """Take *hand* back, and return the reversal of its entry.

    It is an undo where recording the hand was the table's last action, else a
    correction. Raise as `correct` and `undo` do.
    """
    at = locks.locked_table(hand.table)
    kinds = Action.Kind.VOID, Action.Kind.UNDO
    if (done := done_before(id, *kinds, table=at)) and not _reversed_hand(done, hand):
        raise Refused([id_conflict()])
    hand.refresh_from_db(fields=["number", "voided"])
    if not hand.voided:
        locks.check_open(at.evening)
        last = UndoStack.of(at).undo
        if last and last.pk == hand.pk:
            undo_steps(at, last, id, by)
        else:
            _write(at, changes.Void(hand), id, by)
        hand.voided = True
    reversals = Entry.objects.filter(reverses__version__hand=hand)
    return reversals.latest("action__number")


@retry_once
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
    """Write *change* and all that follows from it; None when nothing would change.

    *seen* is the version the scorer saw of the hand, or of the one at the number he
    named. Raise `Refused` as `record_hand` does, also when a later hand could no longer
    be scored; `Stale` when the hand has another version by now; `Closed`.
    """
    at = locks.locked_table(table)
    if done := done_before(id, KINDS[type(change)], table=at):
        return done
    locks.check_open(at.evening)
    return _write(at, change, id, by, seen=seen, reason=reason, override=override)


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


def _write(
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
        **_line_up_changes(at, state, plan.after),
    )
    writer.write_table(action, at, state, plan.after)
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
        raise Stale(last, actions.later_actions(seen))


def _check_new(hand: UUID) -> None:
    if Hand.objects.filter(pk=hand).exists():
        raise Refused([id_conflict()])


def _line_up_changes(
    at: Table, before: TableState, after: TableState
) -> dict[str, Any]:
    """Return the line-ups as the action stores them, where they change."""
    if before.line_ups == after.line_ups:
        return {}
    return {
        "seating_before": {str(at.pk): writer.dump_line_ups(before.line_ups)},
        "seating_after": {str(at.pk): writer.dump_line_ups(after.line_ups)},
    }


def _reversed_hand(action: Action, hand: Hand) -> bool:
    return action.steps.filter(hand=hand, after=None).exists()
