"""Statement: the entries that make up a balance, by evening, hand and line.

The parts of each level add up to the level above. Between two players it has the
transfers that were, or should have been, made between them after each hand. What a
plan has one pay the other beyond that is a debt to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from django.db.models import Q, QuerySet

from ledger.models import Entry, Evening, Player
from ledger.settlement import planning
from ledger.settlement.planning import Method, SettlementPlan
from ledger.settlement.scope import Kind, SettlementScope
from ledger.settlement.scope_entries import ScopeEntry, entries_in, in_force
from ledger.settlement.statement_items import Part, parts_of

EVENINGS_AT_ONCE = 25
"""Evenings that are read together."""


@dataclass(frozen=True, slots=True)
class Statement:
    """The balance of *player*; with *other*, what *other* owes him."""

    player: Player
    scope: SettlementScope
    amount: int
    parts: tuple[Part, ...]
    other: Player | None = None
    for_others: int = 0
    """What *other* pays *player* by the plan beyond *amount*: debts of others."""
    earlier: int | None = None
    """The sum of the evenings before these, where only the latest are listed."""
    plan: SettlementPlan | None = None
    """The plan that *for_others* comes from."""
    by_hands: int = 0
    """What *other* owes by the hands alone, without payments."""


def statement_of(
    player: Player, scope: SettlementScope, *, lines: bool = True
) -> Statement:
    """Return everything that makes up the balance of *player*."""
    amounts = _amounts(player, None, entries_in(scope))
    parts = parts_of(player, scope, amounts, lines=lines)
    return Statement(player, scope, sum(part.amount for part in parts), parts)


def statement_between(
    player: Player, other: Player, scope: SettlementScope
) -> Statement:
    """Return what *other* owes *player* by the hands and payments between the two."""
    entries = list(entries_in(scope))
    amounts = _amounts(player, other, entries)
    hands = (entry for entry in entries if entry.kind not in Entry.AFTER_CLOSING)
    by_hands = sum(amounts.get(entry.id, 0) for entry in hands)
    parts = parts_of(player, scope, amounts, lines=False)
    return pair_statement(player, other, scope, parts, by_hands)


def statement_parts(
    player: Player, other: Player | None, scope: SettlementScope, *, lines: bool = True
) -> Iterator[Part]:
    """Yield the parts of a statement, read some evenings at a time.

    What was carried out of the scope, or belongs to no evening, comes last.
    """
    entries = in_force(
        Entry.objects.filter(scope.entries(), club=scope.club, currency=scope.currency)
    )
    last = Q(evening=None) | Q(kind=Kind.CARRY)
    played = entries.exclude(last).values("evening")
    evenings = Evening.objects.filter(pk__in=played).order_by("date", "pk")
    ids = iter(list(evenings.values_list("pk", flat=True)))
    while chunk := list(islice(ids, EVENINGS_AT_ONCE)):
        within = entries.exclude(last).filter(evening__in=chunk)
        yield from _parts_among(player, other, scope, within, lines=lines)
    yield from _parts_among(player, other, scope, entries.filter(last), lines=lines)


def pair_statement(
    player: Player,
    other: Player,
    scope: SettlementScope,
    parts: tuple[Part, ...],
    by_hands: int,
    earlier: int | None = None,
) -> Statement:
    """Return the statement between two players, with the plan beside it."""
    amount = sum(part.amount for part in parts) + (earlier or 0)
    plan = planning.plan(scope, Method.FEWEST)
    for_others = _planned(plan, player, other) - amount
    return Statement(
        *(player, scope, amount, parts, other, for_others, earlier, plan, by_hands)
    )


def owed_for(entry: ScopeEntry, payer: int, payee: int) -> int:
    """Return what *payer* owes *payee* for *entry*; below zero, the other way."""
    return sum(
        transfer.amount if transfer.payee == payee else -transfer.amount
        for transfer in entry.transfers()
        if {transfer.payer, transfer.payee} == {payer, payee}
    )


def both_played(entry: ScopeEntry, *players: Player) -> bool:
    """Tell whether it is a hand that all these *players* played."""
    return {player.pk for player in players} <= set(entry.seats)


def _parts_among(
    player: Player,
    other: Player | None,
    scope: SettlementScope,
    entries: QuerySet[Entry],
    *,
    lines: bool,
) -> tuple[Part, ...]:
    among = list(entries.values_list("pk", flat=True))
    amounts = _amounts(player, other, entries_in(scope, among))
    return parts_of(player, scope, amounts, lines=lines, within=Q(pk__in=among))


def _amounts(
    player: Player, other: Player | None, entries: Iterable[ScopeEntry]
) -> dict[UUID, int]:
    """Return the amounts of *entries* for *player*, or between the two, by id.

    A hand that both played is in it also where neither pays the other.
    """
    amounts = ((entry, _amount(entry, player, other)) for entry in entries)
    return {
        entry.id: amount
        for entry, amount in amounts
        if amount or (other and both_played(entry, player, other))
    }


def _amount(entry: ScopeEntry, player: Player, other: Player | None) -> int:
    if other is None:
        return entry.gains.get(player.pk, 0)
    return owed_for(entry, other.pk, player.pk)


def _planned(plan: SettlementPlan, player: Player, other: Player) -> int:
    """Return what *other* pays *player* by *plan*."""
    both = {player.pk, other.pk}
    return sum(
        row.amount if row.payee == player else -row.amount
        for row in plan.rows
        if {row.payer.pk, row.payee.pk} == both
    )
