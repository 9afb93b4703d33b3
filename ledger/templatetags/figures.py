"""Averages and shares, as the reader's language writes them."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from babel.numbers import format_decimal
from django import template
from django.utils.translation import get_language

from ledger.text.amounts import MINUS, locale_of

register = template.Library()

NONE = "–"
"""Stands where nothing was counted: no hand is not 0."""


@register.filter
def average(number: Fraction | None) -> str:
    """Return *number* with its sign and two decimals; one that rounds to 0 has none.

    >>> average(Fraction(5, 9)), average(Fraction(-3, 2)), average(None)
    ('+0.56', '−1.50', '–')
    """
    if number is None:
        return NONE
    hundredths = round(number * 100)
    sign = "+" if hundredths > 0 else MINUS if hundredths < 0 else ""
    return sign + _formatted(abs(hundredths) / 100, "#,##0.00", _language())


@register.filter
def pace(number: Fraction | None) -> str:
    """Return how many in an hour, with one decimal."""
    if number is None:
        return NONE
    return _formatted(float(number), "#,##0.0", _language())


@register.filter
def percent(share: Fraction | None) -> str:
    """Return *share* as a percentage.

    >>> percent(Fraction(7, 12)), percent(None)
    ('58%', '–')
    """
    if share is None:
        return NONE
    return _formatted(float(share), "#,##0%", _language())


@lru_cache(maxsize=4096)  # a page of statistics has hundreds, many of them alike
def _formatted(number: float, pattern: str, language: str) -> str:
    return format_decimal(number, pattern, locale=locale_of(language))


def _language() -> str:
    return get_language() or "en"
