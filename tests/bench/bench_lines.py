"""How fast `manage.py score` answers, JSON in and out, and what the slip greys out."""

from __future__ import annotations

import json
from functools import partial

import pytest

import scoring
from ledger.management import lines
from ledger.management.commands.score import score_hand
from tests.scoring.worked import PLAYERS, hands

SLIPS = {variant: hands(variant) for variant in scoring.VARIANTS}
FULL = {
    "contract": "two",
    "declarer": "A",
    "partner": "C",
    "card_points": 75,
    "contra": 1,
    "bonuses": [
        {"bonus": "high_game", "announced_by": "A", "contra": 1, "made": True},
        {"bonus": "honours", "announced_by": "C", "made": True},
        {"bonus": "king_ultimo_hearts", "announced_by": "B", "made": False},
        {"bonus": "first_five", "side": "declarer", "made": True},
        {"bonus": "kings", "side": "declarer", "made": True},
    ],
}


@pytest.mark.parametrize("language", ["en", "pl"])
def test_lines_of_json_in_and_out(benchmark, language):
    catalogue = lines.catalogue(language)
    answer = partial(score_hand, language=catalogue)
    asked = [
        json.dumps({"variant": v, "rules": c.get("rules"), "players": PLAYERS,
                    "hand": c["slip"]}).encode()
        for v, cases in SLIPS.items()
        for c in cases
    ]  # fmt: skip

    def answer_all():
        return [
            lines.dump_line(lines.answer_line(answer, line, catalogue))
            for line in asked
        ]

    benchmark.extra_info["hands"] = len(asked)
    assert all(b'"payments"' in line for line in benchmark(answer_all))


def test_what_a_full_slip_bars(benchmark):
    tariff = scoring.tariff("palatine")
    hand = scoring.parse(tariff, PLAYERS, FULL)

    assert benchmark(scoring.barred, tariff, hand)
