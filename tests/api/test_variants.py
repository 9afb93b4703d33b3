"""One declaration: the API's schema, the slip and the stored record are the same."""

from __future__ import annotations

import io
from uuid import uuid4

import jsonschema
import pytest
import yaml
from django.core.management import call_command

import scoring
from ledger.api import hand_serializers
from ledger.models import Version
from ledger.views.table.slip.form import SlipForm
from tests.api.conftest import client_of
from tests.scoring.worked import PLAYERS, hands, load, stories

GAMES = list(scoring.VARIANTS)
OPTIONS = load("hands/options.toml")
DERIVED = {"multiplier"}
"""What the ledger works out; no slip asks for it."""


@pytest.fixture(scope="module")
def schema():
    out = io.StringIO()
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=out)
    return yaml.safe_load(out.getvalue())


def tariffs(variant):
    """Return every game that some option or preset makes of *variant*."""
    declared = scoring.get_variant(variant)
    chosen = [{"preset": preset.id} for preset in declared.presets]
    for option in declared.options:
        chosen += [{option.id: choice.value} for choice in option.choices]
    return [scoring.tariff(variant, rules) for rules in ({}, *chosen)]


def asked(tariff):
    return {field.id for field in scoring.fields(tariff)}


def known(variant):
    return set(
        hand_serializers.record_serializer(scoring.get_variant(variant))().fields
    )


@pytest.mark.parametrize("variant", GAMES)
def test_the_form_asks_what_the_slip_asks(variant):
    for tariff in tariffs(variant):
        form = SlipForm(tariff, [])

        assert set(form.asked_fields) == asked(tariff) <= set(form.fields)


@pytest.mark.parametrize("variant", GAMES)
def test_the_serializer_knows_what_any_slip_of_the_game_asks(variant):
    slips = [asked(tariff) for tariff in tariffs(variant)]

    assert known(variant) == set().union(*slips) | DERIVED


def test_the_slips_of_all_games_ask_for_the_whole_record():
    everything = set().union(*(known(variant) for variant in GAMES))

    assert everything == set(scoring.Hand.__dataclass_fields__)


@pytest.mark.parametrize("variant", GAMES)
def test_a_bonus_line_is_the_same_everywhere(variant):
    serializer = hand_serializers.record_serializer(scoring.get_variant(variant))

    line = serializer().fields["bonuses"].child.fields

    assert set(line) == set(scoring.BonusLine.__dataclass_fields__)


@pytest.mark.parametrize("variant", GAMES)
def test_a_worked_hand_is_stored_in_fields_that_the_serializer_knows(
    variant, lay, owner
):
    client = client_of(owner)
    cases = [*hands(variant), *(c for c in OPTIONS if c["variant"] == variant)]
    tables = {}

    for case in cases:
        rules = case.get("rules", {})
        if (key := str(rules)) not in tables:
            tables[key] = lay(variant, rules)
        kept, due = keep(client, tables[key], case)
        times = case["slip"].get("multiplier", 1)
        assert [p["points"] for p in kept["payments"]] == [
            gain // times * due["multiplier"] for gain in case["gains"]
        ], case["story"]

    records = Version.objects.values_list("record", flat=True)
    assert len(records) == len(cases) > 10
    assert set().union(*records) <= known(variant)


def keep(client, table, case):
    """Return the answer to a worked hand, and the deal that it was."""
    due = client.get(f"/api/tables/{table.pk}/").json()["next"]
    ids = dict(zip(PLAYERS, due["players"], strict=True))
    sent = {"id": str(uuid4()), "hand": with_ids(case["slip"], ids), "override": True}
    answer = client.post(f"/api/tables/{table.pk}/hands/", sent)
    return answer.json(), due


REFUSED = [c for c in load("hands/refused.toml") if c["field"] not in DERIVED]


@pytest.mark.parametrize("case", stories(REFUSED))
def test_a_contradiction_is_refused_in_the_field_of_the_form(case, lay, owner):
    table = lay(case["variant"], case.get("rules", {}))

    told, _due = keep(client_of(owner), table, case)

    assert told["status"] == 422
    errors = [p for p in told["problems"] if p["severity"] == "error"]
    assert {problem["field"] for problem in errors} == {case["field"]}


@pytest.mark.parametrize("variant", GAMES)
def test_every_worked_hand_fits_the_schema(variant, schema):
    check = checker(schema, f"{variant.title()}Hand")
    numbers = dict(zip(PLAYERS, range(1, 5), strict=True))

    for case in hands(variant):
        errors = check.iter_errors(with_ids(case["slip"], numbers))
        assert [error.message for error in errors] == [], case["story"]


def with_ids(value, ids):
    if isinstance(value, dict):
        return {str(ids.get(k, k)): with_ids(v, ids) for k, v in value.items()}
    if isinstance(value, list):
        return [with_ids(inner, ids) for inner in value]
    return ids.get(value, value) if isinstance(value, str) else value


def checker(schema, component):
    return jsonschema.Draft202012Validator(
        {
            "$ref": f"#/components/schemas/{component}",
            "components": schema["components"],
        }
    )


@pytest.mark.parametrize("variant", GAMES)
def test_the_schema_names_every_contract_and_bonus(variant, schema):
    declared = scoring.get_variant(variant)
    facts = schema["components"]["schemas"][f"{variant.title()}Hand"]["properties"]
    bonuses = schema["components"]["schemas"][f"{variant.title()}Bonus"]["properties"]

    assert set(facts["contract"]["enum"]) == {*declared.contract, None}
    assert set(bonuses["bonus"]["enum"]) == set(declared.bonus)


@pytest.mark.parametrize(
    "wrong",
    [
        {"contract": "nine"},
        {"colour": "red"},
        {"card_points": 71},
        {"bonuses": [{"bonus": "honours", "side": "declarer", "made": True}]},
    ],
)
def test_the_schema_refuses_what_no_hand_of_the_game_has(wrong, schema):
    assert not checker(schema, "TarokiHand").is_valid(wrong)


def test_the_schema_is_complete(schema):
    paths = schema["paths"]

    operations = [
        operation
        for path in paths.values()
        for method, operation in path.items()
        if method in ("get", "post", "patch")
    ]
    assert schema["openapi"] == "3.1.0"
    assert len(operations) == 25
    assert all(
        {"personalToken": []} in operation["security"] for operation in operations
    )
    assert all("401" in operation["responses"] for operation in operations)


def test_the_schema_is_served_to_everybody(signed_out, schema):
    answer = signed_out.get("/api/schema/", headers={"Accept": "application/json"})

    assert (answer.status_code, answer.json()) == (200, schema)


# What the API tells of a game


def test_the_games_are_listed_in_their_order(as_member):
    told = as_member.get("/api/variants/").json()

    assert [game["id"] for game in told] == GAMES


@pytest.mark.parametrize("variant", GAMES)
def test_a_game_is_told_whole(variant, as_member):
    declared = scoring.get_variant(variant)

    told = as_member.get(f"/api/variants/{variant}/").json()

    assert [c["id"] for c in told["contracts"]] == list(declared.contract)
    assert [(b["id"], b["announced"], b["silent"]) for b in told["bonuses"]] == [
        (b.id, b.announced, b.silent) for b in declared.bonuses
    ]
    assert [e["id"] for e in told["endings"]] == list(declared.ending)
    assert [o["id"] for o in told["options"]] == [o.id for o in declared.options]
    assert [p["id"] for p in told["presets"]] == [p.id for p in declared.presets]
    assert len(told["ladder"]) == declared.ladder.top + 1
    assert {field["id"] for field in told["slip"]} == asked(scoring.tariff(variant))
    assert all(bonus["help"] for bonus in told["bonuses"])


def test_an_answer_of_the_slip_is_what_stands_in_the_record(as_member):
    told = as_member.get("/api/variants/taroki/").json()

    won = next(field for field in told["slip"] if field["id"] == "won")
    assert won["asks"] == "flag"
    assert [answer["value"] for answer in won["answers"]] == [True, False]


@pytest.mark.parametrize("variant", GAMES)
def test_what_is_told_of_a_game_fits_the_schema(variant, as_member, schema):
    told = as_member.get(f"/api/variants/{variant}/").json()

    errors = checker(schema, "Variant").iter_errors(told)

    assert [error.message for error in errors] == []
