"""Page of a new evening."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from ledger import journal
from ledger.access import Request, club_of
from ledger.models import Club, Evening, Table
from ledger.text.amounts import typed_stake
from ledger.text.dates import evening_name
from ledger.views.decorators import signed_in_form
from ledger.views.evening.evening_form import EveningForm
from ledger.views.late_writes import no_season
from ledger.views.page_parts import render_part
from ledger.views.params import id_or_new
from ledger.views.repeated import made_before
from ledger.views.status import UNPROCESSABLE
from ledger.views.table.seating_form import (
    active_players,
    is_ready,
    is_sent,
    last_seated,
    rearrange,
)


@signed_in_form
def evening_new(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=True)
    if is_sent(request) and (made := made_before(request, club.evenings)):
        return redirect("table", _first_table(made).pk)
    if journal.current_season(club) is None:
        return no_season(request, club)
    form = _form(request, club)
    page = {"form": form, "club": club, "id": id_or_new(request)}
    if request.method == "GET":
        return render(request, "ledger/evening/evening_new.html", page)
    if rearrange(request, form):
        page["arranging"] = True
        return render_part(request, "ledger/evening/evening_new.html", "seating", page)
    if is_ready(request, form):
        try:
            return redirect("table", _start(request, club, form).pk)
        except journal.SeasonClosed:
            return no_season(request, club)
    return render(
        request, "ledger/evening/evening_new.html", page, status=UNPROCESSABLE
    )


def _form(request: Request, club: Club) -> EveningForm:
    """Return the form, with the people, game and stake of the last evening."""
    evenings = club.evenings.shown().select_related("edition")
    last = evenings.order_by("-date", "-pk").first()
    today = timezone.localdate()
    initial: dict[str, object] = {"name": evening_name(today), "date": today}
    if last and last.currency:
        initial["currency"] = last.currency
        initial["stake"] = typed_stake(last.per_point, last.currency)
    return EveningForm(
        request.POST or None,
        club=club,
        people=active_players(club),
        seated=last_seated(last),
        variant=last.edition.variant if last else "",
        rules=last.edition.rules if last else None,
        initial=initial,
    )


def _start(request: Request, club: Club, form: EveningForm) -> Table:
    values = form.cleaned_data
    seats, dealer = form.seating()
    evening = journal.start_evening(
        club,
        name=values["name"],
        date=values["date"],
        edition=journal.edition_of(club, values["tariff"]),
        seats=seats,
        dealer=dealer,
        by=request.user,
        currency=values["currency"],
        stake=values["stake"],
        id=id_or_new(request),
    )
    return _first_table(evening)


def _first_table(evening: Evening) -> Table:
    return evening.tables.earliest("number")
