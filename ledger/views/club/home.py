"""Home: the tables being played, my clubs, earlier evenings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ledger import tallies
from ledger.access import WRITERS, Request
from ledger.models import Club, Evening, Player, Table
from ledger.views.decorators import signed_in_page

MOST_EVENINGS = 20
LIVE = Count("hands", filter=Q(hands__voided=False))
OF_CLUB = Evening.objects.shown().filter(club=OuterRef("pk"))
PLAYING = Player.objects.people().filter(club=OuterRef("pk"), retired=False)
SUITS = (("heart", "red"), ("spade", ""), ("diamond", "red"), ("club", ""))


@dataclass(frozen=True)
class ClubLink:
    club: Club
    evenings: int
    players: int
    writes: bool

    @property
    def suit(self) -> tuple[str, str]:
        """An ornament, and a help to find one's club at a glance."""
        return SUITS[self.club.pk % len(SUITS)]


@dataclass(frozen=True)
class TableCard:
    table: Table
    next_hand: int


@dataclass(frozen=True)
class EveningCard:
    evening: Evening
    tables: tuple[TableCard, ...]
    in_sheets: int
    """Hands of old sheets, of which only the points are known."""

    @property
    def hands(self) -> int:
        return self.in_sheets + sum(link.next_hand - 1 for link in self.tables)


@signed_in_page
def home(request: Request) -> HttpResponse:
    evenings = _evenings(request)
    yesterday = timezone.now() - timedelta(hours=24)
    current = [link for link in evenings if _is_on(link.evening, yesterday)]
    clubs = _clubs(request)
    writing = [link.club for link in clubs if link.writes]
    page = {
        "current": current,
        "go_on": _first(current, writing),
        "clubs": clubs,
        "writing": writing,
        "long_open": _long_open(request),
        "earlier": [link for link in evenings if link not in current],
    }
    return render(request, "ledger/club/home.html", page)


def _is_on(evening: Evening, since: datetime) -> bool:
    return evening.closed_at is None and evening.opened_at > since


def _long_open(request: Request) -> list[Evening]:
    """Return evenings open for more than a day, in clubs where the reader writes."""
    mine = Evening.objects.not_removed().filter(
        club__members__user=request.user.pk, club__members__role__in=WRITERS
    )
    return list(
        tallies.long_open(mine)
        .select_related("club")
        .order_by("date", "pk")[:MOST_EVENINGS]
    )


def _evenings(request: Request) -> list[EveningCard]:
    mine = Evening.objects.shown().filter(club__members__user=request.user.pk)
    latest = list(mine.select_related("club").order_by("-date", "-pk")[:MOST_EVENINGS])
    tables: dict[int, list[TableCard]] = {evening.pk: [] for evening in latest}
    at = Table.objects.filter(evening__in=tables).annotate(live=LIVE)
    for table in at.order_by("number"):
        tables[table.evening_id].append(TableCard(table, table.live + 1))
    in_sheets = tallies.sheet_hands(tables)
    return [
        EveningCard(evening, tuple(tables[evening.pk]), in_sheets.get(evening.pk, 0))
        for evening in latest
    ]


def _clubs(request: Request) -> list[ClubLink]:
    clubs = Club.objects.filter(members__user=request.user.pk).annotate(
        writes=Q(members__role__in=WRITERS),
        evening_count=_count(OF_CLUB),
        player_count=_count(PLAYING),
    )
    return [
        ClubLink(club, club.evening_count or 0, club.player_count or 0, club.writes)
        for club in clubs.order_by("name")
    ]


def _count(of_club: QuerySet[Any]) -> Subquery:
    # Joined, every evening would be counted once for every player.
    counted = of_club.order_by().values("club").annotate(count=Count("pk"))
    return Subquery(counted.values("count"))


def _first(current: Sequence[EveningCard], clubs: Sequence[Club]) -> TableCard | None:
    for link in current:
        if link.evening.club in clubs and link.tables:
            return link.tables[0]
    return None
