"""Who may see and who may write: everything is fetched through the reader's clubs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from ledger.models import Club, Evening, Hand, Member, Table

M = TypeVar("M", bound=Model)


class Request(HttpRequest):
    """What a view behind `login_required` gets."""

    user: User
    htmx: HtmxDetails


WRITERS = (Member.Role.OWNER, Member.Role.SCORER)


def club_of(request: Request, pk: int, *, write: bool = False) -> Club:
    """Return the club if the reader is a member of it, else 404; may not write: 403."""
    return _reached(request, Club.objects.all(), "pk", pk, write)


def evening_of(request: Request, pk: int, *, write: bool = False) -> Evening:
    evenings = Evening.objects.select_related("club", "season", "edition")
    return _reached(request, evenings, "club", pk, write)


def table_of(request: Request, pk: int, *, write: bool = False) -> Table:
    tables = Table.objects.select_related("evening__club", "evening__season", "edition")
    return _reached(request, tables, "evening__club", pk, write)


def hand_of(request: Request, pk: UUID, *, write: bool = False) -> Hand:
    hands = Hand.objects.select_related("table__evening__club", "table__edition")
    return _reached(request, hands, "table__evening__club", pk, write)


def may_write(request: Request, club: Club) -> bool:
    return _clubs(request, WRITERS).filter(club=club).exists()


def _reached(
    request: Request, objects: QuerySet[M], club: str, pk: object, write: bool
) -> M:
    ours = objects.filter(**{f"{club}__in": _clubs(request, Member.Role.values)})
    found = get_object_or_404(ours, pk=pk)
    if (
        write
        and not ours.filter(**{f"{club}__in": _clubs(request, WRITERS)}, pk=pk).exists()
    ):
        raise PermissionDenied(_("Only owners and scorers of the club may write."))
    return found


def _clubs(request: Request, roles: Iterable[str]) -> QuerySet[Member, Any]:
    return Member.objects.filter(user=request.user.pk, role__in=roles).values("club")
