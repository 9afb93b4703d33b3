"""Carryovers: open balances nonzero from one settlement scope to another."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from uuid import UUID

from ledger import settlement
from ledger.journal import writer
from ledger.journal.idempotency import retry_once
from ledger.journal.money_entries import (
    Kind,
    MoneyEntries,
    begin_in_scope,
    done_in_scope,
    lock_evenings,
    money_entry,
    scope_gains,
)
from ledger.journal.writer import Gains
from ledger.models import (
    Action,
    Entry,
    Evening,
    Season,
    User,
)
from ledger.settlement import SettlementScope
from scoring import Problem, Refused, problem
from scoring.text import _


@retry_once
def carry(evening: Evening, to: Evening | None, *, id: UUID, by: User) -> Action | None:
    """Carry the open balances of *evening* over to evening *to*, or to its season.

    None when nothing is open. Raise `Refused` where *to* has another currency.
    """
    both = {e.pk: e for e in lock_evenings([evening.pk, to.pk if to else evening.pk])}
    source = SettlementScope.of_evening(both[evening.pk])
    target = SettlementScope.of_season(both[evening.pk].season, source.currency)
    if done := done_in_scope(id, Action.Kind.CARRY, source):
        return done
    if to is not None:
        target = SettlementScope.of_evening(both[to.pk])
        if problems := list(_target_problems(source, target)):
            raise Refused(problems)
    open_ = {pk: amount for pk, amount in settlement.sums_of(source).items() if amount}
    if not open_:
        return None
    action = begin_in_scope(Action.Kind.CARRY, source, id, by, "")
    out = {pk: -amount for pk, amount in open_.items()}
    writer.post(
        [
            _carry_entry(action, source, "out", out),
            _carry_entry(action, target, "in", open_),
        ]
    )
    return action


def narrower_balances(
    scope: SettlementScope,
) -> list[tuple[SettlementScope, settlement.Sums]]:
    """Return the open balances of each scope within *scope*, by player id."""
    if scope.evening:
        return []
    own = (None, scope.season.pk if scope.season else None)
    sums_of = settlement.sums_by_scope(scope)
    evenings = Evening.objects.in_bulk([e for e, _season in sums_of if e is not None])
    seasons = Season.objects.in_bulk([s for _evening, s in sums_of if s is not None])
    return [
        (
            replace(
                scope,
                evening=evenings[evening] if evening else None,
                season=seasons[season] if season else None,
            ),
            {player: amount for player, amount in sums.items() if amount},
        )
        for (evening, season), sums in sorted(sums_of.items(), key=str)
        if (evening, season) != own and any(sums.values())
    ]


def gathering_entries(
    action: Action,
    scope: SettlementScope,
    balances: Iterable[tuple[SettlementScope, settlement.Sums]],
    day: datetime.date | None = None,
) -> MoneyEntries:
    """Return the entries that carry balances of narrower scopes into *scope*."""
    entries: MoneyEntries = []
    total: Counter[int] = Counter()
    for narrower, sums in balances:
        of = narrower.evening or narrower.season or narrower.club
        name = f"out of {of._meta.model_name} {of.pk}"
        out = {player: -amount for player, amount in sums.items()}
        entries.append(_carry_entry(action, narrower, name, out, day))
        total.update(sums)
    if any(total.values()):
        entries.append(_carry_entry(action, scope, "in", total, day))
    return entries


def _carry_entry(
    action: Action,
    scope: SettlementScope,
    name: str,
    gains: Mapping[int, int],
    day: datetime.date | None = None,
) -> tuple[Entry, Gains]:
    nonzero = {player: amount for player, amount in gains.items() if amount}
    entry = money_entry(action, scope, Kind.CARRY, f"carried {name}", day=day)
    return entry, scope_gains(scope, nonzero)


def _target_problems(
    source: SettlementScope, target: SettlementScope
) -> Iterator[Problem]:
    if source.evening == target.evening or source.club != target.club:
        yield problem("to", _("Choose another evening of the club."))
    elif source.currency != target.currency:
        yield problem("to", _("That evening is played in another currency."))
