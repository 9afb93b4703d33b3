"""Deals of a table follow from its line-ups and the hands before."""

from __future__ import annotations

from uuid import uuid4

import pytest

from ledger import journal
from ledger.models import LineUp, Seat
from ledger.table import deals
from scoring import Refused
from scoring.items import HIGHEST_MULTIPLIER
from tests.support.fixtures import names


@pytest.mark.parametrize(
    ("seats", "players", "resting"),
    [
        (4, "Ania Bartek Celina Darek", ""),
        (5, "Ania Bartek Celina Darek", "Ewa"),
        (6, "Ania Bartek Celina Darek", "Ewa Filip"),
    ],
)
def test_the_first_deal(lay, seats, players, resting):
    deal = deals.deal(lay(seats))

    assert (deal.number, deal.multiplier, deal.mayor) == (1, 1, None)
    assert (names(deal.players), names(deal.sitting_out)) == (players, resting)


def test_the_next_three_dealers_are_known(lay, record):
    at = lay(5)
    record(at)

    deal = deals.deal(at)

    assert (deal.number, deal.dealer.name) == (2, "Ania")
    assert names(deal.next_dealers) == "Bartek Celina Darek"
    assert names(deal.players) == "Bartek Celina Darek Ewa"


def test_a_dealer_chosen_by_hand_goes_on_from_there(lay, record, people):
    at = lay(5)
    version = record(at, dealer=people[1])

    deal = deals.deal(at)

    assert (version.dealer, version.dealer_set) == (people[1], True)
    assert version.players == [people[i].pk for i in (2, 3, 4, 0)]
    assert deal.dealer == people[2]


def test_choosing_the_dealer_that_is_due_is_no_choice(lay, record, people):
    version = record(lay(5), dealer=people[4])

    assert not version.dealer_set


def test_others_may_sit_out(lay, record, people):
    at = lay(6)
    version = record(at, resting=[people[0], people[3]])

    assert version.resting_set
    assert version.players == [people[i].pk for i in (1, 2, 4, 5)]
    assert version.resting == [people[i].pk for i in (0, 3)]
    assert deals.deal(at).dealer == people[0]


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        ({"dealer": 4}, "dealer"),
        ({"resting": [0]}, "resting"),
        ({"resting": [5]}, "resting"),
    ],
)
def test_a_choice_that_leaves_no_hand_is_refused(
    lay, record, people, owner, choice, field
):
    at = lay(4)
    chosen = {
        key: people[value] if key == "dealer" else [people[i] for i in value]
        for key, value in choice.items()
    }

    with pytest.raises(Refused) as refused:
        journal.record_hand(at, id=uuid4(), record={}, by=owner, **chosen)

    assert [problem.field for problem in refused.value.problems] == [field]


def test_who_takes_a_break_neither_plays_nor_deals(lay, record, people):
    at = lay(5)
    record(at)
    lineup = LineUp.objects.create(table=at, from_hand=2)
    for position, player in enumerate(people[:5]):
        Seat.objects.create(
            lineup=lineup, position=position, player=player, resting=position == 0
        )

    deal = deals.deal(at)

    assert (deal.dealer.name, names(deal.sitting_out)) == ("Bartek", "Ania")
    assert names(deal.players) == "Celina Darek Ewa Bartek"


def test_a_voided_hand_at_the_end_is_dealt_again(lay, record, owner):
    at = lay(5)
    record(at)
    journal.reverse_hand(record(at).hand, id=uuid4(), by=owner)

    deal = deals.deal(at)

    assert (deal.number, deal.dealer.name) == (2, "Ania")


def test_a_voided_hand_between_others_gives_up_its_number(lay, record, owner):
    at = lay(5)
    middle = record(at)
    record(at)
    journal.reverse_hand(middle.hand, id=uuid4(), by=owner)

    deal = deals.deal(at)

    assert (deal.number, deal.dealer.name) == (2, "Bartek")


@pytest.mark.parametrize(
    ("rules", "counts", "dealer"),
    [
        ({}, 4, "Darek"),
        ({"redeal": "next_deal_flat"}, 2, "Darek"),
        ({"redeal": "round", "thrown_in_dealer": "next"}, 4, "Bartek"),
        ({"redeal": "off"}, 1, "Darek"),
    ],
)
def test_the_tariff_says_what_follows_a_pass(lay, record, rules, counts, dealer):
    at = lay(4, "paskievics", rules)
    record(at, {"ending": "passed"})
    record(at, {"ending": "passed"})

    deal = deals.deal(at)

    assert (deal.multiplier, deal.dealer.name) == (counts, dealer)


def test_a_long_run_of_passes_is_read_to_its_beginning(lay, record):
    at = lay(4, "paskievics")
    for _again in range(deals.RECENT + 1):
        record(at, {"ending": "passed"})

    assert deals.deal(at).multiplier == HIGHEST_MULTIPLIER


def test_the_next_deal_takes_the_same_queries_at_any_length(
    lay, record, django_assert_num_queries
):
    at = lay(5, "paskievics")
    for hands in (0, 1, 60):
        for hand in range(hands):
            record(at, {"ending": "passed"} if hand % 7 == 0 else hand_of(at))

        with django_assert_num_queries(3):
            deals.deal(at)


def hand_of(at):
    players = deals.deal(at).players
    return {
        "contract": "two",
        "declarer": players[0].pk,
        "partner": players[2].pk,
        "card_points": 50,
    }
