"""A long form that is refused says why at its button, with a way to each field."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse


@pytest.fixture
def address(club, table):
    """Return a function that gives the address of a form by its name."""
    evening = ("adjust", "evening_pay", "evening_correct", "table_new", "share")
    return lambda name: reverse(
        name, args=[table.evening_id if name in evening else club.pk]
    )


FORMS = {
    "evening_new": {"name": "", "date": "2020-02-30", "currency": "PLN", "stake": "x"},
    "table_new": {"variant": "taroki"},
    "adjust": {"reason": ""},
    "evening_pay": {"payer": "x", "payee": "", "amount": "-3"},
    "pot": {"amount": "0", "who": "x", "reason": ""},
    "evening_correct": {"name": "", "currency": "PLN", "stake": "1,2,3"},
    "ways": {"method": "x", "treasurer": "x"},
    "imports": {"mode": "x", "currency": "PLN", "stake": "x"},
}


def dock(page):
    return page.split('class="dock"')[1]


@pytest.mark.parametrize("name", FORMS)
def test_what_is_wrong_is_told_at_the_button(as_, owner, address, people, name):
    sent = FORMS[name] | {"id": str(uuid4())}
    if name == "adjust":
        sent[f"amount-{people[0].pk}"] = "five"

    page = as_(owner).post(address(name), sent)

    assert page.status_code == 422
    places = re.findall(r'href="#([^"]+)" data-jump', dock(page.text))
    wrong = page.text.count('class="error"')
    assert len(places) == max(wrong, 1)
    for place in places:
        assert f'id="{place}"' in page.text


def test_a_new_evening_tells_all_that_is_wrong(as_, owner, address, people):
    page = as_(owner).post(address("evening_new"), FORMS["evening_new"])

    told = re.findall(r"data-jump>([^<]+)</a>", dock(page.text))
    assert told == [
        "Name: This field is required.",
        "Date: Enter a valid date.",
        "Stake per point: Enter an amount in figures, for example 0.20 or 0,20.",
        "Four to six people sit at a table: 0 are chosen.",
        "Choose who deals the first hand.",
    ]


def test_nothing_is_told_while_the_seats_are_arranged(as_, owner, address, people):
    sent = {"new_player": "Gosia", "add": "yes"}

    page = as_(owner).post(address("evening_new"), sent)

    assert page.status_code == 200
    assert "data-jump" not in page.text
