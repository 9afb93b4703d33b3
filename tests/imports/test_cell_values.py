"""Values of cells: numbers, dates and times in the spelling of every country."""

from __future__ import annotations

import datetime

import pytest

from ledger.imports.cell_values import (
    UnclearCell,
    is_empty,
    parse_date_and_time,
    parse_time,
    parse_whole,
)

SIXTH = datetime.date(2026, 4, 6)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("−5", -5),
        ("–5", -5),
        ("‑ 5", -5),
        ("5-", -5),
        ("5 −", -5),
        ("(5)", -5),
        ("( 1\xa0234 )", -1234),
        ("1\xa0234", 1234),
        ("1\u202f234", 1234),
        ("+5", 5),
        ("１２", 12),
        ("-0", 0),
    ],
)
def test_a_number_is_read_in_every_way_of_writing_it(text, number):
    assert parse_whole(text) == number


@pytest.mark.parametrize(
    "text",
    [
        *("1e999", "1E3", "NaN", "inf", "0x10", "1_000", "=5", "--5", "(-5)", "(5"),
        *("5)", "5%", "½", "5 pkt", "9" * 400, "1.234", "6,5", "()", "+"),
    ],
)
def test_what_could_be_misread_is_no_number(text):
    with pytest.raises(UnclearCell):
        parse_whole(text)


def test_a_dash_is_nothing_and_a_nought_is_a_number():
    assert [is_empty(text) for text in ("", "\xa0", "-", "–", "‐", "0")] == [
        True
    ] * 5 + [False]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("06.04.2026, 20:12", datetime.time(20, 12)),
        ("2026-04-06T20:12Z", datetime.time(20, 12)),
        ("2026-04-06T20:12:31.5+02:00", datetime.time(20, 12)),
        ("2026-04-06 20:12", datetime.time(20, 12)),
        ("6.4.2026 20:12", datetime.time(20, 12)),
        ("6.4.2026 20.12 Uhr", datetime.time(20, 12)),
        ("4/6/2026 20:12:02", datetime.time(20, 12)),
        ("4/6/2026 8:12 p.m.", datetime.time(20, 12)),
        ("4/6/2026 8 PM", datetime.time(20)),
        ("4/6/2026, 12:05 AM", datetime.time(0, 5)),
        ("6 April 2026 20:12", datetime.time(20, 12)),
        ("2026. 04. 06. 20:12", datetime.time(20, 12)),
        ("2026. 04. 06.", None),
        ("6. 4. 2026", None),
    ],
)
def test_a_time_behind_a_date_is_read(text, time):
    assert parse_date_and_time(text, "mdy") == (SIXTH, time)


@pytest.mark.parametrize("text", ["6.4.2026 25:00", "6.4.2026 20:61", "20:12", "6.4"])
def test_half_a_date_is_none(text):
    with pytest.raises(UnclearCell):
        parse_date_and_time(text)


def test_a_time_may_have_a_cell_of_its_own():
    assert [parse_time(text) for text in ("20:12", "8.12 pm", "soon")] == [
        datetime.time(20, 12),
        datetime.time(20, 12),
        None,
    ]
