"""Page of a club: balances, evenings, seasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render

import scoring
from ledger import settlement, tallies
from ledger.access import Request, club_of, is_owner, may_write
from ledger.models import Club, Evening, Table
from ledger.settlement import Balance
from ledger.views.amendments import undo_toast
from ledger.views.decorators import signed_in_page
from ledger.views.money import scope_params
from ledger.views.money.scope_params import ScopeParams

EVENINGS_ON_A_PAGE = 30


@dataclass(frozen=True)
class EveningLink:
    evening: Evening
    game: str
    hands: int
    done: bool
    """Closed and settled."""


@dataclass(frozen=True)
class OpenScope:
    """Balances of the club in one currency."""

    at: ScopeParams
    balances: Sequence[Balance]

    @property
    def currency(self) -> str:
        return self.at.scope.currency


@signed_in_page
def club(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk)
    evenings = club.evenings.shown().order_by("-date", "-pk")
    seasons = list(club.seasons.order_by("-starts", "-pk"))
    paginator = Paginator(evenings, EVENINGS_ON_A_PAGE)
    listed = paginator.get_page(request.GET.get("page"))
    links = _links(club, listed.object_list)
    page = {
        "club": club,
        "open_scopes": _open_scopes(club),
        "season": seasons[0],
        "seasons": seasons,
        "running": seasons[0].closed_at is None,
        "is_owner": is_owner(club),
        "evenings": listed,
        "links": links,
        "open": [link for link in links if not link.done],
        "done": [link for link in links if link.done],
        "player_count": club.players.people().filter(retired=False).count(),
        "mayor": tallies.mayor(club),
        "may_write": may_write(club),
        "corrected": undo_toast(club, request.GET.get("done"))
        if may_write(club)
        else None,
    }
    return render(request, "ledger/club/club.html", page)


def _open_scopes(club: Club) -> list[OpenScope]:
    """Return balances of every currency with open ones, or else of the last one."""
    found = settlement.open_balances(club)
    if not found:
        last = scope_params.from_address(club, {}).scope
        found = [(last, settlement.listed(settlement.balances_of(last)))]
    return [
        OpenScope(scope_params.of_everything(scope), balances)
        for scope, balances in found
        if balances
    ]


def _links(club: Club, evenings: Iterable[Evening]) -> list[EveningLink]:
    by_id = {evening.pk: evening for evening in evenings}
    games = dict(club.editions.values_list("pk", "variant"))
    live = Table.objects.filter(evening__in=by_id, hands__voided=False)
    counted: dict[int, int] = dict(
        live.values_list("evening").annotate(count=Count("hands"))
    )
    unsettled = settlement.unsettled(by_id.values())
    in_sheets = tallies.sheet_hands(by_id)
    return [
        EveningLink(
            evening,
            scoring.get_variant(games[evening.edition_id]).name,
            counted.get(evening.pk, 0) + in_sheets.get(evening.pk, 0),
            done=bool(evening.closed_at) and evening.pk not in unsettled,
        )
        for evening in by_id.values()
    ]
