"""Every debt is open, paid or carried elsewhere, and every page says the same of it."""

from __future__ import annotations

import html
import re
from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import payments
from ledger.models import Action, Evening, ShareLink
from ledger.settling import Scope

# Forehand and the third win three points of each other two: Bartek owes Ania 3, and
# Darek Celina.


@pytest.fixture
def played(lay, record):
    """An evening for points with two open debts of 3."""
    table = lay(currency="", stake=0)
    record(table)
    return table.evening


@pytest.fixture
def everything(club):
    return Scope.everything(club, "")


@pytest.fixture
def paid_outside(played, everything, people, owner):
    """Ania pays Celina 1 under Everything, which carries the evening's debts there."""
    return payments.pay(
        everything, people[0], people[2], 1, id=uuid4(), by=owner, method="cash"
    )


@pytest.fixture
def read(as_, owner):
    """Return a function that gives the text of a page, without its markup."""

    def text_of(name, *args, query=""):
        page = as_(owner).get(reverse(name, args=args) + query)
        assert page.status_code == 200
        shown = re.sub(r"<textarea.*?</textarea>|<[^>]*>", " ", page.text, flags=re.S)
        return " ".join(html.unescape(shown).split())

    return text_of


@pytest.fixture
def link(played, owner):
    _link, secret = ShareLink.make(played, by=owner)
    return secret


NOBODY = "Nobody owes anybody anything"
STANDS = "carried to Everything: still open there"


def test_what_is_carried_is_not_paid(read, played, paid_outside, link):
    for page in (
        read("evening", played.pk),
        read("card", played.pk),
        read("shared", link),
    ):
        assert NOBODY not in page
        assert page.count(STANDS) == 2
        assert "Bartek" in page


def test_what_was_carried_and_settled_there_is_no_longer_open(
    read, played, everything, paid_outside, owner, link
):
    payments.settle(everything, id=uuid4(), by=owner)

    for page in (read("evening", played.pk), read("shared", link)):
        assert STANDS not in page
        assert page.count("carried to Everything: no longer open") == 2


def test_the_history_of_an_evening_has_what_carried_its_debts(
    read, played, paid_outside, owner
):
    page = read("history", played.pk)
    payments.take_back(paid_outside, id=uuid4(), by=owner)
    undone = read("history", played.pk)

    told = "Carried over to Everything: Ania paid Celina 1"
    assert page.count(told) == 1
    assert f"Undone: {told}" in undone
    assert undone.index("Undone") < undone.rindex(told)


def test_the_history_says_from_where_and_where_to_an_evening_was_carried(
    read, played, lay, owner
):
    later = lay(currency="", stake=0).evening
    Evening.objects.filter(pk=later.pk).update(name="Saturday")
    payments.carry(played, later, id=uuid4(), by=owner)

    assert "Carried over to Saturday" in read("history", played.pk)
    assert "Carried over from Friday" in read("history", later.pk)
    assert "carried to Saturday: still open there" in read("evening", played.pk)


def test_taking_back_names_first_all_that_it_takes_back(
    as_, owner, club, people, played, lay, record, everything
):
    other = lay(currency="", stake=0)
    record(other)
    Evening.objects.filter(pk=other.evening_id).update(name="Saturday")
    action = payments.pay(everything, people[0], people[2], 1, id=uuid4(), by=owner)
    client, sent = as_(owner), {"id": str(uuid4()), "action": str(action.pk)}
    path = reverse("take_back", args=[club.pk])

    page = client.post(path, sent)
    asked = Action.objects.filter(kind="undo").exists()
    sure = re.search(r'name="sure" value="([^"]+)"', page.text)[1]
    client.post(path, sent | {"sure": sure})

    assert not asked
    for named in ("Friday", "Saturday", "Everything", "Ania → Celina 1"):
        assert named in page.text
    assert Action.objects.filter(kind="undo").count() == 1


def test_a_payment_in_one_book_is_taken_back_at_once(as_, owner, club, people, played):
    scope = Scope.of_evening(played)
    action = payments.pay(scope, people[1], people[0], 3, id=uuid4(), by=owner)

    as_(owner).post(
        reverse("take_back", args=[club.pk]), {"id": uuid4(), "action": action.pk}
    )

    assert Action.objects.filter(undoes=action).exists()


# Carried on


def test_a_debt_that_was_carried_twice_stands_where_it_came_to_last(
    read, played, lay, everything, people, owner
):
    later = lay(currency="", stake=0).evening
    payments.carry(played, later, id=uuid4(), by=owner)
    payments.pay(everything, people[0], people[2], 1, id=uuid4(), by=owner)

    assert read("evening", played.pk).count(STANDS) == 2
    assert read("evening", later.pk).count(STANDS) == 2


def test_who_won_it_back_where_it_was_carried_owes_nothing_of_it(
    read, played, lay, record, people, owner
):
    later = lay(currency="", stake=0)
    payments.carry(played, later.evening, id=uuid4(), by=owner)
    record(
        later,
        {
            "contract": "3",
            "declarer": people[1].pk,
            "partner": people[3].pk,
            "card_points": 41,
        },
    )

    page = read("evening", played.pk)

    assert page.count("carried to Friday: no longer open") == 2


@pytest.mark.parametrize("query", ["season={season}&currency=", "until=2026-11-25"])
def test_a_season_and_a_day_say_too_what_was_carried_out_of_them(
    read, club, played, paid_outside, query
):
    query = query.format(season=played.season_id)

    page = read("settle", club.pk, query=f"?{query}&currency=")

    assert NOBODY not in page
    assert page.count(STANDS) == 2
    assert STANDS not in read("settle", club.pk, query="?currency=")
