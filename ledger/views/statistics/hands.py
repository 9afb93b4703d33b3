"""The hands behind a figure, the latest first: nothing counts that is not here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ledger import statistics
from ledger.access import Request, club_of
from ledger.models import Club, Evening, Player, Version
from ledger.statistics import Figure
from ledger.statistics.labels import name_of
from ledger.statistics.played_hand import PlayedHand
from ledger.text.hands import People, Summary, summary
from ledger.views.params import whole
from ledger.views.statistics.filters import looked


@dataclass(frozen=True, slots=True)
class ShownHands:
    """A hand in one line; *points* are of the player the figure is about."""

    fact: PlayedHand
    told: Summary
    points: int | None


@dataclass(frozen=True, slots=True)
class EveningHands:
    evening: Evening
    hands: Sequence[ShownHands]


@login_required
@require_safe
def hands(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk)
    figure = _figure(request.GET.get("figure", ""))
    player = _player(club, request.GET.get("player", ""))
    about = request.GET.get("about", "")
    at = looked(club, request.GET)
    if at.form.errors:
        raise Http404
    people = club.players.in_bulk()
    try:
        name = name_of(figure, about, people) if about else ""
        found = statistics.hands_behind(
            at.scope, figure.id, player, about, before=request.GET.get("before", "")
        )
    except (LookupError, ValueError):
        raise Http404 from None
    page = {
        "club": club,
        "figure": figure,
        "player": player,
        "about": name,
        "looked": at,
        "nights": list(_nights(found.facts, player, people)),
        "earlier": at.asks(
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


def _figure(asked: str) -> Figure:
    figure = statistics.FIGURES.get(asked)
    if figure is None:
        raise Http404
    return figure


def _player(club: Club, asked: str) -> Player | None:
    if not asked:
        return None
    return get_object_or_404(club.players.people(), pk=whole(asked) or 0)


def _nights(
    facts: Sequence[PlayedHand], player: Player | None, people: People
) -> Iterator[EveningHands]:
    versions = Version.objects.select_related("edition").in_bulk(
        [fact.version for fact in facts if fact.version]
    )
    evenings = Evening.objects.in_bulk({fact.place.evening for fact in facts})
    for evening, some in groupby(facts, key=lambda fact: fact.place.evening):
        hands = [_shown(fact, player, versions, people) for fact in some]
        yield EveningHands(evenings[evening], hands)


def _shown(
    fact: PlayedHand,
    player: Player | None,
    versions: Mapping[object, Version],
    people: People,
) -> ShownHands:
    whose = player.pk if player else fact.declarer
    points = fact.gains.get(whose) if whose else None
    return ShownHands(fact, summary(versions[fact.version], people), points)
