"""People come and go from the next hand on, and the deal goes round as it should.

The numbers in the docstrings are those of the reports that other programs got.
"""

from __future__ import annotations

from uuid import uuid4

import pytest

from ledger import journal, tallies
from ledger.models import Action, LineUp, Player
from ledger.table import changes
from ledger.table import deals as tables
from tests.support import evening_dump
from tests.support.fixtures import names


@pytest.fixture
def seat(owner):
    """Return a function that lets somebody come or go."""

    def seated(change, at, *people, **more):
        return change(at, *people, **{"id": uuid4(), "by": owner} | more)

    return seated


def dealers(table, record, hands):
    return [record(table).dealer.name for _hand in range(hands)]


def refused(match):
    return pytest.raises(journal.Refused, match=match)


# The number at the table


def test_four_five_six_and_back(lay, record, seat, people):
    """47, 54: who comes plays from the next hand on, where he sat down."""
    at = lay(4)
    record(at)
    seat(journal.join, at, people[4])
    seat(journal.join, at, people[5], 1)
    six = tables.deal(at)
    record(at)
    seat(journal.leave, at, people[0])
    seat(journal.leave, at, people[2])
    four = tables.deal(at)

    assert names(six.seats) == "Ania Filip Bartek Celina Darek Ewa"
    assert (six.dealer, names(six.sitting_out)) == (people[4], "Darek Ewa")
    assert names(four.seats) == "Filip Bartek Darek Ewa"
    assert (four.dealer, four.sitting_out) == (people[5], ())


def test_four_must_be_left_and_six_are_enough(lay, seat, people, club):
    four, six = lay(4), lay(6)
    other = Player.objects.create(club=club, name="Gosia")

    for change in (journal.leave, journal.take_break):
        with refused("4 are needed to play"):
            seat(change, four, people[0])
    with refused("At most 6 can sit at a table"):
        seat(journal.join, six, other)
    assert not Action.objects.filter(kind="lineup").exists()


@pytest.mark.parametrize(
    ("change", "who", "match"),
    [
        (journal.join, [0], "Ania already sits at this table"),
        (journal.leave, [5], "Filip does not sit at this table"),
        (journal.take_break, [5], "Filip does not sit at this table"),
        (journal.return_from_break, [5], "Filip does not sit at this table"),
        (journal.return_from_break, [0], "already so"),
        (journal.substitute, [5, 0], "Filip does not sit at this table"),
        (journal.substitute, [0, 1], "Bartek already sits at this table"),
        (journal.set_dealer, [5], "dealer must sit at the table"),
    ],
)
def test_what_cannot_be_is_refused(lay, seat, people, change, who, match):
    with refused(match):
        seat(change, lay(5), *[people[i] for i in who])


def test_nobody_sits_at_two_tables(lay, seat, people, club):
    at = lay(5)
    more = [Player.objects.create(club=club, name=name) for name in "XYZ"]
    there = journal.add_table(at.evening, seats=[people[5], *more], dealer=more[0])

    with refused("Filip sits at table 2: move them from there"):
        seat(journal.join, at, people[5])
    with refused("Ania sits at table 1"):
        seat(journal.substitute, there, more[0], people[0])
    other = journal.found_club("Szeged", owner=at.evening.created_by)
    stranger = Player.objects.create(club=other, name="Ágnes")
    with pytest.raises(ValueError, match="of club"):
        seat(journal.join, at, stranger)


def test_who_left_one_table_may_sit_at_another(lay, seat, people, club):
    at = lay(5)
    more = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    there = journal.add_table(at.evening, seats=more, dealer=more[0])
    seat(journal.leave, at, people[0])

    seat(journal.join, there, people[0])

    assert names(tables.deal(there).seats) == "W X Y Z Ania"


# The order of the deal


def test_who_takes_a_break_keeps_his_place(lay, record, seat, people):
    at = lay(5)
    before = dealers(at, record, 1)
    seat(journal.take_break, at, people[1])
    away = dealers(at, record, 3)
    seat(journal.return_from_break, at, people[1])

    assert before + away + dealers(at, record, 4) == [
        "Ewa",
        *("Ania", "Celina", "Darek"),
        *("Ewa", "Ania", "Bartek", "Celina"),
    ]


def test_a_guest_sits_in_and_the_regular_comes_back(lay, record, seat, people):
    """48, 55: both keep their own results, and neither has a zero of the other's."""
    at = lay(4)
    record(at)
    seat(journal.substitute, at, people[1], people[5])
    record(at)
    record(at)
    seat(journal.substitute, at, people[5], people[1])
    record(at)

    tally = {s.player.name: s.hands for s in tallies.tally(at.evening)}
    assert tally == {"Ania": 4, "Bartek": 2, "Celina": 4, "Darek": 4, "Filip": 2}
    dealers = [row.version.dealer_id for row in tallies.hands_of(at)]
    assert [at.evening.club.players.get(pk=pk).name for pk in dealers] == [
        "Celina",
        "Filip",
        "Ania",
        "Darek",
    ]


def test_a_mistaken_player_is_gone_in_one_step(lay, seat, people):
    """50."""
    at = lay(4)
    before = evening_dump.of_table(at)
    seat(journal.join, at, people[4])
    seat(journal.leave, at, people[4])

    assert evening_dump.of_table(at) == before
    assert people[4] not in [s.player for s in tallies.tally(at.evening)]


@pytest.mark.parametrize("change", [journal.leave, journal.take_break])
def test_when_the_first_dealer_goes_the_next_one_deals(lay, seat, people, change):
    at = lay(5)
    seat(change, at, people[4])

    assert tables.deal(at).dealer == people[0]


def test_the_first_dealer_is_substituted_with_his_deal(lay, seat, people):
    at = lay(4)
    seat(journal.substitute, at, people[3], people[5])

    assert tables.deal(at).dealer == people[5]


def test_the_dealer_is_set_by_hand_and_the_next_three_follow(lay, record, seat, people):
    """52."""
    at = lay(5)
    record(at)
    seat(journal.set_dealer, at, people[2])
    deal = tables.deal(at)
    version = record(at)

    assert (deal.dealer, names(deal.next_dealers)) == (people[2], "Darek Ewa Ania")
    assert (version.dealer, version.dealer_set) == (people[2], False)
    assert tables.deal(at).dealer == people[3]


# A slip that was begun before


def test_a_running_draft_keeps_its_four_players(lay, record, seat, people):
    """54: the hand is theirs, though somebody sat down or left meanwhile."""
    at = lay(4)
    draft = tables.deal(at)
    seat(journal.join, at, people[4], 0)
    seat(journal.leave, at, people[1])
    hand = {
        "contract": "3",
        "declarer": people[1].pk,
        "partner": people[0].pk,
        "card_points": 41,
    }
    version = record(at, hand, dealer=draft.dealer, players=draft.players)

    assert version.players == [p.pk for p in draft.players]
    assert (version.dealer, version.resting) == (people[3], [people[4].pk])
    assert tallies.tally(at.evening)[-1].hands == 1
    assert tables.deal(at).dealer == people[4]


@pytest.mark.parametrize("players", [[0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 3, 4]])
def test_a_draft_has_four_different_players(lay, record, people, players):
    with refused("4 play: choose"):
        record(lay(5), {}, players=[people[i] for i in players])


# Two tables


def test_a_player_moves_to_another_table(lay, record, seat, undo, people, club):
    at = lay(5)
    more = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    there = journal.add_table(at.evening, seats=more, dealer=more[0])
    record(at)
    record(there)
    before = evening_dump.of_evening(at.evening)
    action = seat(journal.move_table, at, people[1], there, 2)
    record(there)

    assert names(tables.deal(at).seats) == "Ania Celina Darek Ewa"
    assert names(tables.deal(there).seats) == "W X Bartek Y Z"
    with pytest.raises(journal.Stale):
        journal.undo(action, id=uuid4(), by=action.by)
    undo(there)
    undo(at)
    assert evening_dump.of_evening(at.evening) == before


def test_one_who_moves_leaves_four_behind(lay, seat, people, club):
    at = lay(4)
    more = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    there = journal.add_table(at.evening, seats=more, dealer=more[0])

    with refused("4 are needed"):
        seat(journal.move_table, at, people[0], there)
    with pytest.raises(ValueError, match="another table"):
        seat(journal.move_table, at, people[0], at)


# Once, undone, closed


def test_the_same_change_sent_again_is_made_once(lay, seat, people):
    at, id = lay(4), uuid4()
    action = seat(journal.join, at, people[4], id=id)

    assert seat(journal.join, at, people[4], id=id) == action
    assert LineUp.objects.filter(table=at).count() == 1
    with refused("used elsewhere"):
        seat(journal.join, lay(4), people[4], id=id)


@pytest.mark.parametrize(
    ("change", "who"),
    [
        (journal.join, [5]),
        (journal.leave, [4]),
        (journal.substitute, [1, 5]),
        (journal.take_break, [0]),
        (journal.set_dealer, [2]),
    ],
)
@pytest.mark.parametrize("hands", [0, 2])
def test_undo_seats_everybody_as_before(
    lay, record, seat, undo, people, change, who, hands
):
    at = lay(5)
    dealers(at, record, hands)
    before = evening_dump.of_evening(at.evening)
    seat(change, at, *[people[i] for i in who])
    record(at)

    undo(at)
    undo(at)

    assert evening_dump.of_evening(at.evening) == before


def test_nobody_comes_or_goes_when_the_evening_is_closed(lay, seat, people, owner):
    at = lay(5)
    journal.close_evening(at.evening, by=owner)

    for change, who in (
        (journal.join, [5]),
        (journal.leave, [0]),
        (journal.substitute, [0, 5]),
        (journal.take_break, [0]),
        (journal.return_from_break, [0]),
        (journal.set_dealer, [0]),
    ):
        with pytest.raises(journal.Closed):
            seat(change, at, *[people[i] for i in who])


def test_a_correction_counts_for_those_who_played(lay, record, seat, correct, people):
    """93: a hand of somebody who has left is corrected as any other."""
    at = lay(5)
    hand = record(at).hand
    seat(journal.leave, at, people[0])
    correct(at, changes.SwapSides(hand))

    assert {s.player.name: s.points for s in tallies.tally(at.evening)}["Ania"] == -3
