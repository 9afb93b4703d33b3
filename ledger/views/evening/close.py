"""Closing an evening or a season, reopening it, and the season that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger import journal
from ledger.access import Request, club_of, evening_of, owner_only, season_of
from ledger.models import Action, Evening, Season
from ledger.table.deals import next_deal
from ledger.text.messages import messages_of
from ledger.views.decorators import signed_in_form
from ledger.views.forms import NameField, text_box
from ledger.views.params import id_of, id_or_new
from ledger.views.repeated import made_before
from scoring import roman


class WhyForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Why it is reopened"),
        max_length=200,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )


class SeasonForm(forms.Form):
    name = NameField(label=gettext_lazy("Name of the season"), max_length=60)


@signed_in_form
def close(request: Request, pk: int) -> HttpResponse:
    """Ask once, say what is still open, close."""
    evening = evening_of(request, pk, write=True)
    if request.method == "POST":
        journal.close_evening(evening, by=request.user, id=id_of(request))
        return redirect("evening", evening.pk)
    if evening.closed_at:
        return redirect("evening", evening.pk)
    page = {"evening": evening, "open": list(_open(evening)), "id": uuid4()}
    return render(request, "ledger/evening/evening_close.html", page)


@signed_in_form
def reopen(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    page = {"evening": evening, "what": evening}
    return _reopen(
        request, page, journal.reopen_evening, redirect("evening", evening.pk)
    )


@signed_in_form
def season_close(request: Request, pk: int) -> HttpResponse:
    season = season_of(request, pk, write=True)
    owner_only(season)
    if request.method == "POST":
        journal.close_season(season, by=request.user, id=id_of(request))
        return redirect("club", season.club_id)
    if season.closed_at:
        return redirect("club", season.club_id)
    page = {
        "season": season,
        "club": season.club,
        "open": list(open_in(season)),
        "id": uuid4(),
    }
    return render(request, "ledger/club/season_close.html", page)


@signed_in_form
def season_reopen(request: Request, pk: int) -> HttpResponse:
    season = season_of(request, pk, write=True)
    page, there = {"club": season.club, "what": season}, season.club_id
    return _reopen(request, page, journal.reopen_season, redirect("club", there))


def _reopen(
    request: Request,
    page: dict[str, Any],
    write: Callable[..., Action],
    done: HttpResponse,
) -> HttpResponse:
    """Ask an owner why, *write*, and answer *done*, or show the form again."""
    owner_only(page["what"])
    form, problems = WhyForm(request.POST or None), list[str]()
    if form.is_bound:
        id = id_of(request)
        try:
            if form.is_valid():
                reason = form.cleaned_data["reason"]
                write(page["what"], by=request.user, reason=reason, id=id)
                return done
        except journal.Refused as refused:
            problems = messages_of(refused.problems)
        except journal.SeasonClosed as closed:
            problems = [_season_closed(closed)]
    page |= {"form": form, "problems": problems, "id": id_or_new(request)}
    status = 422 if request.method == "POST" else 200
    return render(request, "ledger/evening/reopen.html", page, status=status)


@signed_in_form
def season_new(request: Request, pk: int) -> HttpResponse:
    """A season begins when the one before is closed."""
    club = club_of(request, pk, write=True)
    owner_only(club)
    today, id = timezone.localdate(), id_or_new(request)
    if request.method == "POST" and made_before(request, club.seasons):
        return redirect("club", club.pk)
    if journal.current_season(club) is not None:
        return redirect("club", club.pk)
    named = {"name": journal.next_season(club, today)}
    form = SeasonForm(request.POST or None, initial=named)
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            journal.begin_season(club, name=name, starts=today, id=id)
            return redirect("club", club.pk)
        except journal.Refused as refused:
            form.add_error("name", messages_of(refused.problems))
    status = 422 if form.is_bound else 200
    page = {"club": club, "form": form, "id": id}
    return render(request, "ledger/club/season_new.html", page, status=status)


def open_in(season: Season) -> QuerySet[Evening]:
    """Return the evenings of *season* that nobody has closed."""
    return season.evenings.there().filter(closed_at=None).order_by("date", "pk")


def _open(evening: Evening) -> Iterator[str]:
    """Yield what would be left undone: a warning, never an obstacle."""
    tables = evening.tables.select_related("edition", "evening").order_by("number")
    for table in tables:
        due = next_deal(table)
        if due.multiplier > 1:
            yield _(
                "Table {numeral}: a deal that counts ×{times} has not been played yet."
            ).format(numeral=roman(table.number), times=due.multiplier)
        if due.number == 1:
            yield _("Table {numeral}: no hand was played.").format(
                numeral=roman(table.number)
            )


def _season_closed(closed: journal.SeasonClosed) -> str:
    return _("The season {name} is closed: it has to be reopened first.").format(
        name=closed.season.name
    )
