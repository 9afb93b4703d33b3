"""Why somebody stands where he stands: figure, evening, hand, line, rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import scoring
from ledger import pairs, settling, statement, words
from ledger.access import Request, club_of
from ledger.exports import reach
from ledger.exports.cells import Cell, Row
from ledger.models import Entry, Evening, Player, Version
from ledger.settling import Scope
from ledger.statement import Item, Part, Statement
from ledger.templatetags.worth import signed_worth, worth
from ledger.told import People, name_of, told
from ledger.views import scopes
from ledger.views.files import sheet
from ledger.views.purse import people_of


@dataclass(frozen=True)
class ShownLine:
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
    lines: tuple[ShownLine, ...] = ()


@dataclass(frozen=True)
class ShownPart:
    evening: Evening | None
    amount: int
    items: tuple[ShownItem, ...]
    earlier: int | None = None


@login_required
@never_cache
@require_safe
def page(request: Request, pk: int, player: int) -> HttpResponseBase:
    club = club_of(request, pk)
    at = scopes.asked(club, request.GET)
    people = people_of(club)
    who = _one_of(people, player)
    other = _one_of(people, request.GET["with"]) if request.GET.get("with") else None
    other = None if other == who else other
    named = {person.pk: person for person in people}
    if "csv" in request.GET:
        return _csv(who, other, at.scope, named)
    if at.scope.evening:
        found = _statement(who, other, at.scope)
    else:
        latest = None if "all" in request.GET else statement.LATEST
        found = _overview(who, other, at.scope, latest)
    page = {
        "club": club,
        "at": at,
        "scope": at.scope,
        "player": who,
        "other": other,
        "found": found,
        "parts": _shown(found, named),
        "planned": list(_planned(found)),
        "scopes": list(scopes.choices(at, club.seasons.order_by("-starts"))),
        "currencies": list(scopes.currencies(at)),
        "others": [one for one in people if one != who and one.pk],
    }
    return render(request, "ledger/statement.html", page)


def _one_of(people: Iterable[Player], pk: object) -> Player:
    for player in people:
        if player.pk and str(player.pk) == str(pk):
            return player
    raise Http404


def _statement(player: Player, other: Player | None, scope: Scope) -> Statement:
    if other is not None:
        return statement.between(player, other, scope)
    return statement.statement(player, scope)


def _overview(
    player: Player, other: Player | None, scope: Scope, latest: int | None
) -> Statement:
    if other is not None:
        return statement.overview_between(player, other, scope, latest)
    return statement.overview(player, scope, latest)


def _planned(found: Statement) -> Iterator[str]:
    """Yield what the plan has him pay or get, and what of it is others' debt."""
    scope, player, other = found.scope, found.player, found.other
    if other is not None and found.amount and found.through == -found.amount:
        yield _("In the plan neither pays the other: it goes through others.")
    by_hands = _by_hands(found)
    plan = found.plan or settling.plan(scope, settling.Method.FEWEST)
    for row in plan.rows:
        if player not in (row.payer, row.payee):
            continue
        if other is not None and other not in (row.payer, row.payee):
            continue
        amount = worth(row.amount, scope.currency)
        words = _("In the plan {payer} pays {payee} {amount}.").format(
            payer=row.payer.name, payee=row.payee.name, amount=amount
        )
        if by_hands is not None:
            words += " " + _through(row, by_hands, scope)
        yield words.strip()


def _by_hands(found: Statement) -> Mapping[tuple[int, int], int] | None:
    """Return what pairs owe by the hands alone; of many evenings only these two."""
    if found.other is None:
        return pairs.owed(found.scope) if found.scope.evening else None
    one, two = found.player.pk, found.other.pk
    return {(min(one, two), max(one, two)): found.amount * (1 if one < two else -1)}


def _through(
    row: settling.Row, by_hands: Mapping[tuple[int, int], int], scope: Scope
) -> str:
    """Say what a payment of the plan moves for others."""
    payer, payee = row.payer.pk, row.payee.pk
    owed = by_hands.get((min(payer, payee), max(payer, payee)), 0)
    owed = owed if payee < payer else -owed
    if owed == row.amount:
        return ""
    message = _(
        "By the hands between the two it is {owed}: the rest goes through others, so "
        "that fewer payments do."
    )
    return message.format(owed=signed_worth(owed, scope.currency))


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
            yield ShownItem(_what(item), item.amount, item.note)


def _hand(item: Item, version: Version, people: People) -> ShownItem:
    said = told(version, people)
    title = " · ".join(filter(None, (said.title, said.sides)))
    return ShownItem(
        title,
        item.amount,
        hand=version.hand_id,
        number=version.hand.number,
        times=version.multiplier,
        lines=tuple(_lines(item, version, people)),
    )


def _lines(item: Item, version: Version, people: People) -> Iterator[ShownLine]:
    """Yield the lines of a hand with the rule that each follows."""
    if not item.lines:
        return
    tariff = version.edition.tariff
    parsed = scoring.parse(tariff, version.players, version.record)
    names = [name_of(people, pk) for pk in version.players]
    lines = scoring.score(tariff, parsed).lines
    for share, line in zip(item.lines, lines, strict=True):
        name, why = words.say(line.name, names), words.say(line.why, names)
        yield ShownLine(name, why, share.amount)


def _what(item: Item) -> str:
    what = str(Entry.Kind(item.kind).label)
    if item.kind == Entry.Kind.PAYMENT and item.others:
        names = ", ".join(player.name for player in item.others)
        message = _("Paid to {name}") if item.amount > 0 else _("Got from {name}")
        what = message.format(name=names)
    if item.sheet_hand:
        what = _("From an old sheet, hand {number}").format(number=item.sheet_hand)
    how = words.how(item.method) if item.kind == Entry.Kind.PAYMENT else ""
    return f"{what} ({how})" if how else what


# The file


def _csv(
    player: Player, other: Player | None, scope: Scope, people: People
) -> StreamingHttpResponse:
    name = f"{timezone.localdate().isoformat()} {player.pk}.csv"
    return sheet(name, lambda: _rows(player, other, scope, people))


def _rows(
    player: Player, other: Player | None, scope: Scope, people: People
) -> Iterator[Row]:
    head = [_("Date"), _("Evening"), _("Hand"), _("What"), _("Why")]
    yield [*head, scope.currency or _("points")]
    total = 0
    for part in statement.in_turn(player, other, scope, lines=other is None):
        total += part.amount
        for item in _items(part, people):
            for *cells, amount in _cells(part.evening, item):
                yield [*cells, _figure(amount, scope)]
    yield ["", "", "", _("Sum"), "", _figure(total, scope)]


def _cells(
    evening: Evening | None, item: ShownItem
) -> Iterator[tuple[str, str, int | None, str, str, int]]:
    """Yield a hand by its lines, anything else as it is: they add up to the sum."""
    day, name = (evening.date.isoformat(), evening.name) if evening else ("", "")
    number = item.number if item.hand else None
    if not item.lines:
        yield day, name, number, item.words, item.note, item.amount
    for line in item.lines:
        yield day, name, number, f"{item.words}: {line.name}", line.why, line.amount


def _figure(amount: int, scope: Scope) -> Cell:
    return reach.amount(amount, scope.currency) if scope.in_money else amount
