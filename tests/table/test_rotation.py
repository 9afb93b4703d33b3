"""Rotation of the deal, computed without a database."""

from __future__ import annotations

import pytest

from ledger.table import rotation
from ledger.table.rotation import PastDeal, TableLineUp
from scoring.items import Redeal

PLAYED, PASSED = "·", "p"
SITTING = [TableLineUp(1, "D", ("A", "B", "C", "D"))]
FIVE = [TableLineUp(1, "E", ("A", "B", "C", "D", "E"))]


def replay(hands, line_ups, doubling, dealer="same"):
    """Return dealers and multipliers of *hands* and of the one after them."""
    rule = Redeal(doubling=doubling, dealer=dealer)
    past, dealers, counts = [], "", []
    for number, hand in enumerate([*hands, PLAYED], start=1):
        dealers += rotation.due_dealer(line_ups, past, number, rule)
        counts.append(rotation.due_multiplier(line_ups, past, rule))
        past.append(PastDeal(number, dealers[-1], hand == PASSED))
    return dealers, counts


@pytest.mark.parametrize(
    ("doubling", "hands", "counts"),
    [
        ("off", "ppp··", [1, 1, 1, 1, 1, 1]),
        ("cumulative", "ppp··", [1, 2, 4, 8, 1, 1]),
        ("cumulative", "p·pp·", [1, 2, 1, 2, 4, 1]),
        ("flat", "ppp··", [1, 2, 2, 2, 1, 1]),
        ("round", "p·····", [1, 2, 2, 2, 2, 1, 1]),
        ("round", "p·p····", [1, 2, 2, 4, 4, 2, 2, 1]),
        ("round", "pp·····", [1, 2, 4, 4, 4, 2, 1, 1]),
    ],
)
def test_what_a_deal_counts_after_deals_thrown_in(doubling, hands, counts):
    assert replay(hands, SITTING, doubling)[1] == counts


def test_with_five_at_the_table_a_round_is_five_deals():
    assert replay("p······", FIVE, "round")[1] == [1, 2, 2, 2, 2, 2, 1, 1]


def test_a_round_keeps_the_length_it_began_with():
    joined = [*SITTING, TableLineUp(3, None, ("A", "B", "C", "D", "E"))]

    assert replay("p·p······", joined, "round")[1] == [1, 2, 2, 4, 4, 2, 2, 2, 1, 1]


def test_doubling_stops_before_the_numbers_burst():
    assert replay(PASSED * 70, SITTING, "cumulative")[1][-1] == 2**20


@pytest.mark.parametrize(
    ("dealer", "dealers"), [("same", "DDDABCD"), ("next", "DABCDAB")]
)
def test_who_deals_after_a_deal_thrown_in(dealer, dealers):
    assert replay("pp····", SITTING, "off", dealer)[0] == dealers


@pytest.mark.parametrize(
    ("later", "dealers"),
    [
        (TableLineUp(4, None, tuple("ABXCD")), "DABXCDA"),  # X sits down between
        (TableLineUp(4, None, tuple("AXCD")), "DABCDAX"),  # X takes B's seat
        (TableLineUp(4, None, tuple("ACDE")), "DABCDEA"),  # who dealt last has left
        (TableLineUp(4, None, tuple("ABDE")), "DABDEAB"),  # who is next has left
        (TableLineUp(4, "D", tuple("ABCDE")), "DABDEAB"),  # chosen by hand
        (TableLineUp(4, None, tuple("ABCDE"), frozenset("C")), "DABDEAB"),  # on a break
        (TableLineUp(4, None, tuple("DCBA")), "DABADCB"),  # the seats were turned
    ],
)
def test_the_deal_goes_round_whoever_comes_and_goes(later, dealers):
    assert replay("······", [*SITTING, later], "off")[0] == dealers


@pytest.mark.parametrize(
    ("later", "again", "next_"),
    [
        (["AXCD"], "X", "C"),  # X plays for B, who dealt last
        (["AXYD"], "X", "Y"),  # and Y for C, who was next
        (["AXCD", "AYCD"], "Y", "C"),  # and then Y for X
        (["ACDE"], "C", "C"),  # he has left, and E sits elsewhere
        (["WXYZ"], "X", "Y"),  # another four sit there
    ],
)
def test_whoever_has_the_dealers_seat_deals_again(later, again, next_):
    line_ups = [
        *SITTING,
        *(TableLineUp(3 + at, None, tuple(order)) for at, order in enumerate(later, 1)),
    ]
    past = [PastDeal(3, "B", thrown_in=True)]
    number = 3 + len(later)

    assert rotation.due_dealer(line_ups, past, number, Redeal(dealer="same")) == again
    assert rotation.due_dealer(line_ups, past, number, Redeal(dealer="next")) == next_
