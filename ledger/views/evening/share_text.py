"""Text of an evening to send to a chat."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import formats

from ledger.models import Evening
from ledger.settlement.debts import Debt, Debts, DebtState
from ledger.tallies import TallyRow
from ledger.text.amounts import signed
from ledger.text.markup import worth


def share_text(evening: Evening, tally: Sequence[TallyRow], debts: Debts) -> str:
    """Return the result of an evening for a chat: scores, then who pays whom."""
    ranked = sorted(tally, key=lambda row: -row.points)
    lines = [
        f"{evening.name}, {formats.date_format(evening.date)}",
        " · ".join(f"{row.player.name} {signed(row.points)}" for row in ranked),
        *(_debt_words(debt, evening.currency) for debt in debts.rows),
    ]
    return "\n".join(lines)


def _debt_words(debt: Debt, currency: str) -> str:
    amount = worth(debt.amount, currency)
    words = f"{debt.payer.name} → {debt.payee.name} {amount}"
    match debt.state:
        case DebtState.PAID:
            return f"{words} ✓"
        case DebtState.CARRIED:
            return f"{words} ({debt.words})"
    return words
