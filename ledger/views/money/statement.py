"""Why somebody stands where he stands: figure, evening, hand, line, rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import formats, timezone
from django.utils.translation import gettext as _

import scoring
from ledger import settlement
from ledger.access import Request, club_of
from ledger.exports.csv import export_scope
from ledger.exports.csv.writer import Cell, Row
from ledger.models import Entry, Evening, Player, Version
from ledger.settlement import Item, Part, SettlementScope, Statement, pair_sums
from ledger.text import messages
from ledger.text.hands import People, name_of, summary
from ledger.text.markup import signed_worth, worth
from ledger.views.decorators import signed_in_page
from ledger.views.files.downloads import sheet
from ledger.views.money import scope_params
from ledger.views.money.fields import people_of


@dataclass(frozen=True)
class StatementLine:
    name: str
    why: str
    amount: int


@dataclass(frozen=True)
class ShownItem:
    """An entry in words: a hand with its lines, or what moved money without one."""

    words: str
    amount: int
    note: str = ""
    hand: UUID | None = None
    number: int = 0
    times: int = 1
    lines: tuple[StatementLine, ...] = ()
    when: str = ""
    day: date | None = None


@dataclass(frozen=True)
class ShownPart:
    evening: Evening | None
    amount: int
    items: tuple[ShownItem, ...]
    earlier: int | None = None


@signed_in_page
def page(request: Request, pk: int, player: int) -> HttpResponseBase:
    club = club_of(request, pk)
    at = scope_params.asked(club, request.GET)
    people = people_of(club)
    who = _one_of(people, player)
    other = _one_of(people, request.GET["with"]) if request.GET.get("with") else None
    other = None if other == who else other
    named = {person.pk: person for person in people}
    if "csv" in request.GET:
        return _csv(who, other, at.scope, named)
    latest = None if "all" in request.GET else settlement.SHOWN_AT_FIRST
    found = _found(who, other, at.scope, latest)
    page = {
        "club": club,
        "at": at,
        "scope": at.scope,
        "player": who,
        "other": other,
        "found": found,
        "parts": _shown(found, named),
        "planned": list(_planned(found)),
        "scopes": list(scope_params.choices(at, club.seasons.order_by("-starts"))),
        "currencies": list(scope_params.currencies(at)),
        "others": [one for one in people if one != who and one.pk],
    }
    return render(request, "ledger/money/statement.html", page)


def _one_of(people: Iterable[Player], pk: object) -> Player:
    for player in people:
        if player.pk and str(player.pk) == str(pk):
            return player
    raise Http404


def _found(
    player: Player, other: Player | None, scope: SettlementScope, latest: int | None
) -> Statement:
    if scope.evening:
        return _statement(player, other, scope)
    return _overview(player, other, scope, latest)


def _statement(
    player: Player, other: Player | None, scope: SettlementScope
) -> Statement:
    if other is not None:
        return settlement.statement_between(player, other, scope)
    return settlement.statement_of(player, scope)


def _overview(
    player: Player, other: Player | None, scope: SettlementScope, latest: int | None
) -> Statement:
    if other is not None:
        return settlement.overview_between(player, other, scope, latest)
    return settlement.overview_of(player, scope, latest)


def _planned(found: Statement) -> Iterator[str]:
    """Yield what the plan has him pay or get, and what of it is others' debt."""
    scope, player, other = found.scope, found.player, found.other
    if other is not None and found.amount and found.for_others == -found.amount:
        yield _("In the plan neither pays the other: it goes through others.")
    between = _between(found)
    plan = found.plan or settlement.plan(scope, settlement.Method.FEWEST)
    for row in plan.rows:
        if player not in (row.payer, row.payee):
            continue
        if other is not None and other not in (row.payer, row.payee):
            continue
        amount = worth(row.amount, scope.currency)
        words = _("In the plan {payer} pays {payee} {amount}.").format(
            payer=row.payer.name, payee=row.payee.name, amount=amount
        )
        if between is not None:
            words += " " + _through(row, between, scope)
        yield words.strip()
    yield from _carried(found)


def _carried(found: Statement) -> Iterator[str]:
    """Yield where his debts stand that were carried out of the scope."""
    scope, items = found.scope, (item for part in found.parts for item in part.items)
    if scope.evening and not any(item.kind == Entry.Kind.CARRY for item in items):
        return
    for debt in settlement.carried_debts_of(scope):
        two = (debt.payer, debt.payee)
        if found.player in two and (found.other is None or found.other in two):
            amount = worth(debt.amount, scope.currency)
            yield f"{debt.payer.name} → {debt.payee.name} {amount}: {debt.words}"


@dataclass(frozen=True)
class Between:
    """What pairs owe each other by their hands, and after what they paid each other."""

    by_hands: Mapping[tuple[int, int], int]
    left: Mapping[tuple[int, int], int]


def _between(found: Statement) -> Between | None:
    """Return what pairs owe each other; of many evenings only these two."""
    if found.other is None:
        evening = found.scope.evening
        return Between(*pair_sums.with_payments(found.scope)) if evening else None
    one, two = sorted((found.player.pk, found.other.pk))
    sign = 1 if found.player.pk == one else -1
    return Between(
        {(one, two): sign * found.by_hands}, {(one, two): sign * found.amount}
    )


def _through(
    row: settlement.PlannedPayment, between: Between, scope: SettlementScope
) -> str:
    """Say what a payment of the plan moves for others."""
    left, hands = _owed(row, between.left), _owed(row, between.by_hands)
    if left == row.amount:
        return ""
    message = _(
        "Their own hands come to {owed}; the rest goes through others, so that fewer "
        "payments are needed."
    )
    if left != hands:
        message = _(
            "Their own hands come to {owed}, or {left} after what they have paid each "
            "other; the rest goes through others, so that fewer payments are needed."
        )
    return message.format(
        owed=signed_worth(hands, scope.currency),
        left=signed_worth(left, scope.currency),
    )


def _owed(row: settlement.PlannedPayment, sums: Mapping[tuple[int, int], int]) -> int:
    """Return what the payer of *row* owes its payee."""
    payer, payee = row.payer.pk, row.payee.pk
    owed = sums.get((min(payer, payee), max(payer, payee)), 0)
    return owed if payee < payer else -owed


def _shown(found: Statement, people: People) -> list[ShownPart]:
    return [
        ShownPart(part.evening, part.amount, tuple(_items(part, people)), part.earlier)
        for part in found.parts
    ]


def _items(part: Part, people: People) -> Iterator[ShownItem]:
    for item in part.items:
        if item.version is not None:
            yield _hand(item, item.version, people)
        else:
            what = _what(item, evening=part.evening)
            yield ShownItem(
                what, item.amount, item.note, when=_when(item, part), day=item.day
            )


def _hand(item: Item, version: Version, people: People) -> ShownItem:
    said = summary(version, people)
    title = " · ".join(filter(None, (said.title, said.sides)))
    return ShownItem(
        title,
        item.amount,
        hand=version.hand_id,
        number=version.hand.number,
        times=version.multiplier,
        lines=tuple(_lines(item, version, people)),
    )


def _lines(item: Item, version: Version, people: People) -> Iterator[StatementLine]:
    """Yield the lines of a hand with the rule that each follows."""
    if not item.lines:
        return
    tariff = version.edition.tariff
    parsed = scoring.parse(tariff, version.players, version.record)
    names = [name_of(people, pk) for pk in version.players]
    lines = scoring.score(tariff, parsed).lines
    for share, line in zip(item.lines, lines, strict=True):
        name, why = messages.say(line.name, names), messages.say(line.why, names)
        yield StatementLine(name, why, share.amount)


def _when(item: Item, part: Part) -> str:
    """Say when it was paid; of anything else outside of evenings, when it was done."""
    if item.kind == Entry.Kind.PAYMENT:
        return settlement.paid_words(item.day, item.counts_for)
    if part.evening is None and item.day is not None:
        return formats.date_format(item.day)
    return ""


def _what(item: Item, *, evening: Evening | None = None) -> str:
    what = str(Entry.Kind(item.kind).label)
    if item.route:
        what = item.route.words(evening)
    if item.kind == Entry.Kind.PAYMENT and item.others:
        names = ", ".join(player.name for player in item.others)
        message = _("Paid to {name}") if item.amount > 0 else _("Received from {name}")
        what = message.format(name=names)
    if item.sheet_hand:
        what = _("From an old sheet, hand {number}").format(number=item.sheet_hand)
    how = messages.how(item.method) if item.kind == Entry.Kind.PAYMENT else ""
    return f"{what} ({how})" if how else what


# The file


def _csv(
    player: Player, other: Player | None, scope: SettlementScope, people: People
) -> StreamingHttpResponse:
    name = f"{timezone.localdate().isoformat()} {player.pk}.csv"
    return sheet(name, lambda: _rows(player, other, scope, people))


def _rows(
    player: Player, other: Player | None, scope: SettlementScope, people: People
) -> Iterator[Row]:
    head = [_("Date"), _("Evening"), _("Hand"), _("Type"), _("Why")]
    yield [*head, scope.currency or _("points")]
    total = 0
    for part in settlement.statement_parts(player, other, scope, lines=other is None):
        total += part.amount
        for item in _items(part, people):
            for *cells, amount in _cells(part.evening, item):
                yield [*cells, _figure(amount, scope)]
    yield ["", "", "", _("Sum"), "", _figure(total, scope)]
    for planned in _planned(_found(player, other, scope, settlement.SHOWN_AT_FIRST)):
        yield ["", "", "", planned, "", ""]


def _cells(
    evening: Evening | None, item: ShownItem
) -> Iterator[tuple[str, str, int | None, str, str, int]]:
    """Yield a hand by its lines, anything else as it is: they add up to the sum."""
    name = evening.name if evening else ""
    on = evening.date if evening else item.day
    day = on.isoformat() if on else ""
    number = item.number if item.hand else None
    if not item.lines:
        why = " · ".join(filter(None, (item.when, item.note)))
        yield day, name, number, item.words, why, item.amount
    for line in item.lines:
        yield day, name, number, f"{item.words}: {line.name}", line.why, line.amount


def _figure(amount: int, scope: SettlementScope) -> Cell:
    return (
        export_scope.decimal_amount(amount, scope.currency)
        if scope.in_money
        else amount
    )
