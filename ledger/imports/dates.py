"""On which evening each row was played.

A date or a name that is not written is that of the row above. Without a column of
dates each sheet of a workbook is an evening, dated by its title; else the reader gives
the date once.

Who plays on after midnight has not begun another evening: a row stays with the evening
of the row before it, in order of time, when it is of the next day and not later than
STAYS after it. Up to ASKED after it, and before noon, it is asked. A row without a time
among rows that mostly have one was written at midnight, where spreadsheets leave it
out. A sheet with the newest at the top is read from its foot; where all rows have a
time, they are put in order of it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from ledger.imports.cell_values import UnclearCell, Which, clock, day, moment
from ledger.imports.files import GridRow
from ledger.imports.questions import Interpretation, Question
from ledger.text.names import has_letter, tidy

if TYPE_CHECKING:
    from ledger.imports.plan import Reading

MOST_NAME = 80
DAYS = "days"
"""The dates that the reader gave once, by the title of the sheet."""
STAY, APART = "stay", "apart"
STAYS = datetime.timedelta(hours=4)
ASKED = datetime.timedelta(hours=10)
NOON = 12
ONE = datetime.timedelta(days=1)
IN_TITLE = re.compile(r"\d{1,4}([./-])\s?\d{1,2}\1\s?\d{1,4}")


@dataclass(frozen=True, slots=True)
class Dated:
    """A row with the evening it belongs to."""

    row: GridRow
    date: datetime.date
    time: datetime.time | None
    name: str
    written: bool
    """Whether the row says its date itself."""

    @property
    def at(self) -> datetime.datetime:
        return datetime.datetime.combine(self.date, self.time or datetime.time())


def dated(reading: Reading) -> list[Dated]:
    """Return the rows in the order they were played, each with its evening."""
    rows = _at_midnight(list(_read(reading)))
    if _is_newest_first(rows):
        rows.reverse()
    if rows and all(one.time for one in rows):
        rows.sort(key=lambda one: one.at)
    if any(one.time for one in rows):
        rows = _by_night(reading, rows)
    return rows


def _read(reading: Reading) -> Iterator[Dated]:
    """Yield the rows that count; one that is left out still dates those below it."""
    given, kept = _Given(reading), {row.key for row in reading.rows}
    for row in reading.grid.rows:
        before = len(reading.troubles)
        found = given.of(row)
        if row.key not in kept:
            del reading.troubles[before:]
        elif found is not None:
            yield found


class _Given:
    """What is given about the rows so far."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.last: Dated | None = None

    def of(self, row: GridRow) -> Dated | None:
        if self.last is not None and self.last.row.sheet != row.sheet:
            self.last = None
        if "date" in self.reading.columns:
            found = self._by_column(row)
        else:
            found = self._by_sheet(row)
        self.last = found or self.last
        return found

    def _by_column(self, row: GridRow) -> Dated | None:
        reading, written = self.reading, self.reading.cell(row, "date")
        if not written:
            if self.last is None and not reading.troubles:
                reading.wrong(row, "date", _("The date is missing."))
            return self.last and self._named(replace(self.last, row=row, written=False))
        try:
            date, time = moment(written, reading.choices.get("dates", ""))
        except UnclearCell as unclear:
            if isinstance(unclear, Which):
                reading.which_date = reading.which_date or written
            elif self.last is not None and reading.names_total(row, "date"):
                return self._named(replace(self.last, row=row, written=False))
            reading.wrong(row, "date", str(unclear))
            return None
        time = clock(reading.cell(row, "time")) or time
        same = self.last is not None and self.last.date == date
        name = self.last.name if self.last and same else ""
        return self._named(Dated(row, date, time, name, True))

    def _by_sheet(self, row: GridRow) -> Dated | None:
        date = self.reading.day_of(row.sheet)
        if date is None:
            return None
        time = clock(self.reading.cell(row, "time"))
        name = self.last.name if self.last else tidy(row.sheet)[:MOST_NAME]
        name = name if has_letter(name) else ""
        return self._named(Dated(row, date, time, name, True))

    def _named(self, found: Dated) -> Dated:
        reading, row = self.reading, found.row
        if reading.names_total(row, "evening"):
            return found
        name = tidy(reading.cell(row, "evening")) or found.name
        if len(name) > MOST_NAME:
            reading.wrong(row, "evening", _("The name is too long."))
        if name and not has_letter(name):
            sentence = _("Enter a name with a letter or a digit.")
            reading.wrong(row, "evening", sentence)
        return replace(found, name=name)


def day_in(title: str, order: str) -> datetime.date | None:
    """Return the date that the title of a sheet says. Raise `Which`."""
    match = IN_TITLE.search(title)
    for text in (title, match[0] if match else ""):
        try:
            return moment(text, order)[0] if text else None
        except Which:
            raise
        except UnclearCell:
            continue
    return None


def given(days: Mapping[str, str], title: str) -> datetime.date | None:
    """Return the date that the reader gave once for a sheet."""
    try:
        return day(days.get(title, ""))
    except UnclearCell:
        return None


# The order of the rows


def _at_midnight(rows: list[Dated]) -> list[Dated]:
    """Give those a time that were played at midnight."""
    written = [one for one in rows if one.written]
    if 2 * sum(one.time is not None for one in written) <= len(written):
        return rows
    return [replace(one, time=one.time or datetime.time()) for one in rows]


def _is_newest_first(rows: Sequence[Dated]) -> bool:
    at = [one.at for one in rows]
    falls = [later < before for before, later in pairwise(at)]
    rises = any(later > before for before, later in pairwise(at))
    return any(falls) and not rises


def _by_night(reading: Reading, rows: Sequence[Dated]) -> list[Dated]:
    """Return the rows with those after midnight in the evening they belong to."""
    homes: dict[str, Dated] = {}
    last = home = None
    for one in sorted((one for one in rows if one.time), key=lambda one: one.at):
        gap = one.at - last.at if last else ASKED
        if home is None or one.date != home.date + ONE or not _stays(reading, one, gap):
            home = one
        homes[one.row.key] = home
        last = one
    return [_at(one, homes.get(one.row.key, one)) for one in rows]


def _stays(reading: Reading, one: Dated, gap: datetime.timedelta) -> bool:
    """Tell whether a row of the next day belongs to the evening before; perhaps ask."""
    if gap <= STAYS:
        return True
    if gap > ASKED or one.at.hour >= NOON:
        return False
    question = _midnight(one).answered(reading.choices)
    reading.questions.append(question)
    return question.answer == STAY


def _at(one: Dated, home: Dated) -> Dated:
    """Return a row in the evening that began on the day before."""
    if home.date == one.date:
        return one
    return replace(one, date=home.date, name=one.name or home.name)


def _midnight(one: Dated) -> Question:
    reason = _(
        "Row {row} was played at night, hours after the row before it: "
        "it may belong to the evening before, or to another one."
    ).format(row=one.row.key)
    readings = (
        Interpretation(STAY, _("To the evening before")),
        Interpretation(APART, _("To another evening")),
    )
    return Question(f"midnight-{one.at:%Y-%m-%d-%H-%M}", reason, readings)
