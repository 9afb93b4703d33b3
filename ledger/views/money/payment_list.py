"""Payment list: payments, fees, prizes and carries of a scope, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from django.db.models import Max, Q
from django.http import HttpRequest

from ledger import settlement
from ledger.models import Action, Entry, Player
from ledger.settlement import (
    MONEY_ENTRIES,
    Debt,
    Debts,
    PaymentsMade,
    Route,
    SettlementScope,
)
from ledger.text import messages
from ledger.text.parsing import whole_number

Kind = Entry.Kind
PAGE_LENGTH = 40
"""Actions on a page."""


@dataclass(frozen=True)
class ActionGain:
    player: Player
    amount: int


@dataclass(frozen=True)
class MoneyAction:
    """An action that moved money without a hand: its payments, or its gains."""

    action: Action
    kind: str
    words: str
    how: str
    note: str
    payments: tuple[Debt, ...]
    gains: tuple[ActionGain, ...]

    @property
    def id(self) -> UUID:
        """A new id for the form that takes it back."""
        return uuid4()


@dataclass(frozen=True)
class PaymentList:
    """A page of the money entries of *scope* itself, newest first."""

    scope: SettlementScope
    entries: Sequence[Entry]
    page: int = 1
    has_more: bool = False

    @property
    def older_page(self) -> int | None:
        return self.page + 1 if self.has_more else None

    @property
    def paid(self) -> PaymentsMade | None:
        """All payments of the scope; None where the page does not have all of them."""
        if self.page > 1 or self.has_more or self.scope.until:
            return None
        return settlement.payments_made_by(self.paid_debts)

    @cached_property
    def paid_debts(self) -> list[Debt]:
        return settlement.paid_debts(self.scope, self.entries)

    def debts(self, method: str) -> Debts:
        """Return the debts of the scope, planned by *method*."""
        plan = settlement.plan(self.scope, method, paid=self.paid)
        return settlement.debts_by_plan(plan, self.paid_debts, self.entries)

    @cached_property
    def actions(self) -> list[MoneyAction]:
        by_action: dict[UUID, list[Entry]] = {}
        for entry in self.entries:
            if not _is_left_over(entry):
                by_action.setdefault(entry.action_id or entry.pk, []).append(entry)
        carries = {
            action
            for action, entries in by_action.items()
            if all(entry.kind == Kind.CARRY for entry in entries)
        }
        routes = settlement.routes_of(self.scope.club, self.scope.currency, carries)
        return [
            _money_action(entries, self.scope, routes) for entries in by_action.values()
        ]


def page_number(request: HttpRequest) -> int:
    return max(1, whole_number(request.GET.get("page")) or 1)


def payment_list_of(
    scope: SettlementScope,
    kinds: Sequence[str] = MONEY_ENTRIES,
    page: int | None = None,
) -> PaymentList:
    """Return the money entries of these *kinds*, with all entries of each action.

    Without a *page* it is all of them.
    """
    in_force = settlement.money_entries(scope).filter(kind__in=kinds)
    if page is None:
        return PaymentList(scope, list(in_force))
    left_over = Q(kind=Kind.CARRY, action__undone_by__isnull=False)
    entries = in_force.exclude(left_over)
    if page == 1:
        found = list(entries[: PAGE_LENGTH + 1])
        if len(found) <= PAGE_LENGTH:
            return PaymentList(scope, found)
    latest = entries.order_by().values("action").annotate(at=Max("created_at"))
    start = (page - 1) * PAGE_LENGTH
    actions = latest.order_by("-at", "action").values_list("action", flat=True)
    shown = list(actions[start : start + PAGE_LENGTH + 1])
    found = list(entries.filter(action__in=shown[:PAGE_LENGTH]))
    return PaymentList(scope, found, page, len(shown) > PAGE_LENGTH)


def _is_left_over(entry: Entry) -> bool:
    """Tell whether it is the carry of a payment that was taken back without it."""
    undone = entry.action is not None and hasattr(entry.action, "undone_by")
    return entry.kind == Kind.CARRY and undone


def _money_action(
    entries: Sequence[Entry], scope: SettlementScope, routes: Mapping[UUID, Route]
) -> MoneyAction:
    first = entries[0]
    assert first.action is not None
    payments = [entry for entry in entries if entry.kind == Kind.PAYMENT]
    shown = payments[0] if payments else first
    together = first.action.get_kind_display() if len(payments) > 1 else ""
    route = routes.get(first.action.pk)
    carried = route.words(scope.evening) if route else ""
    return MoneyAction(
        first.action,
        shown.kind,
        carried or together or str(shown.get_kind_display()),
        messages.how(shown.method),
        shown.note,
        tuple(settlement.paid_debts(scope, payments)),
        () if payments else tuple(_gains(entries, scope)),
    )


def _gains(entries: Iterable[Entry], scope: SettlementScope) -> Iterator[ActionGain]:
    """Yield the gains of all *entries* together, where not 0."""
    gains: dict[Player, int] = {}
    for entry in entries:
        for posting in entry.postings.all():
            before = gains.get(posting.player, 0)
            gains[posting.player] = before + getattr(posting, scope.unit)
    for player, amount in gains.items():
        if amount:
            yield ActionGain(player, amount)
