"""A hand saved by a phone with a script: the answer is the table after it."""

from __future__ import annotations

import gzip
from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal, seating, standings
from ledger.models import Version
from ledger.table import deal
from ledger.views.standing import page_after, page_of
from tests.ledger.conftest import won


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


@pytest.mark.parametrize("count", [4, 5])
def test_it_shows_what_the_page_shows(as_, scorer, owner, lay, path, count):
    """Through hands played and thrown in, whoever deals and sits out."""
    table = lay(count)
    ask = as_(scorer).get(reverse("table", args=[table.pk])).wsgi_request
    table.readers_role = "scorer"
    for ending in (None, "passed", "passed", None, None):
        due = deal(table)
        hand = {"ending": ending} if ending else won(due.players)
        score = journal.preview(table, hand).score
        version = journal.record_hand(table, id=uuid4(), record=hand, by=owner)

        gains = dict(zip([p.pk for p in due.players], score.payments, strict=True))
        after = page_after(table, due, version, gains)

        page = page_of(ask, table)
        assert after["deal"] == page["deal"]
        assert after["score"] == page["score"]
        assert after["rows"][0].moved == page["rows"][0].moved
        assert after["rows"][0].title == page["rows"][0].title


def test_who_went_home_with_points_makes_it_lead_to_the_page(
    as_, scorer, owner, lay, people, record
):
    table = lay(5)
    record(table)
    seating.leave(table, people[1], id=uuid4(), by=owner)
    due = deal(table)
    slip = {"shows": "on", "id": str(uuid4()), "number": "2", "contract": "1"}
    slip |= {"declarer": str(due.players[0].pk), "partner": str(due.players[2].pk)}

    answer = as_(scorer).post(reverse("slip", args=[table.pk]), slip | {"won": "0"})

    assert answer.status_code == 302
    assert standings.tally_of(table.evening, due.seats) is None


def test_a_slip_sent_again_leads_to_the_page(as_, scorer, path, slip):
    first = as_(scorer).post(path, slip)
    again = as_(scorer).post(path, slip)

    assert (first.status_code, again.status_code) == (200, 302)
    assert Version.objects.count() == 1


def test_what_was_done_since_the_look_is_looked_at_again(owner, lay, people):
    table = lay(5)
    seen = journal.Seen(0, deal(table))
    seating.rest(table, people[2], id=uuid4(), by=owner)
    sent = journal.Sent(uuid4(), won(seen.due.players))

    version = journal.record_as_seen(table, sent, seen, by=owner)

    assert version is None
    assert not Version.objects.exists()


def test_an_id_that_something_has_is_not_written_as_seen(owner, lay, record):
    elsewhere = record(lay(4))
    table = lay(4)
    due = deal(table)
    sent = journal.Sent(elsewhere.pk, won(due.players))

    version = journal.record_as_seen(table, sent, journal.Seen(0, due), by=owner)

    assert version is None
    with pytest.raises(journal.Refused, match="used elsewhere"):
        journal.record_sent(table, sent, by=owner)
