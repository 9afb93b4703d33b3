"""Who owes whom: the balances of what is settled together, and a plan to clear them.

What is settled together is a scope; see ledger/settlement/scope.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, Sum
from django.utils import translation
from django.utils.translation import gettext

from ledger.models import Action, Club, Entry, Evening, Player, Posting
from ledger.settlement import pair_sums
from ledger.settlement.scope import (
    Pairs,
    ScopeEntry,
    SettlementScope,
    Sums,
    by_book,
    entries_in,
    live,
    sums,
)
from ledger.text.names import in_order
from scoring import refuse
from scoring.settlement import EXACT, Transfer, at_least, transfers
from scoring.text import _

__all__ = [
    "Balance",
    "Method",
    "Paid",
    "Pairs",
    "Payment",
    "PlannedPayment",
    "ScopeEntry",
    "SettlementPlan",
    "SettlementScope",
    "Sums",
    "balances",
    "books",
    "by_book",
    "can_be",
    "entries_in",
    "keeping",
    "listed",
    "live",
    "method_of",
    "next_evening",
    "open_currencies",
    "plan",
    "pot_or_new",
    "purse",
    "sums",
    "unsettled",
    "without",
]

Method = Club.Method
LOOK_BACK = 100
"""Payments that a plan remembers, so that it stays as it was planned."""


@dataclass(frozen=True, slots=True)
class Balance:
    """What somebody is owed; below zero, what he owes."""

    player: Player
    amount: int


@dataclass(frozen=True, slots=True)
class PlannedPayment:
    """One payment of a plan."""

    payer: Player
    payee: Player
    amount: int

    @property
    def key(self) -> tuple[int | None, int | None, int]:
        """Return what a confirmation sends back; the pot of a club without is None."""
        return self.payer.pk, self.payee.pk, self.amount


@dataclass(frozen=True, slots=True)
class Payment:
    """What was handed over, in points or minor units, by an action of some kind."""

    action: UUID | None
    kind: str
    payer: int
    payee: int
    amount: int


@dataclass(frozen=True, slots=True)
class Paid:
    """What was paid in a book, and who lent it to whom by paying for him."""

    amounts: Pairs
    lent: frozenset[tuple[int, int]] = frozenset()

    @classmethod
    def of(cls, payments: Iterable[Payment]) -> Paid:
        """Return the sums of *payments*, which are told action by action or not."""
        amounts: dict[tuple[int, int], int] = defaultdict(int)
        together: dict[UUID | None, list[Payment]] = defaultdict(list)
        for paid in payments:
            amounts[paid.payer, paid.payee] += paid.amount
            together[paid.action].append(paid)
        return cls(amounts, frozenset(_lent(together.values())))

    @property
    def returned(self) -> set[tuple[int, int]]:
        """Return whose payment to whom would give back what was paid, not lent."""
        return {(payee, payer) for payer, payee in self.amounts.keys() - self.lent}


def _lent(together: Iterable[Sequence[Payment]]) -> Iterator[tuple[int, int]]:
    """Yield who gave whom what that one paid on at once: one payment for another."""
    for payments in together:
        if len(payments) == 2 and payments[0].kind != Action.Kind.SETTLE:
            for one, other in (payments, payments[::-1]):
                if one.payee == other.payer:
                    yield one.payer, one.payee


@dataclass(frozen=True, slots=True)
class SettlementPlan:
    """The payments that bring every balance of a scope to zero."""

    scope: SettlementScope
    method: str
    rows: tuple[PlannedPayment, ...]
    balances: tuple[Balance, ...]
    least: int
    """No plan has fewer payments than that; of up to 16 people it can be reached."""

    @property
    def exact(self) -> bool:
        return len(self.rows) <= self.least

    @property
    def settled(self) -> bool:
        return not any(balance.amount for balance in self.balances)


def balances(scope: SettlementScope) -> tuple[Balance, ...]:
    """Return everybody who moved anything here, by name, the pot last."""
    found = sums(scope)
    people = in_order(Player.objects.filter(pk__in=found))
    people.sort(key=lambda player: player.is_pot)
    return tuple(Balance(player, found[player.pk]) for player in people)


def books(club: Club) -> list[tuple[SettlementScope, Sequence[Balance]]]:
    """Return the balances of *club* for each currency in which something is open."""
    first = SettlementScope.everything(club, "")
    found = {c: sums(first.in_currency(c)) for c in first.currencies}
    open_ = {c: left for c, left in found.items() if any(left.values())}
    people = in_order(
        Player.objects.filter(pk__in={p for o in open_.values() for p in o})
    )
    people.sort(key=lambda player: player.is_pot)
    return [
        (
            first.in_currency(currency),
            listed(Balance(who, left[who.pk]) for who in people if who.pk in left),
        )
        for currency, left in open_.items()
    ]


def open_currencies(scope: SettlementScope) -> list[str]:
    """Return in which currencies something of *scope* is open, "" for points."""
    each = [scope.in_currency(currency) for currency in scope.currencies]
    return [one.currency for one in each if any(sums(one).values())]


def purse(player: Player, club: Club) -> dict[str, int]:
    """Return what *player* is owed in each currency in which it is not nothing."""
    used = SettlementScope.everything(club, "").currencies
    mine = Posting.objects.filter(player=player)
    if len(used) == 1:  # then no posting has to look for its entry
        scope = SettlementScope.everything(club, used[0])
        owed = {used[0]: mine.aggregate(owed=Sum(scope.unit, default=0))["owed"]}
    else:
        rows = mine.values_list("entry__currency").order_by("entry__currency")
        sums = rows.annotate(Sum("points"), Sum("money"))
        owed = {code: money if code else points for code, points, money in sums}
    return {currency: amount for currency, amount in owed.items() if amount}


def listed(balances: Iterable[Balance]) -> list[Balance]:
    """Return who is listed in a club: somebody retired while anything is open."""
    return [one for one in balances if one.amount or not one.player.retired]


def plan(
    scope: SettlementScope, method: str | None = None, *, paid: Paid | None = None
) -> SettlementPlan:
    """Return how to settle *scope*, by default as the club does.

    *paid* is what was paid in its own book, where that is known already. Raise
    `Refused` when it goes through a treasurer and the club has none.
    """
    method = method or scope.club.method
    if method == Method.TREASURER and scope.club.treasurer is None:
        refuse("method", _("Choose the club’s treasurer first."), code="no_treasurer")
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
            found = _in_pairs(pair_sums.owed(scope)) if any(left.values()) else []
        case _:
            found = []
    rows = tuple(
        PlannedPayment(people[t.payer], people[t.payee], t.amount) for t in found
    )
    return SettlementPlan(scope, method, rows, open_, at_least(left))


def can_be(method: str, scope: SettlementScope) -> bool:
    if method == Method.TREASURER:
        return scope.club.treasurer_id is not None
    if method == Method.CARRY:
        return scope.evening is not None
    return method in Method.values


def method_of(scope: SettlementScope, asked: str | None) -> str:
    """Return how to settle: as asked, else as the club does, else as can be."""
    for method in (asked, scope.club.method):
        if method and can_be(method, scope):
            return method
    return Method.FEWEST


def keeping(left: Mapping[int, int], paid: Paid) -> list[Transfer[int]]:
    """Return the fewest payments: those that were planned before these were *paid*.

    A payment that wasn't planned, and a correction, change the plan as far as they
    must. Where the fewest are known, a plan with fewer wins, and then one in which
    fewer get back from somebody what they paid him.

    >>> paid = Paid({(1, 2): 2})
    >>> [(t.payer, t.payee, t.amount) for t in keeping({1: -3, 2: 3}, paid)]
    [(1, 2, 3)]
    """
    before = _before(left, paid.amounts)
    plans = [_less(transfers(before), paid.amounts), _kept(left, paid.amounts)]
    exact = sum(map(bool, before.values())) <= EXACT
    if exact:
        plans.append(transfers(left))
    fewest = min(map(len, plans))
    returned = partial(_among, paid.returned)
    best = min((plan for plan in plans if len(plan) == fewest), key=returned)
    if exact and returned(best):
        return min(best, transfers(left, paid.returned), key=returned)
    return best


def _among(pairs: Container[tuple[int, int]], plan: Iterable[Transfer[int]]) -> int:
    """Return how many payments of *plan* are between these *pairs*."""
    return sum((t.payer, t.payee) in pairs for t in plan)


def without(
    scope: SettlementScope, player: Player
) -> tuple[tuple[PlannedPayment, ...], tuple[PlannedPayment, ...]]:
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


def unsettled(evenings: Iterable[Evening]) -> set[int]:
    """Return which of *evenings* leave somebody with something to pay or to get.

    Each is asked by itself: all at once, PostgreSQL would read every posting there is.
    """
    own = Posting.objects.filter(entry__evening=OuterRef("pk"))
    by_player = own.values("player").annotate(Sum("money"), Sum("points")).order_by()
    in_points = Q(currency="")  # said first: the sums are only made where they count
    open_ = Q(in_points, Exists(by_player.exclude(points__sum=0))) | Q(
        ~in_points, Exists(by_player.exclude(money__sum=0))
    )
    asked = Evening.objects.filter(pk__in=[evening.pk for evening in evenings])
    return set(asked.filter(open_).values_list("pk", flat=True))


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
    same = Evening.objects.there().filter(
        later, club=evening.club_id, currency=evening.currency, closed_at=None
    )
    return same.order_by("date", "pk").first()


def _paid(scope: SettlementScope) -> Paid:
    """Return the latest payments in the scope's own book."""
    own = {"evening": scope.evening, "season": scope.season, "club": scope.club}
    entries = Entry.objects.filter(
        **own, kind=Entry.Kind.PAYMENT, currency=scope.currency, reversal=None
    )
    if scope.until:
        entries = entries.filter(date__lte=scope.until)
    latest = list(
        entries.order_by("-action__number", "pk").values_list("pk", flat=True)[
            :LOOK_BACK
        ]
    )
    gains: dict[tuple[UUID, UUID, str], list[tuple[int, int]]] = defaultdict(list)
    for *of, player, amount in Posting.objects.filter(entry__in=latest).values_list(
        "entry", "entry__action", "entry__action__kind", "player", scope.unit
    ):
        entry, action, kind = of
        gains[entry, action, kind].append((amount, player))
    return Paid.of(
        Payment(action, kind, payer, payee, amount)
        for (_entry, action, kind), moved in gains.items()
        for (_minus, payee), (amount, payer) in [sorted(moved)]
    )


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
) -> tuple[PlannedPayment, ...]:
    return tuple(
        PlannedPayment(people[t.payer], people[t.payee], t.amount) for t in found
    )
