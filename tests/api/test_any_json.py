"""Whatever is sent as JSON, the answer is an answer: never a fault of ours."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoring
from ledger.api.parsing import DEEPEST, LARGEST
from ledger.models import Hand

PROBLEM = "application/problem+json"
GOOD = {200, 201, 400, 409, 422}
KEYS = sorted(scoring.Hand.__dataclass_fields__)
LINE = sorted(scoring.BonusLine.__dataclass_fields__)
WORDS = sorted(
    {
        word
        for game in scoring.VARIANTS.values()
        for word in (*game.contract, *game.bonus, *game.ending, *game.called_card)
    }
    | {"declarer", "defenders"}
)

numbers = st.one_of(
    st.integers(0, 80), st.integers(), st.floats(allow_nan=False), st.just(10**40)
)
leaves = st.one_of(
    st.none(), st.booleans(), numbers, st.sampled_from(WORDS), st.text(max_size=8)
)
anything = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=4),
    ),
    max_leaves=8,
)
lines = st.lists(
    st.dictionaries(st.sampled_from(LINE), leaves, max_size=5) | anything, max_size=4
)


def likely(ids):
    """Return hands that are nearly right: known keys, likely values."""
    player = st.sampled_from(ids)
    values = st.one_of(player, leaves, anything)
    facts = dict.fromkeys(KEYS, values)
    facts |= {"declarer": player, "bonuses": lines}
    facts["holdings"] = st.dictionaries(player.map(str), leaves, max_size=3) | anything
    return st.fixed_dictionaries({}, optional=facts)


@pytest.fixture
def tables(lay):
    return [lay(variant) for variant in scoring.VARIANTS]


@pytest.mark.parametrize("address", ["hands/", "hands/preview/"])
def test_any_json_is_answered(address, as_scorer, tables, people):
    ids = [player.pk for player in people]
    keys = ["id", "number", "dealer", "resting", "override", "hand", "x"]
    players = st.sampled_from(ids) | anything
    envelope = st.fixed_dictionaries(
        {"hand": likely(ids)},
        optional={
            "id": st.uuids().map(str) | anything,
            "number": anything,
            "dealer": players,
            "resting": st.lists(players, max_size=3),
            "override": st.booleans() | anything,
        },
    )
    bodies = st.one_of(
        envelope, st.dictionaries(st.sampled_from(keys), anything), anything
    )

    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(st.sampled_from(tables), bodies)
    def check(table, body):
        if address == "hands/preview/" and isinstance(body, dict):
            body = {k: body[k] for k in body.keys() - {"id", "number", "override"}}
        answer = as_scorer.post(
            f"/api/tables/{table.pk}/{address}",
            json.dumps(body),
            content_type="application/json",
        )

        assert answer.status_code in GOOD
        told = answer.json()
        if answer.status_code == 422:
            assert answer["Content-Type"] == PROBLEM
            assert told["problems"]
            assert all(problem["message"] for problem in told["problems"])
        if answer.status_code in (200, 201):
            assert sum(payment["points"] for payment in told["payments"]) == 0

    check()


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b'{"hand": NaN}',
        b'{"hand": Infinity}',
        b'"\xff"',
        b"\xef\xbb\xbf{}",
        b'{"hand": "\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"hand": "\\u0000"}',
        b'{"number": ' + b"9" * 5000 + b"}",
        b"[" * 5000,
        b"[" * 5000 + b"]" * 5000,
        b'{"hand":' * (DEEPEST + 1) + b"1" + b"}" * (DEEPEST + 1),
    ],
    ids=range(13),
)
def test_what_is_not_json_is_refused(as_scorer, table, body):
    answer = as_scorer.post(
        f"/api/tables/{table.pk}/hands/", body, content_type="application/json"
    )

    assert (answer.status_code, answer["Content-Type"]) == (400, PROBLEM)


def test_too_much_is_refused_before_it_is_read(as_scorer, table):
    answer = as_scorer.post(
        f"/api/tables/{table.pk}/hands/",
        b" " * LARGEST + b"{}",
        content_type="application/json",
    )

    assert (answer.status_code, answer["Content-Type"]) == (413, PROBLEM)


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", "text/html"])
def test_only_json_is_taken(as_scorer, table, kind):
    answer = as_scorer.post(f"/api/tables/{table.pk}/hands/", b"{}", content_type=kind)

    assert (answer.status_code, answer["Content-Type"]) == (415, PROBLEM)


def test_a_number_beyond_all_is_a_number(as_scorer, table):
    answer = as_scorer.post(
        f"/api/tables/{table.pk}/hands/",
        b'{"id": "%s", "hand": {"card_points": 1e999, "declarer": 1e999}}'
        % str(uuid4()).encode(),
        content_type="application/json",
    )

    assert answer.status_code == 422
    assert not Hand.objects.exists()
