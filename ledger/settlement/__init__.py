"""Settlement: who owes whom, how it can be paid, and why. It writes nothing.

A **scope** (`SettlementScope`) is what is settled as one: an evening, a season with
its evenings, the club up to a day, or all of it, in one currency or in points.

Its **balances** (`balances_of`, `sums_of`) are the sums of its postings by player.
They sum to 0: above zero a player is owed, below zero he owes.

A **plan** (`plan`) is the payments that bring every balance to 0, by the method of
the club: fewest payments, through the treasurer or the pot, or hand by hand. It takes
the **payments made** (`PaymentsMade`) into account, so that the rest of a plan stays
as it was planned.

**Debts** (`debts_of`) are the payments of the plan, which are open, beside those that
were paid and those that were carried to another scope. Pages, API and files show these.

A **statement** (`statement_of`, `overview_of`) has the entries that make up a balance.

**Pair sums** are what each two owe each other by the hands of a closed evening. The
table PairSum stores them as a cache; ledger/statistics/store.py stores and drops them
when an evening is closed or reopened. What is written, ledger/journal writes.
"""

from __future__ import annotations

from ledger.settlement.balances import (
    Balance,
    Sums,
    balances_of,
    listed,
    open_balances,
    open_currencies,
    owed_by_currency,
    sums_by_scope,
    sums_of,
    unsettled,
)
from ledger.settlement.carried_debts import Route, carried_debts_of, routes_of
from ledger.settlement.debt_query import (
    debts_by_plan,
    debts_of,
    debts_of_evenings,
    own_debts_of,
    paid_debts,
    payments_made_by,
)
from ledger.settlement.debts import Debt, Debts, DebtState, paid_words
from ledger.settlement.payments_made import PaymentsMade
from ledger.settlement.planning import (
    Method,
    PlannedPayment,
    SettlementPlan,
    fewest_transfers,
    method_applies,
    method_of,
    next_evening,
    plan,
    plan_for_one,
    pot_or_unsaved,
)
from ledger.settlement.retirement import leftovers_of
from ledger.settlement.scope import MONEY_ENTRIES, SettlementScope
from ledger.settlement.scope_entries import entries_in, in_force, money_entries
from ledger.settlement.statement import (
    Statement,
    statement_between,
    statement_of,
    statement_parts,
)
from ledger.settlement.statement_items import Item, Part
from ledger.settlement.statement_overview import (
    SHOWN_AT_FIRST,
    overview_between,
    overview_of,
)

__all__ = [
    "MONEY_ENTRIES",
    "SHOWN_AT_FIRST",
    "Balance",
    "Debt",
    "DebtState",
    "Debts",
    "Item",
    "Method",
    "Part",
    "PaymentsMade",
    "PlannedPayment",
    "Route",
    "SettlementPlan",
    "SettlementScope",
    "Statement",
    "Sums",
    "balances_of",
    "carried_debts_of",
    "debts_by_plan",
    "debts_of",
    "debts_of_evenings",
    "entries_in",
    "fewest_transfers",
    "in_force",
    "leftovers_of",
    "listed",
    "method_applies",
    "method_of",
    "money_entries",
    "next_evening",
    "open_balances",
    "open_currencies",
    "overview_between",
    "overview_of",
    "owed_by_currency",
    "own_debts_of",
    "paid_debts",
    "paid_words",
    "payments_made_by",
    "plan",
    "plan_for_one",
    "pot_or_unsaved",
    "routes_of",
    "statement_between",
    "statement_of",
    "statement_parts",
    "sums_by_scope",
    "sums_of",
    "unsettled",
]
