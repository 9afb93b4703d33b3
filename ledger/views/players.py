"""Who plays at a club: a name is enough, an account is not needed."""

from __future__ import annotations

from uuid import UUID, uuid5

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.access import Request, club_of, may_write
from ledger.forms import NewPlayerForm, PlayerForm
from ledger.models import Club, Player
from ledger.names import in_order, tidy
from ledger.posted import id_or_new, whole
from ledger.views.again import made_before


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def players(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=request.method == "POST")
    action = request.POST.get("action") if request.method == "POST" else None
    if action in ("retire", "return"):
        player = _player(request, club)
        player.retired = action == "retire"
        player.save(update_fields=["retired"])
        return redirect("players", club.pk)
    id = _id_of_name(request)
    if action == "add" and made_before(request, club.players.people(), id):
        return redirect("players", club.pk)
    form = _form(request, club, action)
    if form and form.saved(id):
        return redirect("players", club.pk)
    return _page(request, club, form)


def _id_of_name(request: Request) -> UUID:
    """Return an id for each name that the form is sent with: Back, and the next one."""
    return uuid5(id_or_new(request), tidy(request.POST.get("name", "")))


def _form(request: Request, club: Club, action: str | None) -> NewPlayerForm | None:
    if action == "rename":
        player = _player(request, club)
        return PlayerForm(request.POST, player=player, auto_id=_id(player))
    if action == "add":
        return NewPlayerForm(request.POST, club=club)
    return None


def _player(request: Request, club: Club) -> Player:
    asked = whole(request.POST.get("player"))
    return get_object_or_404(club.players.people(), pk=asked or 0)


def _page(request: Request, club: Club, refused: NewPlayerForm | None) -> HttpResponse:
    rows = []
    people = in_order(club.players.people())
    for player in sorted(people, key=lambda player: player.retired):
        player.club = club
        form: NewPlayerForm = PlayerForm(player=player, auto_id=_id(player))
        if refused and refused.player == player:
            form, refused = refused, None
        rows.append({"player": player, "form": form})
    page = {
        "club": club,
        "rows": rows,
        "form": refused or NewPlayerForm(club=club),
        "id": id_or_new(request),
        "may_write": may_write(club),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "ledger/players.html", page, status=status)


def _id(player: Player) -> str:
    return f"id_%s_{player.pk}"
