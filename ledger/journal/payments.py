"""Payments: money handed over, one by one, or as a settlement plan says.

What a scope settles is first carried into it from the narrower ones (`carryovers`), so
that no debt is paid twice. Locks: see `money_entries`.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from uuid import UUID

from ledger import settlement
from ledger.journal import writer
from ledger.journal.carryovers import gathering_entries, narrower_balances
from ledger.journal.idempotency import retry_once
from ledger.journal.money_entries import (
    MOST_AMOUNT,
    Kind,
    MoneyEntries,
    begin_in_scope,
    done_in_scope,
    locked_scope,
    money_entry,
    saved_player,
    scope_gains,
    text_problems,
)
from ledger.models import (
    Action,
    Player,
    User,
)
from ledger.models.exceptions import Stale
from ledger.settlement import Method, PlannedPayment, SettlementScope
from ledger.text.dates import EARLIEST, has_begun, is_likely
from scoring import Problem, Refused, problem, refuse
from scoring.text import _


@retry_once
def pay(
    scope: SettlementScope,
    payer: Player,
    payee: Player,
    amount: int,
    *,
    id: UUID,
    by: User,
    method: str = "cash",
    note: str = "",
    paid_by: Player | None = None,
    day: datetime.date | None = None,
    planned: str | None = None,
) -> Action:
    """Write a payment of *amount* minor units, whatever is owed.

    With *paid_by*, two payments are written: from that player to *payer*, who owes him
    from now on, and on to *payee*. *day* is today by default. Raise `Refused`; `Stale`
    when the plan of the method *planned* has no such payment by now.
    """
    scope = locked_scope(scope)
    if done := done_in_scope(id, Action.Kind.PAY, scope):
        return done
    if planned:
        _check_planned(scope, planned, PlannedPayment(payer, payee, amount))
    problems = _payment_problems(scope, payer, paid_by or payer, payee, amount)
    if found := [*problems, *text_problems(note, method), *_day_problems(day)]:
        raise Refused(found)
    action = begin_in_scope(Action.Kind.PAY, scope, id, by, note)
    payer, payee = saved_player(scope, payer), saved_player(scope, payee)
    rows = [PlannedPayment(payer, payee, amount)]
    if paid_by is not None and paid_by != payer:
        rows.append(PlannedPayment(saved_player(scope, paid_by), payer, amount))
    entries = _payment_entries(action, scope, rows, method, note, day)
    writer.post(
        [*gathering_entries(action, scope, narrower_balances(scope), day), *entries]
    )
    return action


@retry_once
def settle(
    scope: SettlementScope,
    method: str | None = None,
    *,
    id: UUID,
    by: User,
    seen: Sequence[tuple[int | None, int | None, int]] | None = None,
    how: str = "cash",
    note: str = "",
    day: datetime.date | None = None,
) -> Action | None:
    """Write all payments of the plan of *method*, so that every balance is 0.

    None when nothing is open. *how* is how it is paid: "cash", "transfer", other words.
    *seen* are the keys of the payments that were confirmed. Raise `Stale` when the plan
    has others by now, `Refused`.
    """
    scope = locked_scope(scope)
    if done := done_in_scope(id, Action.Kind.SETTLE, scope):
        return done
    plan = settlement.plan(scope, method)
    if plan.method == Method.CARRY and not plan.settled:
        refuse("method", _("Choose an evening to carry it over to."))
    _check_rows(plan.rows, seen)
    return _write_settlement(scope, plan.rows, id, by, how, note, day)


@retry_once
def settle_one(
    scope: SettlementScope,
    player: Player,
    *,
    id: UUID,
    by: User,
    seen: Sequence[tuple[int | None, int | None, int]] | None = None,
    how: str = "cash",
    note: str = "",
    day: datetime.date | None = None,
) -> Action | None:
    """Write the payments that bring the balance of *player* to 0; see `settle`."""
    scope = locked_scope(scope)
    if done := done_in_scope(id, Action.Kind.SETTLE, scope):
        return done
    rows, _others = settlement.plan_for_one(scope, player)
    _check_rows(rows, seen)
    return _write_settlement(scope, rows, id, by, how, note, day, only=True)


# Entries


def _write_settlement(
    scope: SettlementScope,
    rows: Sequence[PlannedPayment],
    id: UUID,
    by: User,
    how: str,
    note: str,
    day: datetime.date | None,
    *,
    only: bool = False,
) -> Action | None:
    """Write the payments, and what carries narrower balances into the scope.

    None where neither is needed; with *only* one player's, where no payment is.
    """
    if found := [*text_problems(note, how), *_day_problems(day)]:
        raise Refused(found)
    balances = [] if only and not rows else narrower_balances(scope)
    if not rows and not balances:
        return None
    action = begin_in_scope(Action.Kind.SETTLE, scope, id, by, note)
    saved = [
        PlannedPayment(
            saved_player(scope, r.payer), saved_player(scope, r.payee), r.amount
        )
        for r in rows
    ]
    payments = _payment_entries(action, scope, saved, how, note, day)
    writer.post([*gathering_entries(action, scope, balances, day), *payments])
    return action


def _payment_entries(
    action: Action,
    scope: SettlementScope,
    rows: Sequence[PlannedPayment],
    method: str,
    note: str,
    day: datetime.date | None = None,
) -> MoneyEntries:
    return [
        (
            money_entry(
                action,
                scope,
                Kind.PAYMENT,
                f"payment {row.payer.pk} {row.payee.pk}",
                note=note,
                method=method,
                day=day,
            ),
            scope_gains(scope, {row.payer.pk: row.amount, row.payee.pk: -row.amount}),
        )
        for row in rows
    ]


# What is refused


def _check_planned(
    scope: SettlementScope, method: str, payment: PlannedPayment
) -> None:
    """Raise `Stale` where the plan has no such payment."""
    if payment.key not in [row.key for row in settlement.plan(scope, method).rows]:
        raise Stale(None, ())


def _check_rows(
    rows: Sequence[PlannedPayment],
    seen: Sequence[tuple[int | None, int | None, int]] | None,
) -> None:
    if seen is not None and [row.key for row in rows] != [tuple(row) for row in seen]:
        raise Stale(None, ())


def _payment_problems(
    scope: SettlementScope, payer: Player, giver: Player, payee: Player, amount: int
) -> Iterator[Problem]:
    if {p.club_id for p in (payer, giver, payee)} != {scope.club.pk}:
        raise ValueError(f"expected players of club {scope.club.pk}")
    if payee in (payer, giver):
        yield problem("payee", _("Nobody can pay themselves: choose two people."))
    if amount <= 0:
        yield problem("amount", _("Enter an amount above 0."))
    if amount > MOST_AMOUNT:
        yield problem("amount", _("That is too much for one payment: enter less."))


def _day_problems(day: datetime.date | None) -> Iterator[Problem]:
    if day is not None and not has_begun(day):
        yield problem("day", _("This date is in the future."))
    elif day is not None and not is_likely(day):
        message = _("Look at the year: nothing is kept from before {year}.")
        yield problem("day", message, year=EARLIEST.year)
