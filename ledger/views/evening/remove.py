"""Page that removes an evening."""

from __future__ import annotations

from uuid import uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from ledger import journal
from ledger.access import Request, evening_of, is_owner
from ledger.models import Action
from ledger.presenters.refusals import season_closed
from ledger.text.messages import messages_of
from ledger.text.parsing import parse_id
from ledger.views.amendments import amended_url
from ledger.views.decorators import signed_in_form
from ledger.views.late_writes import evening_closed
from ledger.views.params import id_of
from ledger.views.status import CONFLICT
from scoring import Refused


@signed_in_form
def remove(request: Request, pk: int) -> HttpResponse:
    """Ask once, with the obstacles, then remove."""
    try:
        evening = evening_of(request, pk, write=True)
    except Http404:
        if done := _removed_by(request, pk):
            return redirect(amended_url(done))
        raise
    if evening.closed_at and not is_owner(evening):
        return evening_closed(request, evening)
    problems = messages_of(journal.removal_obstacles(evening))
    if evening.season.closed_at:
        problems.append(season_closed(evening.season))
    if request.method == "POST" and not problems:
        try:
            id, by = id_of(request), request.user
            return redirect(amended_url(journal.remove_evening(evening, id=id, by=by)))
        except journal.Closed as late:
            return evening_closed(request, evening_of(request, late.evening.pk))
        except journal.SeasonClosed as shut:
            problems = [season_closed(shut.season)]
        except Refused as refused:
            problems = messages_of(refused.problems)
    page = {"evening": evening, "problems": problems, "id": uuid4()}
    status = CONFLICT if request.method == "POST" else 200
    return render(request, "ledger/evening/evening_remove.html", page, status=status)


def _removed_by(request: Request, pk: int) -> Action | None:
    """Return the removal of the evening by the same form, sent before."""
    mine = Action.objects.filter(evening__club__members__user=request.user.pk)
    sent = mine.filter(pk=parse_id(request.POST.get("id")), evening=pk)
    return sent.filter(after__removed=True).first()
