"""Undo stack of a table: the action that is undone next, and the one to be redone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import Q, QuerySet

from ledger.models import Action, Table
from ledger.models.exceptions import Stale


def check_is_next(action: Action, tables: Iterable[Table]) -> None:
    """Raise `Stale` where *action* is not the next to be undone or redone."""
    for at in tables:
        stack = UndoStack.of(at)
        if action not in (stack.undo, stack.redo):
            raise Stale(None, [a for a in stack.actions if a.number > action.number])


def check_not_undone(action: Action) -> None:
    """Raise `Stale` where *action* is undone already, by itself and not by a stack."""
    if undoing := list(Action.objects.filter(undoes=action)):
        raise Stale(None, undoing)


@dataclass(frozen=True)
class UndoStack:
    """Actions in order, of which the last in force is undone first.

    An action that was redone is undone by undoing the redo: each undo is an action
    that undoes the one before it.
    """

    actions: tuple[Action, ...]

    @classmethod
    def of(cls, table: Table) -> UndoStack:
        """Return the actions at *table*, with amendments that changed its rules."""
        rescored = _rule_changes(table).values("pk")
        mine = Q(table=table) | Q(other_table=table) | Q(pk__in=rescored)
        return cls(tuple(Action.objects.filter(mine).order_by("number")))

    @property
    def undo(self) -> Action | None:
        """Return the action that the next undo has to undo."""
        in_force = [a for a in self.actions if not a.undoes_id and self._counts(a)]
        return self._last_redo(in_force[-1]) if in_force else None

    @property
    def redo(self) -> Action | None:
        """Return the last undo, if nothing else was done since: undoing it redoes."""
        for action in reversed(self.actions):
            if not action.undoes_id:
                return None
            if self._counts(action) and not self._counts(self.original_of(action)):
                return action
        return None

    def original_of(self, action: Action) -> Action:
        """Return the action that *action* undoes and redoes in the end."""
        while action.undoes_id:
            action = self._by_id[action.undoes_id]
        return action

    def _last_redo(self, action: Action) -> Action:
        while action.pk in self._undoing:
            action = self._undoing[action.pk]
        return action

    def _counts(self, action: Action) -> bool:
        undoing = self._undoing.get(action.pk)
        return undoing is None or not self._counts(undoing)

    @cached_property
    def _by_id(self) -> dict[UUID, Action]:
        return {action.pk: action for action in self.actions}

    @cached_property
    def _undoing(self) -> dict[UUID, Action]:
        return {a.undoes_id: a for a in self.actions if a.undoes_id}


def _rule_changes(table: Table) -> QuerySet[Action]:
    """Return the amendments of the evening that gave *table* other rules."""
    corrected = Action.objects.filter(evening=table.evening_id)
    return corrected.filter(after__tables__has_key=str(table.pk))
