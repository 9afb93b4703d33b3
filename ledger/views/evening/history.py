"""Page of the actions of an evening: what, by whom, when and why."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from ledger.access import Request, evening_of
from ledger.presenters import actions
from ledger.views.decorators import signed_in_page
from ledger.views.evening.adjustments import listed_adjustments


@signed_in_page
def history(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk)
    people = evening.club.players.in_bulk()
    adjustments = {
        one.adjustment.action: one for one in listed_adjustments(evening, people)
    }
    page = {
        "evening": evening,
        "done": [
            {"view": view, "adjusted": adjustments.get(view.action.pk)}
            for view in reversed(actions.action_views_of(evening, people))
        ],
        "several": evening.tables.count() > 1,
    }
    return render(request, "ledger/evening/history.html", page)
