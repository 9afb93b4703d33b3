"""People come and go on the page of a table's seats."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal
from ledger.models import Action, Player
from ledger.table.deals import deal
from tests.support.fixtures import names


@pytest.fixture
def five(lay):
    """Ania, Bartek, Celina, Darek and Ewa, who deals."""
    return lay(5)


@pytest.fixture
def path(five):
    return reverse("seats", args=[five.pk])


def sent(do, player=None, **more):
    asked = {"player": player.pk} if player else {}
    return {"id": str(uuid4()), "do": do} | asked | more


def seats(table):
    return names(deal(table).seats)


def test_the_seats_say_who_deals_now_and_then(as_, member, path):
    page = as_(member).get(path).text

    assert "From hand 1 on" in page
    assert "Ewa deals." in page
    assert "Then Ania, Bartek, Celina." in page
    assert "deals, sits out" in page
    assert "<form" not in page.split("<main")[1]


@pytest.mark.parametrize(
    ("do", "whom", "words", "left"),
    [
        ("dealer", 1, "Bartek deals hand 1", "Ania Bartek Celina Darek Ewa"),
        ("rest", 1, "Bartek takes a break", "Ania Bartek Celina Darek Ewa"),
        ("leave", 4, "Ewa leaves", "Ania Bartek Celina Darek"),
    ],
)
def test_a_tap_is_done_told_and_undone(
    as_, scorer, five, people, path, do, whom, words, left
):
    before = deal(five)
    client, form = as_(scorer), sent(do, people[whom])

    answers = [client.post(path, form) for _again in range(3)]

    assert {a.headers["Location"] for a in answers} == {f"{path}?done={form['id']}"}
    assert Action.objects.count() == 1
    assert seats(five) == left
    assert deal(five) != before
    page = client.get(answers[0].headers["Location"]).text
    assert words in page
    undo = {"id": str(uuid4()), "action": form["id"]}
    client.post(reverse("undo", args=[five.pk]), undo)
    assert deal(five) == before


def test_who_takes_a_break_comes_back(as_, scorer, five, people, path):
    before = deal(five)
    as_(scorer).post(path, sent("rest", people[0]))

    assert "Comes back" in as_(scorer).get(path).text
    as_(scorer).post(path, sent("back", people[0]))

    assert deal(five) == before
    done = reverse("history", args=[five.evening_id])
    assert "Ania is back" in as_(scorer).get(done).text


def test_somebody_known_sits_down_behind_another(as_, scorer, five, people, path):
    assert "Filip" in as_(scorer).get(path).text

    as_(scorer).post(path, sent("join", people[5], where=f"after-{people[1].pk}"))

    assert seats(five) == "Ania Bartek Filip Celina Darek Ewa"


def test_somebody_new_sits_down_once(as_, scorer, five, people, path):
    form = sent("join", name="  Gosia ", where=f"after-{people[4].pk}", player="")
    client = as_(scorer)

    client.post(path, form)
    client.post(path, form)

    assert seats(five) == "Ania Bartek Celina Darek Ewa Gosia"
    assert Player.objects.filter(name="Gosia").count() == 1


def test_somebody_plays_for_another(as_, scorer, five, people, path):
    form = sent("join", people[5], where=f"for-{people[1].pk}")
    response = as_(scorer).post(path, form)

    assert seats(five) == "Ania Filip Celina Darek Ewa"
    page = as_(scorer).get(response.headers["Location"]).text
    assert "Filip plays for Bartek" in page


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"name": "Gosia"}, "Choose where the new player sits."),
        ({"name": " ", "where": "after"}, "Choose who joins, or enter a new name."),
        ({"name": "ania", "where": "after"}, "Ania already plays here"),
        ({"name": "x" * 61, "where": "after"}, "at most 60 characters"),
    ],
)
def test_an_unclear_newcomer_is_asked_for(as_, scorer, five, people, path, more, says):
    if "where" in more:
        more = more | {"where": f"after-{people[0].pk}"}

    response = as_(scorer).post(path, sent("join", **more))

    assert response.status_code == 422
    assert says in response.text
    assert more["name"] in response.text
    assert seats(five) == "Ania Bartek Celina Darek Ewa"
    assert Player.objects.count() == 6


def test_a_seventh_leaves_no_trace(as_, scorer, lay, people):
    table = lay(6)
    path = reverse("seats", args=[table.pk])
    form = sent("join", name="Gosia", where=f"after-{people[0].pk}")

    page = as_(scorer).get(path).text
    response = as_(scorer).post(path, form)

    assert "The table is full" in page
    assert response.status_code == 422
    assert "At most 6 can sit at a table" in response.text
    assert not Player.objects.filter(name="Gosia").exists()


@pytest.mark.parametrize("do", ["leave", "rest"])
def test_four_are_left_to_play(as_, scorer, table, people, do):
    response = as_(scorer).post(reverse("seats", args=[table.pk]), sent(do, people[0]))

    assert response.status_code == 422
    assert "4 are needed to play" in response.text


def test_somebody_goes_to_the_other_table(as_, scorer, club, five, people, path):
    four = [club.players.create(name=name) for name in ("G", "H", "I", "J")]
    other = journal.add_table(five.evening, seats=four, dealer=four[0])

    assert "Moves to table II" in as_(scorer).get(path).text
    form = sent("move", people[0], to=other.pk)
    response = as_(scorer).post(path, form)

    assert seats(five) == "Bartek Celina Darek Ewa"
    assert seats(other) == "G H I J Ania"
    page = as_(scorer).get(response.headers["Location"]).text
    assert "Ania moves to table II" in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "x"},
        {"do": "fly"},
        {"player": "9" * 5000},
        {"player": ""},
        {"do": "move", "to": "1"},
        {"do": "join", "where": "after-²"},
    ],
)
def test_what_no_form_sends_is_refused(as_, scorer, five, people, path, wrong):
    assert as_(scorer).post(path, sent("rest", people[0]) | wrong).status_code == 400
    assert not Action.objects.exists()


def test_the_seats_are_for_writers_to_change(as_, member, stranger, people, path):
    form = sent("rest", people[0])

    assert as_(member).post(path, form).status_code == 403
    assert as_(stranger).post(path, form).status_code == 404
    assert as_(stranger).get(path).status_code == 404
    assert as_(member).get("/tables/999999/seats/").status_code == 404
    assert as_(member).put(path).status_code == 405
    assert not Action.objects.exists()


def test_nobody_comes_or_goes_in_a_closed_evening(as_, scorer, five, people, path):
    journal.close_evening(five.evening, by=five.evening.created_by)

    response = as_(scorer).post(path, sent("rest", people[0]))

    assert response.status_code == 409
    assert "Can be reopened by: owner." in response.text
    assert "Takes a break" not in as_(scorer).get(path).text


def test_the_seats_ask_the_database_the_same_number_of_times(
    as_, scorer, five, record, path, django_assert_max_num_queries
):
    client = as_(scorer)
    record(five)
    with django_assert_max_num_queries(14) as few:
        client.get(path)
    asked = len(few)
    for _again in range(5):
        record(five)

    with django_assert_max_num_queries(asked):
        client.get(path)
