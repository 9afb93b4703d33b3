"""Action that undoes a correction of a club, or of one of its evenings."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render

from ledger import journal
from ledger.access import Request, club_of, evening_of, owner_only
from ledger.models import Action
from ledger.presenters.refusals import season_closed
from ledger.text.messages import messages_of
from ledger.text.parsing import parse_id
from ledger.views.amendments import (
    amended_page,
    amended_url,
    views_of_actions,
)
from ledger.views.decorators import signed_in_action
from ledger.views.late_writes import evening_closed
from ledger.views.params import id_of
from ledger.views.status import CONFLICT
from scoring import Refused


@signed_in_action
def undo(request: Request, pk: int) -> HttpResponse:
    """Undo a correction of the club, or of one of its evenings."""
    club = club_of(request, pk, write=True)
    action_id = parse_id(request.POST.get("action"))
    action = journal.corrections_of(club).filter(pk=action_id).first()
    if action is None:
        raise BadRequest("expected a correction of this club")
    if action.evening is None:
        owner_only(club)
    problems, since = list[str](), list[Action]()
    try:
        undoing = journal.undo(action, id=id_of(request), by=request.user)
        return redirect(amended_url(undoing))
    except journal.Closed as late:
        return evening_closed(request, evening_of(request, late.evening.pk))
    except journal.SeasonClosed as shut:
        problems = [season_closed(shut.season)]
    except journal.Stale as stale:
        since = list(stale.since)
    except Refused as refused:
        problems = messages_of(refused.problems)
    page = {
        "club": club,
        "back": amended_page(action),
        "problems": problems,
        "since": views_of_actions(club, since),
    }
    return render(
        request, "ledger/errors/undo_correction_refused.html", page, status=CONFLICT
    )
