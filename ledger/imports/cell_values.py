"""Values of cells: dates, times, whole numbers, yes and no, names of choices."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from functools import cache

from django.conf import settings
from django.utils import dates, timezone, translation
from django.utils.translation import gettext as _

from ledger.text import amounts
from ledger.text.dates import is_likely
from ledger.text.names import fold

ORDERS = ("dmy", "mdy", "ymd")
"""Orders of day, month and year in a numeric date."""
NUMERIC_DATE = re.compile(r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?")
DAY_MONTH_YEAR = re.compile(r"(\d{1,2})\.?\s+([^\W\d]+)\.?\s+(\d{4})\.?")
YEAR_MONTH_DAY = re.compile(r"(\d{4})\.?\s+([^\W\d]+)\.?\s+(\d{1,2})\.?")
DATE_AND_TIME = re.compile(
    r"(?P<day>.*?[\d.])(?:\s*,\s*|\s+|(?<=\d)[T_](?=\d))"
    r"(?P<hour>\d{1,2})(?:(?P<mark>[:.])(?P<minute>\d\d)"
    r"(?:(?P=mark)\d\d(?:[.,]\d+)?)?)?\s*(?P<half>[ap]\.?\s?m\.?)?"
    r"\s*(?:Uhr|h)?\s*(?:Z|UTC|[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
"""A date with a time behind it. A time zone is ignored: the clock is the table's."""
PLAIN_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]{0,5})")


class UnclearCell(ValueError):
    """A cell that is ambiguous or has no valid value; the message is for the reader."""


class AmbiguousDate(UnclearCell):
    """A numeric date with two interpretations: the reader chooses the order."""


def parse_date(text: str, order: str = "") -> datetime.date:
    """Return the date in *text*; *order* decides between several interpretations.

    Raise `UnclearCell`, or `AmbiguousDate` where *order* is needed and not given.

    >>> parse_date("3.5.2024"), parse_date("2024. 05. 03."), parse_date("25/12/2023")
    (datetime.date(2024, 5, 3), datetime.date(2024, 5, 3), datetime.date(2023, 12, 25))
    """
    text = text.strip()
    found = _numeric_date(text, order) or _date_with_month_name(text)
    if found is None:
        raise UnclearCell(_("“{text}” is not a date.").format(text=text))
    if not is_likely(found) or found > timezone.localdate():
        raise UnclearCell(
            _("{text} is too far in the past or in the future.").format(text=text)
        )
    return found


def parse_date_and_time(
    text: str, order: str = ""
) -> tuple[datetime.date, datetime.time | None]:
    """Return the date in *text*, and the time behind it or None.

    >>> parse_date_and_time("06.04.2026, 20:12")
    (datetime.date(2026, 4, 6), datetime.time(20, 12))
    """
    match = DATE_AND_TIME.fullmatch(text.strip())
    time = match and _time_of_match(match)
    if match is None or time is None:
        return parse_date(text, order), None
    return parse_date(match["day"].rstrip(","), order), time


def is_date(text: str) -> bool:
    """Tell whether *text* is a date in any order of day and month."""
    try:
        parse_date_and_time(text)
    except AmbiguousDate:
        return True
    except UnclearCell:
        return False
    return True


def parse_time(text: str) -> datetime.time | None:
    """Return the time in a cell without a date: `20:12`, `8.12 p.m.`."""
    match = DATE_AND_TIME.fullmatch(f"0 {text.strip()}")
    return match and _time_of_match(match)


def _time_of_match(match: re.Match[str]) -> datetime.time | None:
    hour, half = int(match["hour"]), (match["half"] or "")[:1].lower()
    if not (match["minute"] or half) or (half and not 1 <= hour <= 12):
        return None
    hour = hour % 12 + 12 * (half == "p") if half else hour
    try:
        return datetime.time(hour, int(match["minute"] or 0))
    except ValueError:
        return None


def _numeric_date(text: str, order: str) -> datetime.date | None:
    match = NUMERIC_DATE.fullmatch(text)
    if match is None:
        return None
    one, mark, two, three = match.groups()
    if len(one) == 4:
        return _date(one, two, three)
    if len(three) == 4 and mark == ".":
        return _date(three, two, one)  # with full stops nobody puts the month first
    interpretations = {
        found: by
        for by in (ORDERS if len(three) < 3 else ORDERS[:2])
        if (found := _date_by_order(by, one, two, three))
    }
    if len(interpretations) < 2:
        return next(iter(interpretations), None)
    if order in interpretations.values():
        return _date_by_order(order, one, two, three)
    raise AmbiguousDate(
        _("“{text}” can be read in two ways: choose one.").format(text=text)
    )


def _date_by_order(order: str, *figures: str) -> datetime.date | None:
    places = dict(zip(order, figures, strict=True))
    return _date(places["y"], places["m"], places["d"])


def _date(year: str, month: str, day: str) -> datetime.date | None:
    if len(year) < 4:
        this = timezone.localdate().year
        year = str(this - (this - int(year)) % 100)
    try:
        return datetime.date(int(year), int(month), int(day))
    except ValueError:
        return None


def _date_with_month_name(text: str) -> datetime.date | None:
    if match := DAY_MONTH_YEAR.fullmatch(text):
        number, word, year = match.groups()
    elif match := YEAR_MONTH_DAY.fullmatch(text):
        year, word, number = match.groups()
    else:
        return None
    month = month_numbers().get(fold(word))
    return _date(year, str(month), number) if month else None


@cache
def month_numbers() -> Mapping[str, int]:
    """Return the number of each month by its folded name, in all languages."""
    found: dict[str, int] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for names in (dates.MONTHS, dates.MONTHS_3, dates.MONTHS_ALT):
                found |= {fold(str(name)): number for number, name in names.items()}
    return found


DASHES = "-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}−"
NEGATIVES = (
    re.compile(rf"\s*[{DASHES}]\s*(\d.*)"),
    re.compile(rf"\s*(\d.*?)\s*[{DASHES}]\s*"),
    re.compile(r"\s*\(\s*(\d.*?)\s*\)\s*"),
)
"""A minus before the number, a minus behind it, and brackets round it."""
MOST_POINTS = 10**6
"""Points in one cell; at the highest stake their sums still fit the database."""


def parse_whole(text: str) -> int:
    """Return the whole number in *text*, in any country's spelling.

    >>> [parse_whole(text) for text in ("−12", "+1 234", "12,0", "(5)", "7-")]
    [-12, 1234, 12, -5, -7]
    """
    if PLAIN_NUMBER.fullmatch(text):
        return int(text)
    try:
        number = amounts.parse_number(_with_leading_minus(text))
    except amounts.AmountError as unclear:
        message = _("“{text}” is not a number.").format(text=text)
        raise UnclearCell(str(unclear) if unclear.ambiguous else message) from None
    if number != int(number):
        raise UnclearCell(_("“{text}” is not a whole number.").format(text=text))
    if abs(number) > MOST_POINTS:
        raise UnclearCell(_("{text} is too much: check the number.").format(text=text))
    return int(number)


def _with_leading_minus(text: str) -> str:
    """Return *text* with the minus first, as `parse_number` reads it."""
    return next((f"-{m[1]}" for by in NEGATIVES if (m := by.fullmatch(text))), text)


YES = ("yes", "tak", "igen", "ja", "won", "wygrane", "nyert", "gewonnen", "+", "1", "x")
NO = ("no", "nie", "nem", "nein", "lost", "przegrane", "vesztett", "verloren")
NEGATIVE_ANSWERS = (*NO, "-", "−", "–", "0")


def parse_yes_no(text: str) -> bool:
    word = fold(text)
    if word in YES:
        return True
    if word in NEGATIVE_ANSWERS:
        return False
    raise UnclearCell(_("“{text}”: write yes or no.").format(text=text))


def is_empty(text: str) -> bool:
    """Tell whether a cell has no value; a dash has none."""
    return text.strip() in ("", *DASHES, ".", "/")


TOTAL_WORDS = frozenset(
    (
        *("total", "totals", "sum", "sums", "subtotal", "subtotals", "sigma", "σ", "∑"),
        *("suma", "sumy", "podsuma", "razem", "lacznie", "ogolem"),
        *("summe", "summen", "gesamt", "gesamtsumme", "gesamtstand", "zwischensumme"),
        *("zwischenstand", "endsumme", "endstand", "insgesamt", "ubertrag"),
        *("osszesen", "mindosszesen", "osszeg", "reszosszeg", "vegosszeg"),
    )
)
MOST_LABEL_WORDS = 5
"""Words of a label; a longer text is a note."""


COLUMN_WORDS = frozenset(
    (
        *("round", "rounds", "check", "checksum", "value", "balance", "difference"),
        *("runda", "kolejka", "kontrola", "wartosc", "saldo", "roznica"),
        *("runde", "kontrolle", "wert", "probe", "differenz", "spielwert", "pot"),
        *("kor", "fordulo", "ellenorzes", "ertek", "egyenleg", "kulonbseg"),
    )
)
"""Headings of columns of numbers that belong to no player."""


def is_no_name(heading: str) -> bool:
    """Tell whether a heading belongs to a column of numbers of no player.

    >>> is_no_name("Runde"), is_no_name("Sum of Ania"), is_no_name("Ania")
    (True, True, False)
    """
    return fold(heading) in COLUMN_WORDS or names_total(heading)


def names_total(text: str) -> bool:
    """Tell whether *text* labels its row as a total.

    >>> names_total("Razem:"), names_total("Σ"), names_total("Summe 5. Jänner")
    (True, True, True)
    """
    words = re.findall(r"[^\W\d_]+|∑", fold(text))
    return len(words) <= MOST_LABEL_WORDS and not TOTAL_WORDS.isdisjoint(words)


@cache
def in_all_languages(message: str) -> frozenset[str]:
    """Return the folded translations of *message*, and its English."""
    found = {fold(message)}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.add(fold(_(message)))
    return frozenset(found)


def id_of_spelling(text: str, names: Iterable[tuple[str, Iterable[str]]]) -> str | None:
    """Return the id with the spelling *text*; *names* are folded spellings by id."""
    word = fold(text)
    for id, spellings in names:
        if word == fold(id) or word in spellings:
            return id
    return None
