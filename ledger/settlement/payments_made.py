"""Payments made in a scope, which a plan takes into account.

A plan made again after some of its payments is the rest of the first plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger.models import Action, Entry, Posting
from ledger.settlement.balances import PairAmounts
from ledger.settlement.scope import SettlementScope

LOOK_BACK = 100
"""The latest payments that a plan takes into account."""


@dataclass(frozen=True, slots=True)
class PaymentMade:
    """One payment by an action, in points or minor units; players by their ids."""

    action: UUID | None
    action_kind: str
    payer: int
    payee: int
    amount: int


@dataclass(frozen=True, slots=True)
class PaymentsMade:
    """The payments of a scope, summed by payer and payee.

    *lent* are the pairs of a payer and the player for whom he paid.
    """

    amounts: PairAmounts
    lent: frozenset[tuple[int, int]] = frozenset()

    @classmethod
    def of(cls, payments: Iterable[PaymentMade]) -> PaymentsMade:
        """Return the sums of *payments*, in whatever order."""
        amounts: dict[tuple[int, int], int] = defaultdict(int)
        by_action: dict[UUID | None, list[PaymentMade]] = defaultdict(list)
        for payment in payments:
            amounts[payment.payer, payment.payee] += payment.amount
            by_action[payment.action].append(payment)
        return cls(amounts, frozenset(_lent(by_action.values())))

    @property
    def repayments(self) -> set[tuple[int, int]]:
        """The pairs whose payment would return what the payee paid, not lent."""
        return {(payee, payer) for payer, payee in self.amounts.keys() - self.lent}


def latest_payments(scope: SettlementScope) -> PaymentsMade:
    """Return the latest payments of *scope* itself, LOOK_BACK of them at most."""
    own = {"evening": scope.evening, "season": scope.season, "club": scope.club}
    entries = Entry.objects.filter(
        **own, kind=Entry.Kind.PAYMENT, currency=scope.currency, reversal=None
    )
    if scope.until:
        entries = entries.filter(date__lte=scope.until)
    newest = entries.order_by("-action__number", "pk").values_list("pk", flat=True)
    return PaymentsMade.of(_payments(list(newest[:LOOK_BACK]), scope.unit))


def _payments(entries: Iterable[UUID], unit: str) -> Iterator[PaymentMade]:
    """Yield the payments that these *entries* record."""
    postings = Posting.objects.filter(entry__in=entries)
    gains: dict[tuple[UUID, UUID, str], list[tuple[int, int]]] = defaultdict(list)
    for entry, action, kind, player, amount in postings.values_list(
        "entry", "entry__action", "entry__action__kind", "player", unit
    ):
        gains[entry, action, kind].append((amount, player))
    for (_entry, action, kind), both in gains.items():
        (_minus, payee), (amount, payer) = sorted(both)
        yield PaymentMade(action, kind, payer, payee, amount)


def _lent(by_action: Iterable[Sequence[PaymentMade]]) -> Iterator[tuple[int, int]]:
    """Yield the payer and the player for whom he paid, of each payment for another.

    Its action has two payments: to that player, and from him to the payee.
    """
    for payments in by_action:
        if len(payments) == 2 and payments[0].action_kind != Action.Kind.SETTLE:
            for one, other in (payments, payments[::-1]):
                if one.payee == other.payer:
                    yield one.payer, one.payee
