"""The slip of a recorded hand: what changes is shown before it is saved."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal, tallies
from ledger.models import Hand, Version


@pytest.fixture
def hand(table, record):
    """Hand 2 of 4: 3 won by forehand and the third."""
    return [record(table).hand for _hand in range(4)][1]


@pytest.fixture
def path(hand):
    return reverse("correct", args=[hand.pk])


@pytest.fixture
def slip(hand):
    """Hand 2 with contract 2 instead of 3."""
    version = hand.versions.get()
    declarer, _second, partner, _fourth = version.players
    return {
        "id": str(uuid4()),
        "seen": str(version.pk),
        "contract": "2",
        "declarer": str(declarer),
        "partner": str(partner),
        "card_points": "41",
    }


def points(table):
    return [standing.points for standing in tallies.tally(table.evening)]


def test_the_slip_is_filled_as_the_hand_was_recorded(as_, scorer, path):
    page = as_(scorer).get(path).content.decode()

    assert 'name="contract" value="3" checked' in page
    assert 'value="41"' in page
    assert "Correct hand 2" in page


def test_saving_it_untouched_writes_nothing_and_says_so(as_, scorer, path, slip):
    answer = as_(scorer).post(path, slip | {"contract": "3"})

    assert answer.status_code == 200
    assert b"Nothing was changed, so nothing was saved." in answer.content
    assert Version.objects.count() == 4


def test_the_preview_shows_what_changes(as_, scorer, path, slip):
    answer = as_(scorer).post(path, slip, headers={"HX-Request": "true"})

    page = answer.content.decode()
    assert "What changes tonight" in page
    assert "Correct hand 2" in page
    assert page.count("→") == 4
    assert Version.objects.count() == 4


def test_a_correction_moves_the_tally(as_, scorer, path, slip, table, hand):
    before = points(table)

    answer = as_(scorer).post(path, slip)

    assert answer.url.startswith(reverse("hand", args=[hand.pk]))
    assert hand.versions.count() == 2
    assert sorted(b - a for a, b in zip(before, points(table), strict=True)) == [
        -1,
        -1,
        1,
        1,
    ]


def test_a_hand_changed_meanwhile_is_shown_and_nothing_lost(
    as_, scorer, path, slip, hand
):
    as_(scorer).post(path, slip)

    late = slip | {"id": str(uuid4()), "contract": "1"}
    answer = as_(scorer).post(path, late)

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody else has changed this hand in the meantime" in page
    assert 'name="contract" value="1" checked' in page
    now = hand.versions.latest("number")
    assert f'name="seen" value="{now.pk}"' in page
    assert as_(scorer).post(path, late | {"seen": str(now.pk)}).status_code == 302


def test_a_later_hand_that_changes_is_named(as_, scorer, lay, people, record):
    table = lay(variant="paskievics")
    first = record(table, {"ending": "passed"}).hand
    record(table, paskievics(people))
    slip = {"id": str(uuid4()), "won": "2"} | paskievics(people)
    del slip["card_points"]

    page = as_(scorer).post(
        reverse("correct", args=[first.pk]), slip | {"preview": "on"}
    )

    assert "It counts ×1, not ×2." in page.content.decode()


def paskievics(people):
    return {
        "contract": "two",
        "declarer": people[1].pk,
        "partner": people[3].pk,
        "card_points": 50,
    }


def test_a_forgotten_hand_is_put_in_its_place(as_, scorer, table, hand, slip):
    path = reverse("insert", args=[hand.pk])

    answer = as_(scorer).post(path, slip)

    put_in = Hand.objects.get(pk=slip["id"])
    hand.refresh_from_db()
    assert answer.status_code == 302
    assert (put_in.number, hand.number) == (2, 3)


def test_a_correction_is_for_scorers(as_, member, stranger, path, slip):
    assert as_(member).post(path, slip).status_code == 403
    assert as_(stranger).get(path).status_code == 404


def test_a_closed_evening_takes_no_correction(as_, scorer, owner, path, slip, table):
    journal.close_evening(table.evening, by=owner)

    answer = as_(scorer).post(path, slip)

    assert answer.status_code == 409
    assert b"The evening is closed" in answer.content
    assert Version.objects.count() == 4


def test_nonsense_is_answered_with_the_slip(as_, scorer, path):
    nonsense = {"id": "x", "seen": "y", "number": "9" * 5000, "plays": "9" * 5000}

    assert as_(scorer).post(path, nonsense).status_code == 422


def test_a_slip_keeps_its_players_when_others_came(as_, scorer, lay, people):
    table = lay(4)
    path = reverse("slip", args=[table.pk])
    old = [str(player.pk) for player in people[:4]]
    slip = {"id": str(uuid4()), "number": "1", "ending": "passed"}
    lineup = table.lineups.get()
    lineup.seats.create(position=4, player=people[4])

    as_(scorer).post(path, slip | {"seated": old, "plays": old})

    version = Version.objects.get()
    assert set(version.players) == {player.pk for player in people[:4]}


@pytest.mark.parametrize("hands", [3, 24])
def test_the_preview_asks_the_database_as_often_for_24_hands(
    as_, scorer, table, record, hands, django_assert_num_queries
):
    hand = [record(table).hand for _hand in range(hands)][1]
    path = reverse("correct", args=[hand.pk])
    client = as_(scorer)
    page = client.get(path)
    assert page.status_code == 200

    with django_assert_num_queries(11):
        client.post(path, {"ending": "passed"}, headers={"HX-Request": "true"})
