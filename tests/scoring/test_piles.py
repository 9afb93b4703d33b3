"""Piles counted in threes, from their cards and from how many pictures they hold."""

from __future__ import annotations

import random

import pytest

import scoring
from tests.scoring.worked import load, stories

PILES = load("piles.toml", "pile")
PACKS = {
    rule: scoring.tariff("taroki", {"count_rule": rule}).variant.pack
    for rule in ("kozy", "austrian")
}


@pytest.mark.parametrize("pile", stories(PILES))
def test_a_pile_counts_as_at_kozy(pile):
    assert PACKS["kozy"].count(pile["cards"]) == pile["points"]


@pytest.mark.parametrize("pile", stories(PILES))
def test_a_pile_counts_the_austrian_way(pile):
    assert PACKS["austrian"].count(pile["cards"]) == pile["austrian"]


@pytest.mark.parametrize("rule", PACKS)
@pytest.mark.parametrize("pile", stories(PILES))
def test_the_pictures_and_the_size_of_a_pile_count_the_same(pile, rule):
    pack, cards = PACKS[rule], pile["cards"]

    held = {rank.id: len({*rank.cards} & {*cards}) for rank in pack.ranks}

    assert pack.count_ranks(held, len(cards)) == pack.count(cards)


@pytest.mark.parametrize("size", range(55))
def test_both_sides_have_70_or_71_points_together(size):
    cards = sorted(PACKS["kozy"].values)
    random.Random(size).shuffle(cards)
    ours, theirs = cards[:size], cards[size:]

    kozy = sum(PACKS["kozy"].count(pile) for pile in (ours, theirs))
    austrian = sum(PACKS["austrian"].count(pile) for pile in (ours, theirs))

    assert kozy == (71 if size % 3 else 70)
    assert austrian == 70


def test_the_formula_of_the_rules_counts_every_pile():
    pack, rng = PACKS["kozy"], random.Random(5)

    for _ in range(500):
        pile = rng.sample(sorted(pack.values), rng.randint(0, 54))
        fives, queens, knights, jacks = (
            sum(pack.values[card] == points for card in pile) for points in (5, 4, 3, 2)
        )
        assert pack.count(pile) == (
            4 * fives + 3 * queens + 2 * knights + jacks + -(-len(pile) // 3)
        )


@pytest.mark.parametrize(
    ("variant", "cards", "points"), [("taroki", 54, 70), ("palatine", 42, 94)]
)
def test_the_whole_pack_has_its_points(variant, cards, points):
    pack = scoring.get_variant(variant).pack

    assert len(pack.values) == cards
    assert pack.count(pack.values) == points == pack.points


@pytest.mark.parametrize("cards", [["T22"], ["SK", "SK"]])
def test_a_card_unknown_or_twice_is_no_pile(cards):
    with pytest.raises(ValueError, match=r"card '(T22|SK)'"):
        PACKS["kozy"].count(cards)


@pytest.mark.parametrize(
    ("held", "size"),
    [({"kings": 5}, 10), ({"kings": -1}, 10), ({"kings": 4}, 3), ({}, 55), ({}, -1)],
)
def test_a_pile_holds_no_more_pictures_than_the_pack_and_itself(held, size):
    with pytest.raises(ValueError, match="expected"):
        PACKS["kozy"].count_ranks(held, size)
