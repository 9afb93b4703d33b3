"""Balances of a club in points and in every currency, as tests add them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Q, Sum

from ledger.models import Club, Player, Posting, Season


@dataclass(frozen=True, slots=True)
class ClubBalance:
    player: Player
    points: int = 0
    money: Mapping[str, int] = field(default_factory=dict)
    """Minor units by currency, payments included."""


def club_balances(club: Club, season: Season | None = None) -> list[ClubBalance]:
    """Return every player of *club* by name, the retired too, and the pot last."""
    entries = Q(entry__club=club)
    if season is not None:
        entries &= Q(entry__evening__season=season) | Q(entry__season=season)
    points: dict[int, int] = {}
    money: dict[int, dict[str, int]] = {}
    for player, currency, won, worth in (
        Posting.objects.filter(entries)
        .values_list("player", "entry__currency")
        .annotate(Sum("points"), Sum("money"))
    ):
        points[player] = points.get(player, 0) + won
        if currency:
            money.setdefault(player, {})[currency] = worth
    return [
        ClubBalance(player, points.get(player.pk, 0), money.get(player.pk, {}))
        for player in club.players.order_by("kind", "name")
    ]
