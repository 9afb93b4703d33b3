"""Plan notes: what the plan has a player pay or get, beside his statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ledger import settlement
from ledger.models import Entry
from ledger.settlement import (
    Method,
    PlannedPayment,
    SettlementScope,
    Statement,
    pair_sums,
)
from ledger.text.markup import signed_worth, worth

PairSums = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Owed:
    """What pairs owe each other by their hands, and after their payments."""

    by_hands: PairSums
    left: PairSums


def plan_notes(statement: Statement) -> Iterator[str]:
    """Yield the planned payments of the player, and his debts carried elsewhere.

    A note says what part of a payment is for others: the plan of the fewest payments
    has a player pay whom he owes nothing.
    """
    planned = statement.amount + statement.for_others
    if statement.other is not None and statement.amount and not planned:
        yield _("In the plan neither pays the other: it goes through others.")
    owed = _owed_by_pairs(statement)
    for row in _rows(statement):
        yield " ".join(_row_notes(row, owed, statement.scope))
    yield from _carried(statement)


def _rows(statement: Statement) -> Iterator[PlannedPayment]:
    """Yield the planned payments of the player, or between the two."""
    player, other = statement.player, statement.other
    plan = statement.plan or settlement.plan(statement.scope, Method.FEWEST)
    for row in plan.rows:
        both = (row.payer, row.payee)
        if player in both and (other is None or other in both):
            yield row


def _row_notes(
    row: PlannedPayment, owed: Owed | None, scope: SettlementScope
) -> Iterator[str]:
    yield _("In the plan {payer} pays {payee} {amount}.").format(
        payer=row.payer.name,
        payee=row.payee.name,
        amount=worth(row.amount, scope.currency),
    )
    if owed is not None and (for_others := _for_others(row, owed, scope)):
        yield for_others


def _carried(statement: Statement) -> Iterator[str]:
    """Yield the debts of the player that were carried out of the scope."""
    scope, player, other = statement.scope, statement.player, statement.other
    items = (item for part in statement.parts for item in part.items)
    if scope.evening and not any(item.kind == Entry.Kind.CARRY for item in items):
        return
    for debt in settlement.carried_debts_of(scope):
        both = (debt.payer, debt.payee)
        if player in both and (other is None or other in both):
            amount = worth(debt.amount, scope.currency)
            yield f"{debt.payer.name} → {debt.payee.name} {amount}: {debt.words}"


def _owed_by_pairs(statement: Statement) -> Owed | None:
    """Return what all pairs of an evening owe each other, else only these two."""
    if statement.other is None:
        if statement.scope.evening is None:
            return None
        return Owed(*pair_sums.with_payments(statement.scope))
    one, two = sorted((statement.player.pk, statement.other.pk))
    sign = 1 if statement.player.pk == one else -1
    return Owed(
        {(one, two): sign * statement.by_hands}, {(one, two): sign * statement.amount}
    )


def _for_others(row: PlannedPayment, owed: Owed, scope: SettlementScope) -> str:
    """Return a note where the payment is not just what the two owe each other."""
    left, by_hands = _owed(row, owed.left), _owed(row, owed.by_hands)
    if left == row.amount:
        return ""
    message = _(
        "Their own hands come to {owed}; the rest goes through others, so that fewer "
        "payments are needed."
    )
    if left != by_hands:
        message = _(
            "Their own hands come to {owed}, or {left} after what they have paid each "
            "other; the rest goes through others, so that fewer payments are needed."
        )
    return message.format(
        owed=signed_worth(by_hands, scope.currency),
        left=signed_worth(left, scope.currency),
    )


def _owed(row: PlannedPayment, sums: PairSums) -> int:
    """Return what the payer of *row* owes its payee."""
    payer, payee = row.payer.pk, row.payee.pk
    owed = sums.get((min(payer, payee), max(payer, payee)), 0)
    return owed if payee < payer else -owed
