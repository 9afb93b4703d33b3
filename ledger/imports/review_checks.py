"""Checks of a review: problems of the whole sheet, and doubts to be confirmed."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.imports.columns import SKIP
from ledger.imports.grid import GridRow
from ledger.imports.plan import WITHOUT
from ledger.imports.questions import Question
from ledger.imports.sheet_reading import SheetReading
from ledger.journal import name_is_taken
from ledger.models import Evening

MOST_CELLS_NAMED = 3
MOST_DAYS_NAMED = 5
CONFIRMATIONS = frozenset({"again", "same_days", "unlikely", "bare"})
"""Ids of all confirmations."""


@dataclass(frozen=True, slots=True)
class ImportConfirmation:
    """A doubt that the reader confirms; its *id* is stored among the choices."""

    id: str
    sentence: str
    label: str
    is_confirmed: bool


def problems(
    reading: SheetReading, open_questions: Sequence[Question]
) -> Iterator[str]:
    """Yield a sentence for each problem that is not one of a row."""
    yield from _name_problems(reading)
    yield from _season_problems(reading)
    if cells := _cells_without_value(reading):
        message = _(
            "{cells}: a formula without a value. A program made the file and never "
            "calculated it: open it in a spreadsheet, save it, and upload it again."
        )
        named = "; ".join(cells[:MOST_CELLS_NAMED])
        more = "…" if len(cells) > MOST_CELLS_NAMED else ""
        yield message.format(cells=named + more)
    plan = reading.plan
    if plan.undated:
        yield _("Say when it was played.")
    elif not plan.evenings and not plan.problems and not open_questions:
        yield _("There is nothing to import.")


def _name_problems(reading: SheetReading) -> Iterator[str]:
    chosen = reading.choices.get("people", {})
    for name in reading.plan.names.unresolved:
        if name.is_taken and chosen.get(name.key):
            message = _("“{name}” is taken or too long: choose another name.")
            yield message.format(name=name.name)
        else:
            yield _("Say who {name} is.").format(name=name.name)


def _season_problems(reading: SheetReading) -> Iterator[str]:
    seasons = {reading.seasons.of(evening.date) for evening in reading.plan.evenings}
    for season in sorted(filter(None, seasons), key=lambda season: season.starts):
        if season.closed_at:
            message = _("The season {name} is closed: it has to be reopened first.")
            yield message.format(name=season.name)
    if not reading.early_season_start:
        return
    if not reading.season_name:
        yield _("Give the season of the earliest evenings a name.")
    elif name_is_taken(reading.club, reading.season_name):
        message = _("There is already a season {name}: choose another name.")
        yield message.format(name=reading.season_name)


def confirmations(reading: SheetReading) -> Iterator[ImportConfirmation]:
    """Yield the doubts about a sheet that can be applied all the same."""
    confirmed = reading.choices.get("ticked", ())

    def confirmation(id: str, sentence: str, label: str) -> ImportConfirmation:
        return ImportConfirmation(id, sentence, label, id in confirmed)

    if earlier := reading.sheets.earlier_import(reading.grid):
        sentence = _("The same sheet was already imported, on {day}.")
        sentence = sentence.format(day=_short_date(earlier.uploaded_at.date()))
        yield confirmation("again", sentence, _("Import it again"))
    if left_out := _left_out_without_value(reading):
        sentence = _("Columns left out, with formulas that have no value: {names}.")
        sentence = sentence.format(names=", ".join(left_out))
        yield confirmation("bare", sentence, _("Leave them out"))
    if days := _days_with_evenings(reading):
        label = _("These are other evenings")
        yield confirmation("same_days", _same_days_sentence(days), label)
    if reading.plan.warnings:
        sentence = _("Some hands are unlikely: check them below.")
        yield confirmation("unlikely", sentence, _("They are right anyway"))


def _same_days_sentence(days: list[datetime.date]) -> str:
    named = ", ".join(map(_short_date, days[:MOST_DAYS_NAMED]))
    more = "…" if len(days) > MOST_DAYS_NAMED else ""
    return ngettext(
        "The club already has an evening on {days}.",
        "The club already has evenings on {count} days: {days}.",
        len(days),
    ).format(count=len(days), days=named + more)


def _days_with_evenings(reading: SheetReading) -> list[datetime.date]:
    """Return the dates of the plan on which the club has an evening already."""
    dates = {evening.date for evening in reading.plan.evenings}
    if not dates:
        return []
    evenings = Evening.objects.shown().filter(club=reading.club)
    near = evenings.filter(date__gte=min(dates), date__lte=max(dates))
    return sorted(dates & {evening.date for evening in near})


# Formulas without a value


def _cells_without_value(reading: SheetReading) -> list[str]:
    """Return the cells with such a formula in columns that are read."""
    read = {n for n, meaning in enumerate(reading.meanings) if meaning != SKIP}
    return [
        (f"{row.sheet}: " if row.sheet else "")
        + _("Row {row}, {column}").format(
            row=row.number, column=reading.heading(column)
        )
        for row in _rows_read(reading)
        for column in sorted(row.bare & read)
    ]


def _left_out_without_value(reading: SheetReading) -> list[str]:
    """Return the headings of left out columns with such a formula."""
    bare = {column for row in _rows_read(reading) for column in row.bare}
    left_out = (n for n in sorted(bare) if reading.meanings[n] == SKIP)
    return [reading.heading(column) or "–" for column in left_out]


def _rows_read(reading: SheetReading) -> list[GridRow]:
    without = set(map(str, reading.choices.get(WITHOUT, ())))
    rows = (row for row in reading.grid.rows if row.key not in without)
    return [reading.grid.headings, *rows]


def _short_date(date: datetime.date) -> str:
    return formats.date_format(date, "SHORT_DATE_FORMAT")
