"""A game that only a test declares gets everything, and nothing else was touched."""

from __future__ import annotations

import io
import json
import sys

import pytest
from django.core.management import call_command

import scoring
from tests.scoring.tiny import PLAYERS, TINY, WORKED

LAST = {"bonus": "last", "side": "declarer", "made": True}


@pytest.fixture(autouse=True)
def _tiny(monkeypatch):
    monkeypatch.setattr(scoring, "VARIANTS", {**scoring.VARIANTS, "tiny": TINY})


@pytest.mark.parametrize(("slip", "gains"), WORKED)
def test_its_worked_hands_pay(slip, gains):
    tariff = scoring.tariff("tiny")

    score = scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip))

    assert score.payments == gains


def test_its_lines_say_why():
    tariff = scoring.tariff("tiny")
    slip = WORKED[2][0]

    score = scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip))

    assert [(line.points, line.why.render(names=PLAYERS)) for line in score.lines] == [
        (
            4,
            "The declarer’s side has 20 card points; 13 are needed to win. "
            "×4 (knock back).",
        ),
        (4, "Announced by Ania and failed: the other side is paid."),
    ]


def test_its_contradictions_are_refused():
    tariff = scoring.tariff("tiny")
    slip = {
        "contract": "great",
        "declarer": "Ania",
        "won": False,
        "contra": 1,
        "bonuses": [{"bonus": "sweep", "side": "declarer", "made": True}],
    }

    with pytest.raises(scoring.Refused) as refused:
        scoring.parse(tariff, PLAYERS, slip)

    assert {p.code for p in refused.value.problems} == {
        "no_contra_on_contract",
        "not_with_result",
    }


def test_its_slip_asks_only_what_it_has():
    asked = {field.id: field for field in scoring.fields(scoring.tariff("tiny"))}

    assert [answer.value for answer in asked["contract"].answers] == ["small", "great"]
    assert [bonus.id for bonus in asked["bonuses"].bonuses] == ["last", "sweep"]
    assert asked["contra"].most == 2
    assert not {"holdings", "xxi_lost_by", "called", "annulled_by"} & asked.keys()


def test_its_bands_are_won_and_lost():
    bands = scoring.bands(scoring.tariff("tiny"))

    assert [(band.least, band.most, band.won) for band in bands] == [
        (0, 12, False),
        (13, 24, True),
    ]


def test_its_slip_bars_what_cannot_be():
    tariff = scoring.tariff("tiny")
    slip = {"contract": "small", "declarer": "Ania", "won": True, "bonuses": [LAST]}
    hand = scoring.parse(tariff, PLAYERS, slip)

    barred = {(line.bonus, line.side) for line in scoring.barred(tariff, hand)}

    assert {
        ("last", scoring.Side.DEFENDERS),
        ("sweep", scoring.Side.DEFENDERS),
    } <= barred
    assert ("sweep", scoring.Side.DECLARER) not in barred


def test_its_option_changes_its_tariff():
    tariff = scoring.tariff("tiny", {"last_king": "nothing"})
    slip = {"contract": "small", "declarer": "Ania", "won": True, "bonuses": [LAST]}

    _, problems = scoring.examine(tariff, PLAYERS, slip)

    assert [p.code for p in problems] == ["only_announced"]


def test_its_pile_is_counted():
    assert TINY.pack.count(["K1", "T1", "T2"]) == 7
    assert TINY.pack.count(TINY.pack.values) == TINY.pack.points


def test_the_command_scores_it(monkeypatch):
    asked = {"variant": "tiny", "players": PLAYERS, "hand": WORKED[0][0]}
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(asked).encode()))
    )
    monkeypatch.setattr(sys, "stdout", out)

    with pytest.raises(SystemExit) as exit:
        call_command("score")

    assert exit.value.code == 0
    assert json.loads(out.buffer.getvalue())["payments"] == {
        "Ania": 2,
        "Bartek": -1,
        "Celina": -1,
    }
