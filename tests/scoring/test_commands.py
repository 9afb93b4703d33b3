"""`manage.py score` and `manage.py count_pile`: a line in, a line out, no traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from tests.scoring.worked import PLAYERS, hands, load

ROOT = Path(__file__).parents[2]
CASES = [hand for variant in scoring.VARIANTS for hand in hands(variant)]
CASES += load("hands/options.toml")
SLIP = {"contract": "2", "declarer": "A", "partner": "C", "won": True}
ASKED = {"id": "x", "variant": "taroki", "players": PLAYERS, "hand": SLIP}


def answers(name, lines, *arguments):
    """Run the command in this process on *lines* and return status and answers."""
    stdin = io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in lines)))
    stdout = io.TextIOWrapper(io.BytesIO())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        patch.setattr(sys, "stdout", stdout)
        with pytest.raises(SystemExit) as exit:
            call_command(name, *arguments)
    written = stdout.buffer.getvalue().decode().split("\n")[:-1]
    return exit.value.code, [json.loads(line) for line in written]


def scored(*asked):
    return answers("score", [json.dumps(each).encode() for each in asked])


def test_every_worked_hand_is_scored_from_the_command_line():
    asked = [
        {
            "id": number,
            "variant": case["variant"],
            "rules": case.get("rules", {}),
            "players": PLAYERS,
            "hand": case["slip"],
        }
        for number, case in enumerate(CASES)
    ]

    status, told = scored(*asked)

    assert status == 0
    assert [answer["id"] for answer in told] == [*range(len(CASES))]
    for case, answer in zip(CASES, told, strict=True):
        times = case["slip"].get("multiplier", 1)
        points = sum(line["points"] for line in answer["lines"])
        assert answer["payments"] == dict(zip(PLAYERS, case["gains"], strict=True))
        assert points * times == answer["units"]


def test_an_answer_is_whole_and_in_a_stable_order():
    slip = {
        "contract": "3",
        "declarer": "A",
        "partner": "C",
        "card_points": 41,
        "contra": 1,
        "holdings": {"B": "2"},
        "bonuses": [
            {"bonus": "trul", "announced_by": "D", "contra": 2, "made": False},
            {"bonus": "king_ultimo", "announced_by": "A", "made": True},
        ],
    }
    rules = {"tarok_bonus_to": "player"}

    status, (told,) = scored(ASKED | {"hand": slip, "rules": rules})

    assert status == 0
    assert json.dumps(told, ensure_ascii=False) == json.dumps(
        {
            "id": "x",
            "payments": {"A": 23, "B": -21, "C": 23, "D": -25},
            "units": 24,
            "lines": [
                {
                    "item": "3",
                    "side": "declarer",
                    "base": 3,
                    "contra": 1,
                    "factor": 2,
                    "points": 6,
                    "why": "The declarer’s side has 41 card points; 36 are needed "
                    "to win. ×2 (kontra).",
                },
                {
                    "item": "trul",
                    "side": "defenders",
                    "player": "D",
                    "base": 4,
                    "contra": 2,
                    "factor": 4,
                    "points": 16,
                    "why": "Announced by D and failed: the other side is paid. "
                    "×4 (rekontra).",
                },
                {
                    "item": "king_ultimo",
                    "side": "declarer",
                    "player": "A",
                    "points": 2,
                    "why": "Announced by A and made.",
                },
                {
                    "item": "holdings_2",
                    "side": "defenders",
                    "player": "B",
                    "points": 0,
                    "personal": 1,
                    "why": "B declared 2; each of the others pays.",
                },
            ],
            "warnings": [
                {
                    "code": "unlikely_announcer",
                    "field": "bonuses",
                    "message": "King Ultimo is announced by the partner, who holds "
                    "the king. Is it right?",
                }
            ],
        },
        ensure_ascii=False,
    )


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (b"", "hand"),
        (b"nope", "hand"),
        (b"[1, 2]", "hand"),
        (b"7", "hand"),
        (b"null", "hand"),
        (b"\xff\xfe", "hand"),
        (b"[" * 100_000, "hand"),
        (b'{"id": 1' + b"0" * 5_000 + b"}", "hand"),
        (b'{"id": NaN}', "hand"),
        (b'{"id": -Infinity}', "hand"),
        (b'{"id": 1e999}', "id"),
        (b'{"id": []}', "id"),
        (b"{}", "variant"),
        (b'{"variant": "skat"}', "variant"),
        (b'{"variant": ["taroki"]}', "variant"),
        (b'{"variant": "taroki", "rules": []}', "rules"),
        (b'{"variant": "taroki", "rules": {"x": 1}}', "rules"),
        (
            b'{"variant": "taroki", "rules": {"x": %b}}' % (b"[" * 99 + b"]" * 99),
            "rules",
        ),
        (b'{"variant": "taroki"}', "players"),
        (b'{"variant": "taroki", "players": "ABCD"}', "players"),
        (b'{"variant": "taroki", "players": ["A", "B", "C"]}', "players"),
        (b'{"variant": "taroki", "players": ["A", "B", "C", "C"]}', "players"),
        (b'{"variant": "taroki", "players": ["A", "B", "C", []]}', "players"),
        (b'{"variant": "taroki", "players": ["A", "B", "C", "D"]}', "hand"),
        (b'{"variant": "taroki", "players": ["A", "B", "C", "D"], "hand": 3}', "hand"),
    ],
    ids=lambda value: str(value[:60]),
)
def test_a_line_that_is_no_hand_is_a_problem(line, field):
    status, (told,) = answers("score", [line])

    assert status == 1
    assert {problem["field"] for problem in told["problems"]} == {field}
    assert all(problem["message"][-1] == "." for problem in told["problems"])


def test_what_is_refused_keeps_its_id_and_does_not_stop_the_rest():
    refused = ASKED | {"id": 2, "hand": SLIP | {"partner": "A", "contra": 1}}

    status, told = scored(ASKED | {"id": 1}, refused, ASKED | {"id": 3})

    assert status == 1
    assert [answer["id"] for answer in told] == [1, 2, 3]
    assert [problem["field"] for problem in told[1]["problems"]] == [
        "partner",
        "contra",
    ]
    assert told[0]["payments"] == told[2]["payments"]


def test_half_a_character_comes_back_as_it_came():
    name = "\ud83c"
    players = [name, "B", "C", "żółw 🃏"]

    status, (told,) = scored(
        ASKED | {"players": players, "hand": SLIP | {"declarer": name}}
    )

    assert status == 0
    assert [*told["payments"]] == players


def test_letters_are_written_as_they_are():
    line = json.dumps(ASKED | {"players": ["Łukasz", "A", "B", "C"]}).encode()

    done = run("score", line)

    assert "Łukasz" in done.stdout.decode()


@settings(max_examples=80, deadline=None)
@given(st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line)))
def test_any_bytes_are_answered_line_by_line(lines):
    status, told = answers("score", lines)

    assert len(told) == len(lines)
    assert status == (1 if lines else 0)


KEYS = st.sampled_from(["id", "variant", "rules", "players", "hand", "cards", "rule"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=9,
)


@pytest.mark.parametrize("command", ["score", "count_pile"])
@settings(max_examples=80, deadline=None)
@given(asked=st.dictionaries(KEYS, JSON))
def test_any_object_is_answered(command, asked):
    for base in ({}, ASKED):
        line = json.dumps({**base, **asked}).encode()

        status, (told,) = answers(command, [line])

        assert (status == 1) is ("problems" in told)


@pytest.mark.parametrize("language", ["en", "pl", "hu", "de"])
def test_it_speaks_the_languages_of_the_site(language):
    line = json.dumps(ASKED).encode()

    status, (told,) = answers("score", [line], "--language", language)

    said = told["lines"][0]["why"]
    assert status == 0
    assert (said == "The declarer’s side won.") is (language == "en")


def test_it_speaks_no_other_language():
    done = run("score", b"", "--language", "tlh")

    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


# Piles


def test_every_pile_is_counted():
    piles = load("piles.toml", "pile")
    lines = [
        json.dumps({"id": n, "cards": pile["cards"]} | rule).encode()
        for n, pile in enumerate(piles)
        for rule in ({}, {"rule": "kozy"}, {"rule": "austrian"})
    ]

    status, told = answers("count_pile", lines)

    assert status == 0
    assert told == [
        {"id": n, "points": pile[key]}
        for n, pile in enumerate(piles)
        for key in ("points", "points", "austrian")
    ]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "cards"),
        ({"cards": "SK"}, "cards"),
        ({"cards": ["SK", "SK"]}, "cards"),
        ({"cards": ["T22"]}, "cards"),
        ({"cards": ["S" * 5_000]}, "cards"),
        ({"cards": [["SK"]]}, "cards"),
        ({"cards": [], "rule": "roman"}, "rule"),
        ({"cards": [], "rule": []}, "rule"),
    ],
)
def test_a_pile_that_cannot_be_is_a_problem(asked, field):
    status, (told,) = answers("count_pile", [json.dumps(asked).encode()])

    assert status == 1
    assert [problem["field"] for problem in told["problems"]] == [field]
    assert len(told["problems"][0]["message"]) < 100


# As a program of its own


def run(command, lines, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "manage.py", command, *arguments],
        cwd=ROOT,
        input=lines,
        capture_output=True,
        env={**os.environ, **environment},
    )


def test_it_needs_no_database():
    nowhere = "postgres://nobody@127.0.0.1:1/none"

    done = run("score", json.dumps(ASKED).encode(), DATABASE_URL=nowhere)

    assert (done.returncode, done.stderr) == (0, b"")


def test_it_writes_utf_8_whatever_the_terminal_speaks():
    line = json.dumps(ASKED | {"players": ["Łukasz", "A", "B", "C"]}).encode()

    done = run("score", line, PYTHONIOENCODING="ascii", LC_ALL="C")

    assert json.loads(done.stdout)["payments"]["Łukasz"] == -2
    assert done.stderr == b""


def test_a_reader_that_goes_away_gets_no_traceback(tmp_path):
    lines = tmp_path / "lines"
    lines.write_bytes(b"nope\n" * 20_000)
    read, write = os.pipe()
    os.close(read)

    with lines.open() as stdin:
        done = subprocess.run(
            [sys.executable, "manage.py", "score"],
            cwd=ROOT,
            stdin=stdin,
            stdout=write,
            stderr=subprocess.PIPE,
        )
    os.close(write)

    assert (done.returncode, done.stderr) == (1, b"")


def test_memory_does_not_grow_with_the_lines():
    line = json.dumps(ASKED).encode() + b"\n"

    few, many = (_peak(line * number) for number in (100, 20_000))

    assert many - few < 4_000  # kB; the lines alone are 3,000


def _peak(lines):
    """Return the peak memory of scoring *lines*, in kB."""
    script = (
        "import resource, sys; from django.core.management import "
        "execute_from_command_line as run\n"
        "try: run(['manage.py', 'score'])\n"
        "except SystemExit: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,"
        " file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        input=lines,
        capture_output=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "ledger.settings"},
        check=True,
    )
    return int(done.stderr)
