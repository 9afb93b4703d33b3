"""Debts: who owes whom how much, and whether it is open, paid or carried.

A carried debt is not paid: it belongs to the scope it was carried to, and is open
while its payer still owes there. Pages, share links, the API, files and the workbook
show debts by these classes alone.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from django.db import models
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.models import Action, Player
from ledger.settlement.planning import SettlementPlan
from ledger.settlement.scope import SettlementScope


class DebtState(models.TextChoices):
    OPEN = "open", gettext_lazy("open")
    PAID = "paid", gettext_lazy("paid")
    CARRIED = "carried", gettext_lazy("carried over")


@dataclass(frozen=True, slots=True)
class Debt:
    """An amount that one player owes another, in points or minor units."""

    payer: Player
    payee: Player
    amount: int
    state: DebtState
    open: bool
    """Whether it is still to be paid: here, or where it was carried to."""
    scope: SettlementScope
    """Where it is open, was paid, or was carried to."""
    action: Action | None = None
    """The payment."""
    alone: bool = True
    """Whether its action made no other payment."""
    paid_on: datetime.date | None = None
    counts_for: datetime.date | None = None
    """The day up to which it was settled, where that is another than *paid_on*."""

    @property
    def words(self) -> str:
        """The state, in the active language."""
        match self.state:
            case DebtState.OPEN:
                return str(DebtState.OPEN.label)
            case DebtState.PAID:
                return paid_words(self.paid_on, self.counts_for)
        carried = _("carried to {where}: still open there")
        settled = _("carried to {where}: no longer open")
        return (carried if self.open else settled).format(where=self.scope.title)

    @property
    def id(self) -> UUID:
        """A new id for a form about it."""
        return uuid4()


def paid_words(day: datetime.date | None, counts_for: datetime.date | None) -> str:
    """Return the day of a payment, and up to when it counts, in the active language."""
    if day is None:
        return str(DebtState.PAID.label)
    paid_on = formats.date_format(day)
    if counts_for is None:
        return _("paid on {day}").format(day=paid_on)
    until = formats.date_format(counts_for)
    return _("paid on {day}, counts up to {until}").format(day=paid_on, until=until)


@dataclass(frozen=True)
class Debts:
    """Every debt of a scope: open by the plan, paid, or carried elsewhere."""

    scope: SettlementScope
    plan: SettlementPlan
    rows: tuple[Debt, ...]

    @cached_property
    def settled(self) -> bool:
        """Whether nothing is to be paid any more, here or where it was carried."""
        return self.plan.settled and not any(debt.open for debt in self.rows)

    def of(self, state: DebtState) -> list[Debt]:
        return [debt for debt in self.rows if debt.state == state]

    @property
    def carried(self) -> list[Debt]:
        return self.of(DebtState.CARRIED)
