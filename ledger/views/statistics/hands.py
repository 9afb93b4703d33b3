"""Drill-down page: every hand a figure counts, newest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render

from ledger import statistics
from ledger.access import Request, club_of
from ledger.models import Club, Evening, Player, Version
from ledger.statistics import Figure
from ledger.statistics.labels import name_of
from ledger.statistics.played_hand import PlayedHand
from ledger.text.hands import People, Summary, summary
from ledger.text.parsing import whole_number
from ledger.views.decorators import signed_in_page
from ledger.views.statistics.filters import filters_of


@dataclass(frozen=True, slots=True)
class CountedHand:
    """A hand in one line; *points* are of the figure's player or the declarer."""

    hand: PlayedHand
    summary: Summary
    points: int | None


@dataclass(frozen=True, slots=True)
class EveningHands:
    """The hands of one evening on the page."""

    evening: Evening
    hands: Sequence[CountedHand]


@signed_in_page
def hands(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk)
    figure = _figure(request.GET.get("figure", ""))
    player = _player(club, request.GET.get("player", ""))
    about = request.GET.get("about", "")
    filters = filters_of(club, request.GET)
    if filters.form.errors:
        raise Http404
    people = club.players.in_bulk()
    try:
        name = name_of(figure, about, people) if about else ""
        found = statistics.drill_down(
            filters.hand_filter,
            figure.id,
            player,
            about,
            before=request.GET.get("before", ""),
        )
    except (LookupError, ValueError):
        raise Http404 from None
    page = {
        "club": club,
        "figure": figure,
        "player": player,
        "about": name,
        "filters": filters,
        "evenings": list(_by_evening(found.hands, player, people)),
        "earlier": filters.query_with(
            season=request.GET.get("season", ""),
            figure=figure.id,
            player=player.pk if player else "",
            about=about,
            before=found.earlier,
        )
        if found.earlier
        else "",
    }
    return render(request, "ledger/statistics/hands.html", page)


def _figure(param: str) -> Figure:
    figure = statistics.FIGURES.get(param)
    if figure is None:
        raise Http404
    return figure


def _player(club: Club, param: str) -> Player | None:
    if not param:
        return None
    return get_object_or_404(club.players.people(), pk=whole_number(param) or 0)


def _by_evening(
    played: Sequence[PlayedHand], player: Player | None, people: People
) -> Iterator[EveningHands]:
    versions = Version.objects.select_related("edition").in_bulk(
        [hand.version for hand in played if hand.version]
    )
    evenings = Evening.objects.in_bulk({hand.place.evening for hand in played})
    for evening, some in groupby(played, key=lambda hand: hand.place.evening):
        hands = [_line(hand, player, versions, people) for hand in some]
        yield EveningHands(evenings[evening], hands)


def _line(
    hand: PlayedHand,
    player: Player | None,
    versions: Mapping[object, Version],
    people: People,
) -> CountedHand:
    whose = player.pk if player else hand.declarer
    points = hand.gains.get(whose) if whose else None
    return CountedHand(hand, summary(versions[hand.version], people), points)
