"""Dealt hands: the rules refuse none of them."""

from __future__ import annotations

from random import Random

import pytest

import scoring
from ledger.demo import deals
from ledger.demo.deals import games
from tests.scoring.tiny import TINY
from tests.scoring.worked import PLAYERS

TABLES = {
    "taroki": ("taroki", {}),
    "taroki with the XXI": ("taroki", {"xxi_captured": "on", "walat_scope": "adds"}),
    "paskievics": ("paskievics", {}),
    "palatine": ("palatine", {}),
    "palatine by pagat": ("palatine", {"preset": "pagat"}),
}
DEALS = 400
SKEWS = (0, 0, 0.06, 0.3)
RARE = {"first_six", "first_seven", "first_eight"}


@pytest.mark.parametrize("table", TABLES)
def test_a_hand_that_really_happened_is_never_refused(table):
    tariff = scoring.tariff(*TABLES[table])
    rng = Random(1)
    seen = set()

    for number in range(DEALS):
        skew = SKEWS[number % len(SKEWS)]
        record = games.play_deal(tariff, rng, PLAYERS, skew=skew)

        hand, problems = scoring.examine(tariff, PLAYERS, record)
        score = scoring.score(tariff, hand)

        assert [str(problem.message) for problem in problems] == [], (number, record)
        assert sum(score.payments) == 0
        seen |= {(line.item, line.announced, line.made) for line in score.lines}
    assert {bonus for bonus, _, _ in seen} >= {
        bonus.id for bonus in tariff.variant.bonuses if bonus.silent is not None
    } - RARE


@pytest.mark.parametrize("game", games.GAMES)
def test_declarers_win_a_bit_over_half_and_play_in_every_way(game):
    tariff, rng = scoring.tariff(game), Random(2)
    played = [games.play_deal(tariff, rng, PLAYERS) for _number in range(DEALS)]

    hands = [scoring.parse(tariff, PLAYERS, record) for record in played]
    bid = [hand for hand in hands if hand.card_points is not None]

    won = sum(hand.card_points >= tariff.variant.game.wins_with for hand in bid)
    assert 0.5 < won / len(bid) < 0.75
    assert {hand.contract for hand in bid} == set(tariff.variant.contract)
    assert {hand.declarer for hand in bid} == {0, 1, 2, 3}
    assert {hand.contra for hand in bid} >= {0, 1, 2}
    assert {hand.partner is None for hand in bid} == {True, False}
    assert "passed" in {hand.ending for hand in hands}
    assert any(line.announced for hand in bid for line in hand.bonuses)


def test_the_same_seed_deals_the_same_hands():
    tariff = scoring.tariff("taroki")

    one, two = ([games.play_deal(tariff, Random(3), PLAYERS)] for _run in range(2))

    assert one == two


def test_every_game_can_be_played_and_no_other():
    assert set(games.GAMES) == set(scoring.VARIANTS)
    with pytest.raises(LookupError, match="cannot play 'tiny'"):
        games.play_deal(scoring.Tariff.of(TINY), Random(3), PLAYERS)


@pytest.mark.parametrize(("contract", "taken"), [("two", 2), ("without", 6)])
def test_cards_are_left_in_the_stock_only_where_the_declarer_lifts(contract, taken):
    class LeavesThem(Random):
        def random(self):
            return 0.99

    deal = deals.play.DealtHand(deals.hungarian.DECK, LeavesThem(4))
    deal.declarer = 0

    deals.hungarian._exchange(deal, contract)

    assert sum(map(len, deal.discards)) == taken


def test_a_deal_follows_suit_and_plays_every_card_once():
    deal = deals.play.DealtHand(deals.taroki.DECK, Random(4))
    deal.play_with(2)

    deal.play(0, {})

    deck = deal.deck
    dealt = [card for hand in deal.hands for card in hand]
    assert sorted(dealt + deal.talon) == list(range(54))
    assert [card for card in range(54) if deal.player[card] >= 0] == sorted(dealt)
    leader = 0
    for number, winner in enumerate(deal.winners, start=1):
        trick = {
            deal.player[card]: card for card in dealt if deal.trick_of[card] == number
        }
        led = deck.suit[trick[leader]]
        for seat, card in trick.items():
            left = [c for c in deal.hands[seat] if deal.trick_of[c] >= number]
            suits = {deck.suit[c] for c in left}
            must = led if led in suits else 4 if 4 in suits else deck.suit[card]
            assert deck.suit[card] == must
        able = [card for card in trick.values() if deck.suit[card] in (led, 4)]
        assert trick[winner] == max(able)
        leader = winner
