"""Numbers and money: whole units inside, each country's spelling outside."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache

from babel import Locale
from babel.core import get_global
from babel.numbers import format_currency, format_decimal, get_currency_symbol
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
"""The highest stake, in minor units: no evening can then outgrow the database."""

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
    return format_decimal(number, locale=_locale(language)).replace("-", MINUS)


def _locale(language: str) -> Locale:
    return Locale.parse(language.replace("-", "_"))


@lru_cache(maxsize=4096)
def show(minor: int, currency: str, language: str) -> str:
    """Return the amount as *language* writes it, with a true minus sign.

    Where nobody uses the small coins any more, whole amounts go without them.

    >>> show(-920, "PLN", "pl"), show(2700, "HUF", "hu"), show(2750, "HUF", "hu")
    ('−9,20\\xa0zł', '27\\xa0Ft', '27,50\\xa0Ft')
    """
    locale = _locale(language)
    digits = minor_digits(currency)
    amount = Decimal(minor).scaleb(-digits)
    if amount == int(amount) and _shown_digits(currency) == 0:
        digits = 0
    return format_currency(
        amount,
        currency,
        format=_pattern(locale, currency, digits),
        locale=locale,
        currency_digits=False,
    ).replace("-", MINUS)


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
        raise Unclear(_("Write an amount in figures, for example 0.20 or 0,20."))
    return sign * Decimal(readings.pop())


def parse_stake(text: str, currency: str) -> int:
    """Return what a point is worth, in minor units: more than nothing, and exact."""
    stake = parse_amount(text, currency)
    if stake <= 0:
        raise Unclear(_("A point must be worth more than nothing."))
    if stake > MOST:
        raise Unclear(_("That is too much for one point."))
    return stake


def _shown_digits(currency: str) -> int:
    fractions = get_global("currency_fractions")
    digits: int = fractions.get(currency, fractions["DEFAULT"])[0]
    return digits


def _pattern(locale: Locale, currency: str, digits: int) -> str:
    pattern: str = locale.currency_formats["standard"].pattern
    pattern = pattern.replace(".00", "." + "0" * digits if digits else "")
    if get_currency_symbol(currency, locale)[-1].isalpha():
        pattern = re.sub(r"¤(?=[#0])", "¤" + SPACE, pattern)
    return pattern


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
    return _("“{text}” could be {whole} or {part}: write it without the mark.").format(
        text=text.strip(), whole=whole, part=part
    )


def _too_fine(currency: str) -> str:
    digits = minor_digits(currency)
    return _("{currency} has {digits} decimals: give an amount that fits.").format(
        currency=currency, digits=digits
    )
