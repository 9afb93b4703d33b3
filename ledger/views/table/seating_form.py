"""What a new evening and a new table have in common: who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid5

from ledger import journal
from ledger.access import Request
from ledger.models import Club, Evening, Player, Seat
from ledger.text.names import in_order, tidy
from ledger.text.parsing import whole_number
from ledger.views.forms import NewPlayerForm, SeatingForm
from ledger.views.params import id_or_new


def people_of(club: Club) -> Sequence[Player]:
    return in_order(club.players.people().filter(retired=False))


def free_tonight(evening: Evening) -> Sequence[Player]:
    """Return who sits at no other table of *evening*."""
    people = people_of(evening.club)
    seated = journal.seated_at(evening.pk, people).values_list("player", flat=True)
    taken = set(seated)
    return [player for player in people if player.pk not in taken]


def last_seated(evening: Evening | None) -> list[int]:
    """Return who sat at the first table of *evening* in the end, in seat order."""
    seats = Seat.objects.filter(lineup__table__evening=evening).order_by(
        "lineup__table__number", "-lineup__from_hand", "position"
    )
    lineup = seats.values_list("lineup", flat=True).first()
    in_order = Seat.objects.filter(lineup=lineup).order_by("position")
    return list(in_order.values_list("player", flat=True))


REARRANGING = ("up", "down", "add")
"""The buttons inside the seating."""


def is_sent(request: Request) -> bool:
    """Whether the whole form is sent, not one of the buttons inside it pressed."""
    pressed = any(button in request.POST for button in REARRANGING)
    return request.method == "POST" and not pressed


def rearranged(request: Request, form: SeatingForm) -> bool:
    """Do what a button inside the seating asks; return whether one did."""
    for button, step in (("up", -1), ("down", 1)):
        asked = request.POST.get(button, "")
        if (player := whole_number(asked)) is not None:
            form.move(player, step)
            return True
    if "add" in request.POST:
        _welcome(form, str(request.POST.get("new_player", "")), id_or_new(request))
        return True
    return False


def ready(request: Request, form: SeatingForm) -> bool:
    """Seat who was typed and not added; return whether the form can be saved."""
    if name := str(form.data.get("new_player", "")).strip():
        _welcome(form, name, id_or_new(request))
    return form.is_valid()


def _welcome(form: SeatingForm, name: str, id: UUID) -> None:
    """Make a player of *name*, once a form, and seat him behind the others."""
    new = NewPlayerForm({"name": name}, club=form.club)
    if player := new.saved(uuid5(id, tidy(name))):
        form.seat(player)
    else:
        form.new_player_errors = [str(error) for error in new.errors["name"]]
