"""Numbers and money: whole units inside, each country's spelling outside."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from math import floor
from typing import Any, TypeVar

from babel import Locale
from babel.core import get_global
from babel.numbers import (
    NumberPattern,
    format_currency,
    format_decimal,
    get_currency_symbol,
    parse_pattern,
)
from django.utils.translation import get_language
from django.utils.translation import gettext as _

NONE = (
    *("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG"),
    *("RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"),
)
THREE = ("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND")
FOUR = ("CLF", "UYW")
MINOR_DIGITS = dict.fromkeys(NONE, 0) | dict.fromkeys(THREE, 3) | dict.fromkeys(FOUR, 4)
"""ISO 4217 where it is not two. Babel's own digits are those that people show."""

MOST = 100_000_000
"""The highest stake, in minor units: no evening can then outgrow the database. Where a
point is worth a fraction, so many of its parts."""

FINEST = 1000
"""A point is worth some of so many parts of the smallest coin: three more decimals."""
PARTS = tuple(parts for parts in range(1, FINEST + 1) if FINEST % parts == 0)
"""What divides a stake, so that decimals tell what a point is worth."""
Stake = Fraction | int
"""What a point is worth, in minor units: whole ones, or a fraction of one."""
K = TypeVar("K", bound=Hashable)

MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
GROUPED = re.compile(
    r"[1-9]\d{0,2}(?P<mark>[ '.,])\d{3}(?:(?P=mark)\d{3})*"
    r"(?:(?!(?P=mark))[.,](?P<rest>\d+))?"
)
DECIMAL = re.compile(r"(?P<whole>\d*)(?:[.,](?P<rest>\d*))?")


class Unclear(ValueError):
    """An amount that could be misread, or isn't one; says so in the active language."""

    ambiguous = False


class Ambiguous(Unclear):
    ambiguous = True


def minor_digits(currency: str) -> int:
    return MINOR_DIGITS.get(currency, 2)


def plain(number: int) -> str:
    """Return *number* as the reader's language writes it, with a true minus sign.

    >>> plain(1264), plain(-7)
    ('1,264', '−7')
    """
    return _number(number, get_language() or "en")


def signed(number: int) -> str:
    """Return *number* with its sign; 0 has none.

    >>> signed(12), signed(-1204), signed(0)
    ('+12', '−1,204', '0')
    """
    return ("+" if number > 0 else "") + plain(number)


@lru_cache(maxsize=4096)
def _number(number: int, language: str) -> str:
    return format_decimal(number, locale=locale_of(language)).replace("-", MINUS)


@cache
def locale_of(language: str) -> Locale:
    """Return Babel's locale of one of Django's languages."""
    return Locale.parse(language.replace("-", "_"))


@lru_cache(maxsize=4096)
def amount(minor: int, currency: str, language: str) -> str:
    """Return the amount as *language* writes it, with a true minus sign.

    Where nobody uses the small coins any more, whole amounts go without them.

    >>> show(-920, "PLN", "pl"), show(2700, "HUF", "hu"), show(2750, "HUF", "hu")
    ('−9,20\\xa0zł', '27\\xa0Ft', '27,50\\xa0Ft')
    """
    locale = locale_of(language)
    digits = minor_digits(currency)
    amount = Decimal(minor).scaleb(-digits)
    if amount == int(amount) and _shown_digits(currency) == 0:
        digits = 0
    return _formatted(amount, currency, locale, digits)


def _formatted(amount: Decimal, currency: str, locale: Locale, digits: int) -> str:
    return format_currency(
        amount,
        currency,
        format=_pattern(locale, currency, digits),
        locale=locale,
        currency_digits=False,
    ).replace("-", MINUS)


def show_stake(stake: Stake, currency: str, language: str) -> str:
    """Return what a point is worth as *language* writes it, with every decimal.

    >>> show_stake(Fraction(1, 2), "PLN", "pl"), show_stake(20, "PLN", "pl")
    ('0,005\\xa0zł', '0,20\\xa0zł')
    """
    if stake.denominator == 1:
        return amount(int(stake), currency, language)
    worth = decimal(stake, currency)
    digits = -int(worth.as_tuple().exponent)
    return _formatted(worth, currency, locale_of(language), digits)


def decimal(stake: Stake, currency: str) -> Decimal:
    """Return what a point is worth in the unit of *currency*.

    >>> decimal(Fraction(1, 8), "EUR"), decimal(20, "EUR")
    (Decimal('0.00125'), Decimal('0.20'))
    """
    worth = Decimal(stake.numerator) / stake.denominator
    return worth.scaleb(-minor_digits(currency))


def in_json(stake: Stake) -> int | str:
    """Return a stake as it is kept, which Fraction reads: whole, or a fraction as text.

    >>> in_json(Fraction(20)), in_json(Fraction(1, 2))
    (20, '1/2')
    """
    return str(stake) if stake.denominator > 1 else int(stake)


def at_stake(points: Mapping[K, int], stake: Stake) -> dict[K, int]:
    """Return what *points*, which sum to 0, are worth: minor units that sum to 0.

    Where a point is worth a fraction of the smallest coin, everybody has at first the
    whole coins below what he is due; those missing for a sum of 0 go, one each, to
    those who are due most of another: of equal ones to whoever has the lower key.

    >>> at_stake({"A": 3, "B": -1, "C": -1, "D": -1}, Fraction(1, 2))
    {'A': 2, 'B': 0, 'C': -1, 'D': -1}
    """
    if stake.denominator == 1:
        return {key: won * int(stake) for key, won in points.items()}
    return shared({key: won * stake for key, won in points.items()}, 0)


def shared(exact: Mapping[K, Stake], total: int) -> dict[K, int]:
    """Return *exact* amounts in whole ones that sum to *total*, as near as can be."""
    whole = {key: floor(amount) for key, amount in exact.items()}
    missing = total - sum(whole.values())
    if missing:
        left: list[Any] = sorted(exact, key=lambda key: (whole[key] - exact[key], key))
        for key in left[:missing]:
            whole[key] += 1
    return whole


def parse_amount(text: str, currency: str) -> int:
    """Return the amount in minor units; raise Unclear rather than guess or round.

    >>> parse_amount("1 234,5", "PLN"), parse_amount("1.234,5", "EUR")
    (123450, 123450)
    """
    minor = parse_number(text).scaleb(minor_digits(currency))
    if minor != int(minor):
        raise Unclear(_too_fine(currency))
    return int(minor)


def parse_number(text: str) -> Decimal:
    """Return the number in whichever country's spelling; raise Unclear.

    >>> parse_number("−1 234,5"), parse_number("12")
    (Decimal('-1234.5'), Decimal('12'))
    """
    sign, number = _plain(text)
    readings = {value for value in (_grouped(number), _decimal(number)) if value}
    if len(readings) > 1:
        raise Ambiguous(_ambiguous(text, readings))
    if not readings:
        raise Unclear(_("Enter an amount in figures, for example 0.20 or 0,20."))
    return sign * Decimal(readings.pop())


def parse_stake(text: str, currency: str) -> Fraction:
    """Return what a point is worth, in minor units: more than nothing, and exact.

    >>> parse_stake("0,005", "PLN"), parse_stake("0.10", "PLN")
    (Fraction(1, 2), Fraction(10, 1))
    """
    stake = Fraction(parse_number(text).scaleb(minor_digits(currency)))
    if stake <= 0:
        raise Unclear(_("A point must be worth more than 0."))
    if stake.numerator > MOST:
        raise Unclear(_("That is too much for one point: enter less."))
    if FINEST % stake.denominator:
        raise Unclear(_too_fine_a_stake(currency))
    return stake


def _shown_digits(currency: str) -> int:
    fractions = get_global("currency_fractions")
    digits: int = fractions.get(currency, fractions["DEFAULT"])[0]
    return digits


@lru_cache(maxsize=256)
def _pattern(locale: Locale, currency: str, digits: int) -> NumberPattern:
    pattern: str = locale.currency_formats["standard"].pattern
    pattern = pattern.replace(".00", "." + "0" * digits if digits else "")
    if get_currency_symbol(currency, locale)[-1].isalpha():
        pattern = re.sub(r"¤(?=[#0])", "¤" + SPACE, pattern)
    return parse_pattern(pattern)


def _plain(text: str) -> tuple[int, str]:
    """Return the sign and the number in ASCII: full-width digits, thin spaces, ’."""
    folded = unicodedata.normalize("NFKC", text).strip().replace("’", "'")
    number = "".join(
        str(unicodedata.decimal(letter, letter)) if letter.isdecimal() else letter
        for letter in re.sub(r"\s", " ", folded)
    )
    if number[:1] in ("-", MINUS):
        return -1, number[1:].strip()
    return 1, number.removeprefix("+").strip()


def _grouped(number: str) -> str:
    if (match := GROUPED.fullmatch(number)) is None:
        return ""
    rest = match["rest"] or ""
    return _canonical(re.sub(r"\D", "", number.removesuffix(rest)), rest)


def _decimal(number: str) -> str:
    match = DECIMAL.fullmatch(number)
    if match is None or not (match["whole"] or match["rest"]):
        return ""
    return _canonical(match["whole"], match["rest"] or "")


def _canonical(whole: str, rest: str) -> str:
    return (whole.lstrip("0") or "0") + ("." + rest if rest else "")


def _ambiguous(text: str, readings: set[str]) -> str:
    whole, part = sorted(readings, key=len)
    return _(
        "“{text}” could be {whole} or {part}: write it without the separator."
    ).format(text=text.strip(), whole=whole, part=part)


def _too_fine(currency: str) -> str:
    digits = minor_digits(currency)
    return _("{currency} has {digits} decimals: enter an amount that fits.").format(
        currency=currency, digits=digits
    )


def _too_fine_a_stake(currency: str) -> str:
    most = minor_digits(currency) + len(str(FINEST)) - 1
    return _("A point in {currency} can have at most {most} decimals.").format(
        currency=currency, most=most
    )
