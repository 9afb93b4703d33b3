"""What moved money in a book without a hand: payments, fees, prizes, carryings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from django.db.models import Max, Q
from django.http import HttpRequest

from ledger import settlement
from ledger.models import Action, Entry, Player
from ledger.settlement import Debt, Debts, PaymentsMade, Route, SettlementScope
from ledger.text import messages
from ledger.text.parsing import whole_number

Kind = Entry.Kind
A_PAGE = 40
"""So much is listed at once, the latest first."""


@dataclass(frozen=True)
class ActionGain:
    player: Player
    amount: int


@dataclass(frozen=True)
class MoneyAction:
    """Something that moved money without a hand, with all its entries."""

    action: Action
    kind: str
    words: str
    how: str
    note: str
    gives: tuple[Debt, ...]
    gains: tuple[ActionGain, ...]

    @property
    def id(self) -> UUID:
        return uuid4()


@dataclass(frozen=True)
class Moves:
    """A page of what moved money in the book of *scope*, latest first."""

    scope: SettlementScope
    entries: Sequence[Entry]
    page: int = 1
    has_more: bool = False

    @property
    def before(self) -> int | None:
        """The page of what was moved before these, if there is any."""
        return self.page + 1 if self.has_more else None

    @property
    def paid(self) -> PaymentsMade | None:
        """What was paid in the whole book; None where this doesn't tell all of it."""
        if self.page > 1 or self.has_more or self.scope.until:
            return None
        return settlement.payments_made_by(self.payments)

    @cached_property
    def payments(self) -> list[Debt]:
        return settlement.paid_debts(self.scope, self.entries)

    def debts(self, method: str) -> Debts:
        """Return what is to be paid, what was, and what was carried elsewhere."""
        plan = settlement.plan(self.scope, method, paid=self.paid)
        return settlement.debts_by_plan(plan, self.payments, self.entries)

    @cached_property
    def deeds(self) -> list[MoneyAction]:
        by_action: dict[UUID, list[Entry]] = {}
        for entry in self.entries:
            if not _left_there(entry):
                by_action.setdefault(entry.action_id or entry.pk, []).append(entry)
        carried = {
            action
            for action, entries in by_action.items()
            if all(entry.kind == Kind.CARRY for entry in entries)
        }
        ways = settlement.routes_of(self.scope.club, self.scope.currency, carried)
        return [_deed(some, self.scope, ways) for some in by_action.values()]


def _left_there(entry: Entry) -> bool:
    """Tell whether it was carried by a payment that was taken back, and stays."""
    undone = entry.action is not None and hasattr(entry.action, "undone_by")
    return entry.kind == Kind.CARRY and undone


def page_of(request: HttpRequest) -> int:
    """Return which page is asked for; the first without a number."""
    return max(1, whole_number(request.GET.get("page")) or 1)


def moves(
    scope: SettlementScope,
    kinds: Sequence[str] = settlement.MONEY_KINDS,
    page: int | None = None,
) -> Moves:
    """Return what still counts of these *kinds*, with all entries of each action.

    Without a *page* it is all of the book.
    """
    known = settlement.money_entries(scope).filter(kind__in=kinds)
    if page is None:
        return Moves(scope, list(known))
    left_there = Q(kind=Kind.CARRY, action__undone_by__isnull=False)
    entries = known.exclude(left_there)
    if page == 1:
        found = list(entries[: A_PAGE + 1])
        if len(found) <= A_PAGE:
            return Moves(scope, found)
    latest = entries.order_by().values("action").annotate(at=Max("created_at"))
    start = (page - 1) * A_PAGE
    actions = latest.order_by("-at", "action").values_list("action", flat=True)
    shown = list(actions[start : start + A_PAGE + 1])
    found = list(entries.filter(action__in=shown[:A_PAGE]))
    return Moves(scope, found, page, len(shown) > A_PAGE)


def _deed(
    entries: Sequence[Entry], scope: SettlementScope, ways: Mapping[UUID, Route]
) -> MoneyAction:
    first = entries[0]
    assert first.action is not None
    paid = [entry for entry in entries if entry.kind == Entry.Kind.PAYMENT]
    moved: dict[Player, int] = {}
    for entry in entries if not paid else []:
        for posting in entry.postings.all():
            before = moved.get(posting.player, 0)
            moved[posting.player] = before + getattr(posting, scope.unit)
    shown = paid[0] if paid else first
    together = first.action.get_kind_display() if len(paid) > 1 else ""
    way = ways.get(first.action.pk)
    carried = way.words(scope.evening) if way else ""
    return MoneyAction(
        first.action,
        shown.kind,
        carried or together or str(shown.get_kind_display()),
        messages.how(shown.method),
        shown.note,
        tuple(settlement.paid_debts(scope, paid)),
        tuple(ActionGain(player, amount) for player, amount in moved.items() if amount),
    )
