"""Money is read exactly or not at all, and shown as the country writes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.text import amounts

READ = [
    ("0.20", "PLN", 20),
    ("0,20", "PLN", 20),
    (",5", "EUR", 50),
    ("5", "EUR", 500),
    ("10", "HUF", 1000),
    ("12,5", "EUR", 1250),
    ("12.5", "EUR", 1250),
    ("1 234,5", "EUR", 123450),
    ("1\u202f234,5", "EUR", 123450),
    ("1.234,5", "EUR", 123450),
    ("1,234.5", "EUR", 123450),
    ("1'234.50", "CHF", 123450),
    ("1,234,567", "EUR", 123456700),
    ("1234", "JPY", 1234),
    ("１２，５", "EUR", 1250),
    ("٠,٢", "EUR", 20),
    ("−3,10", "EUR", -310),
    ("0,125", "KWD", 125),
]


@pytest.mark.parametrize(("text", "currency", "minor"), READ)
def test_an_amount_is_read(text, currency, minor):
    assert amounts.parse_amount(text, currency) == minor


@pytest.mark.parametrize("text", ["1.234", "1,234", "999,000"])
def test_an_amount_with_two_readings_is_refused_with_both(text):
    with pytest.raises(amounts.AmountError) as refused:
        amounts.parse_amount(text, "EUR")

    assert text.replace(",", ".") in str(refused.value)
    assert text.replace(",", "").replace(".", "") in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", " ", "-", ".", "ten", "1.2.3", "1,2,3", "12 34", "1.234.5", "1e3", "½"]
)
def test_what_is_no_amount_is_refused(text):
    with pytest.raises(amounts.AmountError, match="figures"):
        amounts.parse_amount(text, "EUR")


@pytest.mark.parametrize(("text", "currency"), [("0,125", "EUR"), ("0.5", "JPY")])
def test_an_amount_finer_than_the_smallest_coin_is_refused(text, currency):
    with pytest.raises(amounts.AmountError, match=f"{currency} has"):
        amounts.parse_amount(text, currency)


@pytest.mark.parametrize("text", ["0,000001", "0.00000999"])
def test_a_stake_finer_than_a_thousandth_of_a_coin_is_refused(text):
    with pytest.raises(amounts.AmountError, match="EUR can have at most 5 decimals"):
        amounts.parse_stake(text, "EUR")


@pytest.mark.parametrize("text", ["0", "0,00", "-1"])
def test_a_stake_is_worth_something(text):
    with pytest.raises(amounts.AmountError, match="more than 0"):
        amounts.parse_stake(text, "EUR")


def test_a_stake_has_a_limit():
    assert amounts.parse_stake("1000000", "EUR") == amounts.HIGHEST_STAKE
    with pytest.raises(amounts.AmountError, match="too much"):
        amounts.parse_stake("1000001", "EUR")


@pytest.mark.parametrize(
    ("minor", "currency", "language", "text"),
    [
        (-920, "PLN", "pl", "−9,20\xa0zł"),
        (900, "PLN", "pl", "9,00\xa0zł"),
        (2700, "HUF", "hu", "27\xa0Ft"),
        (-12100000, "HUF", "hu", "−121\xa0000\xa0Ft"),
        (2750, "HUF", "hu", "27,50\xa0Ft"),
        (-3685, "EUR", "de", "−36,85\xa0€"),
        (-3685, "EUR", "en", "−€36.85"),
        (2700, "HUF", "en", "HUF\xa027"),
        (27, "JPY", "de", "27\xa0¥"),
        (0, "EUR", "de", "0,00\xa0€"),
        (137 * 5, "EUR", "de", "6,85\xa0€"),
        (500, "EUR", "zh-hant", "€5.00"),
    ],
)
def test_an_amount_is_shown(minor, currency, language, text):
    assert amounts.format_amount(minor, currency, language) == text


@given(
    st.integers(-(10**12), 10**12),
    st.sampled_from(["PLN", "JPY", "EUR", "CZK"]),
    st.sampled_from(["pl", "hu", "de"]),
)
def test_what_is_shown_reads_back(minor, currency, language):
    figures = amounts.format_amount(minor, currency, language).rsplit("\xa0", 1)[0]

    if currency == "JPY" and 1000 <= abs(minor) < 10**6 and "." in figures:
        with pytest.raises(amounts.AmountError):
            amounts.parse_amount(figures, currency)
    else:
        assert amounts.parse_amount(figures, currency) == minor
