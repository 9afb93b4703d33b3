"""Who owes whom: what is settled together, its balances, and a plan that clears them.

Every entry stands in one book: of an evening, of a season, or of the club. A scope is
one book with all that it covers: a season covers its evenings, the club everything.
Who pays in a wider scope first has what its narrower books hold open carried to the
wider one (see ledger/payments.py), so that no debt can be settled twice.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, Sum
from django.utils import translation
from django.utils.functional import cached_property
from django.utils.translation import gettext

from ledger import coins
from ledger.models import Club, Entry, Evening, Player, Posting, Season
from scoring import Problem, Refused, Text
from scoring.settlement import EXACT, Transfer, at_least, transfers
from scoring.text import _

Method = Club.Method
Sums = dict[int, int]
"""By player id: minor units, or points where no money is played for."""
Pairs = Mapping[tuple[int, int], int]
"""What one player pays another."""
LOOK_BACK = 100
"""Payments that a plan remembers, so that it stays as it was planned."""


@dataclass(frozen=True)
class Scope:
    """What is settled together, of one club and one currency, "" for points.

    >>> Scope.everything(Club(name="Kozy"), "PLN").in_money
    True
    """

    club: Club
    currency: str
    evening: Evening | None = None
    season: Season | None = None
    until: datetime.date | None = None

    @classmethod
    def of_evening(cls, evening: Evening) -> Scope:
        return cls(evening.club, evening.currency, evening=evening)

    @classmethod
    def of_season(cls, season: Season, currency: str) -> Scope:
        return cls(season.club, currency, season=season)

    @classmethod
    def up_to(cls, club: Club, day: datetime.date, currency: str) -> Scope:
        return cls(club, currency, until=day)

    @classmethod
    def everything(cls, club: Club, currency: str) -> Scope:
        return cls(club, currency)

    @property
    def in_money(self) -> bool:
        return self.currency != ""

    @property
    def unit(self) -> str:
        """Return the column of a posting that counts here."""
        return "money" if self.in_money else "points"

    @property
    def book(self) -> dict[str, Any]:
        """Return which evening, season or club an action in this scope belongs to."""
        if self.evening or self.season:
            return {"evening": self.evening, "season": self.season, "club": None}
        return {"evening": None, "season": None, "club": self.club}

    @cached_property
    def postings(self) -> QuerySet[Posting]:
        return Posting.objects.filter(
            self.entries("entry__"),
            entry__club=self.club,
            entry__currency=self.currency,
        )

    @cached_property
    def currencies(self) -> list[str]:
        """Return what the club has entries in, "" when it plays for points."""
        entries = Entry.objects.filter(club=self.club)
        used = entries.order_by("currency").values_list("currency", flat=True)
        return list(used.distinct())

    @property
    def has_only_currency(self) -> bool:
        """Whether postings of the club can be summed without their entries.

        Entries without a currency move no money.
        """
        others = {*self.currencies} - {self.currency}
        return not (others - {""} if self.in_money else others)

    def entries(self, path: str = "") -> Q:
        """Return which entries belong here; *path* leads to them."""
        if self.evening:
            return Q(**{f"{path}evening": self.evening})
        if self.season:
            within = Q(**{f"{path}evening__season": self.season})
            return within | Q(**{f"{path}season": self.season})
        if self.until:
            within = Q(**{f"{path}evening__date__lte": self.until})
            outside = {f"{path}evening": None, f"{path}date__lte": self.until}
            return within | Q(**outside)
        return Q()


@dataclass(frozen=True, slots=True)
class Balance:
    """What somebody is owed; below zero, what he owes."""

    player: Player
    amount: int


@dataclass(frozen=True, slots=True)
class Row:
    """One payment of a plan."""

    payer: Player
    payee: Player
    amount: int

    @property
    def key(self) -> tuple[int | None, int | None, int]:
        """Return what a confirmation sends back; the pot of a club without is None."""
        return self.payer.pk, self.payee.pk, self.amount


@dataclass(frozen=True, slots=True)
class Plan:
    """The payments that bring every balance of a scope to zero."""

    scope: Scope
    method: str
    rows: tuple[Row, ...]
    balances: tuple[Balance, ...]
    least: int
    """No plan has fewer payments than that; of up to 16 people it can be reached."""

    @property
    def exact(self) -> bool:
        return len(self.rows) <= self.least

    @property
    def settled(self) -> bool:
        return not any(balance.amount for balance in self.balances)


def balances(scope: Scope) -> tuple[Balance, ...]:
    """Return everybody who moved anything here, by name, the pot last."""
    found = sums(scope)
    people = Player.objects.filter(pk__in=found).order_by("kind", "name")
    return tuple(Balance(player, found[player.pk]) for player in people)


def sums(scope: Scope) -> Sums:
    """Return the balance of everybody who moved anything here; they sum to 0."""
    postings = scope.postings
    if scope.book["club"] and not scope.until and scope.has_only_currency:
        people = Player.objects.filter(club=scope.club)
        postings = Posting.objects.filter(player__in=people)  # a join sorts them all
    return dict(postings.values_list("player").annotate(Sum(scope.unit)).order_by())


def by_book(scope: Scope) -> dict[tuple[int | None, int | None], Sums]:
    """Return the balances apart, by evening and season of the book they stand in."""
    books: dict[tuple[int | None, int | None], Sums] = defaultdict(dict)
    rows = scope.postings.values_list("entry__evening", "entry__season", "player")
    for evening, season, player, amount in rows.annotate(Sum(scope.unit)).order_by():
        books[evening, season][player] = amount
    return books


def plan(scope: Scope, method: str | None = None, *, paid: Pairs | None = None) -> Plan:
    """Return how to settle *scope*, by default as the club does.

    *paid* is what was paid in its own book, where that is known already. Raise
    `Refused` when it goes through a treasurer and the club has none.
    """
    method = method or scope.club.method
    if method == Method.TREASURER and scope.club.treasurer is None:
        raise Refused([_no_treasurer()])
    open_ = balances(scope)
    left = {balance.player.pk: balance.amount for balance in open_}
    people = {balance.player.pk: balance.player for balance in open_}
    match method:
        case Method.FEWEST:
            found = keeping(left, _paid(scope) if paid is None else paid)
        case Method.TREASURER:
            found = _through(scope.club.treasurer, left, people)
        case Method.POT:
            found = _through(pot_or_new(scope.club), left, people)
        case Method.HANDS:
            found = _in_pairs(between(scope)) if any(left.values()) else []
        case _:
            found = []
    rows = tuple(Row(people[t.payer], people[t.payee], t.amount) for t in found)
    return Plan(scope, method, rows, open_, at_least(left))


def keeping(left: Mapping[int, int], paid: Pairs) -> list[Transfer[int]]:
    """Return the fewest payments: those that were planned before these were *paid*.

    A payment that wasn't planned, and a correction, change the plan as far as they
    must. Where the fewest are known, a plan with fewer wins.

    >>> [(t.payer, t.payee, t.amount) for t in keeping({1: -3, 2: 3}, {(1, 2): 2})]
    [(1, 2, 3)]
    """
    before = _before(left, paid)
    plans = [_less(transfers(before), paid), _kept(left, paid)]
    if sum(map(bool, before.values())) <= EXACT:
        plans.append(transfers(left))
    fewest = min(map(len, plans))
    return next(plan for plan in plans if len(plan) == fewest)


def without(scope: Scope, player: Player) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Return how *player* settles alone, and what the others then pay among them.

    He pays, or gets, all of it at once: to or from whom the others then need the
    fewest payments.
    """
    people = {balance.player.pk: balance.player for balance in balances(scope)}
    left = sums(scope)
    own = left.pop(player.pk, 0)
    if not own:
        rest = keeping(left, _paid(scope))
        return (), _rows(rest, people)
    other, rest = min(_choices(left, own), key=lambda choice: len(choice[1]))
    payer, payee = (player.pk, other) if own < 0 else (other, player.pk)
    return _rows([Transfer(payer, payee, abs(own))], people), _rows(rest, people)


def between(scope: Scope) -> dict[tuple[int, int], int]:
    """Return what each pair owes by the hands alone, as coins went over the table.

    (a, b) with a < b: above zero b owes it to a.
    """
    owed: dict[tuple[int, int], int] = defaultdict(int)
    for entry in moved(scope):
        for transfer in entry.handed():
            a, b = transfer.payer, transfer.payee
            owed[min(a, b), max(a, b)] += transfer.amount if b < a else -transfer.amount
    return {pair: amount for pair, amount in owed.items() if amount}


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry that counts, and what everybody gained by it."""

    id: UUID
    kind: str
    gains: Mapping[int, int]
    seats: Sequence[int] = ()
    """The players of a hand, from forehand on."""
    evening: int | None = None

    def handed(self) -> list[Transfer[int]]:
        """Return who owes whom for it."""
        if not self.seats:
            return transfers(self.gains)
        coins_ = coins.handed([self.gains[player] for player in self.seats])
        return [
            Transfer(self.seats[coin.payer], self.seats[coin.payee], coin.amount)
            for coin in coins_
        ]


def moved(scope: Scope, among: Collection[UUID] | None = None) -> Iterator[Moved]:
    """Yield the entries of *scope* that count; what was carried within it does not.

    With *among*, those of its entries alone; reversals have to be among them.
    """
    postings = scope.postings
    if among is not None:
        postings = Posting.objects.filter(entry__in=among)
    rows = postings.values_list(
        *("entry", "entry__kind", "entry__reverses", "entry__action"),
        *("entry__version__players", "entry__evening", "player", scope.unit),
    ).order_by("entry__created_at", "entry", "player")
    entries: dict[UUID, Moved] = {}
    actions: dict[UUID, UUID] = {}
    for entry, kind, reverses, action, seats, evening, player, amount in rows:
        if reverses:
            entries.pop(reverses, None)
            continue
        if kind == Entry.Kind.CARRY:
            actions[entry] = action
        one = entries.setdefault(entry, Moved(entry, kind, {}, seats or (), evening))
        assert isinstance(one.gains, dict)
        one.gains[player] = amount
    carried: dict[UUID, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for entry in actions.keys() & entries.keys():
        for player, amount in entries.pop(entry).gains.items():
            carried[actions[entry]][player] += amount
    yield from entries.values()
    for action, gains in carried.items():
        if any(gains.values()):
            yield Moved(action, Entry.Kind.CARRY, gains)


def unsettled(evenings: Iterable[Evening]) -> set[int]:
    """Return which of *evenings* leave somebody with something to pay or to get."""
    in_money = {evening.pk: bool(evening.currency) for evening in evenings}
    sums = (
        Posting.objects.filter(entry__evening__in=in_money)
        .values_list("entry__evening", "player")
        .annotate(Sum("points"), Sum("money"))
    )
    return {
        evening
        for evening, _player, points, money in sums
        if evening and (money if in_money[evening] else points)
    }


def live(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return those that count, of *entries* that have their reversals among them."""
    undone = entries.filter(reverses__isnull=False).values("reverses")
    return entries.exclude(kind=Entry.Kind.REVERSAL).exclude(pk__in=undone)


def pot_or_new(club: Club) -> Player:
    """Return the pot of *club*; before it was used first, one that isn't kept yet."""
    kept = club.players.filter(kind=Player.Kind.POT).first()
    if kept is not None:
        return kept
    with translation.override(club.language):
        name = gettext("Pot")
    return Player(club=club, name=name, kind=Player.Kind.POT)


def next_evening(evening: Evening) -> Evening | None:
    """Return the evening that *evening* can be carried over to."""
    later = Q(date__gt=evening.date) | Q(date=evening.date, pk__gt=evening.pk)
    same = Evening.objects.filter(
        later, club=evening.club_id, currency=evening.currency, closed_at=None
    )
    return same.order_by("date", "pk").first()


def _paid(scope: Scope) -> Pairs:
    """Return the latest payments in the scope's own book, by payer and payee."""
    own = {"evening": scope.evening, "season": scope.season, "club": scope.club}
    entries = Entry.objects.filter(
        **own, kind=Entry.Kind.PAYMENT, currency=scope.currency, reversal=None
    )
    if scope.until:
        entries = entries.filter(date__lte=scope.until)
    latest = list(
        entries.order_by("-created_at").values_list("pk", flat=True)[:LOOK_BACK]
    )
    gains: dict[UUID, list[tuple[int, int]]] = defaultdict(list)
    for entry, player, amount in Posting.objects.filter(entry__in=latest).values_list(
        "entry", "player", scope.unit
    ):
        gains[entry].append((amount, player))
    paid: dict[tuple[int, int], int] = defaultdict(int)
    for (_minus, payee), (amount, payer) in map(sorted, gains.values()):
        paid[payer, payee] += amount
    return paid


def _before(left: Mapping[int, int], paid: Pairs) -> dict[int, int]:
    """Return what was open before these were paid."""
    before = dict(left)
    for (payer, payee), amount in paid.items():
        before[payer] = before.get(payer, 0) - amount
        before[payee] = before.get(payee, 0) + amount
    return before


def _less(planned: Iterable[Transfer[int]], paid: Pairs) -> list[Transfer[int]]:
    """Return what is planned but for what is paid; too much is to be given back."""
    rest: dict[tuple[int, int], int] = defaultdict(int)
    for transfer in planned:
        rest[transfer.payer, transfer.payee] += transfer.amount
    for (payer, payee), amount in paid.items():
        due = rest.pop((payer, payee), 0) - rest.pop((payee, payer), 0) - amount
        if due:
            rest[(payer, payee) if due > 0 else (payee, payer)] = abs(due)
    return [Transfer(*pair, amount) for pair, amount in sorted(rest.items())]


def _kept(left: Mapping[int, int], paid: Pairs) -> list[Transfer[int]]:
    """Return what is planned but for those payments that were planned so."""
    while paid:
        planned = transfers(_before(left, paid))
        due = {(t.payer, t.payee): t.amount for t in planned}
        fits = {pair: a for pair, a in paid.items() if a <= due.get(pair, 0)}
        if len(fits) == len(paid):
            return _less(planned, paid)
        paid = fits
    return transfers(left)


def _through(
    hub: Player | None, left: Mapping[int, int], people: dict[int, Player]
) -> list[Transfer[int]]:
    assert hub is not None
    at: int = hub.pk
    people[at] = hub
    return [
        Transfer(player, at, -amount) if amount < 0 else Transfer(at, player, amount)
        for player, amount in sorted(left.items())
        if amount and player != at
    ]


def _in_pairs(owed: Pairs) -> list[Transfer[int]]:
    return sorted(
        (
            Transfer(b, a, amount) if amount > 0 else Transfer(a, b, -amount)
            for (a, b), amount in owed.items()
        ),
        key=lambda transfer: (transfer.payer, transfer.payee),
    )


def _choices(left: Sums, own: int) -> Iterator[tuple[int, list[Transfer[int]]]]:
    """Yield with whom somebody can settle *own*, and what the others pay then.

    First the one who owes, or is owed, most in return; of many only he.
    """
    by_need = sorted(
        left, key=lambda player: (left[player] * (1 if own > 0 else -1), player)
    )
    for other in by_need[: 1 if len(left) > FEW else None]:
        yield other, transfers({**left, other: left[other] + own})


FEW = 12
"""Up to so many others everybody is tried; it takes a few hundredths of a second."""


def _rows(
    found: Iterable[Transfer[int]], people: Mapping[int, Player]
) -> tuple[Row, ...]:
    return tuple(Row(people[t.payer], people[t.payee], t.amount) for t in found)


def _no_treasurer() -> Problem:
    message = Text(_("Choose the club’s treasurer first."))
    return Problem(code="no_treasurer", field="method", message=message)
