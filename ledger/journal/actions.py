"""One action after another: who may still write, what was done, what can be undone.

Everything that is written locks its evening first, then players by id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, wraps
from itertools import count
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from ledger.models import Action, Hand, Table, User, Version
from scoring import Problem, Refused, problem, refuse
from scoring.text import _

P = ParamSpec("P")
R = TypeVar("R")

MOST_REASON = 200
NUMBERS = Action.objects.order_by("-number").values_list("number", flat=True)
_MOMENTS: ContextVar[Iterator[datetime] | None] = ContextVar("moments", default=None)


@contextmanager
def dated(moment: datetime) -> Iterator[None]:
    """Let what is done meanwhile have been done from *moment* on: for clubs of old.

    A millisecond lies between one thing and the next, so that their order shows.
    """
    token = _MOMENTS.set(moment + timedelta(milliseconds=n) for n in count())
    try:
        yield
    finally:
        _MOMENTS.reset(token)


def of_old() -> datetime | None:
    """Return the next moment that `dated` gives, if it does."""
    moments = _MOMENTS.get()
    return next(moments) if moments else None


def now() -> datetime:
    return of_old() or timezone.now()


class Taken(ValueError):
    """The place of the hand is taken by another, *hand*: somebody has to choose."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        super().__init__(f"hand {hand.number} is already recorded")


class Stale(ValueError):
    """Somebody else was faster: *version* is what the hand says now, if it is one,
    and *since* is what was done in the meantime."""

    def __init__(self, version: Version | None, since: Sequence[Action]) -> None:
        self.version = version
        self.since = tuple(since)
        super().__init__("it was changed in the meantime")


def known(id: UUID, *kinds: Action.Kind, **where: object) -> Action | None:
    """Return what was done by this id before. Raise `Refused` if it was else."""
    action = Action.objects.filter(pk=id).select_related("table", "by").first()
    if action is None:
        return None
    same = action.kind in kinds
    if not same or any(getattr(action, name) != of for name, of in where.items()):
        raise Refused([id_is_used()])
    return action


def begin(
    kind: Action.Kind, *, id: UUID, by: User, last: int | None = None, **values: Any
) -> Action:
    """Write the action that everything else is done by; the evening is locked.

    *last* is the number of the last action of its book, if that is known.
    """
    if len(values.get("reason", "")) > MOST_REASON:
        refuse("reason", _("Use {most} characters or fewer."), most=MOST_REASON)
    if table := values.get("table"):
        values.setdefault("evening", table.evening)
    values.setdefault("at", now())
    if last is None:
        of = {name: values.get(name) for name in ("evening", "season", "club")}
        last = last_number(**of)
    return Action.objects.create(
        id=id, kind=kind, number=last + 1, by_id=by.pk, **values
    )


def last_number(**of: object) -> int:
    """Return the number of the last action of an evening, a season or a club."""
    return NUMBERS.filter(**of).first() or 0


def twice(write: Callable[P, R]) -> Callable[P, R]:
    """Look again when somebody came in between without the lock."""

    @wraps(write)
    def written(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with transaction.atomic():
                return write(*args, **kwargs)
        except IntegrityError:
            with transaction.atomic():
                return write(*args, **kwargs)

    return written


def undone_original(action: Action) -> Action:
    """Return what somebody did, of whose undoing and redoing *action* is one."""
    while action.undoes is not None:
        action = action.undoes
    return action


def id_is_used() -> Problem:
    """Return the problem of an id by which something else was written before."""
    message = _("This id is used elsewhere. Open the page again.")
    return problem("id", message, code="id_used")


def rescoring(table: Table) -> QuerySet[Action]:
    """Return the corrections of the evening by which *table* got other rules."""
    corrected = Action.objects.filter(evening=table.evening_id)
    return corrected.filter(after__tables__has_key=str(table.pk))


def check_last(action: Action, tables: Iterable[Table]) -> None:
    """Raise `Stale` where *action* is not what is undone, or done again, next."""
    for at in tables:
        history = History.of(at)
        if action not in (history.undo, history.redo):
            raise Stale(None, [a for a in history.actions if a.number > action.number])


@dataclass(frozen=True)
class History:
    """The actions at a table, or others that are undone by themselves, in order.

    Undoing an action undoes the last that was made of it: itself, or what redid it.
    """

    actions: tuple[Action, ...]

    @classmethod
    def of(cls, table: Table) -> History:
        rescored = rescoring(table).values("pk")
        mine = Q(table=table) | Q(other_table=table) | Q(pk__in=rescored)
        return cls(tuple(Action.objects.filter(mine).order_by("number")))

    @property
    def undo(self) -> Action | None:
        """Return what the next undo has to undo."""
        in_force = [a for a in self.actions if not a.undoes_id and self._counts(a)]
        return self._last(in_force[-1]) if in_force else None

    @property
    def redo(self) -> Action | None:
        """Return the undoing that can be undone: nothing else was done since."""
        for action in reversed(self.actions):
            if not action.undoes_id:
                return None
            if self._counts(action) and not self._counts(self.base(action)):
                return action
        return None

    def base(self, action: Action) -> Action:
        """Return what somebody did, of whose undoing and redoing *action* is one."""
        while action.undoes_id:
            action = self._by_id[action.undoes_id]
        return action

    def _last(self, action: Action) -> Action:
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


def since(version: Version) -> list[Action]:
    """Return what touched the hand of *version* after that was written."""
    touching = Action.objects.filter(steps__hand=version.hand_id)
    own = touching.filter(steps__after=version).order_by("number").first()
    later = touching.filter(number__gt=own.number if own else 0)
    return list(later.order_by("number").select_related("by"))
