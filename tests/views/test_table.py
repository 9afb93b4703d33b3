"""The table page and the hand page."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from ledger import journal, tallies
from ledger.models import Entry, Hand
from ledger.table.changes import Void
from tests.support.fixtures import squeezed


@pytest.fixture
def path(table):
    return reverse("table", args=[table.pk])


@pytest.fixture
def hand(table, record):
    return record(table).hand


@pytest.fixture
def undo(table):
    return reverse("undo", args=[table.pk])


@pytest.fixture
def last(hand):
    """What the Undo button of the last hand sends."""
    return {"id": str(uuid4()), "action": str(hand.pk)}


def points(evening):
    return [standing.points for standing in tallies.tally(evening)]


def test_the_table_says_who_deals_and_who_leads(as_, member, lay):
    table = lay(6)

    page = as_(member).get(reverse("table", args=[table.pk])).content.decode()

    assert "Filip deals." in page
    assert "Then Ania, Bartek, Celina." in page
    assert "deals, sits out" in page
    assert page.count("sits out") == 2
    assert "leads" in page


def test_the_table_lists_what_a_hand_moved(as_, member, path, hand):
    page = squeezed(as_(member).get(path).text)

    assert "Hand 2" in page
    assert "3 · Ania + Celina" in "".join(page.split("<span>"))
    assert page.count(">+3<") == 4
    assert page.count(">−3<") == 4
    assert ">+PLN\xa00.60<" in page


def test_a_member_gets_no_button_to_record(as_, member, path):
    assert "Record hand" not in as_(member).get(path).content.decode()


def test_a_scorer_records_the_next_hand(as_, scorer, path, hand):
    assert "Record hand 2" in as_(scorer).get(path).content.decode()


def test_nothing_is_recorded_in_a_closed_evening(as_, scorer, path, table):
    journal.close_evening(table.evening, by=table.evening.created_by)

    assert "Record hand" not in as_(scorer).get(path).content.decode()


def test_a_stranger_finds_no_table_and_no_hand(as_, stranger, path, hand):
    client = as_(stranger)

    assert client.get(path).status_code == 404
    assert client.get(reverse("hand", args=[hand.pk])).status_code == 404


def test_a_table_of_nowhere_is_404(as_, owner):
    assert as_(owner).get("/tables/999999/").status_code == 404


def test_the_table_rejects_post(as_, owner, path):
    assert as_(owner).post(path).status_code == 405


def test_table_pages_are_never_kept(as_, owner, path, hand):
    client = as_(owner)
    for page in (path, reverse("hand", args=[hand.pk])):
        assert "no-store" in client.get(page).headers["Cache-Control"]


def test_a_saved_hand_is_named_and_can_be_undone(as_, scorer, path, hand, undo):
    page = as_(scorer).get(f"{path}?saved={hand.pk}").content.decode()

    assert "Hand 1 saved: 3, Ania + Celina, 3 points" in page
    assert undo in page


@pytest.mark.parametrize("saved", ["", "x", "00000000-0000-0000-0000-000000000000"])
def test_a_made_up_toast_says_nothing(as_, scorer, path, hand, saved):
    client = as_(scorer)

    assert "toast" not in client.get(f"{path}?saved={saved}").content.decode()
    assert "toast" not in client.get(f"{path}?undone={saved}").content.decode()


def test_a_passed_hand_moves_nothing_and_says_so(as_, scorer, path, table, record):
    version = record(table, {"ending": "passed"})

    page = as_(scorer).get(f"{path}?saved={version.hand_id}").content.decode()

    assert "Hand 1 saved: Passed, nobody pays" in page


def test_the_multiplier_is_a_badge(as_, member, lay, record):
    table = lay(4, "paskievics")
    record(table, {"ending": "passed"})

    page = as_(member).get(reverse("table", args=[table.pk])).content.decode()

    assert "counts ×2" in page


def test_who_rests_shows_a_dash_and_a_round_a_line(as_, member, lay, record):
    table = lay(5)
    for _again in range(5):
        record(table)

    page = as_(member).get(reverse("table", args=[table.pk])).content.decode()

    assert page.count('<span aria-hidden="true">–') == 5
    assert page.count('<tbody class="round">') == 1


def test_the_table_asks_the_database_the_same_number_of_times(
    as_, owner, table, record, path, django_assert_num_queries
):
    client = as_(owner)
    record(table)
    with django_assert_num_queries(12):
        client.get(path)
    for _again in range(6):
        record(table)

    with django_assert_num_queries(12):
        client.get(path)


def test_the_hand_page_explains_the_hand(as_, member, owner, hand):
    page = squeezed(as_(member).get(reverse("hand", args=[hand.pk])).text)

    assert "41 of 70" in page
    assert "41 card points; 36 are needed to win" in page
    assert "Ania and Celina, each" in page
    assert "Darek, sat out" not in page
    assert "Hand 1 recorded" in page
    assert "<small>owner," in page
    assert "Each loser pays the winner next to them." in page
    assert "Take hand 1 back" not in page


def test_a_lone_player_settles_with_each(as_, member, table, record, people):
    version = record(
        table,
        {
            "contract": "3",
            "declarer": people[0].pk,
            "partner": None,
            "alone": "king_in_talon",
            "card_points": 41,
        },
    )

    page = as_(member).get(reverse("hand", args=[version.hand_id])).content.decode()

    assert "A lone player settles with each of the others." in page
    assert page.count('<li class="give">') == 3
    assert "Ania, from each opponent" in page


def test_a_passed_hand_has_a_page(as_, member, table, record):
    version = record(table, {"ending": "passed"})

    page = as_(member).get(reverse("hand", args=[version.hand_id])).content.decode()

    assert "Nobody pays" in page


def test_the_hand_page_asks_the_database_a_fixed_number_of_times(
    as_, owner, table, record, django_assert_num_queries
):
    version = record(table)
    for _again in range(3):
        record(table)
    client = as_(owner)

    with django_assert_num_queries(14):
        client.get(reverse("hand", args=[version.hand_id]))


def test_undo_gives_everything_back(as_, scorer, table, path, undo, last):
    response = as_(scorer).post(undo, last)

    assert response.headers["Location"] == f"{path}?done={last['id']}"
    assert points(table.evening) == [0, 0, 0, 0]
    page = as_(scorer).get(response.headers["Location"]).content.decode()
    assert "Undone: Hand 1 recorded" in page
    assert "Record hand 1" in page
    assert "Redo" in page


def test_what_was_undone_is_done_again(as_, scorer, table, hand, undo, last, path):
    client = as_(scorer)
    client.post(undo, last)

    again = {"id": str(uuid4()), "action": last["id"]}
    response = client.post(undo, again)

    assert points(table.evening) == [3, -3, 3, -3]
    page = client.get(response.headers["Location"]).content.decode()
    assert "Redone: Hand 1 recorded" in page
    assert reverse("hand", args=[hand.pk]) in page


def test_undo_sent_twice_is_undo_once(as_, scorer, table, undo, last):
    client = as_(scorer)

    first = client.post(undo, last)
    second = client.post(undo, last)

    assert first.headers["Location"] == second.headers["Location"]
    assert Entry.objects.count() == 2
    assert points(table.evening) == [0, 0, 0, 0]


def test_undo_comes_too_late_when_more_was_done(as_, scorer, table, undo, last, record):
    record(table)

    response = as_(scorer).post(undo, last)

    assert response.status_code == 409
    assert "Hand 2 recorded" in response.content.decode()
    assert points(table.evening) == [0, 0, 0, 0]


def test_the_table_names_what_undo_would_undo(as_, member, scorer, path, hand):
    assert "Undo: Hand 1 recorded" in as_(scorer).get(path).content.decode()
    assert "Undo" not in as_(member).get(path).content.decode()


def test_a_hand_taken_back_is_struck_and_has_no_number(
    as_, scorer, table, record, path
):
    first = record(table).hand
    record(table)
    journal.correct(table, Void(first), id=uuid4(), by=scorer)

    page = squeezed(as_(scorer).get(path).text)

    assert page.count("<s>3 · Ania + Celina</s>") == 1
    assert page.count('aria-hidden="true">II</span>') == 1
    assert "Record hand 2" in page


def test_undo_rejects_get(as_, scorer, undo):
    assert as_(scorer).get(undo).status_code == 405


@pytest.mark.parametrize("name", ["id", "action"])
def test_undo_without_its_ids_is_refused(as_, scorer, undo, last, name):
    assert as_(scorer).post(undo, last | {name: "x"}).status_code == 400
    assert not Hand.objects.filter(voided=True).exists()


def test_undo_is_for_writers(as_, member, stranger, undo, last):
    assert as_(member).post(undo, last).status_code == 403
    assert as_(stranger).post(undo, last).status_code == 404
    assert not Hand.objects.filter(voided=True).exists()


def test_undo_at_a_table_of_nowhere_is_404(as_, scorer, last):
    assert as_(scorer).post("/tables/999999/undo/", last).status_code == 404


def test_nothing_is_undone_in_a_closed_evening(as_, scorer, table, undo, last):
    journal.close_evening(table.evening, by=table.evening.created_by)

    response = as_(scorer).post(undo, last)

    assert response.status_code == 409
    assert "Can be reopened by: owner." in response.content.decode()
    assert points(table.evening) == [3, -3, 3, -3]


def test_the_first_load_of_a_table_is_light(as_, owner, path, table, record):
    for _again in range(25):
        record(table)

    page = as_(owner).get(path).content
    linked = set(re.findall(r'(?:src|href)="/static/([^"#]+)', page.decode()))
    files = [Path(finders.find(name)).read_bytes() for name in linked]

    assert 1 + len(linked) <= 8
    assert sum(len(gzip.compress(part)) for part in (page, *files)) <= 50 * 1024


def test_a_long_evening_shows_its_last_hands_and_leads_to_all(
    as_, member, table, path, record
):
    for _hand in range(21):
        record(table)

    last = as_(member).get(path).content.decode()
    everything = as_(member).get(path, {"all": ""}).content.decode()

    assert last.count('scope="rowgroup"') == 20
    assert "All hands at this table" in last
    assert everything.count('scope="rowgroup"') == 21
    assert "All hands at this table" not in everything
