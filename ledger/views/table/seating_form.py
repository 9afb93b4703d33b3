"""Form of the seating that a new evening and a new table share, and its buttons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ledger import journal
from ledger.access import Request
from ledger.models import Club, Evening, Player, Seat
from ledger.table.rotation import FEWEST_SEATS, MOST_SEATS
from ledger.text.names import in_order, tidy
from ledger.text.parsing import whole_number
from ledger.views.club.player_forms import NewPlayerForm
from ledger.views.fields import text_box
from ledger.views.form_errors import part_error
from ledger.views.game_form import GameForm
from ledger.views.params import id_or_new


@dataclass(frozen=True)
class SeatingRow:
    """Row of the seating: a player, and whether he plays and deals first."""

    player: Player
    plays: bool
    deals: bool


class SeatingForm(GameForm):
    """Seats, first dealer, game and house rules."""

    new_player = forms.CharField(
        label=_("New player"),
        required=False,
        max_length=60,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        club: Club,
        people: Sequence[Player],
        seated: Sequence[int] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.club = club
        self.people = {player.pk: player for player in people}
        self.seated = self._listed("player") if self.is_bound else list(seated)
        self.order = self._order(self._listed("order") if self.is_bound else seated)
        self.dealer = next(iter(self._listed("dealer")), None)
        self.new_player_errors: Sequence[str] = ()
        self.seat_errors: list[str] = []

    @property
    def rows(self) -> list[SeatingRow]:
        """Return everybody: the players in seat order, then the others."""
        rows = [
            SeatingRow(self.people[pk], pk in self.seated, pk == self.dealer)
            for pk in self.order
        ]
        return sorted(rows, key=lambda row: not row.plays)

    @property
    def seats(self) -> list[Player]:
        return [row.player for row in self.rows if row.plays]

    def seat(self, player: Player) -> None:
        """Seat a new player behind the others."""
        if isinstance(self.data, QueryDict):
            self.data = self.data.copy()
            self.data["new_player"] = ""
        self.people[player.pk] = player
        self.order = [row.player.pk for row in self.rows if row.plays] + [player.pk]
        self.order = self._order(self.order)
        self.seated.append(player.pk)

    def move(self, pk: int, step: int) -> None:
        """Move a player *step* seats down, or up where it is negative."""
        seated = [player.pk for player in self.seats]
        if pk in seated:
            place = seated.index(pk)
            other = min(max(place + step, 0), len(seated) - 1)
            seated[place], seated[other] = seated[other], seated[place]
        self.order = self._order(seated)

    def seating(self) -> tuple[list[Player], Player]:
        """Return the players in seat order, and the first dealer, of a valid form."""
        assert self.dealer is not None
        return self.seats, self.people[self.dealer]

    def clean(self) -> dict[str, Any]:
        self.seat_errors = list(self._seat_problems())
        for error in self.seat_errors:
            self.add_error(None, part_error("people", error))
        if "new_player" not in self.errors:
            for error in self.new_player_errors:
                self.add_error("new_player", error)
        self.cleaned_data["tariff"] = self._tariff()
        return self.cleaned_data

    def _seat_problems(self) -> Iterable[str]:
        count = len(self.seats)
        if not FEWEST_SEATS <= count <= MOST_SEATS:
            message = ngettext(
                "Four to six people sit at a table: {count} is chosen.",
                "Four to six people sit at a table: {count} are chosen.",
                count,
            )
            yield message.format(count=count)
        if self.dealer not in self.seated:
            yield gettext("Choose who deals the first hand.")

    def _listed(self, name: str) -> list[int]:
        values = self.data.getlist(name) if isinstance(self.data, QueryDict) else []
        ids = dict.fromkeys(map(whole_number, values))
        return [pk for pk in ids if pk is not None and pk in self.people]

    def _order(self, first: Iterable[int]) -> list[int]:
        known = (pk for pk in first if pk in self.people)
        return list(dict.fromkeys([*known, *self.people]))


def active_players(club: Club) -> Sequence[Player]:
    return in_order(club.players.people().filter(retired=False))


def free_players(evening: Evening) -> Sequence[Player]:
    """Return active players who sit at no table of *evening*."""
    people = active_players(evening.club)
    seated = journal.seated_at(evening.pk, people).values_list("player", flat=True)
    taken = set(seated)
    return [player for player in people if player.pk not in taken]


def last_seated(evening: Evening | None) -> list[int]:
    """Return the last line-up of the first table of *evening*, in seat order."""
    seats = Seat.objects.filter(lineup__table__evening=evening).order_by(
        "lineup__table__number", "-lineup__from_hand", "position"
    )
    lineup = seats.values_list("lineup", flat=True).first()
    in_order = Seat.objects.filter(lineup=lineup).order_by("position")
    return list(in_order.values_list("player", flat=True))


REARRANGING = ("up", "down", "add")
"""Buttons inside the seating; they change the form and save nothing."""


def is_sent(request: Request) -> bool:
    """Whether the form was sent by its main button."""
    pressed = any(button in request.POST for button in REARRANGING)
    return request.method == "POST" and not pressed


def rearrange(request: Request, form: SeatingForm) -> bool:
    """Do what a button inside the seating says; return whether one was pressed."""
    for button, step in (("up", -1), ("down", 1)):
        if (player := whole_number(request.POST.get(button))) is not None:
            form.move(player, step)
            return True
    if "add" in request.POST:
        _seat_new_player(
            form, str(request.POST.get("new_player", "")), id_or_new(request)
        )
        return True
    return False


def is_ready(request: Request, form: SeatingForm) -> bool:
    """Seat a new player entered but not added; return whether *form* is valid."""
    if name := str(form.data.get("new_player", "")).strip():
        _seat_new_player(form, name, id_or_new(request))
    return form.is_valid()


def _seat_new_player(form: SeatingForm, name: str, id: UUID) -> None:
    """Add a player of *name*, once for each form, and seat him behind the others."""
    new = NewPlayerForm({"name": name}, club=form.club)
    if player := new.save(uuid5(id, tidy(name))):
        form.seat(player)
    else:
        form.new_player_errors = [str(error) for error in new.errors["name"]]
