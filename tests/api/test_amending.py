"""An evening and a club are put right through the API, in the words of the pages."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest

from ledger import journal
from ledger.audit import Audit
from ledger.models import Action, Edition

PROBLEM = "application/problem+json"


@pytest.fixture
def evening(table):
    return f"/api/evenings/{table.evening_id}/"


@pytest.fixture
def held(as_scorer, table, people):
    """The second, a defender, has declared ten taroks."""
    deal = journal.preview(table, {}).deal.players
    hand = {
        "contract": "3",
        "declarer": deal[0].pk,
        "partner": deal[2].pk,
        "card_points": 41,
        "holdings": {str(deal[1].pk): "10"},
    }
    sent = {"id": str(uuid4()), "hand": hand}
    assert as_scorer.post(f"/api/tables/{table.pk}/hands/", sent).status_code == 201
    return sent["id"]


def asked(**what):
    return {"id": str(uuid4()), "reason": "typo"} | what


def test_an_evening_is_corrected_as_it_was_previewed(
    as_scorer, evening, table, club, held
):
    season = club.seasons.create(name="2025", starts=datetime.date(2025, 1, 1))
    sent = asked(
        name=" Saturday  night ",
        date="2026-10-03",
        season=season.pk,
        currency="EUR",
        stake=5,
        variant="taroki",
        rules={"tarok_bonus_to": "player"},
    )

    shown = as_scorer.patch(evening, sent | {"preview": True})
    untouched = Action.objects.filter(kind="amend").count(), Edition.objects.count()
    saved = as_scorer.patch(evening, sent)
    again = as_scorer.patch(evening, sent)

    assert (shown.status_code, saved.status_code) == (200, 200)
    told, done = shown.json(), saved.json()
    assert untouched == (0, 1)
    assert told["action"] is None
    assert done["action"] == again.json()["action"] == sent["id"]
    for part in ("before", "after", "hands", "sums"):
        assert told[part] == done[part]
    assert done["after"] == {
        "name": "Saturday night",
        "date": "2026-10-03",
        "season": season.pk,
        "currency": "EUR",
        "stake": 5,
        "tables": [
            {
                "number": 1,
                "variant": "taroki",
                "rules": {"tarok_bonus_to": "player"},
            }
        ],
    }
    assert [hand["hand"] for hand in done["hands"]] == [held]
    assert done["evening"]["name"] == "Saturday night"
    assert done["evening"]["tables"][0]["rules"] == {"tarok_bonus_to": "player"}
    tally = as_scorer.get(f"{evening}tally/").json()["standings"]
    assert {row["player"]: row["points"] for row in tally} == {
        **{row["player"]: row["points"] for row in tally},
        **{row["player"]: row["points_after"] for row in done["sums"]},
    }
    assert list(Audit().differences()) == []


def test_a_stake_is_corrected_to_a_fraction_and_back(as_scorer, evening, held, club):
    undo = f"/api/clubs/{club.pk}/undo/"
    before = as_scorer.get(f"{evening}tally/").json()["standings"]
    sent = asked(stake=2, stake_parts=4)

    done = as_scorer.patch(evening, sent).json()
    again = as_scorer.patch(evening, sent).json()
    halved = as_scorer.get(f"{evening}tally/").json()
    whole = as_scorer.patch(evening, asked(stake=7) | {"preview": True}).json()
    back = as_scorer.post(undo, {"id": str(uuid4()), "action": done["action"]})

    assert done["before"] == {"currency": "PLN", "stake": 20}
    assert done["after"] == {"currency": "PLN", "stake": 1, "stake_parts": 2}
    assert again["action"] == done["action"]
    assert (halved["stake"], halved["stake_parts"]) == (1, 2)
    assert {row["player"]: row["money"] for row in halved["standings"]} == {
        row["player"]: row["money_after"] for row in done["sums"]
    }
    assert whole["before"] == done["after"]
    assert back.status_code == 200
    assert as_scorer.get(f"{evening}tally/").json()["standings"] == before
    assert list(Audit().differences()) == []


def test_a_correction_is_undone_and_an_evening_brought_back(
    as_owner, evening, club, table
):
    undo = f"/api/clubs/{club.pk}/undo/"
    done = as_owner.patch(evening, asked(name="Saturday")).json()["action"]
    back = as_owner.post(undo, {"id": str(uuid4()), "action": done})
    named = as_owner.get(evening).json()["name"]
    id = str(uuid4())

    gone = as_owner.delete(f"{evening}?id={id}")
    again = as_owner.delete(f"{evening}?id={id}")
    listed = as_owner.get(f"/api/clubs/{club.pk}/evenings/").json()["count"]
    lost = as_owner.get(evening).status_code
    as_owner.post(undo, {"id": str(uuid4()), "action": id})

    assert (back.status_code, named) == (200, table.evening.name)
    assert (gone.status_code, again.status_code) == (204, 204)
    assert (listed, lost) == (0, 404)
    assert as_owner.get(evening).status_code == 200


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"date": "1899-12-31"}, "date"),
        ({"date": "2090-12-31"}, "date"),
        ({"name": ""}, "name"),
        ({"season": 10**9}, "season"),
        ({"season": -(10**30)}, "season"),
        ({"stake": -1}, "stake"),
        ({"currency": "EUR", "stake": 0}, "stake"),
        ({"stake": 1, "stake_parts": 3}, "stake_parts"),
        ({"stake": 1, "stake_parts": 0}, "stake_parts"),
        ({"stake_parts": 2}, "stake"),
        ({"variant": "chess"}, "variant"),
        ({"rules": {}}, "variant"),
        ({"variant": "taroki", "rules": {"x": 1}}, "rules"),
        ({"tables": [{"number": 9, "variant": "taroki"}]}, "tables"),
        ({"tables": [{"number": 1}]}, "tables.0.variant"),
        ({"reason": "", "stake": 50}, "reason"),
        ({"id": None}, "id"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_what_cannot_be_is_told_at_its_field(as_scorer, evening, held, wrong, field):
    answer = as_scorer.patch(evening, asked(**wrong))

    assert (answer.status_code, answer["Content-Type"]) == (422, PROBLEM)
    assert [problem["field"] for problem in answer.json()["problems"]] == [field]
    assert not Action.objects.filter(kind="amend").exists()


def test_a_hand_that_other_rules_refuse_is_named(as_scorer, evening, table, held):
    deal = journal.preview(table, {}).deal.players
    hand = {
        "contract": "3",
        "declarer": deal[0].pk,
        "partner": deal[2].pk,
        "card_points": 41,
        "contra": 3,
    }
    id = str(uuid4())
    as_scorer.post(f"/api/tables/{table.pk}/hands/", {"id": id, "hand": hand})

    answer = as_scorer.patch(
        evening, asked(variant="taroki", rules={"contra_cap": 2}, preview=True)
    )

    (problem,) = answer.json()["problems"]
    assert answer.status_code == 422
    assert (problem["code"], problem["about"]) == ("refused_hand", id)
    assert problem["message"].startswith("Hand 2 at table 1 does not fit these rules. ")


def test_a_closed_evening_is_the_owners(as_owner, as_scorer, evening, table, owner):
    journal.close_evening(table.evening, by=owner)

    late = as_scorer.patch(evening, asked(name="Saturday"))
    done = as_owner.patch(evening, asked(name="Saturday"))
    journal.close_season(table.evening.season, by=owner)
    over = as_owner.patch(evening, asked(name="Sunday"))

    assert (late.status_code, done.status_code, over.status_code) == (409, 200, 409)
    assert "is closed" in over.json()["detail"]


def test_an_evening_with_hands_is_not_deleted(as_owner, evening, held):
    answer = as_owner.delete(evening)

    assert answer.status_code == 422
    assert answer.json()["detail"] == "Hands were played here: take them back first."


def test_a_club_is_called_otherwise(as_owner, as_scorer, club):
    address = f"/api/clubs/{club.pk}/"
    sent = {"id": str(uuid4()), "name": "Kozy II", "language": "hu"}

    shown = as_owner.patch(address, {"name": "Kozy II", "preview": True}).json()
    refused = as_scorer.patch(address, sent)
    done = as_owner.patch(address, sent).json()

    assert shown["action"] is None
    assert shown["club"]["name"] == "Kozy"
    assert refused.status_code == 403
    assert done["before"] == {"name": "Kozy", "language": "pl"}
    assert done["after"] == {"name": "Kozy II", "language": "hu"}
    assert done["club"] == {
        "id": club.pk,
        "name": "Kozy II",
        "language": "hu",
        "role": "owner",
    }
