"""Two phones write at once: one hand, and the other phone is told."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal, statistics, tallies
from ledger.models import Entry, Hand
from tests.load.pages import forms
from tests.support.fixtures import won

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_number_from_two_phones_is_one_hand(table, people, owner, together):
    def send(points):
        hand = won(people) | {"card_points": points}
        return lambda: journal.record_hand(
            table, id=uuid4(), record=hand, by=owner, number=1
        )

    answers = together(send(41), send(42))

    hand = Hand.objects.get()
    told = [answer for answer in answers if isinstance(answer, journal.Taken)]
    kept = [answer for answer in answers if not isinstance(answer, journal.Taken)]
    assert [taken.hand for taken in told] == [hand]
    assert [version.hand for version in kept] == [hand]
    assert tallies.hands_of(table)[0].version == kept[0]


def test_the_same_hand_sent_five_times_at_once_is_one_hand(
    table, people, owner, together
):
    id = uuid4()

    answers = together(
        *[
            lambda: journal.record_hand(
                table, id=id, record=won(people), by=owner, number=1
            )
        ]
        * 5
    )

    assert {answer.pk for answer in answers} == {id}
    assert (Hand.objects.count(), Entry.objects.count()) == (1, 1)


def test_one_id_at_two_tables_at_once_is_one_hand(lay, people, owner, together):
    id, tables = uuid4(), [lay(), lay()]

    answers = together(
        *[
            lambda at=at: journal.record_hand(at, id=id, record=won(people), by=owner)
            for at in tables
        ]
    )

    assert Hand.objects.count() == 1
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "Version"]


def test_an_undo_from_two_phones_is_one_reversal(table, record, owner, together):
    hand = record(table).hand

    answers = together(*[lambda: journal.reverse_hand(hand, id=uuid4(), by=owner)] * 2)

    assert len({answer.pk for answer in answers}) == 1
    assert {s.points for s in tallies.tally(table.evening)} == {0}


def slip_of(client, path):
    """Return the slip at *path* as it stands."""
    (form,) = (f for f in forms(client.get(path).text, path) if f.action == path)
    return form


def post(client, path, fields):
    body = urlencode(fields)
    return client.post(path, body, content_type="application/x-www-form-urlencoded")


@pytest.fixture
def slip(as_, scorer, table, people):
    """Return a phone, the path of the slip that it opened, and the slip filled in."""
    phone, path = as_(scorer), reverse("slip", args=[table.pk])
    first, second = people[:2]
    facts = {"contract": "3", "declarer": first.pk, "partner": second.pk, "won": "1"}
    return phone, path, slip_of(phone, path).filled(**facts)


def test_a_slip_that_came_second_goes_on_under_the_dealer_who_is_due_then(
    slip, table, people, record
):
    phone, path, filled = slip
    record(table)

    told = post(phone, path, filled)
    saved = post(phone, path, [*filled, ("number", 2)])

    assert (told.status_code, saved.status_code) == (409, 302)
    version = Hand.objects.get(number=2).versions.get()
    assert (version.dealer, version.dealer_set) == (people[0], False)


def test_a_slip_sent_again_after_the_deal_moved_on_is_answered_as_before(
    slip, table, record
):
    phone, path, filled = slip
    saved = post(phone, path, filled)
    record(table)

    again = post(phone, path, filled)

    assert (again.status_code, again.url) == (302, saved.url)
    assert Hand.objects.count() == 2


def test_a_correction_sent_again_is_answered_as_before(
    as_, scorer, table, people, record
):
    hand = record(table).hand
    phone, path = as_(scorer), reverse("correct", args=[hand.pk])
    filled = slip_of(phone, path).filled(declarer=people[1].pk)

    answers = [post(phone, path, filled) for _again in range(3)]

    assert [answer.status_code for answer in answers] == [302] * 3
    assert len({answer.url for answer in answers}) == 1
    assert hand.versions.count() == 2


def test_two_evenings_closed_at_once_are_both_in_the_statistics(
    night, club, owner, together
):
    evenings = [
        night(day, 1, close=False).evening for day in ("2026-11-20", "2026-11-21")
    ]

    together(*[lambda e=e: journal.close_evening(e, by=owner) for e in evenings])

    assert statistics.read(statistics.HandFilter(club)).hands == 2
    assert not statistics.without_digest(club.evenings.all()).exists()
    assert list(statistics.differences(club, Counter())) == []
