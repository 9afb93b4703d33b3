"""Just done: the action that a page confirms after a redirect, with its undo."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db.models import Q

from ledger import journal
from ledger.models import Action, Club
from ledger.presenters import actions
from ledger.text.parsing import parse_id

CONFIRMED = (*journal.MONEY_KINDS, Action.Kind.ADJUST)
"""Actions that a page about money confirms."""


@dataclass(frozen=True)
class JustDone:
    """An action about money in words; *undone* where it undoes another."""

    action: Action
    words: str
    undone: bool
    cancels: bool
    """Whether it is an adjustment, which is cancelled on a page of its own."""

    @property
    def id(self) -> UUID:
        """A new id for the form that undoes it."""
        return uuid4()


def address_after(address: str, action: Action | None) -> str:
    """Return *address* with the *action* that its page confirms."""
    if action is None:
        return address
    address, mark, part = address.partition("#")
    joint = "&" if "?" in address else "?"
    return f"{address}{joint}done={action.pk}{mark}{part}"


def just_done(club: Club, text: str | None) -> JustDone | None:
    """Return the action named in an address, while it can be undone."""
    action = _action_of(club, text, CONFIRMED) if text else None
    if action is None or hasattr(action, "undone_by"):
        return None
    people = club.players.in_bulk()
    original, undoings = _original(action)
    return JustDone(
        action,
        actions.words_alone(action, people),
        undone=undoings % 2 == 1,
        cancels=original.kind == Action.Kind.ADJUST,
    )


def money_action(club: Club, text: str | None) -> Action | None:
    """Return the action of this id, if it moved money in *club* without a hand."""
    return _action_of(club, text, journal.MONEY_KINDS)


def _action_of(club: Club, text: str | None, kinds: Collection[str]) -> Action | None:
    in_club = Q(entries__club=club) | Q(evening__club=club)
    found = Action.objects.filter(in_club, pk=parse_id(text))
    action = found.select_related("undoes", "by").first()
    return action if action and _original(action)[0].kind in kinds else None


def _original(action: Action) -> tuple[Action, int]:
    """Return the action at the beginning of a chain of undoings, and their number."""
    undoings = 0
    while action.undoes is not None:
        action, undoings = action.undoes, undoings + 1
    return action, undoings
