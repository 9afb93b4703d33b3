"""Changing earlier hands: what would change is shown, then written once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal, tallies
from ledger.models import Action, Hand, Version
from ledger.table import changes
from tests.support.fixtures import squeezed


@pytest.fixture
def hands(table, record):
    """Three hands: the first and the third are won by the same two."""
    return [record(table).hand for _again in range(3)]


@pytest.fixture
def first(hands):
    return hands[0]


def path(name, hand, *more):
    return reverse(name, args=[hand.pk, *more])


def sent(hand, **more):
    """What the form on the page sends."""
    seen = hand.versions.latest("number").pk
    return {"id": str(uuid4()), "seen": str(seen), "reason": ""} | more


def points(table):
    return [standing.points for standing in tallies.tally(table.evening)]


def is_clean(table):
    return sum(points(table)) == 0


ALL = ["void", "swap_sides", "reorder"]


@pytest.fixture(params=ALL)
def change(request, hands):
    more = [hands[1].pk] if request.param == "reorder" else []
    return path(request.param, hands[0], *more)


def test_a_change_shows_first_and_writes_nothing(as_, scorer, change, first):
    response = as_(scorer).get(change)

    page = response.content.decode()
    assert response.status_code == 200
    assert "What changes tonight" in page
    assert 'name="reason"' in page
    assert Action.objects.count() == 3


def test_a_change_is_written_once(as_, scorer, change, first, table):
    client, form = as_(scorer), sent(first, reason="  mistyped ")

    answers = [client.post(change, form) for _again in range(3)]

    action = Action.objects.latest("number")
    done = f"{reverse('table', args=[table.pk])}?done={action.pk}"
    assert {answer.headers["Location"] for answer in answers} == {done}
    assert Action.objects.count() == 4
    assert (str(action.pk), action.by, action.reason) == (
        form["id"],
        scorer,
        "mistyped",
    )


def test_a_change_is_for_writers(as_, member, stranger, change, first):
    for user, status in ((member, 403), (stranger, 404)):
        assert as_(user).get(change).status_code == status
        assert as_(user).post(change, sent(first)).status_code == status
    assert Action.objects.count() == 3


def test_a_change_rejects_other_methods(as_, scorer, change):
    assert as_(scorer).put(change).status_code == 405


@pytest.mark.parametrize("name", ["id", "seen"])
@pytest.mark.parametrize("value", ["", "x", "0" * 5000])
def test_a_change_without_its_ids_is_refused(as_, scorer, change, first, name, value):
    assert as_(scorer).post(change, sent(first) | {name: value}).status_code == 400
    assert Action.objects.count() == 3


def test_a_long_reason_is_refused_beside_its_field(as_, scorer, change, first):
    response = as_(scorer).post(change, sent(first, reason="x" * 201))

    assert response.status_code == 422
    assert "at most 200 characters" in response.content.decode()
    assert Action.objects.count() == 3


def test_nothing_is_changed_in_a_closed_evening(as_, scorer, change, first, table):
    form = sent(first)
    journal.close_evening(table.evening, by=table.evening.created_by)

    answers = [as_(scorer).get(change), as_(scorer).post(change, form)]

    for answer in answers:
        assert answer.status_code == 409
        assert "Can be reopened by: owner." in answer.content.decode()


@pytest.mark.parametrize("name", ["void", "restore", "swap_sides"])
def test_a_change_of_a_hand_of_nowhere_is_404(as_, scorer, db, name):
    assert as_(scorer).get(reverse(name, args=[uuid4()])).status_code == 404


def test_only_hands_of_one_table_change_their_order(as_, scorer, first, lay, record):
    elsewhere = record(lay(5)).hand

    for other in (elsewhere.pk, first.pk, uuid4()):
        assert as_(scorer).get(path("reorder", first, other)).status_code == 404


def test_a_stale_change_says_what_was_done_since(as_, scorer, owner, change, first):
    form = sent(first, reason="sides mixed up")
    journal.correct(
        first.table,
        changes.Correct(first, won_by_the_others(first)),
        id=uuid4(),
        by=owner,
        reason="it was I",
    )

    response = as_(scorer).post(change, form)

    page = squeezed(response.text)
    assert response.status_code == 409
    assert "Somebody else was quicker" in page
    assert "Hand 1 corrected (it was I), owner" in page
    assert 'value="sides mixed up"' in page
    assert Action.objects.count() == 4
    again = form | {"seen": first.versions.latest("number").pk, "id": str(uuid4())}
    assert as_(scorer).post(change, again).status_code == 302


def won_by_the_others(hand):
    return hand.versions.latest("number").record | {"card_points": 20}


def test_taking_a_hand_back_moves_those_behind_it(as_, scorer, table, hands):
    page = as_(scorer).get(path("void", hands[0])).content.decode()

    assert "3 hands change" in page
    assert "Hand 2 becomes hand 1." in page
    as_(scorer).post(path("void", hands[0]), sent(hands[0]))
    assert [
        (hand.voided, hand.number)
        for hand in (Hand.objects.get(pk=hand.pk) for hand in hands)
    ] == [(True, 1), (False, 1), (False, 2)]
    assert is_clean(table)


def test_a_hand_taken_back_says_so_and_can_be_restored(as_, scorer, member, first):
    client = as_(scorer)
    client.post(path("void", first), sent(first, reason="twice"))

    page = client.get(path("hand", first)).content.decode()
    assert "Taken back: this hand no longer counts." in page
    assert "“twice”" in page
    assert "Reversed: Ania −3" in page
    assert path("restore", first) in page
    assert path("restore", first) not in as_(member).get(path("hand", first)).text
    as_(scorer).post(path("restore", first), sent(first))

    first.refresh_from_db()
    assert (first.voided, first.number) == (False, 1)


def test_a_hand_that_counts_is_not_restored(as_, scorer, first):
    response = as_(scorer).get(path("restore", first))

    page = response.content.decode()
    assert "This hand already counts." in page
    assert 'name="seen"' not in page
    assert as_(scorer).post(path("restore", first), sent(first)).status_code == 409


def test_swapping_sides_turns_the_payments_round(as_, scorer, table, first):
    before = points(table)

    page = as_(scorer).get(path("swap_sides", first)).content.decode()
    as_(scorer).post(path("swap_sides", first), sent(first))

    assert "<s>+3</s>" in page
    assert ">−3<" in page
    assert "Sides swapped." in page
    assert points(table) == [
        now - change for now, change in zip(before, TURNED, strict=True)
    ]


TURNED = [6, -6, 6, -6]


def test_a_passed_hand_has_no_sides_to_swap(as_, scorer, table, record):
    hand = record(table, {"ending": "passed"}).hand

    page = as_(scorer).get(path("swap_sides", hand)).content.decode()

    assert "it has no sides to swap" in page
    assert path("swap_sides", hand) not in as_(scorer).get(path("hand", hand)).text
    response = as_(scorer).post(path("swap_sides", hand), sent(hand))
    assert response.status_code == 422


def test_the_order_of_two_hands_is_changed(as_, scorer, hands):
    page = as_(scorer).get(path("hand", hands[1])).text
    assert path("reorder", hands[1], hands[0].pk) in page
    assert path("reorder", hands[1], hands[2].pk) in page

    as_(scorer).post(path("reorder", hands[1], hands[0].pk), sent(hands[1]))

    numbers = [Hand.objects.get(pk=hand.pk).number for hand in hands]
    assert numbers == [2, 1, 3]


def test_every_version_of_a_hand_stays_visible(as_, member, owner, first):
    journal.correct(
        first.table,
        changes.Correct(first, won_by_the_others(first)),
        id=uuid4(),
        by=owner,
        reason="counted again",
    )

    page = as_(member).get(path("hand", first)).text

    assert "Hand 1 recorded" in page
    assert "Hand 1 corrected" in page
    assert "“counted again”" in page
    assert "<s>41 of 70</s> 20 of 70" in page
    assert "Reversed: Ania −3 · Bartek +3 · Celina −3 · Darek +3" in page
    assert "Booked: Ania −" in page


@pytest.fixture
def reseat(table, people):
    asked = {"player": people[0].pk, "other": people[1].pk, "from": 2}
    return reverse("reseat", args=[table.pk]), asked


def test_two_seats_are_put_right_from_a_hand_on(as_, scorer, hands, reseat, people):
    address, asked = reseat
    seen = hands[1].versions.latest("number")

    page = as_(scorer).get(address, asked).text
    form = asked | {"id": str(uuid4()), "seen": str(seen.pk)}
    response = as_(scorer).post(address, form)

    assert "Swap Ania and Bartek from hand 2 on" in page
    assert "2 hands change" in page
    assert response.status_code == 302
    played = [hand.versions.latest("number").players for hand in hands]
    ania, bartek = people[0].pk, people[1].pk
    assert played[0].index(ania) + 1 == played[0].index(bartek)
    assert played[2].index(bartek) + 1 == played[2].index(ania)
    done = as_(scorer).get(response.headers["Location"]).text
    assert "Ania and Bartek swapped seats from hand 2 on" in done.replace(
        "Bartek and Ania", "Ania and Bartek"
    )


@pytest.mark.parametrize(
    "wrong", [{"other": "x"}, {"player": 10**12}, {"from": "9" * 5000}, {"from": 99}]
)
def test_seats_that_cannot_be_put_right_are_refused(as_, scorer, hands, reseat, wrong):
    address, asked = reseat

    response = as_(scorer).get(address, asked | wrong)

    assert response.status_code == 200
    assert 'role="alert"' in response.text
    assert 'name="seen"' not in response.text
    form = asked | wrong | {"id": str(uuid4()), "seen": ""}
    assert as_(scorer).post(address, form).status_code in (200, 422)
    assert Action.objects.count() == 3


def test_reseating_is_for_writers(as_, member, stranger, hands, reseat):
    address, asked = reseat
    assert as_(member).get(address, asked).status_code == 403
    assert as_(stranger).get(address, asked).status_code == 404


def test_a_change_asks_the_database_the_same_number_of_times(
    as_, scorer, table, record, hands, django_assert_max_num_queries
):
    client = as_(scorer)
    with django_assert_max_num_queries(17) as few:
        client.get(path("void", hands[0]))
    asked = len(few)
    for _again in range(6):
        record(table)

    with django_assert_max_num_queries(asked):
        client.get(path("void", hands[0]))


def test_saving_asks_the_database_the_same_number_of_times(
    as_, scorer, table, record, hands, django_assert_max_num_queries
):
    client = as_(scorer)
    form = sent(hands[2])
    with django_assert_max_num_queries(40) as few:
        client.post(path("void", hands[2]), form)
    asked = len(few)
    client.post(path("restore", hands[2]), sent(hands[2]))
    form = sent(hands[0])
    for _again in range(6):
        record(table)

    with django_assert_max_num_queries(asked + 8):  # the hands behind, all at once
        client.post(path("void", hands[0]), form)


def test_versions_are_only_added(as_, scorer, first):
    as_(scorer).post(path("swap_sides", first), sent(first))
    as_(scorer).post(path("swap_sides", first), sent(first))

    assert list(
        Version.objects.filter(hand=first).order_by("number").values_list("number")
    ) == [(1,), (2,), (3,)]
