"""A hand saved by a phone with a script: the answer is the table after it."""

from __future__ import annotations

import gzip
from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal
from ledger.models import Player, Version
from ledger.table.deals import deal
from ledger.views.table.scoreboard import context_after_hand, table_context
from tests.support.fixtures import won


@pytest.fixture
def path(table):
    return reverse("slip", args=[table.pk])


@pytest.fixture
def slip(people):
    return {
        "shows": "on",
        "id": str(uuid4()),
        "number": "1",
        "contract": "1",
        "declarer": str(people[0].pk),
        "partner": str(people[2].pk),
        "won": "0",
    }


def test_the_answer_has_the_sums_the_hand_and_what_comes_next(
    as_, scorer, table, path, slip
):
    answer = as_(scorer).post(path, slip)

    page = answer.content.decode()
    at = reverse("table", args=[table.pk])
    assert answer.status_code == 200
    assert "Hand 1 saved: 1, Ania + Celina, 1 points" in page
    assert f'data-saved="{slip["id"]}" data-at="{at}"' in page
    assert "Record hand 2" in page
    assert [(row.player.name, row.points) for row in answer.context["score"]] == [
        ("Ania", -1),
        ("Bartek", 1),
        ("Celina", -1),
        ("Darek", 1),
    ]


def test_the_answer_stays_small_after_many_hands(
    as_, scorer, record, table, path, slip
):
    for _hand in range(24):
        record(table)

    answer = as_(scorer).post(path, slip | {"number": "25"})

    assert answer.status_code == 200
    assert len(gzip.compress(answer.content)) < 4096


def test_the_earlier_hands_are_fetched_by_themselves(as_, scorer, record, table, path):
    version = record(table)
    client = as_(scorer)
    at = reverse("table", args=[table.pk])

    part = client.get(f"{at}?saved={version.pk}", headers={"HX-Request": "true"})

    page = part.content.decode()
    assert page.strip().startswith('<section id="hands">')
    assert "Hand 1:" in page
    assert "Record hand" not in page


def alone(table, people, owner):
    """Nobody else is there tonight."""


def beside_another(table, people, owner):
    """A second table has played a hand."""
    more = [Player.objects.create(club=people[0].club, name=name) for name in "WXYZ"]
    there = journal.add_table(table.evening, seats=more, dealer=more[0])
    play(there, None, owner)


def left(table, people, owner):
    play(table, None, owner)
    journal.leave(table, people[1], id=uuid4(), by=owner)


def left_even(table, people, owner):
    """He played, and went home with nothing."""
    play(table, "passed", owner)
    journal.leave(table, people[1], id=uuid4(), by=owner)


def left_long_ago(table, people, owner):
    """None of the hands shown is his."""
    left(table, people, owner)
    for _hand in range(20):
        play(table, None, owner)


def replaced(table, people, owner):
    play(table, None, owner)
    journal.substitute(table, people[2], people[5], id=uuid4(), by=owner)


def moved_on(table, people, owner):
    """He goes on at the other table."""
    beside_another(table, people, owner)
    play(table, None, owner)
    there = table.evening.tables.exclude(pk=table.pk).get()
    journal.move_table(table, people[1], there, id=uuid4(), by=owner)


def adjusted(table, people, owner):
    """Somebody has points tonight who sits nowhere."""
    gains = {people[5]: 3, people[0]: -3}
    journal.adjust(table.evening, gains, reason="x", id=uuid4(), by=owner)


def play(table, ending, owner):
    """Record the hand that is due; return it with its deal and what it moved."""
    due = deal(table)
    hand = {"ending": ending} if ending else won(due.players)
    score = journal.preview(table, hand).score
    version = journal.record_hand(
        table, id=uuid4(), record=hand, by=owner, override=True
    )
    gains = dict(zip([p.pk for p in due.players], score.payments, strict=True))
    return due, version, gains


EVENINGS = [
    alone,
    beside_another,
    left,
    left_even,
    left_long_ago,
    replaced,
    moved_on,
    adjusted,
]


@pytest.mark.parametrize("before", EVENINGS)
def test_it_shows_what_the_page_shows(as_, scorer, owner, lay, people, path, before):
    """Through hands played and thrown in, whoever deals and sits out."""
    table = lay(5)
    before(table, people, owner)
    ask = as_(scorer).get(reverse("table", args=[table.pk])).wsgi_request
    table.readers_role = "scorer"
    for ending in (None, "passed", "passed", None, None):
        after = context_after_hand(table, *play(table, ending, owner))

        page = table_context(ask, table)
        assert after["deal"] == page["deal"]
        assert after["score"] == page["score"]
        assert after["columns"] == page["columns"]
        assert after["rows"][0].gains == page["rows"][0].gains
        assert after["rows"][0].title == page["rows"][0].title


@pytest.mark.parametrize("before", EVENINGS)
def test_every_save_is_answered_at_once(as_, scorer, owner, lay, people, before):
    table = lay(5)
    before(table, people, owner)
    client = as_(scorer)
    path = reverse("slip", args=[table.pk])

    answers = []
    for _save in range(5):
        due = deal(table)
        declarer, _forehand, partner, *_more = (str(p.pk) for p in due.players)
        slip = {"shows": "on", "id": str(uuid4()), "number": str(due.number)}
        slip |= {"contract": "1", "declarer": declarer, "partner": partner}
        answers.append(client.post(path, slip | {"won": "0", "override": "on"}))

    assert [answer.status_code for answer in answers] == [200] * 5
    page = client.get(reverse("table", args=[table.pk]))
    assert answers[-1].context["score"] == page.context["score"]
    assert answers[-1].context["columns"] == page.context["columns"]


def test_who_left_the_table_and_is_on_the_slip_is_in_the_answer(
    as_, scorer, owner, lay, people
):
    """The slip was filled in before he went."""
    table = lay(5)
    due = deal(table)
    plays = [str(player.pk) for player in due.players]
    journal.leave(table, due.players[0], id=uuid4(), by=owner)
    slip = {"shows": "on", "id": str(uuid4()), "number": "1", "plays": plays}
    slip |= {"due": str(due.dealer.pk), "seated": [str(p.pk) for p in due.seats]}
    slip |= {"contract": "1", "declarer": plays[0], "partner": plays[2], "won": "0"}

    answer = as_(scorer).post(reverse("slip", args=[table.pk]), slip)

    assert answer.status_code == 200
    page = as_(scorer).get(reverse("table", args=[table.pk]))
    assert answer.context["score"] == page.context["score"]
    assert answer.context["rows"][0].gains == page.context["rows"][0].gains


def test_a_slip_sent_again_leads_to_the_page(as_, scorer, path, slip):
    first = as_(scorer).post(path, slip)
    again = as_(scorer).post(path, slip)

    assert (first.status_code, again.status_code) == (200, 302)
    assert Version.objects.count() == 1


def test_what_was_done_since_the_look_is_looked_at_again(owner, lay, people):
    table = lay(5)
    seen = journal.Seen(0, deal(table))
    journal.take_break(table, people[2], id=uuid4(), by=owner)
    sent = journal.Sent(uuid4(), won(seen.due.players))

    version = journal.record_as_seen(table, sent, seen, by=owner)

    assert version is None
    assert not Version.objects.exists()


def test_what_was_done_at_another_table_since_the_look_does_not_matter(
    owner, lay, people
):
    table = lay(5)
    seen = journal.Seen(0, deal(table))
    beside_another(table, people, owner)
    sent = journal.Sent(uuid4(), won(seen.due.players))

    version = journal.record_as_seen(table, sent, seen, by=owner)

    assert version.hand.number == 1
    numbers = table.evening.actions.order_by("number").values_list("number", flat=True)
    assert [*numbers] == [1, 2]


def test_an_id_that_something_has_is_not_written_as_seen(owner, lay, record):
    elsewhere = record(lay(4))
    table = lay(4)
    due = deal(table)
    sent = journal.Sent(elsewhere.pk, won(due.players))

    version = journal.record_as_seen(table, sent, journal.Seen(0, due), by=owner)

    assert version is None
    with pytest.raises(journal.Refused, match="used elsewhere"):
        journal.record_sent(table, sent, by=owner)
