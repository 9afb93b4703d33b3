"""Hands through the API: weighed, kept once, refused in sentences, given back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from django.db import connection, connections
from django.utils import timezone

from ledger import journal
from ledger.models import Entry, Hand, Version
from tests.api.conftest import client_of

PROBLEM = "application/problem+json"


@pytest.fixture
def hands(table):
    return f"/api/tables/{table.pk}/hands/"


def contents(answer):
    """Return a hand's answer without what is the clock's."""
    return {k: v for k, v in answer.json().items() if k != "recorded_at"}


def test_a_hand_is_kept_and_explained(as_scorer, hands, table, won, people):
    answer = as_scorer.post(hands, won)

    ania, bartek, celina, darek = (player.pk for player in people[:4])
    assert answer.status_code == 201
    assert contents(answer) == {
        "id": won["id"],
        "table": table.pk,
        "number": 1,
        "voided": False,
        "version": 1,
        "variant": "taroki",
        "rules": {},
        "dealer": darek,
        "players": [ania, bartek, celina, darek],
        "resting": [],
        "hand": {"ending": "played", **won["hand"]},
        "multiplier": 1,
        "units": 6,
        "payments": [
            {"player": ania, "points": 6, "money": 120},
            {"player": bartek, "points": -6, "money": -120},
            {"player": celina, "points": 6, "money": 120},
            {"player": darek, "points": -6, "money": -120},
        ],
        "lines": [
            {
                "item": "3",
                "kind": "contract",
                "name": "Contract: 3",
                "side": "declarer",
                "player": ania,
                "announced": False,
                "made": True,
                "base": 3,
                "contra": 1,
                "factor": 2,
                "points": 6,
                "personal": 0,
                "why": answer.json()["lines"][0]["why"],
            }
        ],
        "recorded_by": "scorer",
    }
    assert "41 card points" in answer.json()["lines"][0]["why"]


def test_a_hand_reads_as_it_was_answered(as_scorer, as_member, hands, won):
    kept = as_scorer.post(hands, won).json()

    assert as_member.get(f"/api/hands/{won['id']}/").json() == kept
    assert as_member.get(hands).json() == {
        "count": 1,
        "next": None,
        "previous": None,
        "results": [kept],
    }


def test_the_same_id_five_times_is_one_hand(as_scorer, hands, won):
    answers = [as_scorer.post(hands, won) for _ in range(5)]

    assert [answer.status_code for answer in answers] == [201, 200, 200, 200, 200]
    assert len({answer.content for answer in answers}) == 1
    assert Hand.objects.count() == Entry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_id_five_times_at_once_is_one_hand(owner, hands, won):
    clients = [client_of(owner) for _ in range(5)]

    def send(client):
        try:
            return client.post(hands, won)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(5) as phones:
        answers = list(phones.map(send, clients))

    assert {answer.status_code for answer in answers} <= {200, 201}
    assert len({answer.content for answer in answers}) == 1
    assert Hand.objects.count() == Entry.objects.count() == 1


def test_the_same_id_with_another_hand_shows_the_one_that_was_kept(
    as_scorer, hands, won
):
    kept = as_scorer.post(hands, won).json()
    won["hand"]["card_points"] = 36

    answer = as_scorer.post(hands, won)

    assert (answer.status_code, answer["Content-Type"]) == (409, PROBLEM)
    assert answer.json()["hand"] == kept
    assert Hand.objects.count() == 1


def test_a_number_that_is_taken_shows_the_hand_that_has_it(as_scorer, hands, won):
    kept = as_scorer.post(hands, {**won, "number": 1}).json()

    answer = as_scorer.post(hands, {**won, "id": str(uuid4()), "number": 1})

    assert (answer.status_code, answer["Content-Type"]) == (409, PROBLEM)
    assert answer.json() == {
        "type": "urn:kontra:taken",
        "title": "Conflict",
        "status": 409,
        "detail": "Hand 1 is already recorded. Look at it, then choose.",
        "hand": kept,
    }


def test_a_number_out_of_turn_is_refused(as_scorer, hands, won):
    answer = as_scorer.post(hands, {**won, "number": 7})

    assert answer.status_code == 422
    assert [p["field"] for p in answer.json()["problems"]] == ["number"]


def test_another_clubs_hand_is_never_shown(as_scorer, as_stranger, hands, won):
    as_scorer.post(hands, won)
    theirs = their_table(as_stranger)

    answer = as_stranger.post(
        f"/api/tables/{theirs['id']}/hands/",
        {"id": won["id"], "hand": {"ending": "passed"}},
    )

    assert answer.status_code == 422
    assert [p["field"] for p in answer.json()["problems"]] == ["id"]
    assert "hand" not in answer.json()
    assert Hand.objects.count() == 1


def their_table(client):
    club = client.get("/api/clubs/").json()["results"][0]["id"]
    players = [
        client.post(f"/api/clubs/{club}/players/", {"name": name}).json()["id"]
        for name in "ABCD"
    ]
    evening = client.post(
        f"/api/clubs/{club}/evenings/",
        {
            "name": "Friday",
            "date": "2020-11-20",
            "variant": "taroki",
            "seats": players,
            "dealer": players[0],
        },
    )
    return evening.json()["tables"][0]


def test_a_closed_evening_takes_no_hand_and_says_so(as_scorer, hands, table, won):
    journal.close_evening(table.evening, by=table.evening.created_by)

    answer = as_scorer.post(hands, won)

    assert (answer.status_code, answer["Content-Type"]) == (409, PROBLEM)
    assert answer.json()["detail"] == (
        "The evening “Friday” is closed: an owner of the club can reopen it."
    )
    assert not Hand.objects.exists()


def test_a_hand_of_a_closed_evening_is_answered_again(as_scorer, hands, table, won):
    kept = as_scorer.post(hands, won).content
    journal.close_evening(table.evening, by=table.evening.created_by)

    answer = as_scorer.post(hands, won)

    assert (answer.status_code, answer.content) == (200, kept)


def test_everything_that_is_wrong_is_said_at_once(as_scorer, hands, won, people):
    won["hand"] |= {"contract": "9", "partner": people[4].pk, "colour": "red"}

    answer = as_scorer.post(hands, won)

    assert (answer.status_code, answer["Content-Type"]) == (422, PROBLEM)
    told = {p["field"]: p for p in answer.json()["problems"]}
    assert told.keys() == {"contract", "partner", "colour"}
    assert told["colour"] == {
        "code": "bad_colour",
        "field": "colour",
        "about": "",
        "severity": "error",
        "message": "A hand has no field “colour”.",
    }


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This field is required."),
        ("pl", "To pole jest wymagane."),
        ("hu", "Ennek a mezőnek a megadása kötelező."),
        ("de", "Dieses Feld ist zwingend erforderlich."),
    ],
)
def test_sentences_come_in_the_readers_language(as_scorer, hands, language, sentence):
    answer = as_scorer.post(hands, {"hand": {}}, headers={"Accept-Language": language})

    assert answer["Content-Language"] == language
    assert answer.json()["problems"] == [
        {
            "code": "required",
            "field": "id",
            "about": "",
            "severity": "error",
            "message": sentence,
        }
    ]


def test_a_warning_is_refused_until_it_is_overridden(as_scorer, lay, people):
    hands = f"/api/tables/{lay('paskievics').pk}/hands/"
    sent = {"id": str(uuid4()), "hand": doubtful(people)}

    refused = as_scorer.post(hands, sent)
    kept = as_scorer.post(hands, {**sent, "override": True})

    problems = refused.json()["problems"]
    assert refused.status_code == 422
    assert [(p["field"], p["severity"]) for p in problems] == [
        ("xxi_lost_by", "warning")
    ]
    assert "Łucja lost the XXI" in problems[0]["message"]
    assert kept.status_code == 201


def doubtful(people):
    """The XXI was lost, and nobody is said to have caught it."""
    return {
        "contract": "two",
        "declarer": people[0].pk,
        "partner": people[2].pk,
        "card_points": 50,
        "xxi_lost_by": people[0].pk,
    }


def test_an_error_is_not_overridden(as_scorer, hands, won):
    del won["hand"]["contract"]

    answer = as_scorer.post(hands, {**won, "override": True})

    assert [p["severity"] for p in answer.json()["problems"]] == ["error"]
    assert not Hand.objects.exists()


def test_a_preview_says_what_the_kept_hand_says(as_scorer, hands, won):
    weighed = as_scorer.post(f"{hands}preview/", {"hand": won["hand"]}).json()
    assert not Version.objects.exists()
    kept = as_scorer.post(hands, won).json()

    for key in ("hand", "units", "payments", "lines"):
        assert weighed[key] == kept[key]
    assert weighed["problems"] == []


def test_a_preview_shows_what_a_doubtful_hand_pays(as_scorer, lay, people):
    hands = f"/api/tables/{lay('paskievics').pk}/hands/"

    answer = as_scorer.post(f"{hands}preview/", {"hand": doubtful(people)})

    assert answer.status_code == 200
    assert [p["severity"] for p in answer.json()["problems"]] == ["warning"]
    assert sum(p["points"] for p in answer.json()["payments"]) == 0


def test_a_preview_of_an_impossible_hand_says_why(as_scorer, hands):
    answer = as_scorer.post(f"{hands}preview/", {"hand": {"contract": "3"}})

    fields = {p["field"] for p in answer.json()["problems"]}
    assert answer.status_code == 422
    assert "declarer" in fields


def test_the_dealer_and_who_rests_are_chosen_by_hand(as_scorer, lay, people):
    hands = f"/api/tables/{lay(seats=5).pk}/hands/"
    due, other = people[4], people[1]

    usual = as_scorer.post(f"{hands}preview/", {"hand": {"ending": "passed"}}).json()
    chosen = as_scorer.post(
        hands,
        {
            "id": str(uuid4()),
            "hand": {"ending": "passed"},
            "dealer": other.pk,
            "resting": [people[0].pk],
        },
    ).json()

    assert (usual["deal"]["dealer"], usual["deal"]["resting"]) == (due.pk, [due.pk])
    assert (chosen["dealer"], chosen["resting"]) == (other.pk, [people[0].pk])
    assert chosen["players"] == [people[place].pk for place in (2, 3, 4, 1)]


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"dealer": 0}, "dealer"),
        ({"dealer": "x"}, "dealer"),
        ({"dealer": 10**30}, "dealer"),
        ({"resting": 1}, "resting"),
        ({"resting": [0]}, "resting.0"),
        ({"number": 0}, "number"),
        ({"number": 10**30}, "number"),
        ({"id": "x"}, "id"),
        ({"id": None}, "id"),
        ({"override": "perhaps"}, "override"),
        ({"contract": "3"}, "contract"),
    ],
)
def test_what_stands_beside_the_hand_is_checked(as_scorer, hands, won, more, field):
    answer = as_scorer.post(hands, won | more)

    assert answer.status_code == 422
    assert [p["field"] for p in answer.json()["problems"]] == [field]
    assert not Hand.objects.exists()


def test_a_dealer_who_does_not_sit_here_is_refused(as_scorer, hands, won, people):
    answer = as_scorer.post(hands, {**won, "dealer": people[4].pk})

    problems = answer.json()["problems"]
    assert [(p["field"], p["message"]) for p in problems][:1] == [
        ("dealer", "The dealer must sit at the table.")
    ]


def test_the_multiplier_is_the_ledgers_to_say(as_scorer, hands, won):
    won["hand"]["multiplier"] = 8

    kept = as_scorer.post(hands, won).json()

    assert (kept["multiplier"], kept["units"]) == (1, 6)


# Reversing


def test_a_reversed_hand_moves_nothing_and_stays_visible(as_scorer, hands, table, won):
    kept = as_scorer.post(hands, won).json()

    answer = as_scorer.post(f"/api/hands/{won['id']}/reverse/", {"id": str(uuid4())})

    assert (answer.status_code, answer.json()) == (200, {**kept, "voided": True})
    tally = as_scorer.get(f"/api/evenings/{table.evening_id}/tally/").json()
    assert {row["points"] for row in tally["standings"]} == {0}
    assert as_scorer.get(hands).json()["results"] == [answer.json()]


def test_a_hand_is_reversed_once(as_scorer, hands, won):
    as_scorer.post(hands, won)
    once = {"id": str(uuid4())}

    answers = [
        as_scorer.post(f"/api/hands/{won['id']}/reverse/", body)
        for body in (once, once, {"id": str(uuid4())})
    ]

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert Entry.objects.count() == 2


def test_a_hand_of_a_closed_evening_is_not_reversed(as_scorer, hands, table, won):
    as_scorer.post(hands, won)
    journal.close_evening(table.evening, by=table.evening.created_by)

    answer = as_scorer.post(f"/api/hands/{won['id']}/reverse/", {"id": str(uuid4())})

    assert answer.status_code == 409


def test_a_reversal_needs_an_id(as_scorer, hands, won):
    as_scorer.post(hands, won)

    answer = as_scorer.post(f"/api/hands/{won['id']}/reverse/", {})

    assert [p["field"] for p in answer.json()["problems"]] == ["id"]


# Many


@pytest.mark.parametrize("count", [1, 12])
def test_a_list_of_hands_takes_as_many_queries_as_one(
    as_scorer, hands, table, owner, count, django_assert_num_queries
):
    many(table, owner, count)

    with django_assert_num_queries(9):
        answer = as_scorer.get(hands)

    assert len(answer.json()["results"]) == count


@pytest.mark.parametrize("count", [0, 12])
def test_keeping_a_hand_takes_as_many_queries_after_many(
    as_scorer, hands, table, owner, won, count, django_assert_num_queries
):
    many(table, owner, count)

    with django_assert_num_queries(24 + connection.features.has_select_for_update):
        answer = as_scorer.post(hands, won)

    assert answer.status_code == 201


def many(table, owner, count):
    for place in range(count):
        record = {"ending": "passed"}
        if place % 2:
            players = journal.preview(table, {}).deal.players
            record = {
                "contract": "3",
                "declarer": players[0].pk,
                "card_points": 41,
                "bonuses": [{"bonus": "trul", "side": "defenders", "made": True}],
            }
        journal.record_hand(table, id=uuid4(), record=record, by=owner, override=True)


def test_hands_come_in_pages_latest_first(as_scorer, hands, table, owner):
    many(table, owner, 5)

    first = as_scorer.get(f"{hands}?page_size=2").json()
    last = as_scorer.get(f"{hands}?page_size=2&page=3").json()

    assert first["count"] == 5
    assert [hand["number"] for hand in first["results"]] == [5, 4]
    assert first["next"].endswith("page=2&page_size=2")
    assert [hand["number"] for hand in last["results"]] == [1]
    assert last["next"] is None


@pytest.mark.parametrize("page", ["0", "-1", "x", "99", "9" * 5000])
def test_a_page_that_is_not_there_is_not_found(as_scorer, hands, page):
    answer = as_scorer.get(f"{hands}?page={page}")

    assert (answer.status_code, answer["Content-Type"]) == (404, PROBLEM)


def test_a_hand_says_when_it_was_recorded(as_scorer, hands, won):
    before = timezone.now()

    kept = as_scorer.post(hands, won).json()

    version = Version.objects.get(pk=UUID(kept["id"]))
    assert before <= version.recorded_at <= timezone.now()
