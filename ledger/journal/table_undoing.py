"""Undoing of actions at a table: hands recorded or corrected, seats changed."""

from __future__ import annotations

from uuid import UUID

from ledger.journal import correction_plan, writer
from ledger.journal.actions import begin
from ledger.journal.idempotency import done_before
from ledger.journal.undo_stack import check_is_next
from ledger.models import Action, Table, User, locks
from ledger.table import replay

UNDO = Action.Kind.UNDO


def undo_at_table(action: Action, id: UUID, by: User) -> Action:
    """Undo the last action of its table, or redo the one undone last.

    For a player who moved, it has to be the last of both tables. Raise `Stale` when it
    is not, `Refused` when a player sits at another table by now, `Closed`.
    """
    assert action.evening is not None
    assert action.table is not None
    evening = locks.locked_evening(action.evening)
    if done := done_before(id, UNDO, undoes_id=action.pk):
        return done
    locks.check_open(evening)
    at = locks.locked_table(action.table)
    check_is_next(action, filter(None, (action.table, action.other_table)))
    return undo_steps(at, action, id, by)


def undo_steps(at: Table, action: Action, id: UUID, by: User) -> Action:
    """Reverse the steps and line-ups of *action*; its evening is locked and open."""
    undoing = begin(
        UNDO,
        id=id,
        by=by,
        table=at,
        other_table_id=action.other_table_id,
        undoes=action,
        seating_before=action.seating_after,
        seating_after=action.seating_before,
    )
    before = replay.load_state(at)
    after = writer.state_undone(at, before, action)
    writer.write_table(undoing, at, before, after)
    if action.other_table is not None:
        _restore_line_ups(action.other_table, action)
    correction_plan.check_seats(at, before.line_ups, after.line_ups)
    return undoing


def _restore_line_ups(at: Table, action: Action) -> None:
    """Write the line-ups that *at*, the other table of *action*, had before it."""
    before = writer.load_line_ups(action.seating_before[str(at.pk)])
    after = writer.load_line_ups(action.seating_after[str(at.pk)])
    writer.write_line_ups(at, before)
    correction_plan.check_seats(at, after, before)
