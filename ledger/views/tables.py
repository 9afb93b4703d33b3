"""The table: who deals, how it stands, every hand and what it moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ledger import evenings, standings
from ledger.access import Request, evening_of, may_write, table_of
from ledger.actions import Closed
from ledger.forms import SeatingForm
from ledger.models import Action, Player
from ledger.names import short_names
from ledger.standings import Row, Standing
from ledger.table import Deal, deal
from ledger.told import People, name_of, rounds, told
from ledger.views.closed import closed
from ledger.views.seating import free_tonight, rearranged
from ledger.views.toasts import Toast, done

RECENT = 20
"""Hands that the table page shows; the rest is a tap away."""


@dataclass(frozen=True)
class Role:
    icon: str
    words: str


@dataclass(frozen=True)
class ScoreRow:
    player: Player
    points: int
    money: int
    rests: bool
    roles: tuple[Role, ...]


@dataclass(frozen=True)
class HandRow:
    """A hand of the list."""

    pk: UUID
    number: int
    title: str
    sides: str
    contra: int
    contra_word: str
    multiplier: int
    mayor: str
    voided: bool
    moved: tuple[tuple[str, int | None], ...]
    """By column: the short name, and what it moved; None rested."""
    ends_round: bool


@login_required
@never_cache
@require_safe
def table(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk)
    next_deal = deal(table)
    limit = None if "all" in request.GET else RECENT
    hands = standings.hands_of(table, with_voided=True, limit=limit)[::-1]
    tally = {row.player.pk: row for row in standings.tally(table.evening)}
    columns = _columns(next_deal, tally, hands)
    rows = list(_rows(hands, next_deal, columns))[::-1]
    writes = may_write(table) and not table.evening.closed_at
    last = done(request, table, _people(tally, columns), writes=writes)
    page = {
        "table": table,
        "evening": table.evening,
        "game": table.edition.tariff.variant.name,
        "deal": next_deal,
        "next_dealers": ", ".join(p.name for p in next_deal.next_dealers),
        "score": [_score(player, tally, next_deal) for player in columns],
        "columns": columns,
        "rows": rows,
        "has_more": len(hands) == limit,
        "may_write": writes,
        "toast": _toast(last.toast, rows),
        "last": last,
    }
    return render(request, "ledger/table.html", page)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    if evening.closed_at:
        return closed(request, evening)
    form = SeatingForm(
        request.POST or None,
        club=evening.club,
        people=free_tonight(evening),
        variant=evening.edition.variant,
        rules=evening.edition.rules,
    )
    page = {
        "form": form,
        "evening": evening,
        "number": evening.tables.count() + 1,
    }
    if request.method == "GET":
        return render(request, "ledger/table_new.html", page)
    if rearranged(request, form):
        part = "#people" if request.htmx else ""
        return render(request, f"ledger/table_new.html{part}", page)
    if form.is_valid():
        seats, dealer = form.seating()
        edition = evenings.edition_of(evening.club, form.cleaned_data["tariff"])
        try:
            table = evenings.add_table(
                evening, seats=seats, dealer=dealer, edition=edition
            )
        except Closed:
            return closed(request, evening)
        return redirect("table", table.pk)
    return render(request, "ledger/table_new.html", page, status=422)


def _columns(
    deal: Deal, tally: dict[int, Standing], hands: Sequence[Row]
) -> list[Player]:
    """Return who sits here in seat order, then who played here and left."""
    seated = {player.pk for player in deal.seats}
    left = {pk for row in hands for pk in row.payments} - seated
    return [*deal.seats, *(tally[pk].player for pk in tally if pk in left)]


def _score(player: Player, tally: dict[int, Standing], deal: Deal) -> ScoreRow:
    standing = tally.get(player.pk, Standing(player))
    rests = player not in deal.players
    return ScoreRow(
        player,
        standing.points,
        standing.money,
        rests,
        tuple(_roles(player, deal)),
    )


def _roles(player: Player, deal: Deal) -> Iterator[Role]:
    if player not in deal.seats:
        yield Role("out", _("left"))
    elif player == deal.dealer:
        rests = player in deal.resting
        yield Role("deck", _("deals, sits out") if rests else _("deals"))
    elif player in deal.resting:
        yield Role("mug", _("sits out"))
    elif player == deal.players[0]:
        yield Role("lead", _("leads"))
    if player == deal.mayor:
        yield Role("hat", _("Mayor"))


def _rows(
    hands: Sequence[Row], deal: Deal, columns: Sequence[Player]
) -> Iterator[HandRow]:
    people = {player.pk: player for player in columns}
    names = short_names(columns)
    dealers = [row.version.dealer_id for row in hands if not row.voided]
    ends = rounds([*dealers, deal.dealer.pk], [player.pk for player in deal.seats])
    for row in hands:
        version, hand = row.version, told(row.version, people)
        lost = version.xxi_lost_by_id
        yield HandRow(
            pk=version.hand_id,
            number=version.hand.number,
            title=hand.title,
            sides=hand.sides,
            contra=hand.contra,
            contra_word=hand.contra_word,
            multiplier=version.multiplier,
            mayor=name_of(people, lost) if lost else "",
            voided=row.voided,
            moved=tuple((names[p.name], row.payments.get(p.pk)) for p in columns),
            ends_round=not row.voided and next(ends),
        )


def _people(tally: Mapping[int, Standing], columns: Sequence[Player]) -> People:
    """Return everybody who was here tonight."""
    return {row.player.pk: row.player for row in tally.values()} | {
        player.pk: player for player in columns
    }


def _toast(toast: Toast | None, rows: Sequence[HandRow]) -> Toast | None:
    """Say what a hand that was just recorded has moved."""
    if toast is None or toast.action.kind != Action.Kind.RECORD:
        return toast
    for row in rows:
        if row.pk == toast.action.pk and not row.voided:
            words = _("Hand {number} saved: {what}").format(
                number=row.number, what=_what(row)
            )
            return replace(toast, words=words)
    return None


def _what(row: HandRow) -> str:
    won = max((moved or 0 for _name, moved in row.moved), default=0)
    moved = _("{points} points").format(points=won) if won else _("nobody pays")
    return ", ".join(part for part in (row.title, row.sides, moved) if part)
