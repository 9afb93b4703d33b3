"""What options and values come to together, whatever is chosen.

Some pairs of choices are tried in every run; with KONTRA_HANDS=100000 every
combination of options is, on so many hands.
"""

from __future__ import annotations

import os
from itertools import combinations
from random import Random

import pytest

import scoring
from ledger.demo.deals import games
from tests.scoring import oracle
from tests.scoring.combined import changes, every_combination, every_pair, shows
from tests.scoring.combined import some_values as values_of
from tests.scoring.worked import PLAYERS

HANDS = int(os.environ.get("KONTRA_HANDS", "1500"))
ROWS = every_combination if "KONTRA_HANDS" in os.environ else every_pair
SKEWS = (0, 0.06, 0.3, 0.6)
pytestmark = pytest.mark.parametrize("game", scoring.VARIANTS)


def test_dealt_hands_under_any_rules_pay_what_their_lines_say(game):
    rows = ROWS(game)
    share, rng = HANDS // len(scoring.VARIANTS), Random(1)

    for number in range(share):
        rules = rows[number % len(rows)]
        if number % 2:
            rules = rules | {"values": values_of(game, rng)}
        tariff = scoring.tariff(game, rules)
        slip = games.play_deal(tariff, rng, PLAYERS, skew=rng.choice(SKEWS))
        hand = scoring.parse(tariff, PLAYERS, slip)
        score = scoring.score(tariff, hand)

        assert sum(score.payments) == 0
        assert _sum(score.lines) * hand.multiplier == score.units
        assert score.payments == _by_the_oracle(tariff, slip), (rules, slip)


def test_a_change_that_an_option_makes_shows_whatever_else_is_chosen(game):
    variant, told = scoring.get_variant(game), set()

    for rules in ROWS(game):
        options = scoring.Tariff.of(variant, rules).options
        for change in changes(variant, options):
            shown = shows(variant, change, rules)
            assert shown is not False, (change, rules)
            told |= {change} if shown else set()

    assert told == set(changes(variant))


def test_two_options_do_not_set_the_same(game):
    variant = scoring.get_variant(game)
    sets = [
        {(c.of, name) for choice in o.choices for c in choice.changes for name in c.to}
        for o in variant.options
    ]

    assert [one & other for one, other in combinations(sets, 2) if one & other] == []


def _sum(lines):
    return sum(line.base * 2**line.contra for line in lines)


def _by_the_oracle(tariff, slip):
    values, preset = tariff.rules.get("values", {}), tariff.rules.get("preset")
    slip = {"ending": "played"} | slip
    if tariff.variant.id == "taroki":
        return oracle.taroki(slip, tariff.options, values)
    return oracle.hungarian(slip, tariff.options, values, preset)
