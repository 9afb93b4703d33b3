"""How an evening went: what everybody stood at after each hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ledger.models import Entry, Evening, Player, Posting


@dataclass(frozen=True, slots=True)
class Line:
    player: Player
    totals: Sequence[int]


def running(evening: Evening, people: Sequence[Player]) -> list[Line]:
    """Return the totals of *people* after hand 1, 2, … by hands alone.

    Where there are more tables, hand 5 is the fifth of each: the last one comes to
    what all of them brought.
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
        Line(
            player,
            list(accumulate(gains[player.pk].get(n, 0) for n in range(1, last + 1))),
        )
        for player in people
        if gains[player.pk]
    ]
