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

from ledger.imports.cell_values import (
    AmbiguousDate,
    UnclearCell,
    parse_date,
    parse_date_and_time,
    parse_time,
)
from ledger.imports.files import GridRow
from ledger.imports.questions import Interpretation, Question
from ledger.text.names import has_letter, tidy

if TYPE_CHECKING:
    from ledger.imports.plan import RowReader

MOST_NAME_LETTERS = 80
GIVEN_DATES = "days"
"""The dates that the reader gave once, by the title of the sheet."""
STAY, APART = "stay", "apart"
SAME_EVENING = datetime.timedelta(hours=4)
PERHAPS_SAME_EVENING = datetime.timedelta(hours=10)
NOON = 12
ONE_DAY = datetime.timedelta(days=1)
DATE_IN_TITLE = re.compile(r"\d{1,4}([./-])\s?\d{1,2}\1\s?\d{1,4}")


@dataclass(frozen=True, slots=True)
class DatedRow:
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


def dated_rows(reading: RowReader) -> list[DatedRow]:
    """Return the rows in the order they were played, each with its evening."""
    rows = _with_midnight_times(list(_read_rows(reading)))
    if _is_newest_first(rows):
        rows.reverse()
    if rows and all(one.time for one in rows):
        rows.sort(key=lambda one: one.at)
    if any(one.time for one in rows):
        rows = _joined_after_midnight(reading, rows)
    return rows


def _read_rows(reading: RowReader) -> Iterator[DatedRow]:
    """Yield the rows that count; one that is left out still dates those below it."""
    given, kept = _DateReader(reading), {row.key for row in reading.rows}
    for row in reading.grid.rows:
        before = len(reading.troubles)
        found = given.of(row)
        if row.key not in kept:
            del reading.troubles[before:]
        elif found is not None:
            yield found


class _DateReader:
    """What is given about the rows so far."""

    def __init__(self, reading: RowReader) -> None:
        self.reading = reading
        self.last: DatedRow | None = None

    def of(self, row: GridRow) -> DatedRow | None:
        if self.last is not None and self.last.row.sheet != row.sheet:
            self.last = None
        if "date" in self.reading.columns:
            found = self._by_column(row)
        else:
            found = self._by_sheet(row)
        self.last = found or self.last
        return found

    def _by_column(self, row: GridRow) -> DatedRow | None:
        reading, written = self.reading, self.reading.cell(row, "date")
        if not written:
            if self.last is None and not reading.troubles:
                reading.wrong(row, "date", _("The date is missing."))
            return self.last and self._named(replace(self.last, row=row, written=False))
        try:
            date, time = parse_date_and_time(written, reading.choices.get("dates", ""))
        except UnclearCell as unclear:
            if isinstance(unclear, AmbiguousDate):
                reading.which_date = reading.which_date or written
            elif self.last is not None and reading.names_total(row, "date"):
                return self._named(replace(self.last, row=row, written=False))
            reading.wrong(row, "date", str(unclear))
            return None
        time = parse_time(reading.cell(row, "time")) or time
        same = self.last is not None and self.last.date == date
        name = self.last.name if self.last and same else ""
        return self._named(DatedRow(row, date, time, name, True))

    def _by_sheet(self, row: GridRow) -> DatedRow | None:
        date = self.reading.day_of(row.sheet)
        if date is None:
            return None
        time = parse_time(self.reading.cell(row, "time"))
        name = self.last.name if self.last else tidy(row.sheet)[:MOST_NAME_LETTERS]
        name = name if has_letter(name) else ""
        return self._named(DatedRow(row, date, time, name, True))

    def _named(self, found: DatedRow) -> DatedRow:
        reading, row = self.reading, found.row
        if reading.names_total(row, "evening"):
            return found
        name = tidy(reading.cell(row, "evening")) or found.name
        if len(name) > MOST_NAME_LETTERS:
            reading.wrong(row, "evening", _("The name is too long."))
        if name and not has_letter(name):
            sentence = _("Enter a name with a letter or a digit.")
            reading.wrong(row, "evening", sentence)
        return replace(found, name=name)


def date_in_title(title: str, order: str) -> datetime.date | None:
    """Return the date that the title of a sheet says. Raise `Which`."""
    match = DATE_IN_TITLE.search(title)
    for text in (title, match[0] if match else ""):
        try:
            return parse_date_and_time(text, order)[0] if text else None
        except AmbiguousDate:
            raise
        except UnclearCell:
            continue
    return None


def given_date(days: Mapping[str, str], title: str) -> datetime.date | None:
    """Return the date that the reader gave once for a sheet."""
    try:
        return parse_date(days.get(title, ""))
    except UnclearCell:
        return None


# The order of the rows


def _with_midnight_times(rows: list[DatedRow]) -> list[DatedRow]:
    """Give those a time that were played at midnight."""
    written = [one for one in rows if one.written]
    if 2 * sum(one.time is not None for one in written) <= len(written):
        return rows
    return [replace(one, time=one.time or datetime.time()) for one in rows]


def _is_newest_first(rows: Sequence[DatedRow]) -> bool:
    at = [one.at for one in rows]
    falls = [later < before for before, later in pairwise(at)]
    rises = any(later > before for before, later in pairwise(at))
    return any(falls) and not rises


def _joined_after_midnight(
    reading: RowReader, rows: Sequence[DatedRow]
) -> list[DatedRow]:
    """Return the rows with those after midnight in the evening they belong to."""
    homes: dict[str, DatedRow] = {}
    last = home = None
    for one in sorted((one for one in rows if one.time), key=lambda one: one.at):
        gap = one.at - last.at if last else PERHAPS_SAME_EVENING
        if (
            home is None
            or one.date != home.date + ONE_DAY
            or not _is_same_evening(reading, one, gap)
        ):
            home = one
        homes[one.row.key] = home
        last = one
    return [_moved_to_evening(one, homes.get(one.row.key, one)) for one in rows]


def _is_same_evening(
    reading: RowReader, one: DatedRow, gap: datetime.timedelta
) -> bool:
    """Tell whether a row of the next day belongs to the evening before; perhaps ask."""
    if gap <= SAME_EVENING:
        return True
    if gap > PERHAPS_SAME_EVENING or one.at.hour >= NOON:
        return False
    question = _midnight_question(one).answered(reading.choices)
    reading.questions.append(question)
    return question.answer == STAY


def _moved_to_evening(one: DatedRow, home: DatedRow) -> DatedRow:
    """Return a row in the evening that began on the day before."""
    if home.date == one.date:
        return one
    return replace(one, date=home.date, name=one.name or home.name)


def _midnight_question(one: DatedRow) -> Question:
    reason = _(
        "Row {row} was played at night, hours after the row before it: "
        "it may belong to the evening before, or to another one."
    ).format(row=one.row.key)
    readings = (
        Interpretation(STAY, _("To the evening before")),
        Interpretation(APART, _("To another evening")),
    )
    return Question(f"midnight-{one.at:%Y-%m-%d-%H-%M}", reason, readings)
