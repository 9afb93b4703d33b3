"""Access: every object is fetched through the reader's memberships.

Without a membership: 404. With one that may only read: 403 where *write* is asked for.
"""

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
    """A request of a user who is signed in."""

    user: User
    htmx: HtmxDetails


WRITERS = (Member.Role.OWNER, Member.Role.SCORER)
LAST_ACTION = "last_action"
_LAST_NUMBER = Action.objects.filter(evening=OuterRef("evening")).order_by("-number")
TABLES = Table.objects.filter(evening__removed=False).select_related(
    "evening__club", "edition"
)
TABLES_WITH_LAST_ACTION = TABLES.annotate(
    **{LAST_ACTION: Subquery(_LAST_NUMBER.values("number")[:1])}
)
ROLE = "readers_role"
"""Attribute of a fetched object: the reader's role in its club."""


def clubs_of(request: Request) -> QuerySet[Club]:
    """Return the clubs of which the reader is a member."""
    return _of_reader(request, Club.objects.all(), "")


def club_of(request: Request, pk: int, *, write: bool = False) -> Club:
    """Return a club of the reader."""
    return _found(request, Club.objects.all(), "", pk, write)


def evening_of(request: Request, pk: int, *, write: bool = False) -> Evening:
    evenings = Evening.objects.not_removed().select_related("club", "season", "edition")
    return _found(request, evenings, "club__", pk, write)


def table_of(
    request: Request, pk: int, *, write: bool = False, stamped: bool = False
) -> Table:
    """Return a table, if *stamped* with the number of the evening's last action."""
    tables = TABLES_WITH_LAST_ACTION if stamped else TABLES
    return _found(request, tables, "evening__club__", pk, write)


def stamp_of(table: Table) -> int:
    """Return the evening's last action number when the table was fetched, or 0."""
    return getattr(table, LAST_ACTION) or 0


def hand_of(request: Request, pk: UUID, *, write: bool = False) -> Hand:
    hands = Hand.objects.filter(table__evening__removed=False)
    hands = hands.select_related("table__evening__club", "table__edition")
    return _found(request, hands, "table__evening__club__", pk, write)


def season_of(request: Request, pk: int, *, write: bool = False) -> Season:
    seasons = Season.objects.select_related("club")
    return _found(request, seasons, "club__", pk, write)


def may_write(found: Model) -> bool:
    """Tell whether the reader may write in the club of a fetched object."""
    return getattr(found, ROLE) in WRITERS


def is_owner(found: Model) -> bool:
    """Tell whether the reader owns the club of a fetched object."""
    return bool(getattr(found, ROLE) == Member.Role.OWNER)


def owner_only(found: Model) -> None:
    """Raise `PermissionDenied` unless the reader owns the club of a fetched object."""
    if not is_owner(found):
        raise PermissionDenied(_("Only owners of the club may do this."))


def _found(
    request: Request, objects: QuerySet[M], club: str, pk: object, write: bool
) -> M:
    """Return one of *objects*; *club* is the lookup path to their club."""
    found = get_object_or_404(_of_reader(request, objects, club), pk=pk)
    if write and not may_write(found):
        raise PermissionDenied(
            _("Only owners and scorers of the club may record anything.")
        )
    return found


def _of_reader(request: Request, objects: QuerySet[M], club: str) -> QuerySet[M]:
    member = f"{club}members"
    mine = objects.filter(**{f"{member}__user": request.user.pk})
    found: QuerySet[M] = mine.annotate(**{ROLE: F(f"{member}__role")})
    return found
