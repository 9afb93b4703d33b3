"""What moved money in a book without a hand: payments, fees, prizes, carryings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from django.db.models import Max, Q, QuerySet
from django.http import HttpRequest

from ledger import words
from ledger.models import Action, Entry, Player
from ledger.posted import whole
from ledger.settling import Pairs, Plan, Scope
from ledger.views.purse import id_in_forms

Kind = Entry.Kind
MOVING = (Kind.PAYMENT, Kind.FEE, Kind.PRIZE, Kind.CARRY)
A_PAGE = 40
"""So much is listed at once, the latest first."""


@dataclass(frozen=True)
class Give:
    """A payment: one of the plan, or one that was made by *action*."""

    payer: Player
    payee: Player
    amount: int
    action: UUID | None = None
    alone: bool = True
    """It was marked by itself, not as one of many."""

    @property
    def ids(self) -> tuple[str, str]:
        return id_in_forms(self.payer), id_in_forms(self.payee)

    @property
    def id(self) -> UUID:
        return uuid4()


@dataclass(frozen=True)
class Gain:
    player: Player
    amount: int


@dataclass(frozen=True)
class Deed:
    """Something that moved money without a hand, with all its entries."""

    action: Action
    kind: str
    words: str
    how: str
    note: str
    gives: tuple[Give, ...]
    gains: tuple[Gain, ...]

    @property
    def id(self) -> UUID:
        return uuid4()


@dataclass(frozen=True)
class Moves:
    """A page of what moved money in the book of *scope*, latest first."""

    scope: Scope
    entries: Sequence[Entry]
    page: int = 1
    has_more: bool = False

    @property
    def before(self) -> int | None:
        """The page of what was moved before these, if there is any."""
        return self.page + 1 if self.has_more else None

    @property
    def paid(self) -> Pairs | None:
        """What was paid in the whole book; None where this doesn't tell all of it."""
        if self.page > 1 or self.has_more or self.scope.until:
            return None
        paid: dict[tuple[int, int], int] = defaultdict(int)
        for give in self._paid:
            paid[give.payer.pk, give.payee.pk] += give.amount
        return paid

    def gives(self, plan: Plan) -> list[Give]:
        """Return what is to be paid and what was, each where it was when planned."""
        open_ = [Give(row.payer, row.payee, row.amount) for row in plan.rows]
        return sorted([*open_, *self._paid], key=_place)

    @cached_property
    def deeds(self) -> list[Deed]:
        by_action: dict[UUID, list[Entry]] = {}
        for entry in self.entries:
            by_action.setdefault(entry.action_id or entry.pk, []).append(entry)
        return [_deed(entries, self.scope) for entries in by_action.values()]

    @cached_property
    def _paid(self) -> list[Give]:
        paid = [entry for entry in self.entries if entry.kind == Kind.PAYMENT]
        together = [entry.action_id for entry in paid]
        return [
            _give(entry, self.scope, alone=together.count(entry.action_id) == 1)
            for entry in paid
        ]


def page_of(request: HttpRequest) -> int:
    """Return which page is asked for; the first without a number."""
    return max(1, whole(request.GET.get("page")) or 1)


def moves(scope: Scope, kinds: Sequence[str] = MOVING, page: int = 1) -> Moves:
    """Return what still counts of these *kinds*, with all entries of each action."""
    entries = Entry.objects.filter(
        club=scope.club,
        evening=scope.evening,
        season=None if scope.evening else scope.season,
        currency=scope.currency,
        kind__in=kinds,
        reversal=None,
    )
    left_there = Q(kind=Kind.CARRY, action__undone_by__isnull=False)
    entries = entries.exclude(left_there)  # by a payment that was taken back
    if page == 1:
        found = list(_known(entries)[: A_PAGE + 1])
        if len(found) <= A_PAGE:
            return Moves(scope, found)
    latest = entries.order_by().values("action").annotate(at=Max("created_at"))
    start = (page - 1) * A_PAGE
    actions = latest.order_by("-at", "action").values_list("action", flat=True)
    shown = list(actions[start : start + A_PAGE + 1])
    found = list(_known(entries.filter(action__in=shown[:A_PAGE])))
    return Moves(scope, found, page, len(shown) > A_PAGE)


def _known(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    known = entries.select_related("action__by").prefetch_related("postings__player")
    return known.order_by("-created_at", "pk")


def _place(give: Give) -> tuple[int, int, bool]:
    return give.payer.pk or 0, give.payee.pk or 0, give.action is None


def _give(entry: Entry, scope: Scope, *, alone: bool = True) -> Give:
    won = {p.player: getattr(p, scope.unit) for p in entry.postings.all()}
    payer, payee = max(won, key=won.__getitem__), min(won, key=won.__getitem__)
    return Give(payer, payee, won[payer], entry.action_id, alone)


def _deed(entries: Sequence[Entry], scope: Scope) -> Deed:
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
    return Deed(
        first.action,
        shown.kind,
        together or str(shown.get_kind_display()),
        words.how(shown.method),
        shown.note,
        tuple(_give(entry, scope) for entry in paid),
        tuple(Gain(player, amount) for player, amount in moved.items() if amount),
    )
