"""Number formats of spreadsheets for points, money and days, by language."""

from __future__ import annotations

from babel import Locale
from babel.numbers import get_currency_symbol

from ledger.text.amounts import MINUS, SPACE, minor_digits

MONTHS = {
    "en": "d mmm yyyy",
    "pl": "dd.mm.yyyy",
    "hu": "yyyy.mm.dd.",
    "de": "dd.mm.yyyy",
}
"""Formats of a day, by language."""


def signed(pattern: str) -> str:
    """Return *pattern* with a typographic sign; 0 has none.

    >>> signed("#,##0")
    '+#,##0;"−"#,##0;#,##0'
    """
    return f'+{pattern};"{MINUS}"{pattern};{pattern}'


def money_pattern(currency: str, language: str) -> str:
    """Return the format of an amount; separators are the spreadsheet's own.

    >>> money_pattern("PLN", "pl"), money_pattern("EUR", "en")
    ('#,##0.00"\\xa0zł"', '"€"#,##0.00')
    """
    digits = minor_digits(currency)
    number = "#,##0" + (f".{'0' * digits}" if digits else "")
    symbol = get_currency_symbol(currency, language).replace('"', "")
    if Locale.parse(language).currency_formats["standard"].pattern.startswith("¤"):
        space = SPACE if symbol[-1:].isalpha() else ""
        return f'"{symbol}{space}"{number}'
    return f'{number}"{SPACE}{symbol}"'
