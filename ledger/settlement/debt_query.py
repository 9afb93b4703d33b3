"""Debt query: every debt of a scope, from its plan, its payments and its carries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ledger.models import Club, Entry, Evening, Player
from ledger.settlement import planning
from ledger.settlement.balances import Balance, own_sums_of, unsettled
from ledger.settlement.carried_debts import carried_debts_of
from ledger.settlement.debts import Debt, Debts, DebtState
from ledger.settlement.payments_made import PaymentMade, PaymentsMade
from ledger.settlement.planning import Method, PlannedPayment, SettlementPlan
from ledger.settlement.scope import Kind, SettlementScope
from ledger.settlement.scope_entries import money_among, money_entries
from scoring.settlement import transfers


def debts_of(scope: SettlementScope, method: str | None = None) -> Debts:
    """Return the debts of *scope*, planned by *method* or as the club settles.

    Where the club carries what is open, the plan has the fewest payments.
    """
    method = method or _usual_method(scope)
    entries = list(money_entries(scope))
    paid = paid_debts(scope, entries)
    plan = planning.plan(scope, method, paid=payments_made_by(paid))
    return debts_by_plan(plan, paid, entries)


def debts_of_evenings(club: Club, evenings: Sequence[Evening]) -> Iterator[Debts]:
    """Yield the debts of each of *evenings*; their entries are read at once."""
    entries: dict[int | None, list[Entry]] = defaultdict(list)
    for entry in money_among(Entry.objects.filter(evening__in=evenings)):
        entries[entry.evening_id].append(entry)
    open_ = unsettled(evenings)
    for evening in evenings:
        scope = SettlementScope(club, evening.currency, evening=evening)
        paid = paid_debts(scope, entries[evening.pk])
        method = _usual_method(scope)
        if evening.pk in open_:
            plan = planning.plan(scope, method, paid=payments_made_by(paid))
        else:
            plan = SettlementPlan(scope, method, (), (), 0)
        yield debts_by_plan(plan, paid, entries[evening.pk])


def own_debts_of(scope: SettlementScope) -> Debts:
    """Return the debts of a season or club itself, without those of its evenings."""
    entries = list(money_entries(scope))
    sums = own_sums_of(scope)
    people = Player.objects.in_bulk(sums)
    rows = tuple(
        PlannedPayment(people[due.payer], people[due.payee], due.amount)
        for due in transfers(sums)
    )
    balances = tuple(Balance(people[pk], sums[pk]) for pk in sorted(sums))
    plan = SettlementPlan(scope, Method.FEWEST, rows, balances, len(rows))
    carried = carried_debts_of(scope, scope.own_postings)
    return debts_by_plan(plan, paid_debts(scope, entries), entries, carried)


def debts_by_plan(
    plan: SettlementPlan,
    paid: Iterable[Debt],
    entries: Iterable[Entry],
    carried: Iterable[Debt] | None = None,
) -> Debts:
    """Return the debts that are open by *plan*, *paid* and *carried*.

    Without *carried*, they are read; of an evening only where *entries* have a carry.
    """
    scope = plan.scope
    open_ = [
        Debt(row.payer, row.payee, row.amount, DebtState.OPEN, True, scope)
        for row in plan.rows
    ]
    if carried is None:
        any_ = scope.evening is None or any(e.kind == Kind.CARRY for e in entries)
        carried = carried_debts_of(scope) if any_ else ()
    return Debts(scope, plan, tuple(sorted([*open_, *paid, *carried], key=_order)))


def paid_debts(scope: SettlementScope, entries: Iterable[Entry]) -> list[Debt]:
    """Return the payments among *entries* as paid debts."""
    payments = [entry for entry in entries if entry.kind == Kind.PAYMENT]
    of_action = Counter(entry.action_id for entry in payments)
    return [
        _paid_debt(scope, entry, of_action[entry.action_id] == 1) for entry in payments
    ]


def payments_made_by(debts: Iterable[Debt]) -> PaymentsMade:
    """Return the payments of these paid *debts*."""
    return PaymentsMade.of(
        PaymentMade(debt.action.pk, debt.action.kind, *_numbers(debt))
        for debt in debts
        if debt.action is not None
    )


def _usual_method(scope: SettlementScope) -> str:
    method = planning.method_of(scope, None)
    return Method.FEWEST if method == Method.CARRY else method


def _numbers(debt: Debt) -> tuple[int, int, int]:
    return debt.payer.pk, debt.payee.pk, debt.amount


def _paid_debt(scope: SettlementScope, entry: Entry, alone: bool) -> Debt:
    gains = {p.player: getattr(p, scope.unit) for p in entry.postings.all()}
    payer, payee = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
    return Debt(
        *(payer, payee, gains[payer], DebtState.PAID, False),
        *(scope, entry.action, alone),
        paid_on=entry.day,
        counts_for=entry.counts_for,
    )


def _order(debt: Debt) -> tuple[int, int, int]:
    order = (DebtState.PAID, DebtState.CARRIED, DebtState.OPEN)
    return debt.payer.pk or 0, debt.payee.pk or 0, order.index(debt.state)
