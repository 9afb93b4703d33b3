"""What somebody wrote into a cell: dates, whole numbers, yes and no, words."""

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
"""Day, month and year, as they stand in a date of figures."""
FIGURES = re.compile(r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?")
IN_WORDS = re.compile(r"(\d{1,2})\.?\s+([^\W\d]+)\.?\s+(\d{4})\.?")
YEAR_FIRST = re.compile(r"(\d{4})\.?\s+([^\W\d]+)\.?\s+(\d{1,2})\.?")
TIME = re.compile(
    r"(?P<day>.*?[\d.])(?:\s*,\s*|\s+|(?<=\d)[T_](?=\d))"
    r"(?P<hour>\d{1,2})(?:(?P<mark>[:.])(?P<minute>\d\d)"
    r"(?:(?P=mark)\d\d(?:[.,]\d+)?)?)?\s*(?P<half>[ap]\.?\s?m\.?)?"
    r"\s*(?:Uhr|h)?\s*(?:Z|UTC|[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
"""A date with a time behind it; a zone is not minded, the clock is the table's."""
PLAINLY = re.compile(r"[+-]?(0|[1-9][0-9]{0,5})")


class UnclearCell(ValueError):
    """A cell that could be misread, or cannot be read; says so in a sentence."""


class Which(UnclearCell):
    """A date that has two readings: the order of its figures must be chosen."""


def day(text: str, order: str = "") -> datetime.date:
    """Return the date that *text* says, by *order* where its figures do not tell.

    >>> day("3.5.2024"), day("2024. 05. 03."), day("25/12/2023")
    (datetime.date(2024, 5, 3), datetime.date(2024, 5, 3), datetime.date(2023, 12, 25))
    """
    text = text.strip()
    found = _figures(text, order) or _words(text)
    if found is None:
        raise UnclearCell(_("“{text}” is not a date.").format(text=text))
    if not is_likely(found) or found > timezone.localdate():
        raise UnclearCell(
            _("{text} is too far in the past or in the future.").format(text=text)
        )
    return found


def moment(text: str, order: str = "") -> tuple[datetime.date, datetime.time | None]:
    """Return the date that *text* says, and the time if one stands behind it.

    >>> moment("06.04.2026, 20:12"), moment("2026-04-06T20:12:31Z")[1]
    ((datetime.date(2026, 4, 6), datetime.time(20, 12)), datetime.time(20, 12))
    """
    match = TIME.fullmatch(text.strip())
    time = match and _time(match)
    if match is None or time is None:
        return day(text, order), None
    return day(match["day"].rstrip(","), order), time


def is_date(text: str) -> bool:
    """Tell whether *text* is a date, in whatever order its figures are meant."""
    try:
        moment(text)
    except Which:
        return True
    except UnclearCell:
        return False
    return True


def clock(text: str) -> datetime.time | None:
    """Return the time that a cell of its own says: `20:12`, `8.12 p.m.`."""
    match = TIME.fullmatch(f"0 {text.strip()}")
    return match and _time(match)


def _time(match: re.Match[str]) -> datetime.time | None:
    hour, half = int(match["hour"]), (match["half"] or "")[:1].lower()
    if not (match["minute"] or half) or (half and not 1 <= hour <= 12):
        return None
    hour = hour % 12 + 12 * (half == "p") if half else hour
    try:
        return datetime.time(hour, int(match["minute"] or 0))
    except ValueError:
        return None


def _figures(text: str, order: str) -> datetime.date | None:
    match = FIGURES.fullmatch(text)
    if match is None:
        return None
    one, mark, two, three = match.groups()
    if len(one) == 4:
        return _date(one, two, three)
    if len(three) == 4 and mark == ".":
        return _date(three, two, one)  # with points nobody puts the month first
    readings = {
        found: by
        for by in (ORDERS if len(three) < 3 else ORDERS[:2])
        if (found := _by(by, one, two, three))
    }
    if len(readings) < 2:
        return next(iter(readings), None)
    if order in readings.values():
        return _by(order, one, two, three)
    raise Which(_("“{text}” can be read in two ways: choose one.").format(text=text))


def _by(order: str, *figures: str) -> datetime.date | None:
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


def _words(text: str) -> datetime.date | None:
    if match := IN_WORDS.fullmatch(text):
        number, word, year = match.groups()
    elif match := YEAR_FIRST.fullmatch(text):
        year, word, number = match.groups()
    else:
        return None
    month = months().get(fold(word))
    return _date(year, str(month), number) if month else None


@cache
def months() -> Mapping[str, int]:
    """Return the number of each month by its folded name, in every language."""
    found: dict[str, int] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for names in (dates.MONTHS, dates.MONTHS_3, dates.MONTHS_ALT):
                found |= {fold(str(name)): number for number, name in names.items()}
    return found


DASHES = "-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}−"
MINUS = (
    re.compile(rf"\s*[{DASHES}]\s*(\d.*)"),
    re.compile(rf"\s*(\d.*?)\s*[{DASHES}]\s*"),
    re.compile(r"\s*\(\s*(\d.*?)\s*\)\s*"),
)
"""A minus before the number, behind it, or brackets round it."""
MOST = 10**6
"""Nobody has won more; at the highest stake a sheet of it can still be summed."""


def whole(text: str) -> int:
    """Return the whole number that *text* is, in any country's spelling.

    >>> whole("−12"), whole("+1 234"), whole("12,0"), whole("(5)"), whole("7-")
    (-12, 1234, 12, -5, -7)
    """
    if PLAINLY.fullmatch(text):
        return int(text)
    try:
        number = amounts.parse_number(_signed(text))
    except amounts.Unclear as unclear:
        message = _("“{text}” is not a number.").format(text=text)
        raise UnclearCell(str(unclear) if unclear.ambiguous else message) from None
    if number != int(number):
        raise UnclearCell(_("“{text}” is not a whole number.").format(text=text))
    if abs(number) > MOST:
        raise UnclearCell(_("{text} is too much: check the number.").format(text=text))
    return int(number)


def _signed(text: str) -> str:
    """Return *text* with a minus before it where bookkeepers write one otherwise."""
    return next((f"-{m[1]}" for by in MINUS if (m := by.fullmatch(text))), text)


YES = ("yes", "tak", "igen", "ja", "won", "wygrane", "nyert", "gewonnen", "+", "1", "x")
NO = ("no", "nie", "nem", "nein", "lost", "przegrane", "vesztett", "verloren")
NOT = (*NO, "-", "−", "–", "0")


def yes(text: str) -> bool:
    said = fold(text)
    if said in YES:
        return True
    if said in NOT:
        return False
    raise UnclearCell(_("“{text}”: write yes or no.").format(text=text))


def empty(text: str) -> bool:
    """Whether nothing is written; a dash says so too."""
    return text.strip() in ("", *DASHES, ".", "/")


TOTALS = frozenset(
    (
        *("total", "totals", "sum", "sums", "subtotal", "subtotals", "sigma", "σ", "∑"),
        *("suma", "sumy", "podsuma", "razem", "lacznie", "ogolem"),
        *("summe", "summen", "gesamt", "gesamtsumme", "gesamtstand", "zwischensumme"),
        *("zwischenstand", "endsumme", "endstand", "insgesamt", "ubertrag"),
        *("osszesen", "mindosszesen", "osszeg", "reszosszeg", "vegosszeg"),
    )
)
MOST_WORDS = 5
"""In what names a row; who writes more tells something else."""


NOBODY = frozenset(
    (
        *("round", "rounds", "check", "checksum", "value", "balance", "difference"),
        *("runda", "kolejka", "kontrola", "wartosc", "saldo", "roznica"),
        *("runde", "kontrolle", "wert", "probe", "differenz", "spielwert", "pot"),
        *("kor", "fordulo", "ellenorzes", "ertek", "egyenleg", "kulonbseg"),
    )
)
"""What nobody is called, but columns of figures are."""


def is_no_name(heading: str) -> bool:
    """Tell whether a heading says that its figures are no player's.

    >>> is_no_name("Runde"), is_no_name("Sum of Ania"), is_no_name("Ania")
    (True, True, False)
    """
    return fold(heading) in NOBODY or names_total(heading)


def names_total(text: str) -> bool:
    """Tell whether *text* names a row the total of others.

    >>> names_total("Razem:"), names_total("Σ"), names_total("Summe 5. Jänner")
    (True, True, True)
    """
    words = re.findall(r"[^\W\d_]+|∑", fold(text))
    return len(words) <= MOST_WORDS and not TOTALS.isdisjoint(words)


@cache
def in_all_languages(message: str) -> frozenset[str]:
    """Return the folded translations of *message*, its own words among them."""
    said = {fold(message)}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            said.add(fold(_(message)))
    return frozenset(said)


def chosen(text: str, names: Iterable[tuple[str, Iterable[str]]]) -> str | None:
    """Return the id of what *text* names; *names* are the spellings by id."""
    said = fold(text)
    for id, spellings in names:
        if said == fold(id) or said in spellings:
            return id
    return None
