"""Page of the seats: people come, leave or take a break, from the next hand on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urlencode
from uuid import UUID, uuid4, uuid5

from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from ledger import journal
from ledger.access import Request, may_write, table_of
from ledger.models import Action, Player, Table
from ledger.table.deals import Deal, deal, line_ups_of
from ledger.table.rotation import MOST_SEATS
from ledger.text.messages import messages_of
from ledger.text.names import in_order
from ledger.text.parsing import whole_number
from ledger.views.club.player_forms import NewPlayerForm
from ledger.views.decorators import signed_in_form
from ledger.views.form_errors import FormError
from ledger.views.late_writes import evening_closed
from ledger.views.params import id_of
from ledger.views.status import UNPROCESSABLE
from ledger.views.table.undo import last_action

SeatAction: TypeAlias = Callable[..., Action]
SEAT_ACTIONS: dict[str, SeatAction] = {
    "dealer": journal.set_dealer,
    "rest": journal.take_break,
    "back": journal.return_from_break,
    "leave": journal.leave,
}
JOIN, RESEAT, GO = "join", "reseat", "go"
"""Buttons of the long form; `GO`, the main one, saves whatever is filled in."""


@dataclass(frozen=True)
class SeatPlace:
    """A seat, and the part of its player in the next hand."""

    player: Player
    deals: bool
    sits_out: bool
    on_break: bool

    @property
    def key(self) -> str:
        return str(self.player.pk)

    @property
    def words(self) -> str:
        if self.on_break:
            return _("takes a break")
        if self.deals:
            return _("deals, sits out") if self.sits_out else _("deals")
        return _("sits out") if self.sits_out else ""


@dataclass
class SeatParams:
    """Params of a change of seats, and the errors found in them."""

    table: Table
    people: dict[int, Player]
    id: UUID
    data: QueryDict
    errors: list[FormError] = field(default_factory=list)

    @property
    def button(self) -> str:
        return self.data.get("do", "")

    @property
    def name(self) -> str:
        return self.data.get("name", "")

    @property
    def has_newcomer(self) -> bool:
        """Whether a newcomer was chosen or entered."""
        return bool(self.data.get("player") or self.name.strip())

    @property
    def mixed(self) -> tuple[int | None, int | None]:
        """The two players whose seats were mixed up, as far as they are chosen."""
        first, second = self.data.get("first"), self.data.get("second")
        return whole_number(first), whole_number(second)


@signed_in_form
def seats(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk, write=request.method == "POST")
    people = {player.pk: player for player in table.evening.club.players.people()}
    if request.method == "GET":
        return _show(request, SeatParams(table, people, uuid4(), request.POST))
    params = SeatParams(table, people, id_of(request), request.POST)
    if params.button == RESEAT or (params.button == GO and not params.has_newcomer):
        return _redirect(params)
    try:
        action = _sent_before(params) or _change_seats(request, params)
    except journal.Closed:
        return evening_closed(request, table.evening)
    except journal.Refused as refused:
        params.errors += map(FormError, messages_of(refused.problems))
        action = None
    if action is None:
        return _show(request, params, status=UNPROCESSABLE)
    return _redirect(params, action)


def _redirect(params: SeatParams, action: Action | None = None) -> HttpResponse:
    """Go on to the swap of two seats, to the table, or back to the seats."""
    one, two = params.mixed
    if params.button == RESEAT or (params.button == GO and one and two):
        query = {"player": one, "other": two, "from": params.data.get("from", "")}
        address = reverse("reseat", args=[params.table.pk])
        return redirect(f"{address}?{urlencode(query)}")
    page = "table" if params.button == GO else "seats"
    done = f"?done={action.pk}" if action else ""
    return redirect(reverse(page, args=[params.table.pk]) + done)


def _sent_before(params: SeatParams) -> Action | None:
    """Return the action of the same form when it was sent before."""
    return Action.objects.filter(pk=params.id, table=params.table).first()


def _change_seats(request: Request, params: SeatParams) -> Action | None:
    button = params.button
    if button in (JOIN, GO):
        return _seat_newcomer(request, params)
    player = _player(params, request.POST.get("player"))
    if button == "move":
        to = params.table.evening.tables.exclude(pk=params.table.pk)
        there = to.filter(pk=whole_number(request.POST.get("to")) or 0).first()
        if there is None:
            raise BadRequest("expected another table of the evening")
        return journal.move_table(
            params.table, player, there, id=params.id, by=request.user
        )
    if button not in SEAT_ACTIONS:
        raise BadRequest("expected something to be done")
    return SEAT_ACTIONS[button](params.table, player, id=params.id, by=request.user)


@transaction.atomic
def _seat_newcomer(request: Request, params: SeatParams) -> Action | None:
    """Seat a newcomer after somebody who plays, or in his seat."""
    how, _dash, whose = request.POST.get("where", "").partition("-")
    if how not in ("after", "for"):
        params.errors.append(
            FormError(_("Choose where the new player sits."), place="where")
        )
        return None
    host = _player(params, whose)
    newcomer = _newcomer(request, params)
    if newcomer is None:
        return None
    sent = {"id": params.id, "by": request.user}
    try:
        with transaction.atomic():
            if how == "for":
                return journal.substitute(params.table, host, newcomer, **sent)  # type: ignore[arg-type] # an id and a user
            seated = deal(params.table).seats
            place = seated.index(host) + 1 if host in seated else None
            return journal.join(params.table, newcomer, place, **sent)  # type: ignore[arg-type] # the same
    except journal.Refused as refused:
        params.errors += map(FormError, messages_of(refused.problems))
        transaction.set_rollback(True)  # a new player goes with it
        return None


def _newcomer(request: Request, params: SeatParams) -> Player | None:
    """Return the player chosen, or a new player of the name entered."""
    if chosen := request.POST.get("player"):
        return _player(params, chosen)
    form = NewPlayerForm({"name": params.name}, club=params.table.evening.club)
    if not params.name.strip():
        words = _("Choose who joins, or enter a new name.")
        params.errors.append(FormError(words, place="new-name"))
        return None
    if (player := form.save(uuid5(params.id, "comes"))) is None:
        errors = map(str, form.errors["name"])
        params.errors += [FormError(error, place="new-name") for error in errors]
    return player


def _player(params: SeatParams, pk: object) -> Player:
    player = params.people.get(whole_number(pk) or 0)
    if player is None:
        raise BadRequest("expected a player of the club")
    return player


def _show(request: Request, params: SeatParams, status: int = 200) -> HttpResponse:
    table, due = params.table, deal(params.table)
    writes = may_write(table) and not table.evening.closed_at
    last = last_action(request, table, params.people, writes=writes)
    page = {
        "table": table,
        "evening": table.evening,
        "deal": due,
        "next_dealers": ", ".join(player.name for player in due.next_dealers),
        "places": _places(due),
        "full": len(due.seats) >= MOST_SEATS,
        "guests": _guests(params, table),
        "others": _other_tables(table),
        "been": _everybody_seated(table),
        "from": whole_number(request.GET.get("from") or request.POST.get("from")) or 1,
        "mixed": params.mixed,
        "opens": _open_part(request, params),
        "params": params,
        "chosen": whole_number(request.POST.get("player")),
        "where": request.POST.get("where", ""),
        "may_write": writes,
        "toast": last.toast,
    }
    return render(request, "ledger/table/seats.html", page, status=status)


def _open_part(request: Request, params: SeatParams) -> str:
    """Return the id of the part of the page that is unfolded."""
    if params.button in (JOIN, GO):
        return "comes"
    return "mixed" if "from" in request.GET else ""


def _places(due: Deal) -> list[SeatPlace]:
    return [
        SeatPlace(
            player,
            deals=player == due.dealer,
            sits_out=player in due.sitting_out,
            on_break=player in due.on_break,
        )
        for player in due.seats
    ]


def _guests(params: SeatParams, table: Table) -> list[Player]:
    """Return players of the club who sit at no table of the evening."""
    seated = journal.seated_at(table.evening_id, params.people.values())
    taken = set(seated.values_list("player", flat=True))
    free = [p for p in params.people.values() if p.pk not in taken and not p.retired]
    return in_order(free)


def _other_tables(table: Table) -> Sequence[Table]:
    return list(table.evening.tables.exclude(pk=table.pk).order_by("number"))


def _everybody_seated(table: Table) -> list[Player]:
    """Return everybody who has sat at this table."""
    line_ups = line_ups_of(table)
    return list(dict.fromkeys(p for line_up in line_ups for p in line_up.order))
