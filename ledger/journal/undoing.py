"""Undo: one function for actions of every kind, and for their undoing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NoReturn
from uuid import UUID

from ledger.journal.actions import original_of
from ledger.journal.adjustments import undo_adjustment
from ledger.journal.amendments import undo_amendment
from ledger.journal.idempotency import retry_once
from ledger.journal.money_reversals import MONEY_KINDS, undo_money
from ledger.journal.old_sheets import undo_import
from ledger.journal.table_undoing import undo_at_table
from ledger.models import Action, User, locks
from scoring import refuse
from scoring.text import _

Kind = Action.Kind
TABLE_KINDS = (
    *(Kind.RECORD, Kind.CORRECT, Kind.VOID, Kind.RESTORE, Kind.INSERT),
    *(Kind.REORDER, Kind.SWAP_SIDES, Kind.RESEAT, Kind.LINEUP),
)
EVENING_KINDS = (*TABLE_KINDS, Kind.IMPORT, Kind.ADJUST, Kind.AMEND)
"""Undone from the pages of an evening; money asks first, on pages of its own."""


@retry_once
def undo(
    action: Action, *, id: UUID, by: User, kinds: Collection[Action.Kind] = Kind
) -> Action:
    """Undo *action*, or redo what it undid; return the action that does so.

    All it wrote is reversed, by entries of its own. At a table only the last action
    can be undone (`UndoStack.undo`), or redone (`UndoStack.redo`); money, adjustments
    and amendments at any time. Raise `Refused` for a kind that is not among *kinds*,
    and for a closing; `Stale` when something was done since; `Closed`, `SeasonClosed`
    and `Removed` where nothing may be written.
    """
    kind = Kind(original_of(action).kind)
    undo_kind = UNDO_BY_KIND[kind] if kind in kinds else _refuse
    return undo_kind(action, id, by)


def _refuse(action: Action, id: UUID, by: User) -> NoReturn:
    if action.evening is not None:
        locks.check_open(locks.locked_evening(action.evening))
    message = _(
        "Only an adjustment can be cancelled here. To reopen an evening, ask an "
        "owner of the club."
    )
    refuse("action", message)


UNDO_BY_KIND: Mapping[Action.Kind, Callable[[Action, UUID, User], Action]] = {
    **dict.fromkeys(TABLE_KINDS, undo_at_table),
    **dict.fromkeys(MONEY_KINDS, undo_money),
    Kind.ADJUST: undo_adjustment,
    Kind.AMEND: undo_amendment,
    Kind.IMPORT: undo_import,
    Kind.CLOSE: _refuse,
    Kind.REOPEN: _refuse,
}
"""By the kind of the original action, however often it was undone and redone."""
