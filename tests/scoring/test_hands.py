"""Every worked hand, every option's hand and every refused hand of fixtures/hands."""

from __future__ import annotations

import pytest

import scoring
from tests.scoring.worked import PLAYERS, hands, load, stories

WORKED = [hand for variant in scoring.VARIANTS for hand in hands(variant)]
OPTIONS = load("hands/options.toml")
REFUSED = load("hands/refused.toml")


@pytest.mark.parametrize("case", stories(WORKED + OPTIONS))
def test_a_worked_hand_pays(case):
    tariff = scoring.tariff(case["variant"], case.get("rules"))

    hand = scoring.parse(tariff, PLAYERS, case["slip"])

    assert list(scoring.score(tariff, hand).payments) == case["gains"]


@pytest.mark.parametrize("case", stories(OPTIONS))
def test_the_option_of_a_worked_hand_is_what_makes_it_pay_so(case):
    tariff = scoring.tariff(case["variant"])

    hand, problems = scoring.examine(tariff, PLAYERS, case["slip"])
    gains = list(scoring.score(tariff, hand).payments)

    assert gains != case["gains"] or any(problem.is_error for problem in problems)


@pytest.mark.parametrize("case", stories(REFUSED))
def test_a_contradiction_is_refused(case):
    tariff = scoring.tariff(case["variant"], case.get("rules"))

    with pytest.raises(scoring.Refused) as refused:
        scoring.parse(tariff, PLAYERS, case["slip"])

    assert {p.field for p in refused.value.problems if p.is_error} == {case["field"]}
    assert str(refused.value)


@pytest.mark.parametrize("variant", scoring.VARIANTS)
def test_every_contract_and_bonus_has_a_worked_hand(variant):
    rules = scoring.get_variant(variant)
    slips = [case["slip"] for case in WORKED + OPTIONS if _is_like(case, variant)]
    lines = [line for slip in slips for line in slip.get("bonuses", [])]

    families = {rules.bonus[line["bonus"]].family for line in lines} - {""}
    used = {line["bonus"] for line in lines} | {
        bonus.id for bonus in rules.bonuses if bonus.family in families
    }

    assert {slip["contract"] for slip in slips if "contract" in slip} == {
        *rules.contract
    }
    assert used | {"high_game"} >= set(rules.bonus)


def _is_like(case, variant):
    """Whether *case* is of *variant* or of the game that it extends."""
    return case["variant"] in (
        (variant, "paskievics") if variant == "palatine" else (variant,)
    )


def test_what_is_held_is_told_in_the_order_of_the_seats():
    slip = {"contract": "3", "declarer": "A", "partner": "C", "won": True}
    tariff = scoring.tariff("taroki")
    lines = [
        scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip | held)).lines
        for held in (
            {"holdings": {"B": "2", "D": "1"}},
            {"holdings": {"D": "1", "B": "2"}},
        )
    ]

    assert lines[0] == lines[1]
    assert [line.seat for line in lines[0]][1:] == [1, 3]


def test_a_record_is_renamed_wherever_it_names_a_player():
    record = {
        "declarer": "A",
        "partner": None,
        "bonuses": [
            {"bonus": "trul", "announced_by": "A", "made": True},
            {"bonus": "kings", "side": "declarer", "made": True},
        ],
        "holdings": {"B": "10"},
    }

    assert scoring.renamed(record, {"A": 1, "B": 2}.get) == {
        "declarer": 1,
        "partner": None,
        "bonuses": [
            {"bonus": "trul", "announced_by": 1, "made": True},
            {"bonus": "kings", "side": "declarer", "made": True},
        ],
        "holdings": {"2": "10"},
    }


def test_a_record_that_names_nobody_stays_as_it_is():
    assert scoring.renamed({"ending": "passed"}, {}.get) == {"ending": "passed"}
