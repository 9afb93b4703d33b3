"""A hand is put right at any time, and all that follows from it follows again.

The numbers in the docstrings are those of the reports that other programs got.
"""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection

from ledger import journal, tallies
from ledger.models import Action, Entry, Hand, Player, Posting, Step, Version, triggers
from ledger.table import deals as tables
from ledger.table.changes import Correct, Insert, Reseat, Restore, Swap, SwapSides, Void
from tests.support import evening_dump
from tests.support.club_balances import club_balances
from tests.support.fixtures import won


@pytest.fixture
def at(lay):
    """Four at Paskievics, where deals that are thrown in double the next."""
    return lay(4, "paskievics")


@pytest.fixture
def play(record):
    """Return a function that plays hands: "p" is passed, a number is card points."""

    def played(table, *hands):
        return [record(table, _hand(table, hand)).hand for hand in hands]

    return played


def _hand(table, hand):
    if hand == "p":
        return {"ending": "passed"}
    players = tables.next_deal(table).players
    return won(players, "two") | {"card_points": hand}


def latest(hand):
    return hand.versions.select_related("edition", "dealer").latest("number")


def told(table):
    """Return dealer and multiplier of each hand in order."""
    people = Player.objects.in_bulk()
    return [
        (people[row.version.dealer_id].name, row.version.multiplier)
        for row in reversed(tallies.hands_of(table))
    ]


def points(table):
    return {s.player.name: s.points for s in tallies.tally(table.evening)}


def counts():
    return [model.objects.count() for model in (Action, Step, Version, Entry, Posting)]


def why(plan, hand):
    (row,) = [row for row in plan.rows if row.hand == hand.pk]
    return [str(text) for text in row.why]


# What each change does


def test_only_what_is_corrected_changes(at, play, correct, people):
    """30, 31: another declarer, and every other fact stays."""
    (hand,) = play(at, 50)
    before = latest(hand)
    record = before.record | {"declarer": people[1].pk, "contra": 1}
    correct(at, Correct(hand, record))

    after = latest(hand)

    assert after.record == before.record | {"declarer": people[1].pk, "contra": 1}
    assert (after.number, after.players, after.dealer) == (
        2,
        before.players,
        before.dealer,
    )
    assert points(at) == {"Ania": -4, "Bartek": 4, "Celina": 4, "Darek": -4}


def test_an_early_hand_is_corrected_late(at, play, correct):
    """23: hand 2 of 9 was passed; the deal after it counts double, and no other."""
    hands = play(at, *[50] * 9)
    before = points(at)
    plan = journal.plan_correction(at, Correct(hands[1], {"ending": "passed"}))
    correct(at, Correct(hands[1], {"ending": "passed"}))

    assert [row.hand for row in plan.rows] == [hand.pk for hand in hands[1:]]
    assert why(plan, hands[1]) == ["Corrected."]
    assert why(plan, hands[2]) == [
        "Ania deals it, not Bartek.",
        "It counts ×2, not ×1.",
    ]
    assert why(plan, hands[8]) == ["Celina deals it, not Darek."]
    assert told(at) == [
        ("Darek", 1),
        ("Ania", 1),
        ("Ania", 2),
        *((name, 1) for name in ("Bartek", "Celina", "Darek", "Ania", "Bartek")),
        ("Celina", 1),
    ]
    assert points(at) == {
        name: after
        for name, (_before, after) in zip(before, plan.balances.values(), strict=True)
    }


def test_a_hand_taken_back_gives_up_its_number(at, play, correct):
    first, second, third = play(at, 50, 60, 70)
    plan = journal.plan_correction(at, Void(second))
    correct(at, Void(second))

    assert list(
        Hand.objects.order_by("played_at").values_list("pk", "number", "voided")
    ) == [(first.pk, 1, False), (second.pk, 2, True), (third.pk, 2, False)]
    assert why(plan, third) == ["Hand 3 becomes hand 2.", "Ania deals it, not Bartek."]
    assert told(at) == [("Darek", 1), ("Ania", 1)]


def test_a_hand_taken_back_can_be_restored_in_its_place(at, play, correct):
    """26: by any scorer, until the evening is closed."""
    hands = play(at, 50, 60, 70)
    before = evening_dump.of_evening(at.evening)
    correct(at, Void(hands[1]))

    correct(at, Restore(hands[1]))

    assert evening_dump.of_evening(at.evening) == before


def test_a_forgotten_hand_is_inserted(at, play, correct, people):
    first, second = play(at, 50, 60)
    id = uuid4()
    plan = journal.plan_correction(at, Insert(2, id, {"ending": "passed"}))
    correct(at, Insert(2, id, {"ending": "passed"}))

    assert [row.version.hand_id for row in tallies.hands_of(at)] == [
        second.pk,
        id,
        first.pk,
    ]
    assert told(at) == [("Darek", 1), ("Ania", 1), ("Ania", 2)]
    assert [str(text) for row in plan.rows for text in row.why] == [
        "Inserted here.",
        "Hand 2 becomes hand 3.",
        "It counts ×2, not ×1.",
    ]


def test_a_hand_is_inserted_before_all_others_or_behind_them(at, play, correct):
    (hand,) = play(at, 50)
    ids = uuid4(), uuid4()
    correct(at, Insert(1, ids[0], {"ending": "passed"}))
    correct(at, Insert(3, ids[1], {"ending": "passed"}))

    assert [row.version.hand_id for row in tallies.hands_of(at)] == [
        ids[1],
        hand.pk,
        ids[0],
    ]
    with pytest.raises(journal.Refused, match="There is no hand 9 at this table"):
        correct(at, Insert(9, uuid4(), {"ending": "passed"}))


def test_the_order_of_two_hands_is_changed(at, play, correct):
    passed, played, last = play(at, "p", 50, 60)
    correct(at, Swap(passed, played))

    assert [row.version.hand_id for row in tallies.hands_of(at)] == [
        last.pk,
        passed.pk,
        played.pk,
    ]
    assert [counts for _dealer, counts in told(at)] == [1, 1, 2]


def test_sides_are_swapped_in_one_step(at, play, correct):
    """33: what was won is lost, announcements fail, silent bonuses change hands."""
    (hand,) = play(at, 50)
    version = latest(hand)
    bonuses = [
        {
            "bonus": "honours",
            "announced_by": version.players[1],
            "contra": 1,
            "made": False,
        },
        {"bonus": "kings", "side": "declarer", "made": True},
    ]
    correct(at, Correct(hand, version.record | {"bonuses": bonuses}))
    before = points(at)
    correct(at, SwapSides(hand))

    assert points(at) == {name: -won for name, won in before.items()}
    assert latest(hand).record["card_points"] == 94 - 50
    assert latest(hand).record["bonuses"] == [
        bonuses[0] | {"made": True},
        bonuses[1] | {"side": "defenders"},
    ]


def test_a_hand_that_was_not_played_has_no_sides_to_swap(at, play, correct):
    (hand,) = play(at, "p")

    with pytest.raises(journal.Refused, match="not played, so"):
        correct(at, SwapSides(hand))


def test_two_players_taken_for_each_other_are_put_right(lay, play, correct, people):
    at = lay(5, "paskievics")
    first, second, third = play(at, 50, 60, 70)
    before = latest(second), latest(third)
    correct(at, Reseat(2, people[1], people[4]))
    swap = {people[1].pk: people[4].pk, people[4].pk: people[1].pk}

    assert latest(first).number == 1
    for old, hand in zip(before, (second, third), strict=True):
        new = latest(hand)
        assert new.players == [swap.get(p, p) for p in old.players]
        assert new.resting == [swap.get(p, p) for p in old.resting]
        assert new.dealer_id == swap.get(old.dealer_id, old.dealer_id)
        assert new.record == old.record | {
            key: swap.get(old.record[key], old.record[key])
            for key in ("declarer", "partner")
        }
    assert [p.name for p in tables.deal(at).seats] == [
        "Ania",
        "Ewa",
        "Celina",
        "Darek",
        "Bartek",
    ]


def test_holdings_and_announcements_follow_their_players(lay, record, correct, people):
    at = lay(4)
    hand = won(people) | {
        "holdings": {str(people[0].pk): "2"},
        "bonuses": [
            {"bonus": "trul", "announced_by": people[0].pk, "contra": 0, "made": True}
        ],
    }
    version = record(at, hand)
    correct(at, Reseat(1, people[0], people[1]))

    after = latest(version.hand).record
    assert after["declarer"] == people[1].pk
    assert after["holdings"] == {str(people[1].pk): "2"}
    assert after["bonuses"][0]["announced_by"] == people[1].pk


def test_only_people_at_the_table_change_seats(at, play, correct, people):
    play(at, 50)

    for number, other in ((1, people[5]), (3, people[1])):
        with pytest.raises(journal.Refused, match="Both must sit at the table"):
            correct(at, Reseat(number, people[0], other))


# What follows, and what stays


def test_with_five_the_dealer_stays_because_the_others_played(lay, play, correct):
    at = lay(5, "paskievics")
    hands = play(at, 50, 60, 70, 80)
    plan = journal.plan_correction(at, Void(hands[1]))
    correct(at, Void(hands[1]))

    assert [name for name, _counts in told(at)] == ["Ewa", "Bartek", "Celina"]
    assert why(plan, hands[2]) == [
        "Hand 3 becomes hand 2.",
        "Bartek dealt it, though Ania was due.",
    ]
    assert why(plan, hands[3]) == ["Hand 4 becomes hand 3."]
    assert latest(hands[3]).number == 1


def test_a_dealer_chosen_by_hand_stays(at, play, record, correct, people):
    first = play(at, 50)[0]
    record(at, {"ending": "passed"}, dealer=people[2])
    correct(at, Void(first))

    assert told(at) == [("Celina", 1)]


def test_a_correction_can_name_another_dealer(lay, play, correct, people):
    at = lay(5, "paskievics")
    hands = play(at, 50, 60)
    version = latest(hands[0])
    players = [people[i] for i in (0, 1, 2, 4)]
    change = Correct(hands[0], version.record, people[3], players=players)
    correct(at, change)

    after = latest(hands[0])
    assert (after.dealer, after.dealer_set) == (people[3], True)
    assert after.players == [people[i].pk for i in (4, 0, 1, 2)]
    assert after.resting == [people[3].pk]


def test_the_mayor_follows_from_the_hands_that_count(at, play, record, correct, people):
    """A corrected hand keeps its moment: it doesn't make an old Mayor the last."""
    for one in (0, 1):
        players = tables.next_deal(at).players
        ours = [p for p in players if p != people[one]]
        hand = won(ours + ours, "two") | {
            "card_points": 50,
            "partner": ours[1].pk,
            "xxi_lost_by": people[one].pk,
            "bonuses": [{"bonus": "mond", "side": "declarer", "made": True}],
        }
        last = record(at, hand)
    first = Hand.objects.get(number=1)
    plan = journal.plan_correction(at, Void(last.hand))
    correct(at, Correct(first, latest(first).record | {"contra": 1}))
    assert tallies.mayor(at.evening.club) == people[1]

    correct(at, Void(last.hand))

    assert plan.mayor == (people[1].pk, people[0].pk)
    assert tallies.mayor(at.evening.club) == people[0]


def test_deleting_correcting_and_entering_again(at, play, correct):
    """32: hand 4 is taken back, hand 3 corrected, hand 4 entered again."""
    hands = play(at, 50, 60, 70, 80)
    correct(at, Void(hands[3]))
    correct(at, Correct(hands[2], latest(hands[2]).record | {"card_points": 30}))
    play(at, 80)

    assert [name for name, _counts in told(at)] == ["Darek", "Ania", "Bartek", "Celina"]


def test_taking_every_hand_back_leaves_nothing(at, play, correct):
    """81."""
    for hand in play(at, 50, "p", 70):
        correct(at, Void(hand))

    assert set(points(at).values()) == {0}
    assert {b.points for b in club_balances(at.evening.club)} == {0}


# What stays visible


def test_original_reversal_and_new_version_stay(at, play, correct, scorer, owner):
    """28, 35: with who, when and why."""
    (hand,) = play(at, 50)
    change = Correct(hand, latest(hand).record | {"card_points": 30})
    action = correct(at, change, by=scorer, reason="  counted again ")

    old, new = hand.versions.order_by("number")
    back = Entry.objects.get(reverses__version=old)
    step = action.steps.get()
    assert (old.recorded_by, new.recorded_by) == (owner, scorer)
    assert old.recorded_at < new.recorded_at
    assert (back.created_by, back.note) == (scorer, "counted again")
    assert (action.kind, action.by, action.reason) == (
        "correct",
        scorer,
        "counted again",
    )
    assert (step.before, step.after) == (old, new)
    assert (step.before_number, step.after_number) == (1, 1)


def test_saving_untouched_writes_nothing_and_says_so(lay, play, correct):
    at = lay(5, "paskievics")
    hands = play(at, "p", 50)
    before = counts()
    version = latest(hands[1])
    people = at.evening.club.players.in_bulk()
    change = Correct(
        hands[1],
        version.record | {"alone": None, "bonuses": [], "contra": 0},
        version.dealer,
        [people[pk] for pk in version.resting],
        [people[pk] for pk in version.players],
    )

    assert journal.plan_correction(at, change).nothing
    assert correct(at, change, seen=version) is None
    assert counts() == before


def test_a_plan_writes_nothing_and_tells_everything_wrong(at, play, people):
    (hand,) = play(at, 50)
    before = counts()
    wrong = latest(hand).record | {"partner": people[0].pk, "contract": "nine"}

    plan = journal.plan_correction(at, Correct(hand, wrong))

    assert {problem.field for problem in plan.problems} >= {"partner", "contract"}
    assert (plan.refused, plan.rows, counts()) == (True, (), before)


def test_a_change_that_leaves_a_later_hand_unscored_is_refused(at, play, correct):
    hands = play(at, 50, 60, 70)
    with triggers.lifted(connection):
        Version.objects.filter(hand=hands[2]).update(record={"ending": "played"})
    before = counts()

    with pytest.raises(journal.Refused, match="Hand 2 could no longer be scored"):
        correct(at, Void(hands[0]))

    assert counts() == before


# Once, and not behind anybody's back


def test_the_same_change_sent_again_is_made_once(at, play, correct):
    (hand,) = play(at, 50)
    change, id = Correct(hand, {"ending": "passed"}), uuid4()
    action = correct(at, change, id=id)
    before = counts()

    assert correct(at, change, id=id) == action
    assert correct(at, change, id=id, seen=hand.versions.get(number=1)) == action
    assert counts() == before


def test_an_id_belongs_to_one_action(at, play, correct):
    first, second = play(at, 50, 60)
    action = correct(at, Void(second))

    for id in (first.pk, action.pk):
        with pytest.raises(journal.Refused, match="used elsewhere"):
            correct(at, Correct(first, {"ending": "passed"}), id=id)
    with pytest.raises(journal.Refused, match="used elsewhere"):
        correct(at, Insert(1, second.pk, {"ending": "passed"}))


def test_a_stale_change_is_told_what_was_done_since(at, play, correct, scorer):
    """12: what a phone saw earlier never replaces what came later."""
    (hand,) = play(at, 50)
    seen = latest(hand)
    since = correct(at, Correct(hand, {"ending": "passed"}), by=scorer)
    before = counts()

    for change in (Correct(hand, seen.record), Void(hand), Insert(1, uuid4(), {})):
        with pytest.raises(journal.Stale) as stale:
            correct(at, change, seen=seen)
        assert stale.value.version == latest(hand)
        assert stale.value.since == (since,)
    assert counts() == before


def test_a_hand_taken_back_meanwhile_is_stale_too(at, play, correct):
    (hand,) = play(at, 50)
    seen = latest(hand)
    void = correct(at, Void(hand))

    with pytest.raises(journal.Stale) as stale:
        correct(at, Correct(hand, {"ending": "passed"}), seen=seen)

    assert stale.value.since == (void,)
    with pytest.raises(journal.Refused, match="taken back"):
        correct(at, Void(hand))
    correct(at, Restore(hand), seen=seen)
    with pytest.raises(journal.Refused, match="already counts"):
        correct(at, Restore(hand))


def test_errors_and_warnings_are_refused_as_when_recording(at, play, correct, people):
    (hand,) = play(at, 50)
    unlikely = latest(hand).record | {"xxi_lost_by": people[1].pk}
    before = counts()

    for record in (unlikely | {"partner": people[0].pk}, unlikely):
        with pytest.raises(journal.Refused):
            correct(at, Correct(hand, record))

    assert counts() == before
    assert correct(at, Correct(hand, unlikely), override=True)


# Undo

CHANGES = [
    lambda hands, people: Correct(hands[0], {"ending": "passed"}),
    lambda hands, people: Void(hands[0]),
    lambda hands, people: Void(hands[2]),
    lambda hands, people: Insert(2, uuid4(), {"ending": "passed"}),
    lambda hands, people: Swap(hands[0], hands[2]),
    lambda hands, people: SwapSides(hands[2]),
    lambda hands, people: Reseat(2, people[0], people[3]),
]


@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize("change", CHANGES)
def test_undo_gives_back_exactly_what_was(
    lay, play, correct, undo, people, seats, change
):
    """22, 34: a full dump is identical, and so is it after doing it again."""
    at = lay(seats, "paskievics")
    hands = play(at, 50, "p", 70)
    before = evening_dump.of_evening(at.evening)
    correct(at, change(hands, people))
    after = evening_dump.of_evening(at.evening)

    undo(at)
    undone = evening_dump.of_evening(at.evening)
    redo = journal.UndoStack.of(at).redo
    journal.undo(redo, id=uuid4(), by=redo.by)

    assert before != after
    assert undone == before
    assert evening_dump.of_evening(at.evening) == after
    assert journal.UndoStack.of(at).redo is None


def test_everything_is_undone_one_after_another(at, play, correct, undo, owner):
    """29: until the evening is closed."""
    first = evening_dump.of_evening(at.evening)
    hands = play(at, 50, "p", 70)
    correct(at, Correct(hands[1], latest(hands[0]).record | {"card_points": 20}))
    correct(at, Void(hands[0]))
    kinds = [
        journal.UndoStack.of(at).original_of(undo(at)).kind for _action in range(5)
    ]

    assert kinds == ["void", "correct", "record", "record", "record"]
    assert journal.UndoStack.of(at).undo is None
    assert evening_dump.of_evening(at.evening) == first


def test_what_was_undone_is_done_again_in_order(at, play, undo, owner):
    play(at, 50, 60, 70)
    after = evening_dump.of_evening(at.evening)
    undo(at)
    undo(at)
    for _again in range(2):
        journal.undo(journal.UndoStack.of(at).redo, id=uuid4(), by=owner)

    assert evening_dump.of_evening(at.evening) == after
    assert journal.UndoStack.of(at).redo is None


def test_nothing_is_done_again_after_something_new(at, play, undo):
    play(at, 50, 60)
    undo(at)
    play(at, 70)

    assert journal.UndoStack.of(at).redo is None


def test_only_the_last_action_is_undone(at, play, owner):
    first, second = play(at, 50, 60)
    earlier = Action.objects.get(pk=first.pk)

    with pytest.raises(journal.Stale) as stale:
        journal.undo(earlier, id=uuid4(), by=owner)

    assert [action.pk for action in stale.value.since] == [second.pk]


def test_undo_sent_twice_is_undo_once(at, play, owner):
    _first, second = play(at, 50, 60)
    action, id = Action.objects.get(pk=second.pk), uuid4()
    undone = journal.undo(action, id=id, by=owner)
    before = counts()

    assert journal.undo(action, id=id, by=owner) == undone
    with pytest.raises(journal.Stale):
        journal.undo(action, id=uuid4(), by=owner)
    assert counts() == before


def test_one_table_is_no_matter_of_another(lay, play, correct, undo, people, owner):
    at = lay(4, "paskievics")
    more = [Player.objects.create(club=at.evening.club, name=name) for name in "XY"]
    seats = [*people[4:], *more]
    there = journal.add_table(at.evening, seats=seats, dealer=seats[0])
    play(at, 50)
    before = evening_dump.of_table(there)
    play(there, 60)

    undo(there)

    assert evening_dump.of_table(there) == before
    assert Hand.objects.get(table=at).voided is False


# Links, queries


def test_a_hand_is_the_same_hand_whatever_happens(at, play, correct):
    (hand,) = play(at, 50)
    correct(at, Insert(1, uuid4(), {"ending": "passed"}))
    correct(at, Correct(hand, {"ending": "passed"}))

    hand.refresh_from_db()
    assert (hand.number, latest(hand).record["ending"]) == (2, "passed")


@pytest.mark.parametrize("hands", [4, 24])
def test_a_correction_takes_the_same_queries_whatever_follows(
    at, play, owner, hands, django_assert_num_queries
):
    played = play(at, *[50] * hands)
    at = type(at).objects.select_related("edition", "evening").get(pk=at.pk)
    change = Correct(played[1], {"ending": "passed"})
    locks = connection.features.has_select_for_update

    with django_assert_num_queries(6):
        journal.plan_correction(at, change)
    with django_assert_num_queries(22 + locks):
        journal.correct(at, change, id=uuid4(), by=owner)
    action = journal.UndoStack.of(at).undo
    with django_assert_num_queries(23 + locks):
        journal.undo(action, id=uuid4(), by=owner)


def test_line_ups_move_with_the_hands_they_begin_before(
    lay, play, correct, undo, people, owner
):
    at = lay(4, "paskievics")
    hands = play(at, 50, 60)
    journal.join(at, people[4], id=uuid4(), by=owner)
    play(at, 70)
    correct(at, Void(hands[0]))
    assert list(at.lineups.order_by("from_hand").values_list("from_hand")) == [
        (1,),
        (2,),
    ]

    correct(at, Insert(1, uuid4(), {"ending": "passed"}))

    assert list(at.lineups.order_by("from_hand").values_list("from_hand")) == [
        (1,),
        (3,),
    ]
