"""Forms that were sent before: they make nothing twice."""

from __future__ import annotations

from typing import TypeVar
from uuid import UUID

from django.contrib import messages
from django.db.models import Manager, Model, QuerySet
from django.utils.translation import gettext as _

from ledger import journal
from ledger.access import Request
from ledger.views.params import id_or_new

M = TypeVar("M", bound=Model)


def made_before(
    request: Request, among: QuerySet[M] | Manager[M], id: UUID | None = None
) -> M | None:
    """Return what the same form made when it was sent before, with a message to show.

    *id* is that of the form, unless another is given.
    """
    thing = journal.made_before(id or id_or_new(request), among)
    if thing is not None:
        messages.info(
            request, _("This has already been saved: nothing is recorded twice.")
        )
    return thing
