"""What was done just now, and what can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from ledger.access import Request
from ledger.journal import History
from ledger.models import Action, Table
from ledger.presenters import actions
from ledger.text.hands import People
from ledger.text.parsing import parse_id


@dataclass(frozen=True)
class Undoing:
    """A button that undoes *action*: the phone gives the undoing its *id*."""

    action: UUID
    words: str
    id: UUID


@dataclass(frozen=True)
class Toast:
    words: str
    undo: Undoing | None = None
    redo: Undoing | None = None
    action: Action | None = None


@dataclass(frozen=True)
class Done:
    """The last that was done at a table, for whoever may write."""

    toast: Toast | None
    undo: Undoing | None
    redo: Undoing | None


def done(request: Request, table: Table, people: People, *, writes: bool) -> Done:
    """Return the toast that the address asks for, and the buttons to undo."""
    asked = parse_id(request.GET.get("saved") or request.GET.get("done"))
    if not writes and not asked.int:
        return Done(None, None, None)
    all_done = History.of(table)
    shown = next((a for a in all_done.actions if a.pk == asked), None)
    last = (all_done.undo, all_done.redo) if writes else (None, None)
    which = [action for action in {shown, *last} if action]
    words = actions.words_by_action(all_done, which, people) if which else {}
    undo, redo = (
        Undoing(action.pk, words[action.pk], uuid4()) if action else None
        for action in last
    )
    if shown is None:
        return Done(None, undo, redo)
    toast = Toast(
        words[shown.pk],
        undo if undo and undo.action == shown.pk else None,
        redo if redo and redo.action == shown.pk else None,
        shown,
    )
    return Done(toast, undo, redo)
