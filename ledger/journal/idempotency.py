"""Making something once, however often and from wherever it is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Manager, Model, QuerySet

from ledger.journal import actions
from ledger.models import Action, Receipt
from scoring import Refused

M = TypeVar("M", bound=Model)


def once(id: UUID | None, among: QuerySet[M] | Manager[M], make: Callable[[], M]) -> M:
    """Return what *make* makes, or what it made when the same *id* was sent before.

    It is found *among* what whoever asks may see. The receipt is written first: who
    sends the same id meanwhile waits for it. Raise `Refused` when something else was
    made by it. Without an id it is made each time.
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
    """Return what was made by this id before. Raise `Refused` if it was else."""
    receipt = Receipt.objects.filter(pk=id).first()
    if receipt is None:
        if Action.objects.filter(pk=id).exists():
            raise Refused([actions.id_is_used()])
        return None
    things = among.filter(pk=receipt.thing)
    if receipt.kind != things.model._meta.model_name or not (thing := things.first()):
        raise Refused([actions.id_is_used()])
    return thing


def _make(id: UUID, make: Callable[[], M]) -> M:
    receipt = Receipt.objects.create(id=id)
    thing = make()
    receipt.kind, receipt.thing = str(thing._meta.model_name), thing.pk
    receipt.save(update_fields=["kind", "thing"])
    return thing
