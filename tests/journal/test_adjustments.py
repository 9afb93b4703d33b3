"""Penalties and misdeals: with a reason, at any time, and apart from the hands.

The numbers in the docstrings are those of the reports that other programs got.
"""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db.models import ProtectedError

from ledger import journal, tallies
from ledger.models import Action, Entry, Player
from ledger.table import changes
from ledger.tallies import TallyRow


@pytest.fixture
def adjust(owner):
    def adjusted(evening, gains, **more):
        return journal.adjust(
            evening, gains, **{"reason": "misdeal", "id": uuid4(), "by": owner} | more
        )

    return adjusted


def by_name(evening):
    return {s.player.name: s for s in tallies.tally(evening)}


def test_a_penalty_counts_and_stands_apart(table, record, adjust, people):
    """39, 40: it is in the sum, in a column of its own, and in no hand."""
    record(table)
    adjust(table.evening, {people[0]: -5, people[1]: 3, people[4]: 2})
    tally = by_name(table.evening)

    assert tally["Ania"] == TallyRow(people[0], 3 - 5, -40, 1, -5, -100)
    assert tally["Ewa"] == TallyRow(people[4], 2, 40, 0, 2, 40)
    for column in ("points", "money", "adjusted", "adjusted_money"):
        assert sum(getattr(row, column) for row in tally.values()) == 0


def test_money_can_move_without_points(table, adjust, people):
    adjust(table.evening, {people[0]: 105, people[1]: -105}, in_money=True)

    assert by_name(table.evening)["Ania"] == TallyRow(people[0], 0, 105, 0, 0, 105)


def test_for_points_only_there_is_no_money(lay, adjust, people):
    evening = lay(currency="", stake=0).evening
    adjust(evening, {people[0]: 5, people[1]: -5})

    assert by_name(evening)["Ania"] == TallyRow(people[0], 5, 0, 0, 5, 0)
    with pytest.raises(journal.Refused, match="points only"):
        adjust(evening, {people[0]: 5, people[1]: -5}, in_money=True)


@pytest.mark.parametrize(
    ("gains", "more", "sentence"),
    [
        ([5, -4], {}, "The gains are 1 more than the losses: they must be equal."),
        ([5, -9], {}, "The losses are 4 more than the gains: they must be equal."),
        ([905, -5], {"in_money": True}, "The gains are PLN 9.00 more than"),
        ([0, 0], {}, "Nobody gains or loses anything: enter who pays and who gets."),
        ([5, -5], {"reason": "  "}, "Say what it is for."),
        ([5, -5], {"reason": "x" * 201}, "Use 200 characters or fewer."),
    ],
)
def test_what_is_refused_says_by_how_much(table, adjust, people, gains, more, sentence):
    """89: the difference, and its direction."""
    moved = dict(zip(people, gains, strict=False))

    with pytest.raises(journal.Refused) as refused:
        adjust(table.evening, moved, **more)

    said = str(refused.value).replace("\xa0", " ")
    assert sentence in said
    assert not Action.objects.filter(kind="adjust").exists()


def test_only_people_of_the_club_are_adjusted(table, adjust, people, owner):
    other = journal.found_club("Szeged", owner=owner)
    stranger = Player.objects.create(club=other, name="Ágnes")

    with pytest.raises(ValueError, match="of club"):
        adjust(table.evening, {stranger: 5, people[0]: -5})


def test_a_penalty_survives_corrections_and_is_cancelled(
    table, record, correct, adjust, people, owner
):
    """39: right at each step."""
    hand = record(table).hand
    action = adjust(table.evening, {people[0]: -5, people[1]: 5})
    points = [by_name(table.evening)["Ania"].points]
    correct(table, changes.SwapSides(hand))
    points.append(by_name(table.evening)["Ania"].points)
    cancelled = journal.undo(action, id=(id := uuid4()), by=owner)
    points.append(by_name(table.evening)["Ania"].points)

    assert points == [3 - 5, -3 - 5, -3]
    assert journal.undo(action, id=id, by=owner) == cancelled
    with pytest.raises(journal.Stale):
        journal.undo(action, id=uuid4(), by=owner)
    assert by_name(table.evening)["Ania"].adjusted == 0


def test_cancelling_can_be_undone_too(table, adjust, people, owner):
    action = adjust(table.evening, {people[0]: -5, people[1]: 5})
    cancelled = journal.undo(action, id=uuid4(), by=owner)
    again = journal.undo(cancelled, id=uuid4(), by=owner)

    assert by_name(table.evening)["Ania"].points == -5
    journal.undo(again, id=uuid4(), by=owner)
    assert by_name(table.evening)["Ania"].points == 0


def test_the_same_adjustment_sent_again_is_made_once(table, adjust, people):
    gains, id = {people[0]: -5, people[1]: 5}, uuid4()

    assert adjust(table.evening, gains, id=id) == adjust(table.evening, gains, id=id)
    assert Entry.objects.count() == 1


def test_every_adjustment_is_listed(table, adjust, people, owner):
    """40, 83: opposite ones that net to nothing too."""
    first = adjust(table.evening, {people[0]: -5, people[1]: 5}, reason="late")
    second = adjust(table.evening, {people[0]: 5, people[1]: -5}, reason="early")
    journal.undo(second, id=uuid4(), by=owner)

    listed = tallies.adjustments(table.evening)

    assert [(a.entry.pk, a.entry.note, a.cancelled) for a in listed] == [
        (first.pk, "late", False),
        (second.pk, "early", True),
    ]
    assert listed[0].gains == {people[0].pk: (-5, -100), people[1].pk: (5, 100)}


def test_an_adjustment_before_the_first_hand_keeps_the_evening(table, adjust, people):
    """41: an evening with bookings is not deleted."""
    adjust(table.evening, {people[0]: -5, people[1]: 5})

    with pytest.raises(ProtectedError):
        table.evening.delete()


def test_a_closed_evening_is_not_adjusted(table, adjust, people, owner):
    action = adjust(table.evening, {people[0]: -5, people[1]: 5})
    journal.close_evening(table.evening, by=owner)

    with pytest.raises(journal.Closed):
        adjust(table.evening, {people[0]: -5, people[1]: 5})
    with pytest.raises(journal.Closed):
        journal.undo(action, id=uuid4(), by=owner)
