"""Who plays at a club: a name is enough, an account is not needed."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.access import club_of, may_write
from ledger.forms import NewPlayerForm, PlayerForm
from ledger.models import Club, Player

ACTIONS = ("add", "rename", "retire", "return")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def players(request: HttpRequest, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=request.method == "POST")
    action = request.POST.get("action") if request.method == "POST" else None
    if action in ("retire", "return"):
        player = _player(request, club)
        player.retired = action == "retire"
        player.save(update_fields=["retired"])
        return redirect("players", club.pk)
    form = _form(request, club, action)
    if form and form.is_valid():
        form.save()
        return redirect("players", club.pk)
    return _page(request, club, form)


def _form(request: HttpRequest, club: Club, action: str | None) -> PlayerForm | None:
    if action == "rename":
        player = _player(request, club)
        return PlayerForm(request.POST, instance=player, prefix=None)
    if action == "add":
        return NewPlayerForm(request.POST, instance=Player(club=club))
    return None


def _player(request: HttpRequest, club: Club) -> Player:
    asked = request.POST.get("player", "")
    return get_object_or_404(
        Player, club=club, pk=int(asked) if asked.isdecimal() else 0
    )


def _page(request: HttpRequest, club: Club, refused: PlayerForm | None) -> HttpResponse:
    rows = []
    for player in club.players.order_by("retired", "name"):
        form = PlayerForm(instance=player, auto_id=f"id_%s_{player.pk}")
        if refused and refused.instance.pk == player.pk:
            form, refused = refused, None
            form.auto_id = f"id_%s_{player.pk}"
        rows.append({"player": player, "form": form})
    page = {
        "club": club,
        "rows": rows,
        "form": refused or NewPlayerForm(instance=Player(club=club)),
        "may_write": may_write(request, club),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "ledger/players.html", page, status=status)
