"""The last action at a table, with buttons to undo and to redo."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from ledger.access import Request
from ledger.journal import UndoStack
from ledger.models import Action, Table
from ledger.presenters import actions
from ledger.text.hands import People
from ledger.text.parsing import parse_id


@dataclass(frozen=True)
class UndoButton:
    """Button that undoes *action*; *id* becomes the id of the undoing."""

    action: UUID
    words: str
    id: UUID


@dataclass(frozen=True)
class Toast:
    words: str
    undo: UndoButton | None = None
    redo: UndoButton | None = None
    action: Action | None = None


@dataclass(frozen=True)
class LastAction:
    """Last action at a table: the toast after it, and the buttons for a scorer."""

    toast: Toast | None
    undo: UndoButton | None
    redo: UndoButton | None


def last_action(
    request: Request, table: Table, people: People, *, writes: bool
) -> LastAction:
    """Return the toast of the action in the address, and the buttons to undo."""
    pk = parse_id(request.GET.get("saved") or request.GET.get("done"))
    if not writes and not pk.int:
        return LastAction(None, None, None)
    history = UndoStack.of(table)
    saved = next((action for action in history.actions if action.pk == pk), None)
    last = (history.undo, history.redo) if writes else (None, None)
    named = [action for action in {saved, *last} if action]
    words = actions.words_by_action(history, named, people) if named else {}
    undo, redo = (
        UndoButton(action.pk, words[action.pk], uuid4()) if action else None
        for action in last
    )
    if saved is None:
        return LastAction(None, undo, redo)
    toast = Toast(
        words[saved.pk],
        undo if undo and undo.action == saved.pk else None,
        redo if redo and redo.action == saved.pk else None,
        saved,
    )
    return LastAction(toast, undo, redo)
