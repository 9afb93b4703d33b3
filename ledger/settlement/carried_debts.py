"""Carried debts: what was open in a scope when an action carried it to another."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Max, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from ledger.models import Action, Club, Entry, Evening, Player, Posting
from ledger.settlement.balances import Sums, own_sums_of, sums_of
from ledger.settlement.debts import Debt, DebtState
from ledger.settlement.scope import Kind, SettlementScope
from scoring.settlement import transfers


@dataclass(frozen=True, slots=True)
class Route:
    """From where to where an action carried what was open.

    A payment across evenings carries from all of them, and has no *source*.
    """

    source: SettlementScope | None
    target: SettlementScope

    def words(self, here: Evening | None) -> str:
        """Return the route as seen from *here*, in the active language."""
        if self.source and here == self.target.evening:
            return _("Carried over from {where}").format(where=self.source.title)
        return _("Carried over to {where}").format(where=self.target.title)


@dataclass(frozen=True, slots=True)
class Flow:
    """The amounts that an action carried into a scope by player, and when.

    *day* is the day it counts for outside of evenings.
    """

    sums: Sums
    at: datetime.datetime
    day: datetime.date | None


def carried_debts_of(
    scope: SettlementScope, postings: QuerySet[Posting] | None = None
) -> list[Debt]:
    """Return what was open in *scope* and carried out of it, by all its postings.

    With *postings*, only by these.
    """
    if scope.evening is None and scope.season is None and scope.until is None:
        return []
    flows = _flows(scope, scope.postings if postings is None else postings)
    routes = routes_of(scope.club, scope.currency, flows)
    sums: dict[SettlementScope, Counter[int]] = defaultdict(Counter)
    for action, flow in flows.items():
        target = routes[action].target
        if not _covers(scope, target, flow):
            owed = {player: -amount for player, amount in flow.sums.items()}
            sums[_final_scope(target, flow.at)].update(owed)
    people = Player.objects.in_bulk({pk for in_one in sums.values() for pk in in_one})
    return [
        debt
        for target, in_one in sums.items()
        for debt in _debts_in(target, in_one, people)
    ]


def routes_of(
    club: Club, currency: str, actions: Collection[UUID]
) -> dict[UUID, Route]:
    """Return where each of these *actions* carried what was open."""
    if not actions:
        return {}
    found = Action.objects.filter(pk__in=actions).select_related("evening", "season")
    routes = {
        action.pk: Route(
            _scope_of(club, currency, action) if action.evening_id else None,
            _scope_of(club, currency, action),
        )
        for action in found
    }
    if any(route.source for route in routes.values()):
        routes |= dict(_out_of_evenings(club, currency, routes))
    return routes


def _out_of_evenings(
    club: Club, currency: str, routes: Mapping[UUID, Route]
) -> Iterator[tuple[UUID, Route]]:
    """Yield the routes out of an evening: the target is where the other entry is."""
    elsewhere = Q(evening=None) | ~Q(evening=F("action__evening"))
    entries = Entry.objects.filter(
        elsewhere,
        action__in=[action for action, route in routes.items() if route.source],
        kind=Kind.CARRY,
    )
    for entry in entries.select_related("evening", "season"):
        assert entry.action_id is not None
        target = _scope_of(club, currency, entry)
        yield entry.action_id, Route(routes[entry.action_id].source, target)


def _scope_of(club: Club, currency: str, of: Action | Entry) -> SettlementScope:
    return SettlementScope(club, currency, evening=of.evening, season=of.season)


def _flows(scope: SettlementScope, postings: QuerySet[Posting]) -> dict[UUID, Flow]:
    """Return what each action carried out of *scope*, or into it."""
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


def _covers(scope: SettlementScope, target: SettlementScope, flow: Flow) -> bool:
    """Tell whether what *flow* carried to *target* is still in *scope*."""
    if scope.evening:
        return scope.evening == target.evening
    if scope.season:
        within = target.evening and target.evening.season_id == scope.season.pk
        return bool(within) or scope.season == target.season
    day = target.evening.date if target.evening else flow.day
    return scope.until is None or (day is not None and day <= scope.until)


def _final_scope(scope: SettlementScope, at: datetime.datetime) -> SettlementScope:
    """Return where a debt is by now that was carried to *scope* at that time."""
    # A carry takes all that is open in a scope: the next one took the debt along.
    while scope.evening or scope.season:
        following = _next_carry(scope, at)
        if following is None:
            return scope
        scope, at = following
    return scope


def _next_carry(
    scope: SettlementScope, at: datetime.datetime
) -> tuple[SettlementScope, datetime.datetime] | None:
    """Return where *scope* was next carried to after that time, and when."""
    own = Entry.objects.filter(scope.own_entries(), currency=scope.currency)
    carries = own.filter(kind=Kind.CARRY, reversal=None, created_at__gt=at)
    later = [e for e in carries.order_by("created_at", "pk") if e.action_id]
    actions = {entry.action_id for entry in later if entry.action_id}
    routes = routes_of(scope.club, scope.currency, actions)
    for entry in later:
        assert entry.action_id is not None
        target = routes[entry.action_id].target
        if target != scope:
            return target, entry.created_at
    return None


def _debts_in(
    scope: SettlementScope, sums: Mapping[int, int], people: Mapping[int, Player]
) -> Iterator[Debt]:
    """Yield the debts carried to *scope*, of which each player has these *sums*."""
    owing = _owing(scope)
    for due in transfers(sums):
        yield Debt(
            *(people[due.payer], people[due.payee], due.amount, DebtState.CARRIED),
            *(due.payer in owing, scope),
        )


def _owing(scope: SettlementScope) -> set[int]:
    """Return who owes something in *scope* itself, and with all that it covers."""
    owing = {player for player, amount in own_sums_of(scope).items() if amount < 0}
    if scope.evening or not owing:
        return owing
    return {player for player, amount in sums_of(scope).items() if amount < 0} & owing
