"""The table: how it stands, and another one for the evening."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from ledger import journal
from ledger.access import Request, evening_of, table_of
from ledger.models import Evening, Table
from ledger.models.locks import Closed
from ledger.text.messages import messages_of
from ledger.views.decorators import signed_in_form, signed_in_page
from ledger.views.late_writes import evening_closed
from ledger.views.page_parts import render_part
from ledger.views.params import id_or_new
from ledger.views.repeated import made_before
from ledger.views.table.scoreboard import page_of
from ledger.views.table.seating_form import (
    SeatingForm,
    free_players,
    is_ready,
    is_sent,
    rearrange,
)
from scoring import Refused

PAGE = "ledger/table/table.html"


@signed_in_page
def table(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk)
    return render_part(request, PAGE, "hands", page_of(request, table))


@signed_in_form
def new(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    if is_sent(request) and (laid := made_before(request, evening.tables)):
        return redirect("table", laid.pk)
    if evening.closed_at:
        return evening_closed(request, evening)
    form = SeatingForm(
        request.POST or None,
        club=evening.club,
        people=free_players(evening),
        variant=evening.edition.variant,
        rules=evening.edition.rules,
    )
    page = {
        "form": form,
        "evening": evening,
        "number": evening.tables.count() + 1,
        "id": id_or_new(request),
    }
    if request.method == "GET":
        return render(request, "ledger/table/table_new.html", page)
    if rearrange(request, form):
        page["arranging"] = True
        return render_part(request, "ledger/table/table_new.html", "seating", page)
    try:
        if laid := _laid(request, evening, form):
            return redirect("table", laid.pk)
    except Closed:
        return evening_closed(request, evening)
    return render(request, "ledger/table/table_new.html", page, status=422)


def _laid(request: Request, evening: Evening, form: SeatingForm) -> Table | None:
    """Return the new table, or None and what is wrong with the form.

    Where the same form was faster its people are seated by now: they are at its table.
    """
    if is_ready(request, form):
        id, (seats, dealer) = id_or_new(request), form.seating()
        edition = journal.edition_of(evening.club, form.cleaned_data["tariff"])
        try:
            return journal.add_table(
                evening, seats=seats, dealer=dealer, edition=edition, id=id
            )
        except Refused as refused:
            form.add_error(None, messages_of(refused.problems))
    return made_before(request, evening.tables)
