"""Who may see and who may write: everything is fetched through the reader's clubs."""

from __future__ import annotations

from typing import TypeVar
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import F, Model, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from ledger.models import Action, Club, Evening, Hand, Member, Season, Table, User

M = TypeVar("M", bound=Model)


class Request(HttpRequest):
    """What a view behind `login_required` gets."""

    user: User
    htmx: HtmxDetails


WRITERS = (Member.Role.OWNER, Member.Role.SCORER)
STAMP = "last_action"
LAST = Action.objects.filter(evening=OuterRef("evening")).order_by("-number")
TABLES = Table.objects.filter(evening__removed=False).select_related(
    "evening__club", "edition"
)
STAMPED = TABLES.annotate(**{STAMP: Subquery(LAST.values("number")[:1])})
ROLE = "readers_role"
"""What the reader is in the club of what was found, kept on it."""


def clubs_of(request: Request) -> QuerySet[Club]:
    """Return the clubs of which the reader is a member."""
    return _mine(request, Club.objects.all(), "")


def club_of(request: Request, pk: int, *, write: bool = False) -> Club:
    """Return the club if the reader is a member of it, else 404; may not write: 403."""
    return _reached(request, Club.objects.all(), "", pk, write)


def evening_of(request: Request, pk: int, *, write: bool = False) -> Evening:
    evenings = Evening.objects.there().select_related("club", "season", "edition")
    return _reached(request, evenings, "club__", pk, write)


def table_of(
    request: Request, pk: int, *, write: bool = False, stamped: bool = False
) -> Table:
    """Return the table, *stamped* with the number of the evening's last action."""
    tables = STAMPED if stamped else TABLES
    return _reached(request, tables, "evening__club__", pk, write)


def stamp_of(table: Table) -> int:
    """Return which action of the evening was the last when the table was found."""
    return getattr(table, STAMP) or 0


def hand_of(request: Request, pk: UUID, *, write: bool = False) -> Hand:
    hands = Hand.objects.filter(table__evening__removed=False)
    hands = hands.select_related("table__evening__club", "table__edition")
    return _reached(request, hands, "table__evening__club__", pk, write)


def season_of(request: Request, pk: int, *, write: bool = False) -> Season:
    seasons = Season.objects.select_related("club")
    return _reached(request, seasons, "club__", pk, write)


def may_write(found: Model) -> bool:
    """Whether the reader may write where one of the functions above let him in."""
    return getattr(found, ROLE) in WRITERS


def is_owner(found: Model) -> bool:
    """Whether the reader owns the club of what was found."""
    return bool(getattr(found, ROLE) == Member.Role.OWNER)


def owner_only(found: Model) -> None:
    """Refuse whoever does not own the club of what was found."""
    if not is_owner(found):
        raise PermissionDenied(_("Only owners of the club may do this."))


def _reached(
    request: Request, objects: QuerySet[M], club: str, pk: object, write: bool
) -> M:
    """Return what is found of *objects*, whose path to their club is *club*."""
    found = get_object_or_404(_mine(request, objects, club), pk=pk)
    if write and not may_write(found):
        raise PermissionDenied(
            _("Only owners and scorers of the club may record anything.")
        )
    return found


def _mine(request: Request, objects: QuerySet[M], club: str) -> QuerySet[M]:
    member = f"{club}members"
    mine = objects.filter(**{f"{member}__user": request.user.pk})
    found: QuerySet[M] = mine.annotate(**{ROLE: F(f"{member}__role")})
    return found
