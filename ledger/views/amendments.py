"""Steps that the pages of amendments to an evening or a club share."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet
from django.urls import reverse

from ledger import journal
from ledger.access import Request
from ledger.models import Action, Club
from ledger.presenters import actions
from ledger.text.parsing import parse_id

SEEN = "seen"
"""Field of a form with the state that its page has shown."""


def is_late(seen: str, now: str) -> bool:
    """Whether another action came after the state *seen*, so that it is *now*."""
    return seen != "" and journal.last_seen(seen) != journal.last_seen(now)


def sent_before(request: Request, club: Club) -> Action | None:
    """Return the amendment written when the same form was sent before."""
    id = parse_id(request.POST.get("id"))
    return journal.corrections_of(club).filter(pk=id).first() if id.int else None


def views_of_actions(club: Club, among: Iterable[Action]) -> list[actions.ActionView]:
    which = Action.objects.filter(pk__in=[action.pk for action in among])
    people = club.players.in_bulk()
    return actions.action_views(actions.with_details(which).order_by("number"), people)


def undoable(
    amendments: QuerySet[Action], **where: object
) -> actions.ActionView | None:
    """Return the last of *amendments*, filtered by *where*, that is not undone."""
    last = amendments.filter(**where, undone_by=None).order_by("-number").first()
    return actions.action_views([last], {})[0] if last else None


def undo_toast(club: Club, pk: str | None) -> actions.ActionView | None:
    """Return the amendment made just now, by the param *pk*, if it can be undone."""
    return undoable(journal.corrections_of(club), pk=parse_id(pk)) if pk else None


def amended_page(action: Action) -> str:
    """Return the address of the evening or club that *action* has amended."""
    if action.evening is None:
        return reverse("club_settings", args=[action.club_id])
    if action.evening.removed:
        return reverse("club", args=[action.evening.club_id])
    return reverse("evening", args=[action.evening_id])


def amended_url(action: Action) -> str:
    """Return the address of the page that shows *action*, with a button to undo it."""
    action = Action.objects.select_related("evening").get(pk=action.pk)
    return f"{amended_page(action)}?done={action.pk}"
