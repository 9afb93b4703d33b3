"""How numbers look, who hands coins to whom, when a round is over."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format
from hypothesis import given
from hypothesis import strategies as st

from ledger import money
from ledger.coins import handed
from ledger.templatetags.kontra import gate, icon, plain, roman, signed, tone
from ledger.told import rounds


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
        assert money.show(126400, "CHF", language).count(expected) == 1


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
    ("payments", "expected"),
    [
        ((-6, 6, -6, 6), [(0, 1, 6), (2, 3, 6)]),
        ((6, -6, 6, -6), [(1, 2, 6), (3, 0, 6)]),
        ((-6, -6, 6, 6), [(0, 3, 6), (1, 2, 6)]),
        ((6, -6, -6, 6), [(1, 0, 6), (2, 3, 6)]),
        ((-2, 6, -2, -2), [(0, 1, 2), (2, 1, 2), (3, 1, 2)]),
        ((24, -8, -8, -8), [(1, 0, 8), (2, 0, 8), (3, 0, 8)]),
        ((0, 0, 0, 0), []),
    ],
)
def test_coins_go_to_the_neighbour(payments, expected):
    assert [(t.payer, t.payee, t.amount) for t in handed(payments)] == expected


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=3))
def test_after_the_coins_everybody_has_what_the_hand_moved(three):
    payments = [*three, -sum(three)]

    moved = [0] * 4
    for coin in handed(payments):
        moved[coin.payer] -= coin.amount
        moved[coin.payee] += coin.amount

    assert moved == payments


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
    assert list(rounds(dealers, [1, 2, 3, 4])) == expected
