"""Dump of everything that counts in an evening, to compare before and after."""

from __future__ import annotations

from ledger import tallies
from ledger.models import Hand, Seat
from ledger.table import deals as tables
from scoring import settlement

ACTIONS = "versions__entries__action"


def of_table(table):
    """Return all that counts at a table: hands in order, seats, the next deal."""
    return {
        "hands": [_hand(hand) for hand in _live(table)],
        "seats": list(
            Seat.objects.filter(lineup__table=table)
            .order_by("lineup__from_hand", "position")
            .values_list(
                "lineup__from_hand", "lineup__dealer", "position", "player", "resting"
            )
        ),
        "next": tables.next_deal(table),
    }


def of_evening(evening):
    tally = tallies.tally(evening)
    return {
        "tables": [of_table(table) for table in evening.tables.order_by("number")],
        "tally": tally,
        "plan": settlement.transfers({row.player.pk: row.points for row in tally}),
        "mayor": tallies.mayor(evening.club),
    }


def _live(table):
    hands = Hand.objects.filter(table=table, voided=False).order_by("number")
    return hands.prefetch_related(
        "versions__entries__postings", "versions__entries__reversal"
    )


def _hand(hand):
    version = max(hand.versions.all(), key=lambda version: version.number)
    (entry,) = (e for e in version.entries.all() if not hasattr(e, "reversal"))
    return {
        "hand": hand.pk,
        "number": hand.number,
        "played_at": hand.played_at,
        "record": version.record,
        "edition": version.edition_id,
        "dealer": (version.dealer_id, version.dealer_set),
        "players": version.players,
        "resting": (version.resting, version.resting_set),
        "multiplier": version.multiplier,
        "units": version.units,
        "posted": {p.player_id: (p.points, p.money) for p in entry.postings.all()},
    }
