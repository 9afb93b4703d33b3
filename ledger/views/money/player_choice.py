"""Player choice: who may pay or be paid, in the forms about money."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import BadRequest

from ledger import settlement
from ledger.models import Club, Player
from ledger.text.names import in_order

POT = "pot"
"""The value of the pot in forms: it has no id before its first use."""


def form_value(player: Player) -> str:
    """Return the value of *player* in forms."""
    return POT if player.is_pot else str(player.pk)


def people_of(club: Club) -> list[Player]:
    """Return everybody who may pay or be paid, the pot last."""
    players = in_order(club.players.all())
    pots = [player for player in players if player.is_pot]
    people = [player for player in players if not player.is_pot]
    return [*people, *(pots or [settlement.pot_or_unsaved(club)])]


def player_of(value: object, people: Iterable[Player]) -> Player:
    """Return the player whose *value* a form sent."""
    for player in people:
        if form_value(player) == str(value):
            return player
    raise BadRequest("expected somebody of the club")
