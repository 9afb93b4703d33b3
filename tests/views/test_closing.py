"""Closing evenings and seasons, reopening them, and the history that says so."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from ledger import journal
from ledger.models import Action, Evening, Season
from ledger.table import changes
from tests.support.fixtures import squeezed


@pytest.fixture
def evening(table):
    return table.evening


@pytest.fixture
def season(club):
    return club.seasons.get()


def path(name, found):
    return reverse(name, args=[found.pk])


def sent(**more):
    return {"id": str(uuid4())} | more


def test_closing_asks_once_and_says_what_is_owed(as_, scorer, lay, record):
    table = lay(4, "paskievics")
    record(table, {"ending": "passed"})
    page = as_(scorer).get(path("close", table.evening)).text

    assert "Table I: a deal that counts ×2 has not been played yet." in page
    as_(scorer).post(path("close", table.evening), sent())
    table.evening.refresh_from_db()
    assert table.evening.closed_at is not None


def test_a_table_without_a_hand_is_named(as_, scorer, evening, table, record):
    assert "no hand was played" in as_(scorer).get(path("close", evening)).text
    record(table)

    assert "notice" not in as_(scorer).get(path("close", evening)).text


def test_an_evening_is_closed_once(as_, scorer, evening):
    for _again in range(3):
        response = as_(scorer).post(path("close", evening), sent())

        assert response.headers["Location"] == path("evening", evening)
    assert Action.objects.count() == 1
    assert as_(scorer).get(path("close", evening)).status_code == 302


def test_a_closed_evening_says_who_may_reopen_it(as_, owner, scorer, evening, table):
    journal.close_evening(evening, by=owner)

    page = as_(scorer).get(path("evening", evening)).text

    assert "Can be reopened by: owner." in page
    for name in ("reopen", "adjust", "close", "table_new"):
        assert path(name, evening) not in page
    assert path("reopen", evening) in as_(owner).get(path("evening", evening)).text
    table_page = as_(owner).get(path("table", table)).text
    assert "Record hand" not in table_page
    assert "Undo" not in table_page


def test_a_hand_of_a_closed_evening_is_only_read(as_, owner, evening, table, record):
    hand = record(table).hand
    journal.close_evening(evening, by=owner)

    page = as_(owner).get(path("hand", hand)).text

    for name in ("correct", "void", "swap_sides", "insert"):
        assert path(name, hand) not in page


def test_the_owner_reopens_with_a_reason_on_record(as_, owner, evening):
    journal.close_evening(evening, by=owner)
    client, form = as_(owner), sent(reason="A hand was forgotten")

    answers = [client.post(path("reopen", evening), form) for _again in range(2)]

    assert {a.headers["Location"] for a in answers} == {path("evening", evening)}
    assert Action.objects.count() == 2
    evening.refresh_from_db()
    assert evening.closed_at is None
    page = client.get(path("history", evening)).text
    assert "Evening reopened" in page
    assert "“A hand was forgotten”" in page


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201])
def test_reopening_needs_a_reason(as_, owner, evening, reason):
    journal.close_evening(evening, by=owner)

    response = as_(owner).post(path("reopen", evening), sent(reason=reason))

    assert response.status_code == 422
    evening.refresh_from_db()
    assert evening.closed_at is not None


def test_what_is_open_is_not_reopened(as_, owner, evening):
    response = as_(owner).post(path("reopen", evening), sent(reason="why not"))

    assert response.status_code == 422
    assert "It is already open." in response.text


@pytest.mark.parametrize("name", ["close", "reopen"])
def test_closing_is_for_writers(as_, member, stranger, evening, name):
    for user, status in ((member, 403), (stranger, 404)):
        assert as_(user).get(path(name, evening)).status_code == status
        assert as_(user).post(path(name, evening), sent()).status_code == status
    assert as_(member).get(f"/evenings/999999/{name}/").status_code == 404
    assert not Action.objects.exists()


@pytest.mark.parametrize("name", ["close", "reopen"])
def test_closing_rejects_other_methods_and_no_id(as_, owner, evening, name):
    assert as_(owner).put(path(name, evening)).status_code == 405
    form = sent(reason="so") | {"id": "x"}
    assert as_(owner).post(path(name, evening), form).status_code == 400


def test_only_an_owner_reopens(as_, scorer, evening):
    journal.close_evening(evening, by=evening.created_by)

    assert as_(scorer).get(path("reopen", evening)).status_code == 403
    form = sent(reason="please")
    assert as_(scorer).post(path("reopen", evening), form).status_code == 403
    assert Action.objects.count() == 1


def test_a_season_is_closed_and_another_begun(as_, owner, club, season, evening):
    client = as_(owner)
    assert "Friday" in client.get(path("season_close", season)).text

    response = client.post(path("season_close", season), sent())

    assert response.headers["Location"] == path("club", club)
    season.refresh_from_db()
    assert season.closed_at is not None
    assert "The season is closed" in client.get(path("evening_new", club)).text
    assert client.post(path("evening_new", club), {}).status_code == 409
    client.post(path("season_new", club), {"name": " Winter  2027 "})
    assert Season.objects.latest("pk").name == "Winter 2027"
    assert client.get(path("evening_new", club)).status_code == 200


def test_a_season_begins_only_after_the_last(as_, owner, club, season):
    client = as_(owner)

    assert client.post(path("season_new", club), {"name": "2"}).status_code == 302
    assert Season.objects.count() == 1
    journal.close_season(season, by=owner)
    assert client.post(path("season_new", club), {"name": ""}).status_code == 422
    assert client.get(path("season_new", club)).status_code == 200


def test_a_season_is_reopened_with_a_reason(as_, owner, club, season):
    journal.close_season(season, by=owner)
    client = as_(owner)
    assert path("season_reopen", season) in client.get(path("club", club)).text
    address = path("season_reopen", season)
    assert client.get(address).status_code == 200
    assert client.post(address, sent(reason="")).status_code == 422

    response = client.post(address, sent(reason="One more evening"))

    assert response.headers["Location"] == path("club", club)
    season.refresh_from_db()
    assert season.closed_at is None
    assert client.post(address, sent(reason="again")).status_code == 422


def test_nothing_of_a_closed_season_is_reopened(as_, owner, season, evening):
    journal.close_evening(evening, by=owner)
    journal.close_season(season, by=owner)

    response = as_(owner).post(path("reopen", evening), sent(reason="why"))

    assert response.status_code == 422
    assert "it has to be reopened first" in response.text


def test_seasons_are_their_owners(as_, scorer, member, stranger, club, season):
    for user, status in ((scorer, 403), (member, 403), (stranger, 404)):
        for name, found in (
            ("season_close", season),
            ("season_reopen", season),
            ("season_new", club),
        ):
            assert as_(user).get(path(name, found)).status_code == status
            assert as_(user).post(path(name, found), sent()).status_code == status
        assert path("season_close", season) not in as_(user).get("/").text
    assert as_(stranger).get("/seasons/999999/close/").status_code == 404
    season.refresh_from_db()
    assert season.closed_at is None


def test_a_season_page_rejects_other_methods(as_, owner, club, season):
    assert as_(owner).put(path("season_close", season)).status_code == 405
    assert as_(owner).put(path("season_reopen", season)).status_code == 405
    assert as_(owner).put(path("season_new", club)).status_code == 405
    assert as_(owner).get(path("season_close", season)).status_code == 200
    journal.close_season(season, by=owner)
    assert as_(owner).get(path("season_close", season)).status_code == 302


def test_home_lists_what_nobody_closed_for_a_day(as_, scorer, member, evening):
    assert path("close", evening) not in as_(scorer).get("/").text
    yesterday = timezone.now() - timedelta(hours=25)
    Evening.objects.filter(pk=evening.pk).update(opened_at=yesterday)

    assert "Open for more than a day" in as_(scorer).get("/").text
    assert path("close", evening) in as_(scorer).get("/").text
    assert path("close", evening) not in as_(member).get("/").text
    journal.close_evening(evening, by=scorer)
    assert "Open for more than a day" not in as_(scorer).get("/").text


@pytest.fixture
def told(evening, table, record, scorer):
    """An evening in which much was done."""
    hands = [record(table).hand for _again in range(3)]
    journal.correct(
        table, changes.Void(hands[0]), id=uuid4(), by=scorer, reason="twice"
    )
    journal.correct(table, changes.Swap(hands[1], hands[2]), id=uuid4(), by=scorer)
    journal.undo(journal.UndoStack.of(table).undo, id=uuid4(), by=scorer)
    return hands


def test_the_history_tells_who_did_what_and_why(as_, member, evening, told):
    page = squeezed(as_(member).get(path("history", evening)).text)

    words = [
        "Undone: Hands 1 and 2 swapped",
        "Hands 1 and 2 swapped",
        "Hand 1 taken back",
        "Hand 3 recorded",
        "Hand 2 recorded",
        "Hand 1 recorded",
    ]
    places = [page.index(f">{sentence}<") for sentence in words]
    assert places == sorted(places)
    assert "“twice”" in page
    assert "scorer, " in page
    assert "Hand 3 became hand 2" in page
    for hand in told:
        assert path("hand", hand) in page


def test_who_did_it_is_called_by_his_shown_name(as_, member, scorer, evening, told):
    scorer.display_name = "Zosia W."
    scorer.save()

    page = squeezed(as_(member).get(path("history", evening)).text)

    assert "Zosia W., " in page
    assert "scorer, " not in page


def test_a_new_evening_has_no_history(as_, member, evening):
    assert "Nothing yet." in as_(member).get(path("history", evening)).text


def test_the_history_is_the_clubs(as_, member, stranger, evening):
    assert as_(stranger).get(path("history", evening)).status_code == 404
    assert as_(member).get("/evenings/999999/history/").status_code == 404
    assert as_(member).post(path("history", evening)).status_code == 405


def test_the_history_asks_the_database_the_same_number_of_times(
    as_, member, evening, table, told, record, django_assert_max_num_queries
):
    client = as_(member)
    with django_assert_max_num_queries(11) as few:
        client.get(path("history", evening))
    asked = len(few)
    for _again in range(5):
        record(table)

    with django_assert_max_num_queries(asked):
        client.get(path("history", evening))
