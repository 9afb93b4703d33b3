"""Settlement plan: the payments that bring every balance of a scope to 0."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext

from ledger.models import Club, Evening, Player
from ledger.settlement import pair_sums
from ledger.settlement.balances import Balance, PairAmounts, Sums, balances_of
from ledger.settlement.payments_made import PaymentsMade, latest_payments
from ledger.settlement.scope import SettlementScope
from scoring import refuse
from scoring.settlement import EXACT, Transfer, at_least, transfers
from scoring.text import _

Method = Club.Method
FEW = 12
"""Up to so many others plan_for_one tries everybody: a few hundredths of a second."""


@dataclass(frozen=True, slots=True)
class PlannedPayment:
    """A payment of a plan, in points or minor units."""

    payer: Player
    payee: Player
    amount: int

    @property
    def key(self) -> tuple[int | None, int | None, int]:
        """What a confirmation sends back; None is a pot that is not stored yet."""
        return self.payer.pk, self.payee.pk, self.amount


@dataclass(frozen=True, slots=True)
class SettlementPlan:
    """The payments that bring every balance of a scope to 0."""

    scope: SettlementScope
    method: str
    rows: tuple[PlannedPayment, ...]
    balances: tuple[Balance, ...]
    least: int
    """No plan has fewer payments; up to 16 players one has as many."""

    @property
    def exact(self) -> bool:
        return len(self.rows) <= self.least

    @property
    def settled(self) -> bool:
        return not any(balance.amount for balance in self.balances)


def plan(
    scope: SettlementScope,
    method: str | None = None,
    *,
    paid: PaymentsMade | None = None,
) -> SettlementPlan:
    """Return the plan for *scope*, by *method* or as the club settles.

    *paid* are the payments of the scope itself, where they are read already. Raise
    `Refused` where the method needs a treasurer and the club has none.
    """
    method = method or scope.club.method
    if method == Method.TREASURER and scope.club.treasurer is None:
        refuse("method", _("Choose the club’s treasurer first."), code="no_treasurer")
    balances = balances_of(scope)
    sums = {balance.player.pk: balance.amount for balance in balances}
    people = {balance.player.pk: balance.player for balance in balances}
    match method:
        case Method.FEWEST:
            made = latest_payments(scope) if paid is None else paid
            found = fewest_transfers(sums, made)
        case Method.TREASURER:
            found = _with_hub(scope.club.treasurer, sums, people)
        case Method.POT:
            found = _with_hub(pot_or_unsaved(scope.club), sums, people)
        case Method.HANDS:
            found = _by_pairs(pair_sums.owed(scope)) if any(sums.values()) else []
        case _:
            found = []
    return SettlementPlan(
        scope, method, _planned(found, people), balances, at_least(sums)
    )


def plan_for_one(
    scope: SettlementScope, player: Player
) -> tuple[tuple[PlannedPayment, ...], tuple[PlannedPayment, ...]]:
    """Return how *player* settles alone, and the plan that is left for the others.

    He has one payment: to or from whoever leaves the others the fewest.
    """
    balances = balances_of(scope)
    people = {balance.player.pk: balance.player for balance in balances}
    sums = {balance.player.pk: balance.amount for balance in balances}
    own = sums.pop(player.pk, 0)
    if not own:
        rest = fewest_transfers(sums, latest_payments(scope))
        return (), _planned(rest, people)
    other, rest = min(_choices(sums, own), key=lambda choice: len(choice[1]))
    payer, payee = (player.pk, other) if own < 0 else (other, player.pk)
    alone = Transfer(payer, payee, abs(own))
    return _planned([alone], people), _planned(rest, people)


# Methods


def method_applies(method: str, scope: SettlementScope) -> bool:
    if method == Method.TREASURER:
        return scope.club.treasurer_id is not None
    if method == Method.CARRY:
        return scope.evening is not None
    return method in Method.values


def method_of(scope: SettlementScope, requested: str | None) -> str:
    """Return the method *requested*, else that of the club, else fewest payments."""
    for method in (requested, scope.club.method):
        if method and method_applies(method, scope):
            return method
    return Method.FEWEST


def pot_or_unsaved(club: Club) -> Player:
    """Return the pot of *club*; before its first use a player that is not stored."""
    pot = club.players.filter(kind=Player.Kind.POT).first()
    if pot is not None:
        return pot
    with translation.override(club.language):
        name = gettext("Pot")
    return Player(club=club, name=name, kind=Player.Kind.POT)


def next_evening(evening: Evening) -> Evening | None:
    """Return the next open evening in the same currency, to carry *evening* over to."""
    later = Q(date__gt=evening.date) | Q(date=evening.date, pk__gt=evening.pk)
    same = Evening.objects.not_removed().filter(
        later, club=evening.club_id, currency=evening.currency, closed_at=None
    )
    return same.order_by("date", "pk").first()


# Fewest payments


def fewest_transfers(
    sums: Mapping[int, int], paid: PaymentsMade
) -> list[Transfer[int]]:
    """Return the fewest payments, as they were planned before these were *paid*.

    An unplanned payment and a correction change the plan as little as they can. Where
    the fewest are known a plan with fewer wins, and then one with fewer repayments.

    >>> paid = PaymentsMade({(1, 2): 2})
    >>> [(t.payer, t.payee, t.amount) for t in fewest_transfers({1: -3, 2: 3}, paid)]
    [(1, 2, 3)]
    """
    before = _before(sums, paid.amounts)
    plans = [
        _rest(transfers(before), paid.amounts),
        _rest_as_planned(sums, paid.amounts),
    ]
    exact = sum(map(bool, before.values())) <= EXACT
    if exact:
        plans.append(transfers(sums))
    fewest = min(map(len, plans))
    repaying = partial(_count_between, paid.repayments)
    best = min((plan for plan in plans if len(plan) == fewest), key=repaying)
    if exact and repaying(best):
        return min(best, transfers(sums, paid.repayments), key=repaying)
    return best


def _count_between(
    pairs: Container[tuple[int, int]], plan: Iterable[Transfer[int]]
) -> int:
    """Return the number of payments in *plan* between these *pairs*."""
    return sum((t.payer, t.payee) in pairs for t in plan)


def _before(sums: Mapping[int, int], paid: PairAmounts) -> dict[int, int]:
    """Return the balances before these were *paid*."""
    before = dict(sums)
    for (payer, payee), amount in paid.items():
        before[payer] = before.get(payer, 0) - amount
        before[payee] = before.get(payee, 0) + amount
    return before


def _rest(planned: Iterable[Transfer[int]], paid: PairAmounts) -> list[Transfer[int]]:
    """Return *planned* without what is *paid*; what was paid beyond it is repaid."""
    rest: dict[tuple[int, int], int] = defaultdict(int)
    for transfer in planned:
        rest[transfer.payer, transfer.payee] += transfer.amount
    for (payer, payee), amount in paid.items():
        due = rest.pop((payer, payee), 0) - rest.pop((payee, payer), 0) - amount
        if due:
            rest[(payer, payee) if due > 0 else (payee, payer)] = abs(due)
    return [Transfer(*pair, amount) for pair, amount in sorted(rest.items())]


def _rest_as_planned(sums: Mapping[int, int], paid: PairAmounts) -> list[Transfer[int]]:
    """Return the rest of the plan that has the most of *paid* in it."""
    while paid:
        planned = transfers(_before(sums, paid))
        due = {(t.payer, t.payee): t.amount for t in planned}
        fits = {pair: a for pair, a in paid.items() if a <= due.get(pair, 0)}
        if len(fits) == len(paid):
            return _rest(planned, paid)
        paid = fits
    return transfers(sums)


# Other methods


def _with_hub(
    hub: Player | None, sums: Mapping[int, int], people: dict[int, Player]
) -> list[Transfer[int]]:
    """Return a payment of everybody to or from the *hub*, who joins *people*."""
    assert hub is not None
    people[hub.pk] = hub
    return [
        Transfer(player, hub.pk, -amount)
        if amount < 0
        else Transfer(hub.pk, player, amount)
        for player, amount in sorted(sums.items())
        if amount and player != hub.pk
    ]


def _by_pairs(owed: PairAmounts) -> list[Transfer[int]]:
    return sorted(
        (
            Transfer(b, a, amount) if amount > 0 else Transfer(a, b, -amount)
            for (a, b), amount in owed.items()
        ),
        key=lambda transfer: (transfer.payer, transfer.payee),
    )


def _choices(sums: Sums, own: int) -> Iterator[tuple[int, list[Transfer[int]]]]:
    """Yield with whom somebody can settle *own*, and the plan of the others then.

    First comes whoever has the greatest balance the other way; of many only he.
    """
    sign = 1 if own > 0 else -1
    by_need = sorted(sums, key=lambda player: (sums[player] * sign, player))
    for other in by_need[: 1 if len(sums) > FEW else None]:
        yield other, transfers({**sums, other: sums[other] + own})


def _planned(
    found: Iterable[Transfer[int]], people: Mapping[int, Player]
) -> tuple[PlannedPayment, ...]:
    return tuple(
        PlannedPayment(people[t.payer], people[t.payee], t.amount) for t in found
    )
