"""Page of a new club."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language

from ledger.access import Request
from ledger.journal import found_club
from ledger.models import Club
from ledger.views.club.club_form import ClubForm
from ledger.views.decorators import signed_in_form
from ledger.views.params import id_or_new
from ledger.views.repeated import made_before
from ledger.views.status import UNPROCESSABLE


@signed_in_form
def club_new(request: Request) -> HttpResponse:
    form = ClubForm(request.POST or None, initial={"language": get_language()})
    id = id_or_new(request)
    if request.method == "POST":
        mine = Club.objects.filter(members__user=request.user.pk)
        club = made_before(request, mine) or _founded(request, form, id)
        if club:
            return redirect("players", club.pk)
    status = UNPROCESSABLE if form.is_bound else 200
    page = {"form": form, "id": id}
    return render(request, "ledger/club/club_new.html", page, status=status)


def _founded(request: Request, form: ClubForm, id: UUID) -> Club | None:
    if not form.is_valid():
        return None
    name, language = form.cleaned_data["name"], form.cleaned_data["language"]
    return found_club(name, owner=request.user, language=language, id=id)
