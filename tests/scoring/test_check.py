"""Warnings, everything wrong at once, and what the slip greys out."""

from __future__ import annotations

import pytest

import scoring
from scoring.hand import BonusLine
from scoring.variant import changed
from tests.scoring.worked import PLAYERS

TAROKI = {"contract": "2", "declarer": "A", "partner": "B", "won": True}
PALATINE = {"contract": "two", "declarer": "A", "partner": "B", "card_points": 58}
ALONE = {"contract": "2", "declarer": "A", "won": True, "alone": "own_king"}
KINGS = {"bonus": "kings", "announced_by": "A", "made": True}


def problems(variant, slip, rules=None):
    _, found = scoring.examine(scoring.tariff(variant, rules), PLAYERS, slip)
    return [(p.code, p.severity.value, p.message.render(names=PLAYERS)) for p in found]


@pytest.mark.parametrize(
    ("variant", "rules", "slip", "said"),
    [
        (
            "taroki",
            {},
            TAROKI
            | {
                "bonuses": [{"bonus": "king_ultimo", "announced_by": "A", "made": True}]
            },
            "King Ultimo is announced by the partner, who holds the king. Is it right?",
        ),
        (
            "taroki",
            {"own_king_call": "forbidden"},
            ALONE,
            "Here the declarer may call their own king only with all four in hand. If "
            "it was so, save anyway.",
        ),
        (
            "palatine",
            {},
            PALATINE | {"xxi_lost_by": "C"},
            "C lost the XXI, so the opponents made Mond. Add it?",
        ),
        (
            "palatine",
            {"slam_silences": "silent"},
            PALATINE
            | {
                "bonuses": [
                    {"bonus": "slam", "announced_by": "A", "made": False},
                    {"bonus": "honours", "announced_by": "B", "made": False},
                ]
            },
            "One side cannot announce both Slam and Honours.",
        ),
    ],
)
def test_what_is_merely_unlikely_is_a_warning(variant, rules, slip, said):
    assert [found[1:] for found in problems(variant, slip, rules)] == [
        ("warning", said)
    ]
    assert scoring.parse(scoring.tariff(variant, rules), PLAYERS, slip)


def announced(bonus, player, made=False):
    return {"bonus": bonus, "announced_by": player, "made": made}


@pytest.mark.parametrize(
    ("variant", "lines", "said"),
    [
        (
            "taroki",
            [announced("trul", "A"), announced("trul", "C")],
            ["Trul: announced by A and C, but only one player holds its cards."],
        ),
        (
            "taroki",
            [announced("pagat_ultimo", "D"), announced("trul", "C")],
            [
                "Pagat Ultimo: announced by D, Trul: by C. "
                "Only one player holds the card that both need."
            ],
        ),
        (
            "taroki",
            [announced("trul", "A"), announced("trul", "B")],
            ["Trul: announced by A and B, who are one side. Keep only one."],
        ),
        (
            "taroki",
            [announced("trul", "A"), announced("trul", "A")],
            ["Trul: entered twice for one side. Keep only one."],
        ),
        (
            "palatine",
            [
                announced("honours", "C"),
                {"bonus": "honours", "side": "defenders", "made": True},
            ],
            ["Honours: entered twice for one side. Keep only one."],
        ),
        (
            "palatine",
            [announced("honours", "C") | {"side": "declarer"}],
            ["Honours: announced by C, who is on the other side."],
        ),
        (
            "taroki",
            [announced("kings", "A") | {"contra": 1}] * 2,
            [
                "Four Kings: there is no kontra on it.",
                "Four Kings: entered twice for one side. Keep only one.",
            ],
        ),
    ],
)
def test_what_is_wrong_is_said_once_with_the_players_it_is_about(variant, lines, said):
    slip = {"taroki": TAROKI, "palatine": PALATINE}[variant] | {"bonuses": lines}

    assert [message for _, _, message in problems(variant, slip)] == said


def test_four_announced_kings_explain_a_king_of_ones_own():
    rules = {"own_king_call": "forbidden"}

    assert problems("taroki", ALONE | {"bonuses": [KINGS]}, rules) == []


def test_everything_wrong_is_told_at_once():
    slip = {
        "contract": "2",
        "declarer": "E",
        "won": "yes",
        "contra": 1,
        "called": "stars",
        "bonuses": [
            {"bonus": "walat", "announced_by": "B", "contra": 1, "made": True},
            {"bonus": "mond", "side": "declarer", "made": True},
        ],
        "holdings": {"A": "7"},
    }

    codes = [code for code, _, _ in problems("taroki", slip)]

    assert sorted(codes) == [
        "bad_bonuses",
        "bad_called",
        "bad_declarer",
        "bad_holdings",
        "bad_won",
        "no_contra_on_bonus",
        "no_contra_on_contract",
    ]


def test_a_field_that_cannot_be_read_is_not_complained_of_twice():
    assert [code for code, _, _ in problems("taroki", TAROKI | {"contract": "9"})] == [
        "bad_contract"
    ]
    assert [
        code for code, _, _ in problems("palatine", PALATINE | {"card_points": "many"})
    ] == ["bad_card_points"]


@pytest.mark.parametrize("players", [("A", "B", "C"), ("A", "B", "C", "C")])
def test_a_hand_needs_its_number_of_different_players(players):
    _, found = scoring.examine(scoring.tariff("taroki"), players, TAROKI)

    assert [str(p.message) for p in found if p.field == "players"] == [
        "4 different players are needed."
    ]


@pytest.mark.parametrize("player", [True, 1.5, [], {}, "1"])
def test_a_player_is_known_by_what_the_caller_knows_him_by(player):
    _, found = scoring.examine(
        scoring.tariff("taroki"), (1, 2, 3, 4), TAROKI | {"declarer": player}
    )

    assert "declarer" in {p.field for p in found}


def test_players_may_be_numbers():
    slip = {"contract": "2", "declarer": 11, "partner": 7, "won": True}
    tariff = scoring.tariff("taroki")

    hand = scoring.parse(tariff, (7, 9, 11, 13), slip | {"holdings": {"9": 10}})

    assert hand.holdings == {1: "10"}
    assert scoring.score(tariff, hand).payments == (1, -1, 1, -1)
    assert hand.record((7, 9, 11, 13)) == {
        "ending": "played",
        **slip,
        "holdings": {"9": "10"},
    }


def test_nothing_is_barred_before_the_declarer_is_known():
    tariff = scoring.tariff("palatine")
    hand, _ = scoring.examine(tariff, PLAYERS, {"contract": "two"})

    assert scoring.barred(tariff, hand) == {}


def test_what_is_barred_in_a_slip_that_is_not_finished_is_what_it_adds():
    tariff = scoring.tariff("taroki")
    hand, found = scoring.examine(tariff, PLAYERS, {"declarer": "A", "partner": "B"})

    barred = scoring.barred(tariff, hand)

    assert {p.code for p in found} == {"no_contract", "no_result"}
    assert {(line.bonus, line.announced_by) for line in barred} == {
        ("kings", 2),
        ("kings", 3),
        ("king_ultimo", 2),
        ("king_ultimo", 3),
        ("kings", None),
    }


def test_two_who_announce_one_bonus_may_be_two_sides_while_nobody_declares():
    lines = [announced("pagat_ultimo", "A"), announced("pagat_ultimo", "C")]
    slip = {"contract": "2", "won": True, "bonuses": lines}

    assert [message for _, _, message in problems("taroki", slip)] == [
        "Choose the declarer.",
        "Pagat Ultimo: announced by A and C, but only one player holds its cards.",
    ]


def test_a_bonus_of_an_unknown_declarer_has_no_side_yet():
    slip = {"contract": "2", "bonuses": [KINGS]}

    hand, _ = scoring.examine(scoring.tariff("taroki"), PLAYERS, slip)

    assert hand.bonuses == (BonusLine("kings", None, 0),)


def test_a_hand_without_a_declarer_scores_nothing():
    tariff = scoring.tariff("taroki")
    hand, _ = scoring.examine(tariff, PLAYERS, {"contract": "2"})

    assert scoring.score(tariff, hand) == scoring.Score((0, 0, 0, 0), 0, ())


@pytest.mark.parametrize(
    ("tie", "contra", "made", "why"),
    [
        ("no_payment", 0, None, "A tie: nobody pays for the game."),
        ("last_doubler_loses", 1, True, "A tie: whoever doubled last has lost."),
        ("last_doubler_loses", 2, False, "47 card points"),
        ("defenders", 1, False, "47 card points"),
    ],
)
def test_a_tie_is_told(tie, contra, made, why):
    tariff = scoring.tariff("paskievics", {"tie_47": tie})
    slip = PALATINE | {"card_points": 47, "contra": contra}

    score = scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip))

    assert score.lines[0].made is made
    assert why in str(score.lines[0].why)


def test_a_walat_that_replaces_everything_silences_taroks_too():
    tariff = scoring.tariff("taroki", {"walat_scope": "replaces_everything"})
    slip = TAROKI | {
        "bonuses": [{"bonus": "walat", "side": "declarer", "made": True}],
        "holdings": {"C": "10"},
    }

    score = scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip))

    assert score.units == 5
    assert "Not paid in addition to Walat." in str(score.lines[-1].why)


def test_a_change_of_an_item_that_a_game_lacks_is_our_fault():
    variant = scoring.get_variant("taroki")

    with pytest.raises(LookupError, match="no item 'mond' in variant 'taroki'"):
        changed(variant, "mond", {"announced": 1})
    assert repr(variant) == "<variant taroki>"


@pytest.mark.parametrize(
    ("declarer", "partner", "side", "seats"),
    [
        (1, 3, scoring.Side.DECLARER, (1, 3)),
        (1, 3, scoring.Side.DEFENDERS, (0, 2)),
        (2, None, scoring.Side.DEFENDERS, (0, 1, 3)),
    ],
)
def test_a_side_has_its_members(declarer, partner, side, seats):
    assert scoring.Sides(declarer, partner).members(side) == seats


@pytest.mark.parametrize("contract", ["1", "2", "3"])
def test_any_contract_can_have_been_played(contract):
    hand = scoring.Hand(contract=contract, declarer=0)

    assert scoring.barred_contracts(scoring.tariff("taroki"), hand) == {}


def test_only_a_contract_that_takes_cards_can_be_surrendered():
    hand = scoring.Hand(ending="surrendered", declarer=0)

    barred = scoring.barred_contracts(scoring.tariff("taroki"), hand)

    assert {id: str(why) for id, why in barred.items()} == {
        "4": "Contract 4 takes no cards, so nobody can surrender it."
    }


@pytest.mark.parametrize(
    ("rules", "contract", "ending", "why"),
    [
        ({}, "1", "played", "No kontra on contract 1."),
        ({}, "3", "played", None),
        ({}, None, "played", None),
        (
            {},
            "3",
            "surrendered",
            "“Surrendered” costs the same with and without kontra.",
        ),
        ({"surrender_price": "contract_times_contra"}, "3", "surrendered", None),
    ],
)
def test_kontra_is_barred_where_nobody_can_say_it_or_it_costs_nothing(
    rules, contract, ending, why
):
    found = scoring.barred_contra(scoring.tariff("taroki", rules), contract, ending)

    assert (str(found) if found else None) == why
