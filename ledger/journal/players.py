"""Who plays at a club: a name is enough, and nobody else has it.

The club is locked while a name is looked for, so that two phones cannot take it.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from ledger.journal.idempotency import once
from ledger.models import Club, Player
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
    """Return a new player of *club*. Raise `Refused` when somebody has the name."""
    player = Player(club=club, name=name, nickname=nickname, retired=retired)
    return once(id, club.players.people(), lambda: save_player(player))


@transaction.atomic
def save_player(player: Player) -> Player:
    """Write *player* as he is called now. Raise `Refused` when somebody else is."""
    locked_club(player.club_id)
    for other in Player.objects.filter(club=player.club_id).exclude(pk=player.pk):
        if same(other.name, player.name):
            message = _("{name} already plays here: add a letter.")
            refuse("name", message, code="name_taken", name=other.name)
    player.save()
    return player


def retire_player(player: Player, *, retired: bool) -> None:
    """Retire *player*, or bring him back."""
    player.retired = retired
    player.save(update_fields=["retired"])
