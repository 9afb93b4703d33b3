"""Somebody sits down for another while a hand is being written, on the slip itself."""

from __future__ import annotations

from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _

from ledger import seating
from ledger.forms import NewPlayerForm
from ledger.models import Player, Table
from ledger.names import same, tidy
from ledger.posted import uuid, whole
from ledger.slip.form import PLAYERS
from ledger.words import say
from scoring import Refused

CELLS = ("-made", "-failed")
"""Chips of the bonus panels that stand for a player."""


def sit(table: Table, data: QueryDict, *, by: User) -> tuple[QueryDict, list[str]]:
    """Return the slip with the newcomer of its form in his seat, or what is wrong."""
    name = tidy(data.get("newcomer", ""))
    leaves = table.evening.club.players.filter(pk=whole(data.get("leaves")) or 0)
    if not name or not (out := leaves.first()):
        return data, [_("Write who comes, and choose whose place he takes.")]
    id = uuid5(uuid(data.get("id")), f"{out.pk} {name}")
    try:
        with transaction.atomic():
            comes = _player(table, name, uuid5(id, "comes"))
            seating.substitute(table, out, comes, id=id, by=by)
    except Refused as refused:
        return data, [say(problem.message) for problem in refused.problems]
    except _NotValid as wrong:
        return data, wrong.sentences
    return _exchanged(data, str(out.pk), str(comes.pk)), []


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


def _exchanged(data: QueryDict, out: str, comes: str) -> QueryDict:
    """Return the same slip, written of *comes* instead of *out*."""
    written = QueryDict(mutable=True)
    for name, values in data.lists():
        if name in ("newcomer", "leaves", "seated", "plays"):
            continue
        field = name.removesuffix(f"-{out}")
        field = name if field == name else f"{field}-{comes}"
        named = name in (*PLAYERS, "dealer", "resting") or name.endswith(CELLS)
        written.setlist(field, [comes if named and v == out else v for v in values])
    return written
