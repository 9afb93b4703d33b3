"""Who sits at a table: people come and go, from the next hand on."""

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
from ledger.views.table.undo import done

Write: TypeAlias = Callable[..., Action]
WRITES: dict[str, Write] = {
    "dealer": journal.set_dealer,
    "rest": journal.take_break,
    "back": journal.return_from_break,
    "leave": journal.leave,
}
JOIN, RESEAT, GO = "join", "reseat", "go"
"""What the buttons of the long form ask: the main one saves whatever is chosen."""


@dataclass(frozen=True)
class SeatPlace:
    """A seat: whether who sits there deals the next hand, sits out or has a break."""

    player: Player
    deals: bool
    rests: bool
    away: bool

    @property
    def key(self) -> str:
        return str(self.player.pk)

    @property
    def words(self) -> str:
        if self.away:
            return _("takes a break")
        if self.deals:
            return _("deals, sits out") if self.rests else _("deals")
        return _("sits out") if self.rests else ""


@dataclass
class SeatParams:
    """What somebody wants done to the seats, and what is wrong with it."""

    table: Table
    people: dict[int, Player]
    id: UUID
    posted: QueryDict
    wrong: list[FormError] = field(default_factory=list)

    @property
    def do(self) -> str:
        return self.posted.get("do", "")

    @property
    def name(self) -> str:
        return self.posted.get("name", "")

    @property
    def comes(self) -> bool:
        """Whether it says who comes."""
        return bool(self.posted.get("player") or self.name.strip())

    @property
    def mixed(self) -> tuple[int | None, int | None]:
        return whole_number(self.posted.get("first")), whole_number(
            self.posted.get("second")
        )


@signed_in_form
def seats(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk, write=request.method == "POST")
    people = {player.pk: player for player in table.evening.club.players.people()}
    if request.method == "GET":
        return _show(request, SeatParams(table, people, uuid4(), request.POST))
    asked = SeatParams(table, people, id_of(request), request.POST)
    if asked.do == RESEAT or (asked.do == GO and not asked.comes):
        return _next(asked)
    try:
        action = _known(asked) or _do(request, asked)
    except journal.Closed:
        return evening_closed(request, table.evening)
    except journal.Refused as refused:
        asked.wrong += map(FormError, messages_of(refused.problems))
        action = None
    if action is None:
        return _show(request, asked, status=422)
    return _next(asked, action)


def _next(asked: SeatParams, action: Action | None = None) -> HttpResponse:
    """Lead on: to the two who were mixed up, to the table, or back to the seats."""
    one, two = asked.mixed
    if asked.do == RESEAT or (asked.do == GO and one and two):
        query = {"player": one, "other": two, "from": asked.posted.get("from", "")}
        address = reverse("reseat", args=[asked.table.pk])
        return redirect(f"{address}?{urlencode(query)}")
    page = "table" if asked.do == GO else "seats"
    done = f"?done={action.pk}" if action else ""
    return redirect(reverse(page, args=[asked.table.pk]) + done)


def _known(asked: SeatParams) -> Action | None:
    """Return what the same form did when it was sent before."""
    return Action.objects.filter(pk=asked.id, table=asked.table).first()


def _do(request: Request, asked: SeatParams) -> Action | None:
    do = asked.do
    if do in (JOIN, GO):
        return _come(request, asked)
    player = _player(asked, request.POST.get("player"))
    if do == "move":
        to = asked.table.evening.tables.exclude(pk=asked.table.pk)
        there = to.filter(pk=whole_number(request.POST.get("to")) or 0).first()
        if there is None:
            raise BadRequest("expected another table of the evening")
        return journal.move_table(
            asked.table, player, there, id=asked.id, by=request.user
        )
    if do not in WRITES:
        raise BadRequest("expected something to be done")
    return WRITES[do](asked.table, player, id=asked.id, by=request.user)


@transaction.atomic
def _come(request: Request, asked: SeatParams) -> Action | None:
    """Seat somebody behind another, or in his place."""
    how, _dash, whose = request.POST.get("where", "").partition("-")
    if how not in ("after", "for"):
        asked.wrong.append(
            FormError(_("Choose where the new player sits."), place="where")
        )
        return None
    host = _player(asked, whose)
    comes = _comes(request, asked)
    if comes is None:
        return None
    sent = {"id": asked.id, "by": request.user}
    try:
        with transaction.atomic():
            if how == "for":
                return journal.substitute(asked.table, host, comes, **sent)  # type: ignore[arg-type] # an id and a user
            seated = deal(asked.table).seats
            place = seated.index(host) + 1 if host in seated else None
            return journal.join(asked.table, comes, place, **sent)  # type: ignore[arg-type] # the same
    except journal.Refused as refused:
        asked.wrong += map(FormError, messages_of(refused.problems))
        transaction.set_rollback(True)  # a new player goes with it
        return None


def _comes(request: Request, asked: SeatParams) -> Player | None:
    """Return who was chosen, or the new player of that name."""
    if chosen := request.POST.get("player"):
        return _player(asked, chosen)
    form = NewPlayerForm({"name": asked.name}, club=asked.table.evening.club)
    if not asked.name.strip():
        words = _("Choose who joins, or enter a new name.")
        asked.wrong.append(FormError(words, place="new-name"))
        return None
    if (player := form.saved(uuid5(asked.id, "comes"))) is None:
        errors = map(str, form.errors["name"])
        asked.wrong += [FormError(error, place="new-name") for error in errors]
    return player


def _player(asked: SeatParams, pk: object) -> Player:
    player = asked.people.get(whole_number(pk) or 0)
    if player is None:
        raise BadRequest("expected a player of the club")
    return player


def _show(request: Request, asked: SeatParams, status: int = 200) -> HttpResponse:
    table, due = asked.table, deal(asked.table)
    writes = may_write(table) and not table.evening.closed_at
    last = done(request, table, asked.people, writes=writes)
    page = {
        "table": table,
        "evening": table.evening,
        "deal": due,
        "next_dealers": ", ".join(player.name for player in due.next_dealers),
        "places": _places(due),
        "full": len(due.seats) >= MOST_SEATS,
        "guests": _guests(asked, table),
        "others": _others(table),
        "been": _been(table),
        "from": whole_number(request.GET.get("from") or request.POST.get("from")) or 1,
        "mixed": asked.mixed,
        "opens": _opens(request, asked),
        "asked": asked,
        "chosen": whole_number(request.POST.get("player")),
        "where": request.POST.get("where", ""),
        "may_write": writes,
        "toast": last.toast,
    }
    return render(request, "ledger/table/seats.html", page, status=status)


def _opens(request: Request, asked: SeatParams) -> str:
    """Return which part of the page lies open."""
    if asked.do in (JOIN, GO):
        return "comes"
    return "mixed" if "from" in request.GET else ""


def _places(due: Deal) -> list[SeatPlace]:
    return [
        SeatPlace(
            player,
            deals=player == due.dealer,
            rests=player in due.sitting_out,
            away=player in due.on_break,
        )
        for player in due.seats
    ]


def _guests(asked: SeatParams, table: Table) -> list[Player]:
    """Return who could sit down: nobody who sits somewhere tonight."""
    seated = journal.seated_at(table.evening_id, asked.people.values())
    taken = set(seated.values_list("player", flat=True))
    free = [p for p in asked.people.values() if p.pk not in taken and not p.retired]
    return in_order(free)


def _others(table: Table) -> Sequence[Table]:
    return list(table.evening.tables.exclude(pk=table.pk).order_by("number"))


def _been(table: Table) -> list[Player]:
    """Return everybody who has sat here tonight."""
    sittings = line_ups_of(table)
    return list(dict.fromkeys(p for sitting in sittings for p in sitting.order))
