"""Everything that was done in an evening: by whom, when and why."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from ledger.access import Request, evening_of
from ledger.presenters import actions as told
from ledger.views.decorators import signed_in_page
from ledger.views.evening.adjustments import adjusted


@signed_in_page
def history(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk)
    people = evening.club.players.in_bulk()
    gains = {shown.adjustment.action: shown for shown in adjusted(evening, people)}
    page = {
        "evening": evening,
        "done": [
            {"deed": deed, "adjusted": gains.get(deed.action.pk)}
            for deed in reversed(told.action_views_of(evening, people))
        ],
        "several": evening.tables.count() > 1,
    }
    return render(request, "ledger/evening/history.html", page)
