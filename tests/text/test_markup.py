"""Marks of numbers and icons on pages, and the rounds of a table."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format

from ledger.table.rotation import round_ends
from ledger.text import amounts
from ledger.text.amounts import plain, signed
from ledger.text.markup import gate, icon, tone
from scoring import roman


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, "0"), (7, "+7"), (-7, "−7"), (1893, "+1,893"), (-1204, "−1,204")],
)
def test_a_sign_is_a_true_sign(number, expected):
    assert signed(number) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "1,264"), ("pl", "1\xa0264"), ("hu", "1\xa0264"), ("de", "1.264")],
)
def test_a_number_is_written_as_its_reader_writes_it(language, expected):
    with translation.override(language):
        assert plain(1264) == expected
        assert signed(-1264) == f"−{expected}"
        assert amounts.format_amount(126400, "CHF", language).count(expected) == 1


def test_a_polish_date_in_figures_has_dots_and_one_space():
    minute = datetime(2026, 11, 30, 6, 48)

    with translation.override("pl"):
        day = date_format(minute, "SHORT_DATE_FORMAT")
        shown = date_format(minute, "SHORT_DATETIME_FORMAT")

    assert (day, shown) == ("30.11.2026", "30.11.2026 06:48")


def test_a_plain_number_keeps_its_minus():
    assert plain(-20) == "−20"


@pytest.mark.parametrize(
    ("number", "expected"), [(1, "plus"), (-1, "minus"), (0, "rest")]
)
def test_a_figure_has_a_tone(number, expected):
    assert tone(number) == expected


def test_a_hand_is_a_trump():
    assert [roman(n) for n in (1, 15, 24, 26)] == ["I", "XV", "XXIV", "XXVI"]


def test_a_shorter_ladder_draws_fewer_strokes():
    assert gate(2, "", 4).count("<path") == 4
    assert gate(2).count("<path") == 5


def test_an_icon_comes_from_the_sprite():
    assert "icons.svg#hat" in icon("hat")


@pytest.mark.parametrize(
    ("dealers", "expected"),
    [
        ([4, 1, 2, 3, 4], [False, False, False, True]),
        ([4, 1, 1, 2, 3, 4, 1], [False, False, False, False, True, False]),
        ([2], []),
        ([], []),
    ],
)
def test_a_round_is_over_when_the_deal_comes_round(dealers, expected):
    assert list(round_ends(dealers, [1, 2, 3, 4])) == expected
