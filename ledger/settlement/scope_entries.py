"""Entries of a settlement scope that are in force: neither reversed nor a reversal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from ledger.models import Entry, Posting
from ledger.settlement.scope import MONEY_ENTRIES, Kind, SettlementScope
from scoring.settlement import Transfer, hand_transfers, transfers


@dataclass(frozen=True, slots=True)
class ScopeEntry:
    """An entry in force with its gains by player id, in the unit of the scope."""

    id: UUID
    kind: str
    gains: dict[int, int]
    seats: Sequence[int] = ()
    """The players of a hand, from forehand on."""
    evening: int | None = None

    def transfers(self) -> list[Transfer[int]]:
        """Return who pays whom for it: after a hand as it is done at the table."""
        if not self.seats:
            return transfers(self.gains)
        by_seat = hand_transfers([self.gains[player] for player in self.seats])
        return [
            Transfer(self.seats[one.payer], self.seats[one.payee], one.amount)
            for one in by_seat
        ]


def entries_in(
    scope: SettlementScope, among: Collection[UUID] | None = None
) -> Iterator[ScopeEntry]:
    """Yield the entries in force of *scope*, the oldest first.

    Then come the roundings, those of an evening as one with the id of the first, and
    the carries, those of an action as one with its id: one from evening to evening
    within the scope moves nothing in it. With *among*, only these entries are read;
    an entry and its reversal have to be in it together.
    """
    roundings: dict[int, ScopeEntry] = {}
    carries: dict[UUID, ScopeEntry] = {}
    for pk, rows in groupby(_rows(scope, among), key=itemgetter(0)):
        postings = list(rows)
        _pk, kind, action, seats, evening, *_posting = postings[0]
        gains = {player: amount for *_entry, player, amount in postings}
        if kind == Kind.ROUNDING:
            total = ScopeEntry(pk, kind, {}, (), evening)
            _add(roundings.setdefault(evening, total), gains)
        elif kind == Kind.CARRY:
            total = ScopeEntry(action, kind, {})
            _add(carries.setdefault(action, total), gains)
        else:
            yield ScopeEntry(pk, kind, gains, seats or (), evening)
    for total in (*roundings.values(), *carries.values()):
        if any(total.gains.values()):
            yield total


def _add(total: ScopeEntry, gains: Mapping[int, int]) -> None:
    for player, amount in gains.items():
        total.gains[player] = total.gains.get(player, 0) + amount


def _rows(
    scope: SettlementScope, among: Collection[UUID] | None
) -> Iterator[tuple[Any, ...]]:
    """Yield the postings of entries in force, entry by entry, with its fields."""
    postings = scope.postings
    if among is not None:
        postings = Posting.objects.filter(entry__in=among)
    found = postings.values_list(
        *("entry__reverses", "entry", "entry__kind", "entry__action"),
        *("entry__version__players", "entry__evening", "player", scope.unit),
    )
    rows = list(found.order_by("entry__created_at", "entry", "player"))
    reversed_ = {reverses for reverses, *_row in rows}
    for reverses, *row in rows:
        if not reverses and row[0] not in reversed_:
            yield tuple(row)


def in_force(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return those of *entries* that are neither reversed nor a reversal."""
    # Reversals are known by their kind: `reverses` would read every entry.
    return entries.filter(reversal=None).exclude(kind=Kind.REVERSAL)


def money_entries(scope: SettlementScope) -> QuerySet[Entry]:
    """Return the payments, fees, prizes and carries of *scope* itself, newest first."""
    entries = Entry.objects.filter(
        club=scope.club,
        evening=scope.evening,
        season=None if scope.evening else scope.season,
        currency=scope.currency,
    )
    return money_among(entries)


def money_among(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return the payments, fees, prizes and carries among *entries*, newest first."""
    money = entries.filter(kind__in=MONEY_ENTRIES, reversal=None)
    with_action = money.select_related("action__by", "action__undone_by")
    return with_action.prefetch_related("postings__player").order_by(
        "-created_at", "pk"
    )
