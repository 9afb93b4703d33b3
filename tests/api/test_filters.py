"""Lists are filtered by query parameters; invalid values are refused."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from django.utils import timezone

from ledger import journal
from ledger.models import Evening, Player

PROBLEM = "application/problem+json"


@pytest.fixture
def ids(as_member):
    """Return a function that lists the ids at an address, by its query."""

    def listed(path, **query):
        answer = as_member.get(f"/api/{path}", query)
        assert answer.status_code == 200, answer.content.decode()
        return [row["id"] for row in answer.json()["results"]]

    return listed


@pytest.fixture
def evenings(club, lay):
    """The evenings of three days, the last with five seats."""
    made = [lay(seats=seats).evening for seats in (4, 4, 5)]
    for day, evening in enumerate(made, 18):
        date = datetime.date(2026, 11, day)
        Evening.objects.filter(pk=evening.pk).update(date=date)
    return [evening.pk for evening in made]


def test_evenings_are_found_by_their_day(ids, club, evenings):
    path = f"clubs/{club.pk}/evenings/"

    assert ids(path, date_after="2026-11-19") == evenings[:0:-1]
    assert ids(path, date_before="2026-11-19") == evenings[1::-1]
    assert ids(path, date_after="2026-11-19", date_before="2026-11-19") == [evenings[1]]


def test_evenings_are_found_by_their_season(ids, club, evenings):
    path, season = f"clubs/{club.pk}/evenings/", club.seasons.get().pk

    assert ids(path, season=season) == evenings[::-1]
    assert ids(path, season=season + 1) == []


def test_evenings_are_found_by_who_sat_there(ids, club, evenings, people):
    path = f"clubs/{club.pk}/evenings/"

    assert ids(path, player=people[4].pk) == [evenings[2]]
    assert ids(path, player=people[0].pk) == evenings[::-1]


def test_evenings_are_found_by_whether_they_are_closed(ids, club, evenings):
    Evening.objects.filter(pk=evenings[0]).update(closed_at=timezone.now())
    path = f"clubs/{club.pk}/evenings/"

    assert ids(path, closed="true") == [evenings[0]]
    assert ids(path, closed="false") == evenings[:0:-1]


def test_an_evening_of_another_club_is_found_by_nothing(as_stranger, club, evenings):
    elsewhere = as_stranger.get("/api/clubs/").json()["results"][0]["id"]
    season = {"season": club.seasons.get().pk}

    answer = as_stranger.get(f"/api/clubs/{elsewhere}/evenings/", season)

    assert answer.json()["results"] == []


def test_hands_are_found_by_who_played(ids, as_scorer, lay, people, won):
    table = lay(seats=5)
    answer = as_scorer.post(f"/api/tables/{table.pk}/hands/", won)
    path, resting = f"tables/{table.pk}/hands/", answer.json()["resting"]

    assert ids(path, player=people[0].pk) == [won["id"]]
    assert ids(path, player=resting[0]) == []


def test_hands_are_found_by_whether_they_were_voided(ids, as_scorer, table, won, owner):
    path = f"tables/{table.pk}/hands/"
    version = as_scorer.post(f"/api/{path}", won).json()
    again = won | {"id": str(uuid4())}
    hand = table.hands.get(pk=version["id"])
    journal.reverse_hand(hand, id=uuid4(), by=owner)
    as_scorer.post(f"/api/{path}", again)

    assert ids(path, voided="true") == [won["id"]]
    assert ids(path, voided="false") == [again["id"]]


def test_players_are_found_by_whether_they_retired(ids, club, people):
    Player.objects.filter(pk=people[0].pk).update(retired=True)

    assert ids(f"clubs/{club.pk}/players/", retired="true") == [people[0].pk]
    assert people[0].pk not in ids(f"clubs/{club.pk}/players/", retired="false")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("season", value) for value in ("x", "0", "-1", "1.5", "9" * 30, "1\0")),
        ("player", "Łucja"),
        ("date_after", "2026-11-31"),
        ("closed", "maybe"),
    ],
)
def test_what_is_no_value_of_a_filter_is_refused(as_member, club, name, value):
    answer = as_member.get(f"/api/clubs/{club.pk}/evenings/", {name: value})

    assert (answer.status_code, answer["Content-Type"]) == (422, PROBLEM)
    assert [problem["field"] for problem in answer.json()["problems"]] == [name]


def test_the_schema_tells_of_filters(as_member):
    paths = as_member.get("/api/schema/?format=json").json()["paths"]

    told = {
        parameter["name"]: parameter["schema"]["type"]
        for parameter in paths["/api/clubs/{club}/evenings/"]["get"]["parameters"]
        if parameter["in"] == "query"
    }

    assert told == {
        "closed": "boolean",
        "date_after": "string",
        "date_before": "string",
        "page": "integer",
        "page_size": "integer",
        "player": "integer",
        "season": "integer",
    }
