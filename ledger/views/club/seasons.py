"""Pages of a season: close it, reopen it, and begin the next."""

from __future__ import annotations

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy

from ledger import journal
from ledger.access import Request, club_of, owner_only, season_of
from ledger.models import Evening, Season
from ledger.text.messages import messages_of
from ledger.views.closing import close_page, reopen_page
from ledger.views.decorators import signed_in_form
from ledger.views.fields import NameField
from ledger.views.params import id_or_new
from ledger.views.repeated import made_before
from ledger.views.status import UNPROCESSABLE


class SeasonForm(forms.Form):
    name = NameField(label=gettext_lazy("Name of the season"), max_length=60)


@signed_in_form
def season_close(request: Request, pk: int) -> HttpResponse:
    season = season_of(request, pk, write=True)
    owner_only(season)
    return close_page(
        request,
        season,
        journal.close_season,
        done=redirect("club", season.club_id),
        template="ledger/club/season_close.html",
        context=lambda: {
            "season": season,
            "club": season.club,
            "open": list(_open_evenings(season)),
        },
    )


@signed_in_form
def season_reopen(request: Request, pk: int) -> HttpResponse:
    season = season_of(request, pk, write=True)
    return reopen_page(
        request,
        season,
        journal.reopen_season,
        done=redirect("club", season.club_id),
        context={"club": season.club},
    )


@signed_in_form
def season_new(request: Request, pk: int) -> HttpResponse:
    """Begin a season, once the one before is closed."""
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
    status = UNPROCESSABLE if form.is_bound else 200
    page = {"club": club, "form": form, "id": id}
    return render(request, "ledger/club/season_new.html", page, status=status)


def _open_evenings(season: Season) -> QuerySet[Evening]:
    return season.evenings.not_removed().filter(closed_at=None).order_by("date", "pk")
