"""A hand that can really happen is never refused."""

from __future__ import annotations

import pytest

import scoring
from tests.scoring import deal_hungarian, deal_taroki
from tests.scoring.worked import PLAYERS

TABLES = {
    "taroki": ("taroki", {}),
    "taroki with the XXI": ("taroki", {"xxi_captured": "on", "walat_scope": "adds"}),
    "paskievics": ("paskievics", {}),
    "palatine": ("palatine", {}),
    "palatine by pagat": ("palatine", {"preset": "pagat"}),
}
DEALS = 300
RARE = {"first_six", "first_seven", "first_eight"}


@pytest.mark.parametrize("table", TABLES)
def test_a_hand_that_really_happened_is_never_refused(table):
    variant, rules = TABLES[table]
    tariff = scoring.tariff(variant, rules)
    played = deal_taroki if variant == "taroki" else deal_hungarian
    seen = set()

    for seed in range(DEALS):
        slip = played.happened(seed, tariff)

        hand, problems = scoring.examine(tariff, PLAYERS, slip)
        score = scoring.score(tariff, hand)

        errors = [str(problem.message) for problem in problems if problem.is_error]
        assert errors == [], (seed, slip)
        assert sum(score.payments) == 0
        seen |= {(line.item, line.announced, line.made) for line in score.lines}
    assert {bonus for bonus, _, _ in seen} >= {
        bonus.id for bonus in tariff.variant.bonuses if bonus.silent is not None
    } - RARE
