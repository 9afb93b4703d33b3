"""Amounts: numbers, money and stakes, formatted for a language and parsed.

Inside amounts are whole points or minor units of a currency. Formatting follows the
reader's language; parsing takes every country's spelling, and refuses what could be
read in two ways.
"""

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
from django.utils import formats
from django.utils.translation import get_language
from django.utils.translation import gettext as _

NONE = (
    *("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG"),
    *("RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"),
)
THREE = ("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND")
FOUR = ("CLF", "UYW")
MINOR_DIGITS = dict.fromkeys(NONE, 0) | dict.fromkeys(THREE, 3) | dict.fromkeys(FOUR, 4)
"""Decimals by ISO 4217 where they are not two. Babel's are those that people show."""

HIGHEST_STAKE = 100_000_000
"""The highest stake in minor units, or in parts of one where it is a fraction.

No evening can then outgrow the columns of the database.
"""

FINEST = 1000
"""The most parts of a minor unit in a stake: three more decimals."""
PARTS = tuple(parts for parts in range(1, FINEST + 1) if FINEST % parts == 0)
"""Denominators of a stake: with them it has an exact decimal."""
Stake = Fraction | int
"""The worth of a point in minor units, whole or a fraction."""
K = TypeVar("K", bound=Hashable)

MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
GROUPED = re.compile(
    r"[1-9]\d{0,2}(?P<mark>[ '.,])\d{3}(?:(?P=mark)\d{3})*"
    r"(?:(?!(?P=mark))[.,](?P<rest>\d+))?"
)
DECIMAL = re.compile(r"(?P<whole>\d*)(?:[.,](?P<rest>\d*))?")


class AmountError(ValueError):
    """Text that is no amount, with a message in the active language."""

    ambiguous = False


class AmbiguousAmount(AmountError):
    """Text that could be two amounts."""

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
def format_amount(minor: int, currency: str, language: str) -> str:
    """Return the amount as *language* writes it, with a true minus sign.

    Where small coins are out of use, whole amounts have no decimals.

    >>> format_amount(-920, "PLN", "pl"), format_amount(2700, "HUF", "hu")
    ('−9,20\\xa0zł', '27\\xa0Ft')
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


def format_stake(stake: Stake, currency: str, language: str) -> str:
    """Return *stake* as *language* writes it, with every decimal.

    >>> format_stake(Fraction(1, 2), "PLN", "pl"), format_stake(20, "PLN", "pl")
    ('0,005\\xa0zł', '0,20\\xa0zł')
    """
    if stake.denominator == 1:
        return format_amount(int(stake), currency, language)
    worth = stake_decimal(stake, currency)
    digits = -int(worth.as_tuple().exponent)
    return _formatted(worth, currency, locale_of(language), digits)


def stake_decimal(stake: Stake, currency: str) -> Decimal:
    """Return *stake* in the unit of *currency*, not in minor units.

    >>> stake_decimal(Fraction(1, 8), "EUR"), stake_decimal(20, "EUR")
    (Decimal('0.00125'), Decimal('0.20'))
    """
    worth = Decimal(stake.numerator) / stake.denominator
    return worth.scaleb(-minor_digits(currency))


def dump_stake(stake: Stake) -> int | str:
    """Dump *stake* to JSON as Fraction loads it: a number, or a fraction as text.

    >>> dump_stake(Fraction(20)), dump_stake(Fraction(1, 2))
    (20, '1/2')
    """
    return str(stake) if stake.denominator > 1 else int(stake)


def at_stake(points: Mapping[K, int], stake: Stake) -> dict[K, int]:
    """Return *points*, which sum to 0, in minor units that sum to 0.

    A stake that is a fraction rounds every amount down. The minor units that are then
    missing go, one each, to those with the greatest rest, of equal ones to the lower
    key.

    >>> at_stake({"A": 3, "B": -1, "C": -1, "D": -1}, Fraction(1, 2))
    {'A': 2, 'B': 0, 'C': -1, 'D': -1}
    """
    if stake.denominator == 1:
        return {key: won * int(stake) for key, won in points.items()}
    return apportion({key: won * stake for key, won in points.items()}, 0)


def apportion(exact: Mapping[K, Stake], total: int) -> dict[K, int]:
    """Round *exact* amounts to whole ones that sum to *total*, by greatest rests."""
    whole = {key: floor(amount) for key, amount in exact.items()}
    missing = total - sum(whole.values())
    if missing:
        left: list[Any] = sorted(exact, key=lambda key: (whole[key] - exact[key], key))
        for key in left[:missing]:
            whole[key] += 1
    return whole


def parse_amount(text: str, currency: str) -> int:
    """Return the amount in minor units; raise `AmountError`, never guess or round.

    >>> parse_amount("1 234,5", "PLN"), parse_amount("1.234,5", "EUR")
    (123450, 123450)
    """
    minor = parse_number(text).scaleb(minor_digits(currency))
    if minor != int(minor):
        raise AmountError(_too_fine(currency))
    return int(minor)


def parse_number(text: str) -> Decimal:
    """Return the number in whichever country's spelling; raise `AmountError`.

    >>> parse_number("−1 234,5"), parse_number("12")
    (Decimal('-1234.5'), Decimal('12'))
    """
    sign, number = _plain(text)
    readings = {value for value in (_grouped(number), _decimal(number)) if value}
    if len(readings) > 1:
        raise AmbiguousAmount(_ambiguous(text, readings))
    if not readings:
        raise AmountError(_("Enter an amount in figures, for example 0.20 or 0,20."))
    return sign * Decimal(readings.pop())


def parse_stake(text: str, currency: str) -> Fraction:
    """Return the stake in minor units, above 0 and exact; raise `AmountError`.

    >>> parse_stake("0,005", "PLN"), parse_stake("0.10", "PLN")
    (Fraction(1, 2), Fraction(10, 1))
    """
    stake = Fraction(parse_number(text).scaleb(minor_digits(currency)))
    if stake <= 0:
        raise AmountError(_("A point must be worth more than 0."))
    if stake.numerator > HIGHEST_STAKE:
        raise AmountError(_("That is too much for one point: enter less."))
    if FINEST % stake.denominator:
        raise AmountError(_too_fine_a_stake(currency))
    return stake


def typed_amount(minor: int, currency: str) -> str:
    """Return an amount, or points without a currency, as it is typed in a field."""
    if not currency:
        return str(minor)
    exact = Decimal(minor).scaleb(-minor_digits(currency))
    whole = exact == int(exact)
    return str(formats.localize_input(int(exact) if whole else exact))


def typed_stake(stake: Stake, currency: str) -> str:
    """Return *stake* as it is typed in a field, with every decimal."""
    exact = stake_decimal(stake, currency)
    if exact == int(exact):
        return str(formats.localize_input(int(exact)))
    if exact > 1 and exact.as_tuple().exponent == -3:
        exact = exact.quantize(Decimal("1.0000"))  # no thousands, read back
    return str(formats.localize_input(exact))


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
