"""Averages and shares, as the reader's language writes them."""

from __future__ import annotations

from fractions import Fraction

from babel.numbers import format_decimal, format_percent
from django import template
from django.utils.translation import get_language

from ledger.money import MINUS

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
    return sign + _decimal(abs(hundredths) / 100, "#,##0.00")


@register.filter
def pace(number: Fraction | None) -> str:
    """Return how many in an hour, with one decimal."""
    return NONE if number is None else _decimal(float(number), "#,##0.0")


@register.filter
def percent(share: Fraction | None) -> str:
    """Return *share* as a percentage.

    >>> percent(Fraction(7, 12)), percent(None)
    ('58%', '–')
    """
    if share is None:
        return NONE
    return format_percent(float(share), "#,##0%", locale=_locale())


def _decimal(number: float, pattern: str) -> str:
    return format_decimal(number, pattern, locale=_locale())


def _locale() -> str:
    return (get_language() or "en").replace("-", "_")
