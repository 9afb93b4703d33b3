"""What a club changes: presets, options and values."""

from __future__ import annotations

from dataclasses import replace

import pytest

import scoring
from scoring.items import Preset
from tests.scoring.worked import PLAYERS

VARIANTS = scoring.VARIANTS.values()
TAROKI_GAME = scoring.get_variant("taroki")
CHOICES = [
    pytest.param(
        variant.id,
        option.id,
        choice.value,
        id=f"{variant.id} {option.id} {choice.value}",
    )
    for variant in VARIANTS
    for option in variant.options
    for choice in option.choices[1:]
]
BASIC = {"contract": "three", "declarer": "A", "partner": "B"}


@pytest.mark.parametrize(
    ("preset", "worth"),
    [
        (
            "classic",
            {
                "mond": (40, 20),
                "first_five": (10, 5),
                "first_six": (12, 6),
                "first_seven": (14, 7),
                "first_eight": (20, 10),
            },
        ),
        (
            "pagat",
            {
                "mond": (42, 21),
                "first_five": (10, None),
                "first_six": (10, None),
                "first_seven": (10, None),
                "first_eight": (20, None),
            },
        ),
        (
            "tournament",
            {
                "mond": (42, 21),
                "first_five": (10, None),
                "first_six": (10, None),
                "first_seven": (10, None),
                "first_eight": (15, None),
            },
        ),
    ],
)
def test_a_preset_has_its_values(preset, worth):
    bonus = scoring.tariff("palatine", {"preset": preset}).variant.bonus

    assert {id: (bonus[id].announced, bonus[id].silent) for id in worth} == worth
    assert (bonus["honours"].announced, bonus["honours"].silent) == (2, 1)
    assert (bonus["king_ultimo_clubs"].announced, bonus["slam"].announced) == (15, 6)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("classic", {}),
        (
            "pagat",
            {
                "slam_silences": "silent",
                "silent_pagat_loss": "on",
                "trump_count": "all_others",
                "redeal": "round",
                "first_eight_needs_all_tricks": "off",
            },
        ),
        (
            "tournament",
            {
                "slam_silences": "silent",
                "silent_pagat_loss": "on",
                "trump_count": "all_others",
                "redeal": "off",
                "contra_cap": 4,
                "first_eight_needs_all_tricks": "off",
            },
        ),
    ],
)
def test_a_preset_chooses_its_options(preset, options):
    tariff = scoring.tariff("palatine", {"preset": preset})
    default = scoring.tariff("palatine").options

    assert tariff.options == default | options
    assert tariff.rules == ({} if preset == "classic" else {"preset": preset})


def test_a_single_option_and_a_value_go_before_the_preset():
    rules = {
        "values": {"mond": {"silent": 7}},
        "trump_count": "off",
        "preset": "pagat",
        "redeal": "round",
    }

    tariff = scoring.tariff("paskievics", rules)

    assert tariff.options["trump_count"] == "off"
    assert tariff.variant.bonus["mond"].silent == 7
    assert tariff.variant.bonus["mond"].announced == 42
    assert tariff.rules == {k: v for k, v in rules.items() if k != "redeal"}


def test_a_value_of_a_preset_counts_whatever_it_is_of():
    dear = Preset(
        id="dear",
        name="dear",
        help="Everything costs more.",
        values={
            "1": {"value": 6},
            "trul": {"silent": 7},
            "surrendered": {"value": 8},
            "holdings": {"12": 9},
            "mond": {"silent": 10},
        },
    )
    taroki = replace(TAROKI_GAME, presets=(replace(dear, id="plain", values={}), dear))

    tariff = scoring.Tariff.of(
        taroki, {"preset": "dear", "values": {"1": {"value": 5}}}
    )
    paid = scoring.Tariff.of(taroki, {"preset": "dear"})

    assert tariff.variant.contract["1"].value == 5
    assert paid.variant.contract["1"].value == 6
    assert paid.variant.bonus["trul"].silent == 7
    assert paid.variant.ending["surrendered"].value == 8
    assert paid.variant.holdings.values == {**TAROKI_GAME.holdings.values, "12": 9}
    assert paid.rules == {"preset": "dear"}


@pytest.mark.parametrize("variant", VARIANTS, ids=repr)
def test_every_value_of_a_preset_is_a_value_of_some_game(variant):
    known = {
        item.id
        for game in VARIANTS
        for item in (*game.bonuses, *game.contracts, *game.endings, game.holdings)
    }

    assert {id for preset in variant.presets for id in preset.values} <= known


@pytest.mark.parametrize(("variant", "option", "value"), CHOICES)
def test_every_choice_of_an_option_changes_the_tariff(variant, option, value):
    default, chosen = scoring.tariff(variant), scoring.tariff(variant, {option: value})

    assert chosen.rules == {option: value}
    assert chosen.options[option] == value
    assert _facts(chosen.variant) != _facts(default.variant)


@pytest.mark.parametrize(("variant", "option", "value"), CHOICES)
def test_every_choice_shows_in_a_score_a_check_a_count_or_a_redeal(
    variant, option, value
):
    default, chosen = scoring.tariff(variant), scoring.tariff(variant, {option: value})

    assert _shown(chosen, option) != _shown(default, option)


@pytest.mark.parametrize(
    ("redeal", "doubling"),
    [
        ("next_deal_cumulative", "cumulative"),
        ("next_deal_flat", "flat"),
        ("round", "round"),
        ("off", "off"),
    ],
)
def test_thrown_in_hungarian_deals_double_as_the_club_has_it(redeal, doubling):
    tariff = scoring.tariff("palatine", {"redeal": redeal})

    assert (tariff.redeal.doubling, tariff.redeal.dealer) == (doubling, "same")
    assert tariff.variant.thrown_in == {"passed", "annulled"}


@pytest.mark.parametrize(
    ("passed", "doubling", "dealer"),
    [
        ("next_dealer", "off", "next"),
        ("same_dealer", "off", "same"),
        ("next_hand_doubled", "cumulative", "next"),
    ],
)
def test_four_passes_at_taroki_do_what_the_club_has_chosen(passed, doubling, dealer):
    tariff = scoring.tariff("taroki", {"pass_out": passed})

    assert (tariff.redeal.doubling, tariff.redeal.dealer) == (doubling, dealer)


@pytest.mark.parametrize("variant", scoring.VARIANTS)
def test_every_value_can_be_changed_and_counts(variant):
    rules = scoring.get_variant(variant)
    for bonus in rules.bonuses:
        for key in ("announced", "silent"):
            if getattr(bonus, key) is not None:
                values = {bonus.id: {key: 77}}
                tariff = scoring.tariff(variant, {"values": values})
                assert getattr(tariff.variant.bonus[bonus.id], key) == 77
                assert tariff.rules == {"values": values}
    for contract in rules.contracts:
        tariff = scoring.tariff(variant, {"values": {contract.id: {"value": 9}}})
        assert tariff.variant.contract[contract.id].value == 9


def test_the_price_of_surrender_and_of_taroks_can_be_changed():
    tariff = scoring.tariff(
        "taroki", {"values": {"surrendered": {"value": 5}, "holdings": {"12": 6}}}
    )
    held = {"contract": "1", "declarer": "A", "partner": "B", "won": True}

    surrendered = _score(
        tariff, {"ending": "surrendered", "contract": "1", "declarer": "A"}
    )
    declared = _score(tariff, held | {"holdings": {"A": "12"}})

    assert surrendered.payments == (-15, 5, 5, 5)
    assert declared.units == 7


def test_a_bonus_without_values_is_not_played():
    values = {"mond": {"announced": None, "silent": None}}
    tariff = scoring.tariff("paskievics", {"values": values})
    mond = {"bonus": "mond", "side": "declarer", "made": True}

    bonuses = {f.id: f.bonuses for f in scoring.fields(tariff)}["bonuses"]
    _, problems = scoring.examine(
        tariff, PLAYERS, BASIC | {"card_points": 50, "bonuses": [mond]}
    )

    assert "mond" not in {bonus.id for bonus in bonuses}
    assert [str(p.message) for p in problems] == ["This game has no bonus “mond”."]


def test_a_high_game_that_is_not_paid_in_silence_leaves_the_game():
    values = {"high_game": {"silent": None}}
    tariff = scoring.tariff("paskievics", {"values": values})

    score = _score(tariff, BASIC | {"contract": "two", "card_points": 75})

    assert [(line.item, line.points) for line in score.lines] == [("two", 2)]
    assert [band.least for band in scoring.bands(tariff)] == [0, 48]


@pytest.mark.parametrize("variant", scoring.VARIANTS)
@pytest.mark.parametrize(
    "rules",
    [
        [],
        "kozy",
        {"no_such": 1},
        {"contra_cap": 6},
        {"contra_cap": None},
        {"preset": "no such"},
        {"preset": []},
        {"values": []},
        {"values": None},
        {"values": {"no_such": {"value": 1}}},
        {"values": {"passed": {"value": 1}}},
        {"values": {"kings": 1}},
        {"values": {"kings": {}}},
        {"values": {"kings": {"announced": -1}}},
        {"values": {"kings": {"announced": 1.5}}},
        {"values": {"kings": {"announced": True}}},
        {"values": {"kings": {"announced": 10_000}}},
        {"values": {"kings": {"worth": 1}}},
        {"values": {"holdings": {"5": 1}}},
    ],
)
def test_rules_that_the_game_does_not_know_are_refused_with_a_sentence(variant, rules):
    with pytest.raises(scoring.Refused) as refused:
        scoring.tariff(variant, rules)

    assert [p.field for p in refused.value.problems] == ["rules"]
    assert str(refused.value)[-1] == "."


def test_all_faults_of_the_rules_are_told_at_once():
    rules = {"preset": "x", "y": 1, "contra_cap": 7, "values": {"z": {}}}

    with pytest.raises(scoring.Refused) as refused:
        scoring.tariff("palatine", rules)

    assert len(refused.value.problems) == 4


@pytest.mark.parametrize("id", ["schafkopf", "", None, [], 7])
def test_an_unknown_variant_is_the_callers_error(id):
    with pytest.raises(LookupError, match="expected one of: taroki, paskievics"):
        scoring.tariff(id)


def test_tariffs_of_the_same_rules_have_the_same_digest():
    one = scoring.tariff("paskievics", {"contra_cap": 2, "tie_47": "no_payment"})
    two = scoring.tariff("paskievics", {"tie_47": "no_payment", "contra_cap": "2"})

    assert one.digest == two.digest == '{"contra_cap":2,"tie_47":"no_payment"}'


# What each option is seen by

TAROKI = {"contract": "3", "declarer": "A", "partner": "B", "won": True}
DOES = {"side": "declarer", "made": True}
SEEN_BY = {
    "tarok_bonus_to": TAROKI | {"holdings": {"A": "10"}},
    "walat_scope": TAROKI
    | {
        "bonuses": [
            {"bonus": bonus, **DOES} for bonus in ("trul", "kings", "pagat_ultimo")
        ]
        + [{"bonus": "walat", "announced_by": "A", "made": True}]
    },
    "fail_absorbs_loss": TAROKI
    | {
        "bonuses": [
            {"bonus": "trul", "announced_by": "A", "made": False},
            {"bonus": "pagat_captured", "side": "defenders", "made": True},
        ]
    },
    "own_king_call": {k: v for k, v in TAROKI.items() if k != "partner"}
    | {"alone": "own_king"},
    "surrender_price": {
        "ending": "surrendered",
        "contract": "3",
        "declarer": "A",
        "contra": 1,
    },
    "xxi_captured": TAROKI | {"bonuses": [{"bonus": "xxi_captured", **DOES}]},
    "tie_47": BASIC | {"card_points": 47, "contra": 1},
    "factor_scope": BASIC
    | {"card_points": 75, "bonuses": [{"bonus": "honours", **DOES}]},
    "lone_base": BASIC | {"partner": None, "card_points": 50},
    "slam_silences": BASIC
    | {
        "card_points": 90,
        "bonuses": [
            {"bonus": "slam", **DOES},
            {"bonus": "kings", "announced_by": "A", "made": True},
        ],
    },
    "silent_pagat_loss": BASIC
    | {
        "card_points": 50,
        "bonuses": [{"bonus": "pagat_ultimo", "side": "declarer", "made": False}],
    },
    "trump_count": BASIC | {"card_points": 50, "holdings": {"A": "8"}},
    "first_eight_needs_all_tricks": BASIC
    | {
        "card_points": 50,
        "bonuses": [
            {"bonus": "first_eight", **DOES},
            {"bonus": "first_five", "side": "defenders", "made": True},
        ],
    },
}


def _shown(tariff, option):
    """Return what a scorer sees of *option*: what it pays, warns or counts."""
    if option == "contra_cap":
        return {f.id: f.most for f in scoring.fields(tariff)}["contra"]
    if option == "count_rule":
        return tariff.variant.pack.count(["SK"])
    if option in ("redeal", "thrown_in_dealer", "pass_out"):
        return tariff.redeal
    hand, problems = scoring.examine(tariff, PLAYERS, SEEN_BY[option])
    return [p.code for p in problems], scoring.score(tariff, hand).payments


def _facts(variant):
    return {key: value for key, value in vars(variant).items() if key != "options"}


def _score(tariff, slip):
    return scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip))
