"""Players, evenings and tables through the API."""

from __future__ import annotations

from uuid import uuid4

import pytest

from ledger import journal
from ledger.models import Edition, Evening, Player


@pytest.fixture
def friday(people):
    seats = [player.pk for player in people]
    return {
        "name": " Friday  at Kozy ",
        "date": "2020-11-20",
        "variant": "taroki",
        "rules": {"contra_cap": 2},
        "currency": "PLN",
        "stake": 20,
        "seats": seats,
        "dealer": seats[4],
    }


@pytest.fixture
def at(club):
    return f"/api/clubs/{club.pk}/evenings/"


def fields(answer):
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    return [problem["field"] for problem in answer.json()["problems"]]


# Players


def test_a_player_is_added_tidily(as_scorer, club):
    answer = as_scorer.post(f"/api/clubs/{club.pk}/players/", {"name": " Jan  Nowak "})

    assert answer.status_code == 201
    assert answer.json() == {
        "id": Player.objects.get().pk,
        "name": "Jan Nowak",
        "nickname": "",
        "retired": False,
    }


def test_a_player_is_renamed_and_retired(as_scorer, club, people):
    address = f"/api/clubs/{club.pk}/players/{people[1].pk}/"

    answer = as_scorer.patch(address, {"nickname": "Bartuś", "retired": True})

    assert answer.json() == {
        "id": people[1].pk,
        "name": "Bartek",
        "nickname": "Bartuś",
        "retired": True,
    }
    assert as_scorer.get(address).json() == answer.json()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"name": "bartek"}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": None}, "name"),
        ({}, "name"),
        ({"name": "Jan", "nickname": "x" * 9}, "nickname"),
        ({"name": "Jan", "club": 1}, "club"),
        (["Jan"], ""),
    ],
)
def test_a_player_is_refused_with_the_reason(as_scorer, club, people, sent, field):
    assert fields(as_scorer.post(f"/api/clubs/{club.pk}/players/", sent)) == [field]


def test_a_player_may_keep_his_name(as_scorer, club, people):
    address = f"/api/clubs/{club.pk}/players/{people[1].pk}/"

    assert as_scorer.patch(address, {"name": "BARTEK"}).status_code == 200


def test_players_come_by_name_with_the_retired(as_member, club, people):
    Player.objects.filter(pk=people[0].pk).update(retired=True)

    rows = as_member.get(f"/api/clubs/{club.pk}/players/").json()["results"]

    assert {row["name"] for row in rows} == {player.name for player in people}


# Evenings


def test_a_point_may_be_worth_a_fraction_of_the_smallest_unit(as_scorer, at, friday):
    told = as_scorer.post(at, friday | {"stake": 10, "stake_parts": 4}).json()
    tally = as_scorer.get(f"/api/evenings/{told['id']}/tally/").json()

    assert (told["stake"], told["stake_parts"]) == (5, 2)
    assert (tally["stake"], tally["stake_parts"]) == (5, 2)


def test_an_evening_begins_with_its_first_table(as_scorer, at, friday, club, people):
    answer = as_scorer.post(at, friday)

    told = answer.json()
    assert answer.status_code == 201
    assert told == {
        "id": told["id"],
        "club": club.pk,
        "season": club.seasons.get().pk,
        "name": "Friday at Kozy",
        "date": "2020-11-20",
        "variant": "taroki",
        "rules": {"contra_cap": 2},
        "currency": "PLN",
        "stake": 20,
        "stake_parts": 1,
        "opened_at": told["opened_at"],
        "closed_at": None,
        "tables": [
            {
                "id": told["tables"][0]["id"],
                "evening": told["id"],
                "number": 1,
                "variant": "taroki",
                "rules": {"contra_cap": 2},
            }
        ],
    }
    assert as_scorer.get(f"/api/evenings/{told['id']}/").json() == told
    assert as_scorer.get(at).json()["results"] == [told]


def test_a_table_tells_the_next_hand(as_scorer, at, friday, people):
    table = as_scorer.post(at, friday).json()["tables"][0]

    told = as_scorer.get(f"/api/tables/{table['id']}/").json()

    ids = [player.pk for player in people]
    assert told == {
        "table": table,
        "seats": [
            {"id": player.pk, "name": player.name, "nickname": ""} for player in people
        ],
        "next": {
            "number": 1,
            "dealer": ids[4],
            "next_dealers": ids[:3],
            "players": ids[:4],
            "resting": ids[4:],
            "multiplier": 1,
            "mayor": None,
        },
    }


def test_an_evening_for_points_only_needs_no_money(as_scorer, at, friday):
    del friday["currency"], friday["stake"], friday["rules"]

    told = as_scorer.post(at, friday).json()

    assert (told["currency"], told["stake"], told["rules"]) == ("", 0, {})


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"date": "yesterday"}, "date"),
        ({"variant": "chess"}, "variant"),
        ({"variant": ["taroki"]}, "variant"),
        ({"rules": {"colour": "red"}}, "rules"),
        ({"rules": {"contra_cap": [[]]}}, "rules"),
        ({"rules": {"values": 3}}, "rules"),
        ({"rules": "none"}, "rules"),
        ({"stake": 0}, "stake"),
        ({"stake": -1}, "stake"),
        ({"stake": 10**30}, "stake"),
        ({"stake_parts": 0}, "stake_parts"),
        ({"stake_parts": 1001}, "stake_parts"),
        ({"stake_parts": 3}, "stake_parts"),
        ({"currency": ""}, "stake"),
        ({"currency": "zł"}, "currency"),
        ({"seats": []}, "seats"),
        ({"seats": "1234"}, "seats"),
        ({"dealer": None}, "dealer"),
        ({"season": 1}, "season"),
    ],
)
def test_an_evening_is_refused_with_the_reason(as_scorer, at, friday, change, field):
    assert fields(as_scorer.post(at, friday | change)) == [field]
    assert not Evening.objects.exists()


def test_nobody_sits_twice_and_the_dealer_sits(as_scorer, at, friday):
    twice = friday | {"seats": [friday["seats"][0]] * 4, "dealer": friday["seats"][0]}
    away = friday | {"seats": friday["seats"][:4]}

    assert fields(as_scorer.post(at, twice)) == ["seats"]
    assert fields(as_scorer.post(at, away)) == ["dealer"]


@pytest.mark.parametrize("count", [1, 8])
def test_a_list_of_evenings_takes_as_many_queries_as_one(
    as_member, at, club, lay, count, django_assert_num_queries
):
    for _evening in range(count):
        lay()

    with django_assert_num_queries(7):
        answer = as_member.get(at)

    assert answer.json()["count"] == count


# Tables


def others(evening):
    """Return the ids of four people who sit at no table of the evening."""
    club = Evening.objects.get(pk=evening).club
    return [Player.objects.create(club=club, name=name).pk for name in "WXYZ"]


def test_one_more_table_plays_the_evenings_game(as_scorer, at, friday):
    evening = as_scorer.post(at, friday).json()["id"]
    seats = others(evening)

    answer = as_scorer.post(
        f"/api/evenings/{evening}/tables/", {"seats": seats, "dealer": seats[0]}
    )

    told = answer.json()["table"]
    assert answer.status_code == 201
    assert (told["number"], told["variant"]) == (2, "taroki")
    assert told["rules"] == {"contra_cap": 2}
    listed = as_scorer.get(f"/api/evenings/{evening}/tables/").json()["results"]
    assert [table["number"] for table in listed] == [1, 2]


def test_a_table_may_play_another_game(as_scorer, at, friday):
    evening = as_scorer.post(at, friday).json()["id"]
    seats = others(evening)

    answer = as_scorer.post(
        f"/api/evenings/{evening}/tables/",
        {"seats": seats, "dealer": seats[0], "variant": "palatine"},
    )

    assert answer.json()["table"]["variant"] == "palatine"
    assert Edition.objects.count() == 2


def test_rules_need_a_game_to_be_the_rules_of(as_scorer, at, friday):
    evening = as_scorer.post(at, friday).json()["id"]
    sent = {
        "seats": friday["seats"],
        "dealer": friday["dealer"],
        "rules": {"contra_cap": 1},
    }

    assert fields(as_scorer.post(f"/api/evenings/{evening}/tables/", sent)) == [
        "variant"
    ]


def test_a_closed_evening_gets_no_table(as_scorer, table, people):
    journal.close_evening(table.evening, by=table.evening.created_by)
    seats = [player.pk for player in people[:4]]

    answer = as_scorer.post(
        f"/api/evenings/{table.evening_id}/tables/",
        {"seats": seats, "dealer": seats[0]},
    )

    assert answer.status_code == 409


def test_a_tariff_is_told_as_the_table_plays_it(as_member, lay):
    capped = lay(rules={"contra_cap": 2})

    told = as_member.get(f"/api/tables/{capped.pk}/tariff/").json()

    assert told["rules"] == {"contra_cap": 2}
    assert [step["word"] for step in told["ladder"]] == [
        "no kontra",
        "kontra",
        "rekontra",
    ]


def test_an_evening_nobody_has_played_is_even(as_member, table, people):
    told = as_member.get(f"/api/evenings/{table.evening_id}/tally/").json()

    assert told == {
        "evening": table.evening_id,
        "currency": "PLN",
        "stake": 20,
        "stake_parts": 1,
        "closed": False,
        "standings": [
            {
                "player": player.pk,
                "name": player.name,
                "points": 0,
                "money": 0,
                "hands": 0,
            }
            for player in people[:4]
        ],
        "method": "fewest",
        "plan": [],
        "debts": [],
    }


def test_an_evening_that_was_removed_is_not_begun_again(as_owner, club, people):
    seats = [player.pk for player in people[:4]]
    sent = {"id": str(uuid4()), "name": "Friday", "date": "2020-11-20"}
    sent |= {"variant": "taroki", "seats": seats, "dealer": seats[0]}
    address = f"/api/clubs/{club.pk}/evenings/"
    begun = as_owner.post(address, sent).json()["id"]
    as_owner.delete(f"/api/evenings/{begun}/")

    again = as_owner.post(address, sent)

    assert again.status_code == 422
    assert again.json()["problems"][0]["code"] == "id_used"
