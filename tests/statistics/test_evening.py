"""The running score of an evening: after each hand, at one table or more."""

from __future__ import annotations

import datetime
from uuid import uuid4

from django.urls import reverse

from ledger import journal
from ledger.models import Hand
from ledger.statistics.evening import totals_by_hand


def surrendered(players):
    """Forehand wins with the third, but gives 3 up: 3 points to each opponent."""
    return {
        "contract": "3",
        "declarer": players[0].pk,
        "partner": players[2].pk,
        "card_points": 30,
    }


def totals(evening, people):
    lines = totals_by_hand(evening, people)
    return {line.player.name: list(line.totals) for line in lines}


def test_everybodys_points_run_on_from_hand_to_hand(table, people, record):
    first = record(table)
    second = record(table, surrendered(people))
    gains = [
        {p.player.name: p.points for p in version.entries.get().postings.all()}
        for version in (first, second)
    ]

    found = totals(table.evening, people)

    assert found == {
        name: [gains[0][name], gains[0][name] + gains[1][name]] for name in gains[0]
    }
    assert all(any(line) for line in found.values())


def test_the_second_hand_is_the_second_of_each_table(table, club, people, record):
    more = [club.players.create(name=name) for name in ("Gosia", "Hania")]
    other = journal.add_table(
        table.evening,
        edition=table.edition,
        seats=people[4:] + more,
        dealer=people[5],
    )
    record(table)
    record(other)
    record(other)

    found = totals(table.evening, people + more)

    assert found["Ania"] == found["Celina"] == [3, 3]
    assert found["Ewa"] == found["Gosia"] == [3, 0]
    assert found["Filip"] == found["Hania"] == [-3, 0]


def test_a_hand_taken_back_leaves_the_run(table, people, record, undo):
    record(table)
    undo(table)

    assert totals_by_hand(table.evening, people) == []


def test_the_evening_shows_its_run_once_there_is_a_hand(
    as_, member, table, people, record
):
    client = as_(member)
    path = reverse("evening", args=[table.evening_id])
    empty = client.get(path).content.decode()
    record(table)

    page = client.get(path).content.decode()

    assert 'id="run"' not in empty
    assert 'aria-label="Points after 1 hand: ' in page
    assert page.count("<path") > 4


def test_the_run_says_that_adjustments_are_not_in_it(
    as_, member, table, people, record, owner
):
    record(table)
    journal.adjust(
        table.evening,
        {people[0]: -1, people[1]: 1},
        reason="late",
        id=uuid4(),
        by=owner,
    )

    page = as_(member).get(reverse("evening", args=[table.evening_id]))

    assert "Adjustments are not included." in page.content.decode()


def test_the_evening_tells_when_it_was_played_and_how_fast(as_, member, table, record):
    """Report 113: from 19:00 to 20:30 in Europe, four hands after the first."""
    start = datetime.datetime(2026, 11, 20, 18, 0, tzinfo=datetime.UTC)
    for minutes in (0, 20, 45, 60, 90):
        version = record(table)
        played_at = start + datetime.timedelta(minutes=minutes)
        Hand.objects.filter(pk=version.hand_id).update(played_at=played_at)

    page = as_(member).get(reverse("evening", args=[table.evening_id]))

    words = " ".join(page.content.decode().replace("\xa0", " ").split())
    assert "First hand 19:00, last hand 20:30: 1 hour, 30 minutes" in words
    assert "2.7 hands an hour" in words
