"""Page of the players of a club: a name is enough, an account is not needed."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid5

from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from ledger import journal, settlement
from ledger.access import Request, club_of, may_write
from ledger.models import Club, Player
from ledger.text.names import in_order, tidy
from ledger.text.parsing import whole_number
from ledger.views.club.player_forms import NewPlayerForm, PlayerForm
from ledger.views.decorators import signed_in_form
from ledger.views.params import id_or_new
from ledger.views.repeated import made_before
from ledger.views.status import UNPROCESSABLE

ITS = "its"
"""Prefix of the fields of a player whom the club has already."""
RETIRE, RETURN = "retire", "return"


@signed_in_form
def players(request: Request, pk: int) -> HttpResponse:
    """List the players, one of them unfolded; every button saves both forms."""
    club = club_of(request, pk, write=request.method == "POST")
    player = _player(request, club)
    if request.method == "GET":
        return _page(request, club, player)
    forms = _forms(request, club, player)
    id = _id_of_name(request)
    made_before(request, club.players.people(), id)
    if not _save(forms, id):
        return _page(request, club, player, forms)
    action = request.POST.get("action")
    if player and action in (RETIRE, RETURN):
        return _retire(request, player, retired=action == RETIRE)
    return redirect("players", club.pk)


def _player(request: Request, club: Club) -> Player | None:
    """Return the player of the param `player`, whom the page unfolds."""
    params = request.POST if request.method == "POST" else request.GET
    if "player" not in params:
        return None
    pk = whole_number(params["player"]) or 0
    return get_object_or_404(club.players.people(), pk=pk)


def _forms(request: Request, club: Club, player: Player | None) -> list[NewPlayerForm]:
    forms: list[NewPlayerForm] = []
    if player and f"{ITS}-name" in request.POST:
        forms.append(PlayerForm(request.POST, player=player, prefix=ITS))
    if request.POST.get("name", "").strip() or not player:
        forms.append(_new(club, request.POST))
    return forms


def _id_of_name(request: Request) -> UUID:
    """Return an id for the name in the form.

    After Back, the same form may bring another name: that is another player.
    """
    return uuid5(id_or_new(request), tidy(request.POST.get("name", "")))


def _new(club: Club, data: QueryDict | None = None) -> NewPlayerForm:
    """Return the form of a new player, which may be left empty."""
    return NewPlayerForm(data, club=club, use_required_attribute=False)


@transaction.atomic
def _save(forms: Sequence[NewPlayerForm], id: UUID) -> bool:
    """Save all forms, or none if one of them has errors."""
    for form in forms:
        if form.save(id) is None:
            transaction.set_rollback(True)
            return False
    return True


def _retire(request: Request, player: Player, *, retired: bool) -> HttpResponse:
    """Retire a player or bring him back; ask first if he has open balances."""
    left = (
        settlement.leftovers_of(player)
        if retired and "sure" not in request.POST
        else None
    )
    if left:
        page = {"club": player.club, "player": player, "left": left}
        return render(request, "ledger/club/player_retire.html", page)
    journal.retire_player(player, retired=retired)
    players = reverse("players", args=[player.club_id])
    return redirect(f"{players}#player-{player.pk}")


def _page(
    request: Request,
    club: Club,
    player: Player | None,
    refused: Sequence[NewPlayerForm] = (),
) -> HttpResponse:
    writes = may_write(club)
    people = in_order(club.players.people())
    forms = {isinstance(form, PlayerForm): form for form in refused}
    its = PlayerForm(player=player, prefix=ITS) if player and writes else None
    page = {
        "club": club,
        "people": sorted(people, key=lambda player: player.retired),
        "player": player,
        "its": forms.get(True, its),
        "form": forms.get(False) or _new(club),
        "may_write": writes,
        "id": id_or_new(request),
    }
    status = UNPROCESSABLE if refused else 200
    return render(request, "ledger/club/players.html", page, status=status)
