"""Substitute on the slip: somebody takes the seat of a player before the hand."""

from __future__ import annotations

from uuid import UUID, uuid5

from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _

from ledger import journal
from ledger.models import Player, Table, User
from ledger.text.messages import say
from ledger.text.names import same, tidy
from ledger.text.parsing import parse_id, whole_number
from ledger.views.club.player_forms import NewPlayerForm
from ledger.views.table.slip.player_cells import player_replaced
from scoring import Refused

SEAT_FIELDS = ("newcomer", "leaves", "seated", "plays")
"""Params of the slip about its seats, void after a substitution."""


def newcomer_name(data: QueryDict) -> str:
    """Return the name entered for a newcomer; the main button then seats him first."""
    return tidy(data.get("newcomer", ""))


def seat_newcomer(
    table: Table, data: QueryDict, *, by: User
) -> tuple[QueryDict, list[str]]:
    """Return the slip after the substitution that it asks for, or messages."""
    name = newcomer_name(data)
    leaves = table.evening.club.players.filter(pk=whole_number(data.get("leaves")) or 0)
    if not name or not (out := leaves.first()):
        return data, [_("Enter who is joining, and choose whose place they take.")]
    id = uuid5(parse_id(data.get("id")), f"{out.pk} {name}")
    try:
        with transaction.atomic():
            player = _find_or_add_player(table, name, uuid5(id, "comes"))
            journal.substitute(table, out, player, id=id, by=by)
    except Refused as refused:
        return data, [say(problem.message) for problem in refused.problems]
    except _InvalidName as invalid:
        return data, invalid.messages
    return player_replaced(_without_seats(data), str(out.pk), str(player.pk)), []


class _InvalidName(ValueError):
    def __init__(self, messages: list[str]) -> None:
        self.messages = messages
        super().__init__("; ".join(messages))


def _find_or_add_player(table: Table, name: str, id: UUID) -> Player:
    """Return the active player of that name, a new one if the club has none."""
    club = table.evening.club
    for known in club.players.people().filter(retired=False):
        if same(known.name, name):
            return known
    form = NewPlayerForm({"name": name}, club=club)
    if (player := form.save(id)) is None:
        raise _InvalidName([str(error) for error in form.errors["name"]])
    return player


def _without_seats(data: QueryDict) -> QueryDict:
    slip = data.copy()
    for name in SEAT_FIELDS:
        slip.pop(name, None)
    return slip
