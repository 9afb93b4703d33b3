"""Audit of the deals of a table: dealer, multiplier and players follow in rotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.audit.actions import hand_label
from ledger.models import Version
from ledger.table import rotation
from ledger.table.rotation import PastDeal, TableLineUp

LOOK_BACK = 24
"""Deals before one that can decide its dealer or multiplier."""


def deal_differences(
    where: str, versions: Iterable[Version], line_ups: Sequence[TableLineUp[int]]
) -> Iterator[str]:
    """Replay the valid hands, given as latest *versions* in order of play."""
    past: list[PastDeal[int]] = []
    for version in versions:
        number = version.hand.number
        for missing in range(past[-1].number + 1 if past else 1, number):
            yield f"{where}: hand {missing} is missing."
        for wrong in _deal_differs(version, line_ups, past[-LOOK_BACK:]):
            yield f"{where}, {hand_label(version)}: {wrong}"
        past.append(PastDeal(number, version.dealer_id, version.thrown_in))
    for line_up in line_ups:
        if line_up.from_hand > len(past) + 1:
            number = line_up.from_hand
            yield f"{where}: the seats from hand {number} on are for a hand to come."


def _deal_differs(
    version: Version,
    line_ups: Sequence[TableLineUp[int]],
    past: Sequence[PastDeal[int]],
) -> Iterator[str]:
    tariff, number = version.edition.tariff, version.hand.number
    line_up = rotation.line_up_at(line_ups, number)
    dealer, active = version.dealer_id, tariff.variant.active
    due = rotation.due_dealer(line_ups, past, number, tariff.redeal)
    if dealer != due and not version.dealer_set:
        yield f"player {dealer} dealt, player {due} was due."
    multiplier = rotation.due_multiplier(line_ups, past, tariff.redeal)
    if version.multiplier != multiplier:
        yield (
            f"counts ×{version.multiplier}, ×{multiplier} follows from the deals "
            "before."
        )
    plays = list(rotation.due_players(line_up.present, dealer, active))
    if version.resting_set and len(set(version.players)) == active:
        plays = version.players
    rests = [player for player in line_up.order if player not in plays]
    if (version.players, version.resting) != (plays, rests):
        yield (
            f"{version.players} played and {version.resting} sat out, "
            f"{plays} and {rests} follow from the seats."
        )
