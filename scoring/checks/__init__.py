"""Contradictions: what cannot have happened at the table, all of it at once.

Most follow from the cards. A bonus says which tricks its side takes, which card wins
the last of them, which cards lie in its pile and which of those it captured; two
bonuses that ask for the same trick or card in two places contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.checks.bonuses import check_bonuses
from scoring.checks.card_points import check_card_points
from scoring.checks.endings import check_annulment, check_unplayed
from scoring.checks.game import check_contract, check_result
from scoring.checks.pairs import check_pairs
from scoring.checks.sides import check_sides
from scoring.checks.trumps import check_holdings, check_mayor
from scoring.hand import Hand
from scoring.items import EndingKind
from scoring.problems import Problem
from scoring.variant import Tariff, Variant


def check(tariff: Tariff, hand: Hand) -> list[Problem]:
    """Return every contradiction in *hand*; errors refuse it, warnings do not."""
    return list(_problems(tariff.variant, hand))


def _problems(variant: Variant, hand: Hand) -> Iterator[Problem]:
    ending = variant.ending[hand.ending]
    if ending.kind is EndingKind.PLAYED:
        yield from check_sides(variant, hand)
        yield from check_contract(variant, hand)
        yield from check_result(variant, hand)
        yield from check_bonuses(variant, hand)
        yield from check_card_points(variant, hand)
        yield from check_pairs(variant, hand)
        yield from check_mayor(variant, hand)
        yield from check_holdings(variant, hand)
    else:
        yield from check_unplayed(variant, ending, hand)
    yield from check_annulment(ending, hand)
