"""Idempotency: a write sent again under its id is answered, and not made again.

A write that is an action is found by the action's id (`done_before`). What is created
without one (a club, a player, an evening, a table, a season, a token, a link) leaves a
`Receipt` under its id (`once`, `made_before`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Manager, Model, QuerySet

from ledger.models import Action, Receipt
from scoring import Problem, Refused, problem
from scoring.text import _

M = TypeVar("M", bound=Model)
P = ParamSpec("P")
R = TypeVar("R")


def retry_once(write: Callable[P, R]) -> Callable[P, R]:
    """Run *write* in a transaction, and once more after an `IntegrityError`.

    A write with the same id may commit while this one waits for its lock; the second
    run finds it.
    """

    @wraps(write)
    def retried(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with transaction.atomic():
                return write(*args, **kwargs)
        except IntegrityError:
            with transaction.atomic():
                return write(*args, **kwargs)

    return retried


def done_before(id: UUID, *kinds: Action.Kind, **where: object) -> Action | None:
    """Return the action stored under *id*.

    Raise `Refused` when it is of another kind, or of something other than *where*.
    """
    action = Action.objects.filter(pk=id).select_related("table", "by").first()
    if action is None:
        return None
    same = action.kind in kinds
    if not same or any(getattr(action, name) != of for name, of in where.items()):
        raise Refused([id_conflict()])
    return action


def once(id: UUID | None, among: QuerySet[M] | Manager[M], make: Callable[[], M]) -> M:
    """Return what *make* creates, or created when the same *id* was sent before.

    *among* is what the caller may see: nothing else is returned. Raise `Refused` when
    something else was created under *id*. Without an id each call creates.
    """
    if id is None:
        return make()
    try:
        with transaction.atomic():
            return made_before(id, among) or _make(id, make)
    except IntegrityError:
        if (thing := made_before(id, among)) is None:
            raise
        return thing


def made_before(id: UUID, among: QuerySet[M] | Manager[M]) -> M | None:
    """Return what was created under *id*. Raise `Refused` for something else."""
    receipt = Receipt.objects.filter(pk=id).first()
    if receipt is None:
        if Action.objects.filter(pk=id).exists():
            raise Refused([id_conflict()])
        return None
    things = among.filter(pk=receipt.thing)
    if receipt.kind != things.model._meta.model_name or not (thing := things.first()):
        raise Refused([id_conflict()])
    return thing


def _make(id: UUID, make: Callable[[], M]) -> M:
    # The receipt comes first: a second request with this id waits for its commit.
    receipt = Receipt.objects.create(id=id)
    thing = make()
    receipt.kind, receipt.thing = str(thing._meta.model_name), thing.pk
    receipt.save(update_fields=["kind", "thing"])
    return thing


def id_conflict() -> Problem:
    """Return the problem of an id under which something else is stored."""
    message = _("This id is used elsewhere. Open the page again.")
    return problem("id", message, code="id_used")
