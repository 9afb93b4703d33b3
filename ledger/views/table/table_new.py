"""Page of another table for the evening."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from ledger import journal
from ledger.access import Request, evening_of
from ledger.journal import Closed
from ledger.models import Evening, Table
from ledger.text.messages import messages_of
from ledger.views.decorators import signed_in_form
from ledger.views.late_writes import evening_closed
from ledger.views.page_parts import render_part
from ledger.views.params import id_or_new
from ledger.views.repeated import made_before
from ledger.views.status import UNPROCESSABLE
from ledger.views.table.seating_form import (
    SeatingForm,
    free_players,
    is_ready,
    is_sent,
    rearrange,
)
from scoring import Refused


@signed_in_form
def table_new(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    if is_sent(request) and (added := made_before(request, evening.tables)):
        return redirect("table", added.pk)
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
        if added := _add_table(request, evening, form):
            return redirect("table", added.pk)
    except Closed:
        return evening_closed(request, evening)
    return render(request, "ledger/table/table_new.html", page, status=UNPROCESSABLE)


def _add_table(request: Request, evening: Evening, form: SeatingForm) -> Table | None:
    """Return the new table, or None with the problems in *form*.

    The same form may have been sent twice at once: its people then sit at the table
    that the other one has added.
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
