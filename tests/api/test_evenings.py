"""Three whole evenings recorded through the API, as in their files after every hand."""

from __future__ import annotations

import json
from decimal import Decimal
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command

from ledger.text.amounts import minor_digits

FILES = sorted((settings.BASE_DIR / "fixtures" / "evenings").glob("*.json"))


def begin(client, club, told):
    """Return the evening of the file, its table, and the players' ids by name."""
    ids = {
        name: client.post(f"/api/clubs/{club.pk}/players/", {"name": name}).json()["id"]
        for name in told["players"]
    }
    currency = told["stake"]["currency"]
    stake = Decimal(told["stake"]["per_point"]).scaleb(minor_digits(currency))
    evening = client.post(
        f"/api/clubs/{club.pk}/evenings/",
        {
            "name": told["name"],
            "date": "2020-11-20",
            "variant": told["variant"],
            "rules": told["rules"],
            "currency": currency,
            "stake": int(stake),
            "seats": list(ids.values()),
            "dealer": ids[told["hands"][0]["dealer"]],
        },
    ).json()
    return evening["id"], evening["tables"][0]["id"], ids


def with_ids(value, ids):
    if isinstance(value, dict):
        return {ids.get(k, k): with_ids(v, ids) for k, v in value.items()}
    if isinstance(value, list):
        return [with_ids(inner, ids) for inner in value]
    return ids.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_evening_through_the_api_is_the_files(file, as_owner, club):
    told = json.loads(file.read_text())
    evening, table, ids = begin(as_owner, club, told)
    mayor = None
    for hand in told["hands"]:
        due = as_owner.get(f"/api/tables/{table}/").json()["next"]
        assert due["number"] == hand["number"]
        assert due["dealer"] == ids[hand["dealer"]]
        assert due["resting"] == [ids[name] for name in hand["sits_out"]]
        assert due["players"] == [ids[name] for name in hand["players"]]
        assert due["multiplier"] == hand["hand"].get("multiplier", 1)
        assert due["mayor"] == ids.get(mayor)

        sent = {
            "id": str(uuid4()),
            "number": hand["number"],
            "hand": with_ids(hand["hand"], ids),
            "override": True,
        }
        kept = as_owner.post(f"/api/tables/{table}/hands/", sent)

        assert kept.status_code == 201, kept.content.decode()
        assert {p["player"]: p["points"] for p in kept.json()["payments"]} == {
            ids[name]: points for name, points in hand["payments"].items()
        }
        tally = as_owner.get(f"/api/evenings/{evening}/tally/").json()
        assert {s["name"]: s["points"] for s in tally["standings"]} == hand["running"]
        mayor = hand["hand"].get("xxi_lost_by") or mayor

    due = as_owner.get(f"/api/tables/{table}/").json()["next"]
    assert due["mayor"] == ids.get(told["mayor"])
    assert {s["name"]: s["points"] for s in tally["standings"]} == told["totals"]
    assert {s["name"]: s["money"] for s in tally["standings"]} == told["money_minor"]
    assert len(tally["plan"]) == told["fewest_transfers"]
    assert settled(tally) == dict.fromkeys(ids.values(), 0)
    call_command("audit")


def settled(tally):
    """Return what everybody still has to get once the plan is carried out."""
    open_ = {row["player"]: row["money"] for row in tally["standings"]}
    for transfer in tally["plan"]:
        open_[transfer["payer"]] += transfer["amount"]
        open_[transfer["payee"]] -= transfer["amount"]
    return open_
