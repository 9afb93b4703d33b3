"""Two phones write at once: one hand, and the other phone is told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from ledger import journal, standings
from ledger.models import Entry, Hand
from tests.ledger.conftest import won

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def together():
    """Return a function that runs calls at the same moment, each on its own phone."""

    def ran(*calls):
        start = Barrier(len(calls))

        def phone(call):
            try:
                start.wait(timeout=10)
                return call()
            except (journal.Taken, journal.Refused) as told:
                return told
            finally:
                connection.close()

        with ThreadPoolExecutor(len(calls)) as phones:
            return list(phones.map(phone, calls))

    return ran


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
    assert standings.hands_of(table)[0].version == kept[0]


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
    assert {s.points for s in standings.tally(table.evening)} == {0}
