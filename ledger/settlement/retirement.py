"""What somebody who retires leaves behind: debts, and a seat at a table."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from ledger.models import LineUp, Player, Seat, Table
from ledger.settlement import planning
from ledger.settlement.planning import SettlementScope

FEW = 3
"""So many tables are named: an old evening may never have been closed."""


@dataclass(frozen=True, slots=True)
class OpenBalance:
    """What somebody is owed in one currency; below zero, what he owes."""

    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class Leftovers:
    open: tuple[OpenBalance, ...]
    tables: tuple[Table, ...]

    def __bool__(self) -> bool:
        return bool(self.open or self.tables)


def left_by(player: Player) -> Leftovers:
    """Return what is open of *player*, and where he sits in evenings that go on."""
    return Leftovers(_open(player), _tables(player))


def _open(player: Player) -> tuple[OpenBalance, ...]:
    codes = SettlementScope.everything(player.club, "").currencies
    sums = (
        (planning.sums(SettlementScope.everything(player.club, c)), c) for c in codes
    )
    return tuple(OpenBalance(s[player.pk], c) for s, c in sums if s.get(player.pk))


def _tables(player: Player) -> tuple[Table, ...]:
    last = LineUp.objects.filter(table=OuterRef("lineup__table")).order_by("-from_hand")
    seats = Seat.objects.filter(
        player=player,
        lineup=Subquery(last.values("pk")[:1]),
        lineup__table__evening__closed_at=None,
    ).select_related("lineup__table__evening")
    latest = seats.order_by("-lineup__table__evening__date", "lineup__table__number")
    return tuple(seat.lineup.table for seat in latest[:FEW])
