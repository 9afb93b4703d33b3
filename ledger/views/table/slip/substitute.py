"""Somebody sits down for another while a hand is being written, on the slip itself."""

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
from ledger.views.table.slip.player_cells import exchanged
from scoring import Refused

ASKED = ("newcomer", "leaves", "seated", "plays")
"""What the slip says of its seats: they are others now."""


def newcomer(data: QueryDict) -> str:
    """Return who comes, as it was typed: the main button lets him sit down first."""
    return tidy(data.get("newcomer", ""))


def sit(table: Table, data: QueryDict, *, by: User) -> tuple[QueryDict, list[str]]:
    """Return the slip with the newcomer of its form in his seat, or what is wrong."""
    name = newcomer(data)
    leaves = table.evening.club.players.filter(pk=whole_number(data.get("leaves")) or 0)
    if not name or not (out := leaves.first()):
        return data, [_("Enter who is joining, and choose whose place they take.")]
    id = uuid5(parse_id(data.get("id")), f"{out.pk} {name}")
    try:
        with transaction.atomic():
            comes = _player(table, name, uuid5(id, "comes"))
            journal.substitute(table, out, comes, id=id, by=by)
    except Refused as refused:
        return data, [say(problem.message) for problem in refused.problems]
    except _NotValid as wrong:
        return data, wrong.sentences
    return exchanged(_seated_anew(data), str(out.pk), str(comes.pk)), []


class _NotValid(ValueError):
    def __init__(self, sentences: list[str]) -> None:
        self.sentences = sentences
        super().__init__("; ".join(sentences))


def _player(table: Table, name: str, id: UUID) -> Player:
    """Return the player of that name, a new one if the club has none."""
    club = table.evening.club
    for known in club.players.people().filter(retired=False):
        if same(known.name, name):
            return known
    form = NewPlayerForm({"name": name}, club=club)
    if (player := form.saved(id)) is None:
        raise _NotValid([str(error) for error in form.errors["name"]])
    return player


def _seated_anew(data: QueryDict) -> QueryDict:
    slip = data.copy()
    for name in ASKED:
        slip.pop(name, None)
    return slip
