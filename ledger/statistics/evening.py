"""Charts of an evening: every player's total after each hand, and the tempo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate

from django.db.models import Count, Max, Min

from ledger.models import Entry, Evening, Hand, Player, Posting
from ledger.statistics import Tempo


@dataclass(frozen=True, slots=True)
class TotalsLine:
    """A player's running total after each hand."""

    player: Player
    totals: Sequence[int]


def totals_by_hand(evening: Evening, people: Sequence[Player]) -> list[TotalsLine]:
    """Return the points of *people* after hand 1, 2, …, without adjustments.

    With several tables hand 5 is the fifth of each table, so that the last total is
    the sum over all tables.
    """
    gains: dict[int, dict[int, int]] = {player.pk: {} for player in people}
    last = 0
    for number, player, points in Posting.objects.filter(
        entry__evening=evening, entry__kind=Entry.Kind.HAND, entry__reversal=None
    ).values_list("entry__version__hand__number", "player", "points"):
        by_hand = gains.setdefault(player, {})
        by_hand[number] = by_hand.get(number, 0) + points
        last = max(last, number)
    return [
        TotalsLine(
            player,
            list(accumulate(gains[player.pk].get(n, 0) for n in range(1, last + 1))),
        )
        for player in people
        if gains[player.pk]
    ]


def tempo(evening: Evening) -> Tempo:
    """Return first and last time of recording, and the tempo summed over tables."""
    tables = [
        (one["hands"], one["first"], one["last"])
        for one in Hand.objects.filter(table__evening=evening, voided=False)
        .values("table")
        .annotate(hands=Count("pk"), first=Min("played_at"), last=Max("played_at"))
    ]
    took = [(last - first, hands - 1) for hands, first, last in tables if last > first]
    return Tempo(
        sum(hands for _time, hands in took),
        sum((time for time, _hands in took), timedelta()),
        min((first for _hands, first, _last in tables), default=None),
        max((last for _hands, _first, last in tables), default=None),
    )
