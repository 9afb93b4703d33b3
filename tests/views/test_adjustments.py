"""Adjustments: points or money moved without a hand, apart from the hands."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal, tallies
from ledger.models import Action, Entry
from tests.support.fixtures import squeezed


@pytest.fixture
def path(table):
    return reverse("adjust", args=[table.evening_id])


@pytest.fixture
def evening(table):
    return reverse("evening", args=[table.evening_id])


@pytest.fixture
def form(people):
    """Ania misdealt and pays 6 to three others."""
    return {"id": str(uuid4()), "reason": "Misdeal", "unit": "points"} | gains(
        people, pays=["6"], gets=["", "2", "2", "2"]
    )


def gains(people, pays=(), gets=()):
    said = {}
    for player, amount in zip(people, gets, strict=False):
        said |= {f"way-{player.pk}": "gets", f"amount-{player.pk}": amount}
    for player, amount in zip(people, pays, strict=False):
        said |= {f"way-{player.pk}": "pays", f"amount-{player.pk}": amount}
    return said


def tally(table):
    return [(row.points, row.money) for row in tallies.tally(table.evening)]


def test_a_penalty_is_booked_once(as_, scorer, table, path, evening, form):
    client = as_(scorer)

    answers = [client.post(path, form) for _again in range(3)]

    assert {a.headers["Location"] for a in answers} == {
        f"{evening}?done={form['id']}#adjusted"
    }
    assert Entry.objects.count() == 1
    assert tally(table) == [(-6, -120), (2, 40), (2, 40), (2, 40)]


def test_no_field_asks_for_a_minus(as_, scorer, path):
    page = as_(scorer).get(path).text

    assert page.count('value="pays"') == page.count('value="gets"') == 4
    assert 'type="number"' not in page


def test_the_evening_tells_adjustments_apart(
    as_, member, scorer, table, record, path, evening, form
):
    record(table)
    as_(scorer).post(path, form)

    page = squeezed(as_(member).get(evening).text)

    assert "hands +3 · adjusted −6" in page
    assert "sums: hands 0, adjusted 0, all 0" in page
    assert "<strong>Misdeal</strong>: Ania" in page
    assert "Cancel" not in page


def test_an_evening_without_any_has_no_such_column(as_, member, evening):
    assert "adjusted" not in as_(member).get(evening).text


def test_money_can_be_adjusted_too(as_, scorer, people, table, path, evening, form):
    form |= {"unit": "money"} | gains(people, ["1,50"], ["", "1.50", "", ""])

    as_(scorer).post(path, form)

    assert tally(table) == [(0, -150), (0, 150), (0, 0), (0, 0)]
    page = squeezed(as_(scorer).get(evening).text)
    assert "hands 0 · adjusted −PLN\xa01.50" in page


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"pays": ["5"]}, "1 point more is received than paid."),
        ({"pays": ["7"]}, "1 point more is paid than received."),
        ({"pays": ["6"]}, "It balances: the sum is 0."),
    ],
)
def test_the_sum_is_shown_with_its_direction(
    as_, scorer, people, path, form, change, says
):
    form |= gains(people, change["pays"])

    part = as_(scorer).post(
        path, form | {"preview": "yes"}, headers={"HX-Request": "true"}
    )

    assert says in part.text
    assert "<html" not in part.text
    assert not Action.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"reason": " "}, "This field is required."),
        ({"reason": "x" * 201}, "at most 200 characters"),
        ({"pays": ["5"]}, "The gains are 1 more than the losses"),
        ({"pays": ["-6"]}, "Enter whole points, in figures."),
        ({"pays": ["6.5"]}, "Enter whole points, in figures."),
        ({"pays": ["9" * 5000]}, "Enter whole points, in figures."),
        ({"pays": ["²"]}, "Enter whole points, in figures."),
        (
            {"pays": [""], "gets": ["", "", "", ""]},
            "Nobody gains or loses anything: enter who pays and who gets.",
        ),
        ({"unit": "money", "pays": ["-6"]}, "without a sign"),
        ({"unit": "money", "pays": ["1,234"]}, "could be"),
        ({"unit": "money", "pays": ["9" * 5000]}, "without a sign"),
        ({"unit": "money", "pays": ["five"]}, "Enter an amount in figures"),
    ],
)
def test_what_does_not_come_out_is_refused_and_kept(
    as_, scorer, people, path, form, wrong, says
):
    who = gains(people, wrong.pop("pays", ["6"]), wrong.pop("gets", ()))
    form = form | who | wrong

    response = as_(scorer).post(path, form)

    assert response.status_code == 422
    assert says in response.text
    assert not Action.objects.exists()
    typed = form[f"amount-{people[0].pk}"]
    assert not typed or f'value="{typed}"' in response.text


def test_an_adjustment_is_cancelled_and_stays_struck(
    as_, scorer, table, path, evening, form
):
    client = as_(scorer)
    client.post(path, form)
    cancel = {"id": str(uuid4()), "cancel": form["id"]}

    for _again in range(2):
        assert client.post(path, cancel).status_code == 302
    client.post(path, cancel | {"id": str(uuid4())})

    assert tally(table) == [(0, 0)] * 4
    page = client.get(evening).text
    assert "<s><strong>Misdeal</strong>" in page
    assert "cancelled" in page
    assert f'value="{form["id"]}"' not in page


def test_an_adjustment_just_made_is_told_in_wider_books_too(
    as_, scorer, table, path, form
):
    client = as_(scorer)
    client.post(path, form)
    settle = reverse("settle", args=[table.evening.club_id])

    page = client.get(f"{settle}?until=2026-11-30&done={form['id']}").text

    assert f'action="{path}"' in page


def test_only_an_adjustment_is_cancelled(as_, scorer, table, record, path):
    hand = record(table).hand

    for asked in (hand.pk, uuid4(), "x"):
        cancel = {"id": str(uuid4()), "cancel": str(asked)}
        assert as_(scorer).post(path, cancel).status_code == 400


def test_adjusting_is_for_writers(as_, member, stranger, path, form):
    for user, status in ((member, 403), (stranger, 404)):
        assert as_(user).get(path).status_code == status
        assert as_(user).post(path, form).status_code == status
    assert as_(stranger).get("/evenings/999999/adjust/").status_code == 404
    assert not Action.objects.exists()


def test_an_adjustment_rejects_other_methods_and_no_id(as_, scorer, path, form):
    assert as_(scorer).put(path).status_code == 405
    assert as_(scorer).post(path, form | {"id": ""}).status_code == 400


def test_nothing_is_adjusted_in_a_closed_evening(as_, scorer, table, path, form):
    journal.close_evening(table.evening, by=table.evening.created_by)

    for response in (as_(scorer).get(path), as_(scorer).post(path, form)):
        assert response.status_code == 409
        assert "Can be reopened by: owner." in response.text
