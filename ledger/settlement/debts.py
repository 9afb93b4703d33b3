"""Where every debt stands: open, paid, or carried to another book.

Pages, links, the API, files and the book all tell of debts what is read here. What is
carried is not paid: it stands in the book it was carried to, and is open while whoever
owed it still owes there.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from django.db import models
from django.db.models import F, Max, Q, Sum
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.models import Action, Club, Entry, Evening, Player, Posting
from ledger.settlement import planning
from ledger.settlement.planning import Method, Paid, Payment, SettlementPlan
from ledger.settlement.scope import SettlementScope, Sums, title
from scoring.settlement import transfers

Kind = Entry.Kind
MOVING = (Kind.PAYMENT, Kind.FEE, Kind.PRIZE, Kind.CARRY)
"""What moves money without a hand."""
OUTSIDE = (*MOVING, Kind.ADJUSTMENT, Kind.REVERSAL)
"""What can stand outside of evenings; an index leads from each kind to it."""


class DebtState(models.TextChoices):
    OPEN = "open", gettext_lazy("open")
    PAID = "paid", gettext_lazy("paid")
    CARRIED = "carried", gettext_lazy("carried over")


@dataclass(frozen=True, slots=True)
class Debt:
    """What one owes another, and what became of it."""

    payer: Player
    payee: Player
    amount: int
    state: DebtState
    open: bool
    """It is still to be paid: here, or where it was carried to."""
    book: SettlementScope
    """Where it stands; where it was paid, once it is."""
    action: Action | None = None
    """What paid it."""
    alone: bool = True
    """It was paid by itself, not as one of many."""
    paid_on: datetime.date | None = None
    counts_for: datetime.date | None = None
    """The day up to which it was settled, where that is another."""

    @property
    def words(self) -> str:
        """Say what became of it, in the active language."""
        match self.state:
            case DebtState.OPEN:
                return str(DebtState.OPEN.label)
            case DebtState.PAID:
                return paid_words(self.paid_on, self.counts_for)
        carried = _("carried to {where}: still open there")
        settled = _("carried to {where}: no longer open")
        return (carried if self.open else settled).format(where=title(self.book))

    @property
    def id(self) -> UUID:
        """A new id for what a form sends about it."""
        return uuid4()


def paid_words(day: datetime.date | None, counts_for: datetime.date | None) -> str:
    """Say when something was paid, and up to when it counts."""
    if day is None:
        return str(DebtState.PAID.label)
    paid_on = formats.date_format(day)
    if counts_for is None:
        return _("paid on {day}").format(day=paid_on)
    until = formats.date_format(counts_for)
    return _("paid on {day}, counts up to {until}").format(day=paid_on, until=until)


@dataclass(frozen=True)
class Debts:
    """Every debt of a scope: the plan, what was paid, what was carried elsewhere."""

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


def read(scope: SettlementScope, method: str | None = None) -> Debts:
    """Return where the debts of *scope* stand, as the club settles or by *method*.

    Where the club carries over what is open, that is told as the fewest payments.
    """
    method = method or _usual(scope)
    entries = list(moving(scope))
    made = payments(scope, entries)
    return with_plan(planning.plan(scope, method, paid=paid(made)), made, entries)


def _usual(scope: SettlementScope) -> str:
    method = planning.method_of(scope, None)
    return Method.FEWEST if method == Method.CARRY else method


def of_evenings(club: Club, evenings: Sequence[Evening]) -> Iterator[Debts]:
    """Yield where the debts of each of *evenings* stand, all of them read at once."""
    scopes = [
        SettlementScope(club, evening.currency, evening=evening) for evening in evenings
    ]
    moved: dict[int | None, list[Entry]] = defaultdict(list)
    for entry in _known(Entry.objects.filter(evening__in=evenings)):
        moved[entry.evening_id].append(entry)
    open_ = planning.unsettled(evenings)
    for scope, evening in zip(scopes, evenings, strict=True):
        made = payments(scope, moved[evening.pk])
        method = _usual(scope)
        if evening.pk in open_:
            plan = planning.plan(scope, method, paid=paid(made))
        else:
            plan = SettlementPlan(scope, method, (), (), 0)
        yield with_plan(plan, made, moved[evening.pk])


def of_book(scope: SettlementScope) -> Debts:
    """Return where the debts stand of the season, or the club, as one.

    Those of its evenings are theirs.
    """
    entries = list(moving(scope))
    left = _sums(scope)
    people = Player.objects.in_bulk(left)
    rows = tuple(
        planning.PlannedPayment(people[due.payer], people[due.payee], due.amount)
        for due in transfers(left)
    )
    balances = tuple(planning.Balance(people[pk], left[pk]) for pk in sorted(left))
    plan = SettlementPlan(scope, Method.FEWEST, rows, balances, len(rows))
    own = carried(scope, _own(scope, "entry__"))
    return with_plan(plan, payments(scope, entries), entries, own)


def with_plan(
    plan: SettlementPlan,
    made: Iterable[Debt],
    entries: Iterable[Entry],
    away: Iterable[Debt] | None = None,
) -> Debts:
    """Return what is open by *plan*, what was *made*, and what is *away* elsewhere."""
    scope = plan.scope
    open_ = [
        Debt(row.payer, row.payee, row.amount, DebtState.OPEN, True, scope)
        for row in plan.rows
    ]
    if away is None:
        moved = scope.evening is None or any(e.kind == Kind.CARRY for e in entries)
        away = carried(scope) if moved else ()
    return Debts(scope, plan, tuple(sorted([*open_, *made, *away], key=_place)))


def moving(scope: SettlementScope) -> models.QuerySet[Entry]:
    """Return what moved money in the book of *scope* itself, the latest first."""
    entries = Entry.objects.filter(
        club=scope.club,
        evening=scope.evening,
        season=None if scope.evening else scope.season,
        currency=scope.currency,
    )
    return _known(entries)


def _known(entries: models.QuerySet[Entry]) -> models.QuerySet[Entry]:
    found = entries.filter(kind__in=MOVING, reversal=None).select_related(
        "action__by", "action__undone_by"
    )
    return found.prefetch_related("postings__player").order_by("-created_at", "pk")


def payments(scope: SettlementScope, entries: Iterable[Entry]) -> list[Debt]:
    """Return those of *entries* that are payments, as debts that were paid."""
    made = [entry for entry in entries if entry.kind == Kind.PAYMENT]
    together = Counter(entry.action_id for entry in made)
    return [_payment(scope, entry, together[entry.action_id] == 1) for entry in made]


def paid(made: Iterable[Debt]) -> Paid:
    """Return what was paid, for the plan to stay as it was planned."""
    return Paid.of(
        Payment(debt.action.pk, debt.action.kind, *_numbers(debt))
        for debt in made
        if debt.action is not None
    )


def _numbers(debt: Debt) -> tuple[int, int, int]:
    return debt.payer.pk, debt.payee.pk, debt.amount


def _payment(scope: SettlementScope, entry: Entry, alone: bool) -> Debt:
    won = {p.player: getattr(p, scope.unit) for p in entry.postings.all()}
    payer, payee = max(won, key=won.__getitem__), min(won, key=won.__getitem__)
    return Debt(
        *(payer, payee, won[payer], DebtState.PAID, False, scope, entry.action, alone),
        paid_on=entry.day,
        counts_for=entry.counts_for,
    )


def _place(debt: Debt) -> tuple[int, int, int]:
    order = (DebtState.PAID, DebtState.CARRIED, DebtState.OPEN)
    return debt.payer.pk or 0, debt.payee.pk or 0, order.index(debt.state)


# What was carried


@dataclass(frozen=True, slots=True)
class Route:
    """From which evening to which book an action carried what was open.

    What is paid across evenings carries it from all of them, and has no source.
    """

    source: SettlementScope | None
    target: SettlementScope

    def words(self, here: Evening | None) -> str:
        """Say from where, or where to, it was carried, as it is seen from *here*."""
        if self.source and here == self.target.evening:
            return _("Carried over from {where}").format(where=title(self.source))
        return _("Carried over to {where}").format(where=title(self.target))


@dataclass(frozen=True, slots=True)
class Flow:
    """What an action carried, when, and the day it counts for outside of evenings."""

    sums: Sums
    at: datetime.datetime
    day: datetime.date | None


def carried(scope: SettlementScope, which: Q | None = None) -> list[Debt]:
    """Return what was open in *scope* and was carried out of it.

    With *which*, only what was carried by these postings of it.
    """
    if scope.evening is None and scope.season is None and scope.until is None:
        return []
    flows = _flows(scope, which)
    ways = routes(scope.club, scope.currency, flows)
    stand: dict[SettlementScope, Counter[int]] = defaultdict(Counter)
    for action, flow in flows.items():
        target = ways[action].target
        if not _covers(scope, target, flow):
            owed = {player: -amount for player, amount in flow.sums.items()}
            stand[_went_on(target, flow.at)].update(owed)
    people = Player.objects.in_bulk(
        {player for sums in stand.values() for player in sums}
    )
    return [
        debt for book, sums in stand.items() for debt in _standing(book, sums, people)
    ]


def routes(club: Club, currency: str, actions: Collection[UUID]) -> dict[UUID, Route]:
    """Return where each of these *actions* carried what was open."""
    if not actions:
        return {}
    made = Action.objects.filter(pk__in=actions).select_related("evening", "season")
    ways = {
        action.pk: Route(
            _scope(club, currency, action) if action.evening_id else None,
            _scope(club, currency, action),
        )
        for action in made
    }
    if any(way.source for way in ways.values()):
        ways |= dict(_onward(club, currency, ways))
    return ways


def _onward(
    club: Club, currency: str, ways: Mapping[UUID, Route]
) -> Iterator[tuple[UUID, Route]]:
    """Yield where evenings were carried to: the book of the other entry."""
    other = Q(evening=None) | ~Q(evening=F("action__evening"))
    entries = Entry.objects.filter(
        other,
        action__in=[action for action, way in ways.items() if way.source],
        kind=Kind.CARRY,
    )
    for entry in entries.select_related("evening", "season"):
        assert entry.action_id is not None
        target = _scope(club, currency, entry)
        yield entry.action_id, Route(ways[entry.action_id].source, target)


def _scope(club: Club, currency: str, of: Action | Entry) -> SettlementScope:
    return SettlementScope(club, currency, evening=of.evening, season=of.season)


def _flows(scope: SettlementScope, which: Q | None) -> dict[UUID, Flow]:
    """Return what each action carried out of *scope*, or into it."""
    postings = scope.postings.filter(which) if which else scope.postings
    rows = (
        postings.filter(entry__kind=Kind.CARRY, entry__reversal=None)
        .values_list("entry__action", "player")
        .annotate(Sum(scope.unit), Max("entry__created_at"), Max("entry__date"))
        .order_by()
    )
    flows: dict[UUID, Flow] = {}
    for action, player, amount, at, day in rows:
        if amount:
            flows.setdefault(action, Flow({}, at, day)).sums[player] = amount
    return flows


def _covers(scope: SettlementScope, book: SettlementScope, flow: Flow) -> bool:
    """Tell whether what flowed to *book* is still in *scope*."""
    if scope.evening:
        return scope.evening == book.evening
    if scope.season:
        within = book.evening and book.evening.season_id == scope.season.pk
        return bool(within) or scope.season == book.season
    day = book.evening.date if book.evening else flow.day
    return scope.until is None or (day is not None and day <= scope.until)


def _went_on(book: SettlementScope, at: datetime.datetime) -> SettlementScope:
    """Return where what came into *book* at that time stands by now.

    What is carried on is all that is open in a book.
    """
    while book.evening or book.season:
        later = (
            Entry.objects.filter(_own(book), currency=book.currency, kind=Kind.CARRY)
            .filter(reversal=None, created_at__gt=at)
            .order_by("created_at", "pk")
        )
        ways = routes(
            book.club, book.currency, {e.action_id for e in later if e.action_id}
        )
        on = [e for e in later if e.action_id and ways[e.action_id].target != book]
        if not on or on[0].action_id is None:
            return book
        book, at = ways[on[0].action_id].target, on[0].created_at
    return book


def _standing(
    book: SettlementScope, sums: Mapping[int, int], people: Mapping[int, Player]
) -> Iterator[Debt]:
    owing = _owing(book)
    for due in transfers(sums):
        yield Debt(
            *(people[due.payer], people[due.payee], due.amount, DebtState.CARRIED),
            *(due.payer in owing, book),
        )


def _owing(book: SettlementScope) -> set[int]:
    """Return who owes something in *book* itself, and in all that it covers."""
    owing = {player for player, amount in _sums(book).items() if amount < 0}
    if book.evening or not owing:
        return owing
    return {
        player for player, amount in planning.sums(book).items() if amount < 0
    } & owing


def _sums(book: SettlementScope) -> Sums:
    """Return the balances in *book* itself."""
    own = Posting.objects.filter(_own(book, "entry__"), entry__currency=book.currency)
    return dict(own.values_list("player").annotate(Sum(book.unit)).order_by())


def _own(book: SettlementScope, path: str = "") -> Q:
    """Return which entries stand in *book* itself; *path* leads to them."""
    if book.evening:
        return Q(**{f"{path}evening": book.evening})
    if book.season:
        return Q(**{f"{path}season": book.season})
    outside = {"club": book.club, "evening": None, "season": None, "kind__in": OUTSIDE}
    return Q(**{f"{path}{name}": value for name, value in outside.items()})
