"""Statement: the entries that make up a balance, by evening, hand and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger import settlement
from ledger.access import Request, club_of
from ledger.exports.csv import export_scope
from ledger.exports.csv.writer import Cell, Row
from ledger.models import Evening, Player
from ledger.settlement import SettlementScope, Statement
from ledger.text.hands import People
from ledger.views.decorators import signed_in_page
from ledger.views.files.downloads import csv_response
from ledger.views.money import scope_params
from ledger.views.money.plan_notes import plan_notes
from ledger.views.money.player_choice import people_of
from ledger.views.money.statement_rows import ItemRow, PartRows, item_rows


@signed_in_page
def statement(request: Request, pk: int, player: int) -> HttpResponseBase:
    club = club_of(request, pk)
    params = scope_params.from_address(club, request.GET)
    people = people_of(club)
    who = _one_of(people, player)
    other = _one_of(people, request.GET["with"]) if request.GET.get("with") else None
    other = None if other == who else other
    by_id = {person.pk: person for person in people}
    if "csv" in request.GET:
        return _csv(who, other, params.scope, by_id)
    latest = None if "all" in request.GET else settlement.SHOWN_AT_FIRST
    found = _statement(who, other, params.scope, latest)
    seasons = club.seasons.order_by("-starts")
    page = {
        "club": club,
        "at": params,
        "scope": params.scope,
        "player": who,
        "other": other,
        "found": found,
        "parts": [PartRows.of(part, by_id) for part in found.parts],
        "planned": list(plan_notes(found)),
        "scopes": list(scope_params.choices(params, seasons)),
        "currencies": list(scope_params.currencies(params)),
        "others": [one for one in people if one != who and one.pk],
    }
    return render(request, "ledger/money/statement.html", page)


def _one_of(people: Iterable[Player], pk: object) -> Player:
    for player in people:
        if player.pk and str(player.pk) == str(pk):
            return player
    raise Http404


def _statement(
    player: Player, other: Player | None, scope: SettlementScope, latest: int | None
) -> Statement:
    """Return the statement of an evening; of a wider scope the overview."""
    if scope.evening:
        if other is not None:
            return settlement.statement_between(player, other, scope)
        return settlement.statement_of(player, scope)
    if other is not None:
        return settlement.overview_between(player, other, scope, latest)
    return settlement.overview_of(player, scope, latest)


# The CSV file


def _csv(
    player: Player, other: Player | None, scope: SettlementScope, people: People
) -> StreamingHttpResponse:
    name = f"{timezone.localdate().isoformat()} {player.pk}.csv"
    return csv_response(name, lambda: _rows(player, other, scope, people))


def _rows(
    player: Player, other: Player | None, scope: SettlementScope, people: People
) -> Iterator[Row]:
    head = [_("Date"), _("Evening"), _("Hand"), _("Type"), _("Why")]
    yield [*head, scope.currency or _("points")]
    total = 0
    for part in settlement.statement_parts(player, other, scope, lines=other is None):
        total += part.amount
        for item in item_rows(part, people):
            for *cells, amount in _cells(part.evening, item):
                yield [*cells, _amount(amount, scope)]
    yield ["", "", "", _("Sum"), "", _amount(total, scope)]
    found = _statement(player, other, scope, settlement.SHOWN_AT_FIRST)
    for note in plan_notes(found):
        yield ["", "", "", note, "", ""]


def _cells(
    evening: Evening | None, item: ItemRow
) -> Iterator[tuple[str, str, int | None, str, str, int]]:
    """Yield a row for each line of a hand, one for anything else: they sum up."""
    name = evening.name if evening else ""
    on = evening.date if evening else item.day
    day = on.isoformat() if on else ""
    number = item.number if item.hand else None
    if not item.lines:
        why = " · ".join(filter(None, (item.when, item.note)))
        yield day, name, number, item.words, why, item.amount
    for line in item.lines:
        yield day, name, number, f"{item.words}: {line.name}", line.why, line.amount


def _amount(amount: int, scope: SettlementScope) -> Cell:
    return (
        export_scope.decimal_amount(amount, scope.currency)
        if scope.in_money
        else amount
    )
