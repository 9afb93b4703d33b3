"""Home: tonight's tables, my clubs, earlier evenings."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ledger.access import WRITERS
from ledger.models import Club, Evening, Table

EARLIER = 10
PLAYING = Q(players__retired=False)
LIVE = Count("hands", filter=Q(hands__voided=False))
LIVE_TONIGHT = Count("tables__hands", filter=Q(tables__hands__voided=False))


@login_required
@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    evenings = list(_evenings(request)[: EARLIER + 10])
    yesterday = timezone.now() - timedelta(hours=24)
    tonight = [e for e in evenings if not e.closed_at and e.opened_at > yesterday]
    clubs = list(_clubs(request))
    writing = [club for club in clubs if club.writes]
    page = {
        "tonight": tonight,
        "go_on": _first(tonight, writing),
        "clubs": clubs,
        "writing": writing,
        "earlier": [e for e in evenings if e not in tonight][:EARLIER],
    }
    return render(request, "ledger/home.html", page)


def _evenings(request: HttpRequest) -> QuerySet[Evening]:
    tables = Table.objects.annotate(next_hand=LIVE + 1).order_by("number")
    return (
        Evening.objects.filter(club__members__user=request.user.pk)
        .select_related("club")
        .prefetch_related(Prefetch("tables", tables, to_attr="at_tables"))
        .annotate(hands=LIVE_TONIGHT)
        .order_by("-date", "-pk")
    )


def _clubs(request: HttpRequest) -> QuerySet[Club]:
    mine = Q(members__user=request.user.pk)
    return (
        Club.objects.filter(mine)
        .annotate(
            writes=Q(members__role__in=WRITERS),
            evening_count=Count("evenings", distinct=True),
            player_count=Count("players", distinct=True, filter=PLAYING),
        )
        .order_by("name")
    )


def _first(tonight: list[Evening], clubs: list[Club]) -> Table | None:
    for evening in tonight:
        if evening.club in clubs:
            return evening.at_tables[0]
    return None
