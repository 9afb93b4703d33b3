"""Which gains a hand can bring, whatever was played."""

from __future__ import annotations

from random import Random

import pytest

import scoring
from ledger.demo.deals import games
from scoring.shape import can_be_paid

TO_PLAYERS = {"tarok_bonus_to": "player"}


@pytest.mark.parametrize(
    ("gains", "rules", "can_be"),
    [
        ([3, 3, -3, -3], {}, True),
        ([-2, 6, -2, -2], {}, True),
        ([2, -6, 2, 2], {}, True),
        ([0, 0, 0, 0], {}, True),
        ([0, 5, 5, 0, -5, -5], {}, True),
        ([16, -8, 8, -16], {}, False),
        ([3, 3, -3, -4], {}, False),
        ([1, 1, 1, 1, -4], {}, False),
        ([5, 1, -3, -3], {}, False),
        ([5, 1, -3, -3], TO_PLAYERS, True),
        ([4, 0, 0, -4], TO_PLAYERS, True),
        ([50, 10, -30, -30], TO_PLAYERS, False),
    ],
)
def test_one_side_pays_the_other_and_what_was_declared_is_paid_besides(
    gains, rules, can_be
):
    variant = scoring.tariff("taroki", rules).variant

    assert can_be_paid(variant, gains) is can_be


@pytest.mark.parametrize("game", list(scoring.VARIANTS))
def test_whatever_is_played_can_be_paid(game):
    tariff, rng = scoring.tariff(game), Random(game)

    for _hand in range(40):
        record = games.play_deal(tariff, rng, [0, 1, 2, 3])
        hand = scoring.parse(tariff, [0, 1, 2, 3], record)
        assert can_be_paid(tariff.variant, scoring.score(tariff, hand).payments)
