"""Players of a club, and its pot.

A name is enough to play, and unique in its club whatever its case. The club is locked
while a name is checked, so that two phones cannot take it.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from ledger import settlement
from ledger.journal.idempotency import once
from ledger.models import (
    Club,
    Player,
)
from ledger.models.locks import locked_club
from ledger.text.names import same
from scoring import refuse
from scoring.text import _


def add_player(
    club: Club,
    name: str,
    *,
    nickname: str = "",
    retired: bool = False,
    id: UUID | None = None,
) -> Player:
    """Create a player of *club*. Raise `Refused` when another has the name."""
    player = Player(club=club, name=name, nickname=nickname, retired=retired)
    return once(id, club.players.people(), lambda: save_player(player))


@transaction.atomic
def save_player(player: Player) -> Player:
    """Save *player*. Raise `Refused` when another has the name."""
    locked_club(player.club_id)
    for other in Player.objects.filter(club=player.club_id).exclude(pk=player.pk):
        if same(other.name, player.name):
            message = _("{name} already plays here: add a letter.")
            refuse("name", message, code="name_taken", name=other.name)
    player.save()
    return player


def pot_of(club: Club) -> Player:
    """Return the pot of *club*, created at its first use."""
    found = settlement.pot_or_unsaved(club)
    if found.pk:
        return found
    name = found.name
    taken = club.players.values_list("name", flat=True)
    while any(same(name, other) for other in taken):
        name += " ·"
    return club.players.create(name=name, kind=Player.Kind.POT)


def retire_player(player: Player, *, retired: bool) -> None:
    """Retire *player*, or bring him back."""
    player.retired = retired
    player.save(update_fields=["retired"])
