"""Evenings of rows: the date and the name of the evening that each row belongs to.

An empty date or name is that of the row above. Without a column of dates each sheet of
a workbook is an evening, dated by its title, else by the reader.

An evening may go on after midnight: a row of the next day belongs to the evening of the
row before it, in order of time, up to `SAME_EVENING` after that row. Up to
`PERHAPS_SAME_EVENING` after it, and before noon, the reader is asked. Rows are sorted
by time where all have one; a sheet with the newest row first is reversed.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.translation import gettext as _

from ledger.imports.cell_values import (
    AmbiguousDate,
    UnclearCell,
    parse_date_and_time,
    parse_time,
)
from ledger.imports.files import GridRow
from ledger.imports.questions import Interpretation, Question
from ledger.imports.row_reader import RowReader
from ledger.text.dates import evening_name
from ledger.text.names import has_letter, tidy

MOST_NAME_LETTERS = 80
STAY, APART = "stay", "apart"
SAME_EVENING = datetime.timedelta(hours=4)
PERHAPS_SAME_EVENING = datetime.timedelta(hours=10)
NOON = 12
ONE_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DatedRow:
    """A row with the evening it belongs to."""

    row: GridRow
    date: datetime.date
    time: datetime.time | None
    name: str
    has_date: bool
    """The row has a date of its own."""

    @property
    def played_at(self) -> datetime.datetime:
        return datetime.datetime.combine(self.date, self.time or datetime.time())


def evenings_of(
    reader: RowReader,
) -> Iterator[tuple[datetime.date, str, list[GridRow]]]:
    """Yield the date, name and rows of each evening, in the order of dates."""
    found: dict[tuple[datetime.date, str], list[GridRow]] = {}
    for one in dated_rows(reader):
        reader.played_order[one.row.key] = len(reader.played_order)
        found.setdefault((one.date, one.name), []).append(one.row)
    for (date, name), rows in sorted(found.items(), key=lambda item: item[0]):
        yield date, name or evening_name(date), rows


def dated_rows(reader: RowReader) -> list[DatedRow]:
    """Return the rows in the order of play, each with its evening."""
    rows = _with_midnight_times(list(_read_rows(reader)))
    if _is_newest_first(rows):
        rows.reverse()
    if rows and all(one.time for one in rows):
        rows.sort(key=lambda one: one.played_at)
    if any(one.time for one in rows):
        rows = _joined_after_midnight(reader, rows)
    return rows


def _read_rows(reader: RowReader) -> Iterator[DatedRow]:
    """Yield the rows with a date, except those that the reader leaves out."""
    dates, counted = _DateReader(reader), {row.key for row in reader.rows}
    for row in reader.grid.rows:
        before = len(reader.problems)
        # A row that is left out still dates the rows below it.
        found = dates.of(row)
        if row.key not in counted:
            del reader.problems[before:]
        elif found is not None:
            yield found


class _DateReader:
    """Date and evening of one row after another, by the row above where empty."""

    def __init__(self, reader: RowReader) -> None:
        self.reader = reader
        self.last: DatedRow | None = None

    def of(self, row: GridRow) -> DatedRow | None:
        if self.last is not None and self.last.row.sheet != row.sheet:
            self.last = None
        if "date" in self.reader.columns:
            found = self._by_column(row)
        else:
            found = self._by_sheet(row)
        self.last = found or self.last
        return found

    def _by_column(self, row: GridRow) -> DatedRow | None:
        reader, written = self.reader, self.reader.cell(row, "date")
        if not written:
            if self.last is None and not reader.problems:
                reader.add_problem(row, "date", _("The date is missing."))
            return self.last and self._named(
                replace(self.last, row=row, has_date=False)
            )
        try:
            date, time = parse_date_and_time(written, reader.choices.get("dates", ""))
        except UnclearCell as unclear:
            if isinstance(unclear, AmbiguousDate):
                reader.ambiguous_date = reader.ambiguous_date or written
            elif self.last is not None and reader.names_total(row, "date"):
                return self._named(replace(self.last, row=row, has_date=False))
            reader.add_problem(row, "date", str(unclear))
            return None
        time = parse_time(reader.cell(row, "time")) or time
        same = self.last is not None and self.last.date == date
        name = self.last.name if self.last and same else ""
        return self._named(DatedRow(row, date, time, name, True))

    def _by_sheet(self, row: GridRow) -> DatedRow | None:
        date = self.reader.date_of(row.sheet)
        if date is None:
            return None
        time = parse_time(self.reader.cell(row, "time"))
        name = self.last.name if self.last else tidy(row.sheet)[:MOST_NAME_LETTERS]
        name = name if has_letter(name) else ""
        return self._named(DatedRow(row, date, time, name, True))

    def _named(self, found: DatedRow) -> DatedRow:
        reader, row = self.reader, found.row
        if reader.names_total(row, "evening"):
            return found
        name = tidy(reader.cell(row, "evening")) or found.name
        if len(name) > MOST_NAME_LETTERS:
            reader.add_problem(row, "evening", _("The name is too long."))
        if name and not has_letter(name):
            sentence = _("Enter a name with a letter or a digit.")
            reader.add_problem(row, "evening", sentence)
        return replace(found, name=name)


# The order of the rows


def _with_midnight_times(rows: list[DatedRow]) -> list[DatedRow]:
    """Return the rows with midnight where the time is missing, if most have one."""
    # Spreadsheets leave out the time of a moment at midnight.
    own = [one for one in rows if one.has_date]
    if 2 * sum(one.time is not None for one in own) <= len(own):
        return rows
    return [replace(one, time=one.time or datetime.time()) for one in rows]


def _is_newest_first(rows: Sequence[DatedRow]) -> bool:
    at = [one.played_at for one in rows]
    falls = [later < before for before, later in pairwise(at)]
    rises = any(later > before for before, later in pairwise(at))
    return any(falls) and not rises


def _joined_after_midnight(
    reader: RowReader, rows: Sequence[DatedRow]
) -> list[DatedRow]:
    """Return the rows, those after midnight with the evening of the day before."""
    firsts: dict[str, DatedRow] = {}
    last = first = None
    for one in sorted((one for one in rows if one.time), key=lambda one: one.played_at):
        gap = one.played_at - last.played_at if last else PERHAPS_SAME_EVENING
        is_next_day = first is not None and one.date == first.date + ONE_DAY
        if not is_next_day or not _is_same_evening(reader, one, gap):
            first = one
        assert first is not None
        firsts[one.row.key] = first
        last = one
    return [_moved_to_evening(one, firsts.get(one.row.key, one)) for one in rows]


def _is_same_evening(reader: RowReader, one: DatedRow, gap: datetime.timedelta) -> bool:
    """Tell whether a row of the next day belongs to the evening before.

    Adds a question where neither is sure; until it is answered, it is another evening.
    """
    if gap <= SAME_EVENING:
        return True
    if gap > PERHAPS_SAME_EVENING or one.played_at.hour >= NOON:
        return False
    question = _midnight_question(one).with_answer(reader.choices)
    reader.questions.append(question)
    return question.answer == STAY


def _moved_to_evening(one: DatedRow, first: DatedRow) -> DatedRow:
    """Return a row in the evening that began with *first*."""
    if first.date == one.date:
        return one
    return replace(one, date=first.date, name=one.name or first.name)


def _midnight_question(one: DatedRow) -> Question:
    reason = _(
        "Row {row} was played at night, hours after the row before it: "
        "it may belong to the evening before, or to another one."
    ).format(row=one.row.key)
    interpretations = (
        Interpretation(STAY, _("To the evening before")),
        Interpretation(APART, _("To another evening")),
    )
    return Question(f"midnight-{one.played_at:%Y-%m-%d-%H-%M}", reason, interpretations)
