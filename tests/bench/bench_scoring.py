"""How many hands a second one core scores, explanation included."""

from __future__ import annotations

import pytest

import scoring

PLAYERS = ["Ania", "Bartek", "Celina", "Darek"]
HANDS = {
    "taroki": {
        "contract": "3",
        "declarer": "Ania",
        "partner": "Celina",
        "contra": 1,
        "card_points": 41,
        "bonuses": [
            {"bonus": "trul", "announced_by": "Ania", "made": True},
            {"bonus": "kings", "side": "declarer", "made": True},
            {
                "bonus": "pagat_ultimo",
                "announced_by": "Ania",
                "contra": 2,
                "made": False,
            },
        ],
        "holdings": {"Bartek": "10"},
    },
    "paskievics": {
        "contract": "three",
        "declarer": "Ania",
        "partner": "Bartek",
        "card_points": 48,
    },
    "palatine": {
        "contract": "three",
        "declarer": "Ania",
        "partner": "Bartek",
        "card_points": 86,
        "bonuses": [
            {"bonus": "first_five", "side": "declarer", "made": True},
            {"bonus": "first_six", "side": "declarer", "made": True},
            {"bonus": "first_seven", "side": "declarer", "made": True},
            {"bonus": "first_eight", "side": "declarer", "made": True},
            {"bonus": "slam", "side": "declarer", "made": True},
        ],
    },
}


@pytest.mark.parametrize("game", HANDS)
def test_score(benchmark, game):
    tariff = scoring.tariff(game)
    hand = scoring.parse(tariff, PLAYERS, HANDS[game])

    result = benchmark(scoring.score, tariff, hand)

    assert sum(result.payments) == 0


@pytest.mark.parametrize("game", HANDS)
def test_from_record_to_explanation(benchmark, game):
    tariff = scoring.tariff(game)

    def explained():
        hand = scoring.parse(tariff, PLAYERS, HANDS[game])
        assert scoring.check(tariff, hand) == []
        return [str(line.why) for line in scoring.score(tariff, hand).lines]

    assert benchmark(explained) != []
