"""Every debt is open, paid or carried elsewhere, and every page says the same of it."""

from __future__ import annotations

import csv
import datetime
import html
import io
import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ledger import journal
from ledger.models import Action, Entry, Evening, ShareLink
from ledger.settlement import SettlementScope

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
    return SettlementScope.everything(club, "")


@pytest.fixture
def paid_outside(played, everything, people, owner):
    """Ania pays Celina 1 under Everything, which carries the evening's debts there."""
    return journal.pay(
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
    journal.settle(everything, id=uuid4(), by=owner)

    for page in (read("evening", played.pk), read("shared", link)):
        assert STANDS not in page
        assert page.count("carried to Everything: no longer open") == 2


def test_the_history_of_an_evening_has_what_carried_its_debts(
    read, played, paid_outside, owner
):
    page = read("history", played.pk)
    journal.undo(paid_outside, id=uuid4(), by=owner)
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
    journal.carry(played, later, id=uuid4(), by=owner)

    assert "Carried over to Saturday" in read("history", played.pk)
    assert "Carried over from Friday" in read("history", later.pk)
    assert "carried to Saturday: still open there" in read("evening", played.pk)


def test_taking_back_names_first_all_that_it_takes_back(
    as_, owner, club, people, played, lay, record, everything
):
    other = lay(currency="", stake=0)
    record(other)
    Evening.objects.filter(pk=other.evening_id).update(name="Saturday")
    action = journal.pay(everything, people[0], people[2], 1, id=uuid4(), by=owner)
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
    scope = SettlementScope.of_evening(played)
    action = journal.pay(scope, people[1], people[0], 3, id=uuid4(), by=owner)

    as_(owner).post(
        reverse("take_back", args=[club.pk]), {"id": uuid4(), "action": action.pk}
    )

    assert Action.objects.filter(undoes=action).exists()


# Carried on


def test_a_debt_that_was_carried_twice_stands_where_it_came_to_last(
    read, played, lay, everything, people, owner
):
    later = lay(currency="", stake=0).evening
    journal.carry(played, later, id=uuid4(), by=owner)
    journal.pay(everything, people[0], people[2], 1, id=uuid4(), by=owner)

    assert read("evening", played.pk).count(STANDS) == 2
    assert read("evening", later.pk).count(STANDS) == 2


def test_who_won_it_back_where_it_was_carried_owes_nothing_of_it(
    read, played, lay, record, people, owner
):
    later = lay(currency="", stake=0)
    journal.carry(played, later.evening, id=uuid4(), by=owner)
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


# Currencies


@pytest.fixture
def three(lay, record):
    """Evenings for złoty, euro and points, in that order; all of it is open."""
    tables = [lay(), lay(currency="EUR", stake=5), lay(currency="", stake=0)]
    for table in tables:
        record(table)
    return [table.evening for table in tables]


def test_a_club_shows_every_currency_in_which_something_is_open(
    read, club, three, owner, people
):
    page = read("club", club.pk)

    for amount in ("+PLN\xa00.60", "+€0.15", "Ania +3"):
        assert amount.replace("\xa0", " ") in page
    journal.settle(SettlementScope.of_evening(three[1]), id=uuid4(), by=owner)
    assert "€" not in read("club", club.pk)


def test_a_player_leads_to_his_statement_in_every_currency_in_which_he_owes(
    read, club, three, people
):
    page = read("player", club.pk, people[1].pk)

    for amount in ("−PLN 0.60", "−€0.15", "Statement −3"):
        assert amount in page


def test_the_settle_page_says_in_what_else_something_is_open(read, club, three, owner):
    journal.settle(SettlementScope.of_evening(three[1]), id=uuid4(), by=owner)

    page = read("settle", club.pk)

    assert "PLN: open" in page
    assert "points: open" in page
    assert "EUR: open" not in page


def test_a_club_that_plays_for_one_thing_is_asked_no_oftener_for_more_evenings(
    as_, owner, club, lay, record, django_assert_num_queries
):
    path, client = reverse("club", args=[club.pk]), as_(owner)
    record(lay())
    with django_assert_num_queries(CLUB):
        client.get(path)
    for _again in range(3):
        record(lay())

    with django_assert_num_queries(CLUB):
        client.get(path)


CLUB = 17
"""Queries of the page of a club that plays for one thing."""


# The day of a payment, and the day it counts for

JUNE, NOVEMBER = datetime.date(2026, 6, 30), datetime.date(2026, 11, 30)


@pytest.fixture
def june(table, record):
    """An evening in June, for złoty."""
    record(table)
    Evening.objects.filter(pk=table.evening_id).update(date=datetime.date(2026, 6, 5))
    return table.evening


def csv_of(response):
    text = b"".join(response.streaming_content).decode()
    head, *rows = csv.reader(io.StringIO(text[1:]))
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_what_is_settled_up_to_a_day_was_paid_on_another(
    as_, owner, club, june, people, read
):
    path = f"{reverse('settle', args=[club.pk])}?until=2026-06-30&currency=PLN"
    client = as_(owner)
    page = client.get(f"{path}&sure=yes").text
    rows = re.findall(r'name="row" value="([^"]+)"', page)
    sent = {"id": str(uuid4()), "row": rows, "day": "2026-11-28"}

    client.post(f"{path}&sure=yes", sent)

    assert 'name="day"' in page
    assert set(Entry.objects.filter(kind="payment").values_list("date", "paid_on")) == {
        (JUNE, datetime.date(2026, 11, 28))
    }
    told = "paid on 28 November 2026, counts up to 30 June 2026"
    statement = read("statement", club.pk, people[0].pk, query="?currency=PLN")
    assert told in statement
    assert told in read("settle", club.pk, query="?until=2026-06-30&currency=PLN")
    for query in ("table=payments", "table=debts"):
        marks = "&separator=comma&decimal=point"
        answer = client.get(f"{reverse('table_csv', args=[club.pk])}?{query}{marks}")
        paid = [row for row in csv_of(answer) if row["Paid on"]]
        assert {(row["Paid on"], row["Counts up to"]) for row in paid} == {
            ("2026-11-28", "2026-06-30")
        }


def test_a_payment_has_a_day_which_is_not_still_to_come(as_, owner, club, june, people):
    path = reverse("evening_pay", args=[june.pk])
    sent = {"id": str(uuid4()), "payer": people[1].pk, "payee": people[0].pk,
            "amount": "0,20", "how": "cash"}  # fmt: skip
    client = as_(owner)

    late = client.post(path, sent | {"day": "2099-01-01"})
    client.post(path, sent | {"day": "2026-06-06"})

    assert late.status_code == 422
    assert 'id="id_day_error"' in late.text
    assert "in the future" in late.text
    (entry,) = Entry.objects.filter(kind="payment")
    assert (entry.day, entry.counts_for) == (datetime.date(2026, 6, 6), None)


def test_a_payment_of_before_has_the_day_it_was_entered(june, owner, people):
    scope = SettlementScope.up_to(june.club, JUNE, "PLN")
    entry = Entry(
        evening=None,
        date=JUNE,
        created_at=datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC),
    )

    assert scope.until == JUNE
    assert (entry.day, entry.counts_for) == (NOVEMBER, JUNE)


# Between two


def test_between_two_the_hands_alone_are_told(
    as_, owner, club, lay, record, people, read
):
    """Bartek lost to Celina, by the coins; Ania paid him 25, and her 10."""
    table = lay()
    record(table)
    scope = SettlementScope.of_evening(table.evening)
    journal.pay(scope, people[0], people[1], 25, id=uuid4(), by=owner)
    journal.pay(scope, people[0], people[2], 10, id=uuid4(), by=owner)
    path = reverse("statement", args=[club.pk, people[1].pk])
    alone = "Their own hands come to PLN\xa00.00"

    for query in (f"?evening={table.evening_id}", "?currency=PLN"):
        query += f"&with={people[0].pk}"
        page = read("statement", club.pk, people[1].pk, query=query)
        rows = csv_of(as_(owner).get(f"{path}{query}&csv=yes"))

        assert alone.replace("\xa0", " ") in page
        assert rows[-2]["Type"] == "Sum"
        told = f"In the plan Bartek pays Ania PLN\xa00.35. {alone}, or "
        assert rows[-1]["Type"].startswith(told)


def test_two_who_played_and_never_paid_each_other_have_their_hands_told(
    club, lay, record, people, read
):
    """Ania and Celina were partners: nothing went from one to the other."""
    table = lay()
    record(table)
    args, query = (club.pk, people[0].pk), f"?evening={table.evening_id}"

    partners = read("statement", *args, query=f"{query}&with={people[2].pk}")
    all_time = read("statement", *args, query=f"?currency=PLN&with={people[2].pk}")

    assert "Hand 1:" in partners
    assert "Nothing was played or paid" not in partners
    assert "Friday" in all_time
    assert "Nothing was played or paid" not in all_time


def test_a_page_asks_as_often_however_often_its_debts_were_carried(
    as_, lay, record, club, people, owner
):
    table = lay()
    everything, client = SettlementScope.everything(club, "PLN"), as_(owner)
    pages = [
        reverse("evening", args=[table.evening_id]),
        f"{reverse('settle', args=[club.pk])}?season={table.evening.season_id}",
        reverse("history", args=[table.evening_id]),
    ]

    def carry():
        record(table)
        journal.pay(everything, people[0], people[2], 1, id=uuid4(), by=owner)

    def asked():
        counts = []
        for path in pages:
            with CaptureQueriesContext(connection) as caught:
                client.get(path)
            counts.append(len(caught))
        return counts

    carry()
    few = asked()
    for _again in range(3):
        carry()

    assert asked() == few
