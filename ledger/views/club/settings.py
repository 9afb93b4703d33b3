"""Settings of a club: its name and language, and the evenings it has removed."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import redirect, render

from ledger import journal
from ledger.access import Request, club_of, owner_only
from ledger.journal import FieldValues
from ledger.models import Action, Club
from ledger.presenters import actions
from ledger.presenters.amendment import differences
from ledger.views.amendments import (
    SEEN,
    amended_url,
    is_late,
    sent_before,
    undoable,
    views_of_actions,
)
from ledger.views.club.club_form import ClubForm
from ledger.views.decorators import signed_in_form
from ledger.views.params import id_of, id_or_new
from ledger.views.status import CONFLICT, UNPROCESSABLE

MOST_REMOVED = 20
"""Removed evenings on the page, each with a button that brings it back."""


@signed_in_form
def club_settings(request: Request, pk: int) -> HttpResponse:
    """Show the difference first, then save it."""
    club = club_of(request, pk, write=True)
    owner_only(club)
    if done := sent_before(request, club):
        return redirect(amended_url(done))
    known = {"name": club.name, "language": club.language}
    form = ClubForm(request.POST or None, initial=known)
    if not form.is_bound:
        return _show(request, club, form)
    if not form.is_valid():
        return _show(request, club, form, status=UNPROCESSABLE)
    values = {name: form.cleaned_data[name] for name in ("name", "language")}
    before, after = journal.plan_club_amendment(club, **values)
    seen = journal.club_fingerprint(club, before, after)
    sent = request.POST.get(SEEN, "")
    if sent != seen and (done := sent_before(request, club)):
        return redirect(amended_url(done))  # the same form, sent twice at once
    if sent != seen or not after:
        since = _since(club, sent) if is_late(sent, seen) else ()
        status = CONFLICT if since else 200
        plan = before, after
        return _show(request, club, form, plan, seen, since=since, status=status)
    try:
        id, by = id_of(request), request.user
        action = journal.amend_club(club, **values, id=id, by=by, seen=seen)
    except journal.Stale:
        since = _since(club, seen)
        return _show(request, club, form, since=since, status=CONFLICT)
    return redirect(amended_url(action) if action else request.path)


def _since(club: Club, seen: str) -> list[actions.ActionView]:
    later = club.actions.filter(number__gt=journal.last_seen(seen))
    return views_of_actions(club, later)


def _show(
    request: Request,
    club: Club,
    form: ClubForm,
    plan: tuple[FieldValues, FieldValues] | None = None,
    seen: str = "",
    *,
    since: Sequence[actions.ActionView] = (),
    status: int = 200,
) -> HttpResponse:
    page: dict[str, object] = {
        "club": club,
        "form": form,
        "since": since,
        "seen": seen,
        "id": id_or_new(request),
        "last": undoable(journal.corrections_of(club), club=club),
        "removed": _removed(club),
    }
    if plan is not None:
        before, after = plan
        page["plan"] = {"nothing": not after}
        page["differences"] = list(differences(before, after, {}))
        page["ready"] = bool(after)
    return render(request, "ledger/club/club_settings.html", page, status=status)


def _removed(club: Club) -> list[Action]:
    """Return the removals of the evenings that are removed now, newest first."""
    gone = journal.corrections_of(club).filter(
        evening__removed=True, after__removed=True, undone_by=None
    )
    return list(gone.order_by("-at", "pk")[:MOST_REMOVED])
