"""Figures, names and icons as every page shows them, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache

from babel.numbers import format_decimal
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from ledger.text import amounts
from ledger.text.amounts import MINUS, Stake, locale_of, plain, signed
from ledger.text.names import Named, short_names

NONE = "–"
"""Stands where nothing was counted: no hand is not 0."""
STROKES = tuple(
    f'<path d="{stroke}"/>'
    for stroke in ("M6 3v18", "M13 3v18", "M20 3v18", "M27 3v18", "M2 17 31 6")
)
"""The tally gate: four upright strokes, and one across them."""


# Amounts


def money(minor: int, currency: str) -> str:
    """Return *minor* units of *currency* as an amount."""
    return amounts.format_amount(minor, currency, _language())


def signed_money(minor: int, currency: str) -> str:
    return ("+" if minor > 0 else "") + money(minor, currency)


def worth(amount: int, currency: str) -> str:
    """Return *amount* as money where there is a currency, else as points."""
    return money(amount, currency) if currency else plain(amount)


def signed_worth(amount: int, currency: str) -> str:
    return signed_money(amount, currency) if currency else signed(amount)


def stake(per_point: Stake, currency: str) -> str:
    """Return what a point is worth."""
    return amounts.format_stake(per_point, currency, _language())


def tone(number: int) -> str:
    """Return the CSS class that colours a figure: plus, minus, or rest for 0."""
    return "plus" if number > 0 else "minus" if number < 0 else "rest"


# Averages and shares


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


def pace(number: Fraction | None) -> str:
    """Return a number per hour, with one decimal."""
    if number is None:
        return NONE
    return _formatted(float(number), "#,##0.0", _language())


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


# Names


def short(person: Named, people: Iterable[Named]) -> str:
    """Return the short name of *person*, unique among *people*."""
    return short_names(people)[person.name]


def name(person: Named, people: Iterable[Named] = ()) -> SafeString:
    """Return the name of *person*, with its short form among *people*."""
    return name_span(person.name, short(person, people or [person]))


def name_span(name: str, short: str) -> SafeString:
    """Return *name* as pages show it, with the *short* form for narrow rails."""
    if short == name:
        return format_html('<span class="name">{}</span>', name)
    return format_html('<span class="name" data-short="{}">{}</span>', short, name)


# Icons


@cache
def icon(id: str, classes: str = "") -> SafeString:
    """Return the icon *id* of ledger/icons.svg."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>',
        classes,
        static("ledger/icons.svg"),
        id,
    )


def gate(level: int, classes: str = "", strokes: int = 5) -> SafeString:
    """Return the tally gate with *level* of its *strokes* drawn."""
    return format_html(
        '<svg class="gate {}" data-level="{}" viewBox="0 0 34 24" aria-hidden="true">'
        "{}</svg>",
        classes,
        level,
        mark_safe("".join(STROKES if strokes > 4 else STROKES[:-1])),
    )


def _language() -> str:
    return get_language() or "en"
