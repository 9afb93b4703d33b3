"""Leftovers of a player who retires: open balances, and seats at open tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from ledger.models import LineUp, Player, Seat, Table
from ledger.settlement.balances import sums_of
from ledger.settlement.scope import SettlementScope

FEW = 3
"""So many tables are named: an old evening may never have been closed."""


@dataclass(frozen=True, slots=True)
class OpenBalance:
    """The amount owed to a player in one currency; below zero, owed by him."""

    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class Leftovers:
    open: tuple[OpenBalance, ...]
    tables: tuple[Table, ...]

    def __bool__(self) -> bool:
        return bool(self.open or self.tables)


def leftovers_of(player: Player) -> Leftovers:
    """Return the open balances of *player*, and his tables in open evenings."""
    return Leftovers(tuple(_open(player)), _tables(player))


def _open(player: Player) -> Iterator[OpenBalance]:
    everything = SettlementScope.everything(player.club, "")
    for currency in everything.currencies:
        sums = sums_of(everything.in_currency(currency))
        if amount := sums.get(player.pk, 0):
            yield OpenBalance(amount, currency)


def _tables(player: Player) -> tuple[Table, ...]:
    last = LineUp.objects.filter(table=OuterRef("lineup__table")).order_by("-from_hand")
    seats = Seat.objects.filter(
        player=player,
        lineup=Subquery(last.values("pk")[:1]),
        lineup__table__evening__closed_at=None,
    ).select_related("lineup__table__evening")
    latest = seats.order_by("-lineup__table__evening__date", "lineup__table__number")
    return tuple(seat.lineup.table for seat in latest[:FEW])
