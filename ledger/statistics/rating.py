"""Rating of a club: the strength of each player, by stored states and live evenings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ledger.models import Club, Player
from ledger.statistics import load
from ledger.statistics.load import PlayedEvening
from ledger.statistics.rating_model import FORMAT, START, games_of, rate
from ledger.statistics.rating_store import ratings_of
from ledger.text.names import sort_key

SHOWN_START, SHOWN_SCALE = 1000, 20
"""Everybody begins at 1000; one point of the model is shown as 20."""

FEW = 100
"""Players with fewer hands follow without a place."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of a player; *place* is None below `FEW` hands."""

    player: Player
    mu: float
    sigma: float
    hands: int
    place: int | None = None

    @property
    def value(self) -> int:
        return round(SHOWN_START + SHOWN_SCALE * (self.mu - START))

    @property
    def plus_minus(self) -> int:
        """Return half the width of the 95 % interval."""
        return round(2 * SHOWN_SCALE * self.sigma)

    @property
    def lower_end(self) -> float:
        return self.mu - 2 * self.sigma


def strengths(club: Club) -> list[Strength]:
    """Return all players, by the lower end of their interval; equals share a place.

    The list is empty for a club without a rating.
    """
    if not club.rating:
        return []
    last = ratings_of(club).values_list("state", flat=True).last()
    state = rate(
        last or {}, (game for e in _live_evenings(club) for game in games_of(e))
    )
    people = club.players.people().in_bulk()
    found = [
        Strength(people[int(who)], *row)
        for who, row in state.items()
        if int(who) in people
    ]
    found.sort(key=lambda one: (one.hands < FEW, -one.lower_end, *sort_key(one.player)))
    return [_placed(one, found) for one in found]


def _placed(one: Strength, all: Iterable[Strength]) -> Strength:
    if one.hands < FEW:
        return one
    better = (a for a in all if a.hands >= FEW and a.lower_end > one.lower_end)
    return replace(one, place=1 + sum(1 for _better in better))


def _live_evenings(club: Club) -> list[PlayedEvening]:
    """Return the evenings without stored games: those that are open."""
    live = club.evenings.not_removed().exclude(rating__format=FORMAT)
    live = live.select_related("edition").order_by("date", "pk")
    return load.read(list(live))
