"""A sheet looked at before it is brought in: its plan, and what is still to be said.

Nothing is written here. What the reader has chosen lies with the sheet; the sheet is
*ready* when nothing is wrong and nothing is left to be asked.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import scoring
from ledger.imports import columns, files, hands, totals
from ledger.imports.cell_values import ORDERS
from ledger.imports.columns import SKIP, Columns, Mode
from ledger.imports.files import Grid, GridRow, ReadOptions
from ledger.imports.grid import SheetGrid, combinable_sheets
from ledger.imports.plan import WITHOUT, ImportPlan, RowReader, short_date
from ledger.imports.player_names import PlayerNames
from ledger.imports.questions import COLUMNS, DATES, Interpretation, Question
from ledger.journal import edition_of, name_is_taken, tariff_digest
from ledger.models import Club, Edition, Evening, OldSheet, Season
from ledger.text.names import fold

MOST_SEASON = 60
MOST_STRAY_ANSWERS = 8
MOST_CELLS_NAMED = 3
"""Cells that a sentence names."""
CONFIRMATIONS = frozenset({"again", "same_days", "unlikely", "bare"})
"""What the reader may be asked to confirm."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Something unlikely that the reader confirms: *id* is kept in the choices."""

    id: str
    sentence: str
    label: str
    ticked: bool


@dataclass(frozen=True)
class Review:
    """What a sheet says by the choices made so far."""

    sheet: OldSheet
    edition: Edition

    @classmethod
    def at(cls, sheet: OldSheet, *, keep: bool = False) -> Review:
        """Look at *sheet*; *keep* the tariff among the club's if it is new there."""
        said = sheet.choices
        tariff = scoring.tariff(said["variant"], said["rules"])
        if keep:
            return cls(sheet, edition_of(sheet.club, tariff))
        return cls(sheet, _edition_of(sheet.club, tariff))

    @property
    def stake(self) -> Fraction:
        """Return what a point is worth in the evenings that it makes."""
        return Fraction(self.choices["stake"])

    @property
    def choices(self) -> Mapping[str, Any]:
        said: Mapping[str, Any] = self.sheet.choices
        return said

    @property
    def club(self) -> Club:
        return self.sheet.club

    @property
    def mode(self) -> Mode:
        return Mode(self.choices["mode"])

    @cached_property
    def opened(self) -> Grid | ReadOptions:
        """Raise `Unreadable` where no choice can help."""
        return files.grid_of(bytes(self.sheet.content), self.choices)

    @cached_property
    def laid(self) -> Grid | None:
        """Return the rows as they are laid out; None where that is not known yet."""
        try:
            return None if self.asked else self.grid
        except files.Unreadable:
            return None

    @property
    def asked(self) -> ReadOptions | None:
        return self.opened if isinstance(self.opened, ReadOptions) else None

    @property
    def grid(self) -> Grid:
        assert isinstance(self.opened, Grid)
        return self.opened

    @cached_property
    def meanings(self) -> Sequence[str]:
        """What each column means: as chosen, else as it seems."""
        chosen = self.choices.get("columns")
        if chosen and len(chosen) == self.grid.width:
            return list(chosen)
        return columns.proposed_meanings(self.grid, self.mode, self._names)

    @cached_property
    def columns(self) -> Columns:
        return Columns.of_choice(self.grid, self.meanings)

    @cached_property
    def missing(self) -> Sequence[str]:
        doubled = columns.repeated_meanings(self.meanings)
        return doubled or columns.missing_meanings(self.columns, self.mode)

    @cached_property
    def plan(self) -> ImportPlan:
        taken = self.club.players.values_list("name", flat=True)
        people = PlayerNames(self._players, self.choices.get("people", {}), taken)
        reading = RowReader(self.grid, self.columns, people, self.edition, self.choices)
        if self.mode is Mode.HANDS:
            return hands.read(reading)
        return totals.read(reading, self.mode)

    @cached_property
    def questions(self) -> Sequence[Question]:
        """Return what is doubtful, each with its answer if the reader gave one."""
        return [*self._columns(), *self._dates(), *self.plan.questions]

    def _columns(self) -> Iterator[Question]:
        """Ask which of several columns is no player's."""
        players = {fold(name) for name in self._names}
        strays = columns.stray_columns(self.grid, self.meanings, players)
        if len(strays) < 2 or self.mode is Mode.HANDS:
            return
        quoted = _("“{name}” is no player")
        readings = tuple(
            Interpretation(
                "-".join(map(str, ("column", *stray))),
                ", ".join(quoted.format(name=self._heading(n)) for n in stray),
            )
            for stray in strays[:MOST_STRAY_ANSWERS]
        )
        reason = _(
            "A column too many: without one of them the points of all rows sum to 0."
        )
        yield Question(COLUMNS, reason, readings)

    def _heading(self, column: int) -> str:
        return self.grid.headings.cell(column)

    @cached_property
    def left_out(self) -> Sequence[str]:
        """Return the headings of figures that are taken for nobody's points."""
        return [
            self._heading(column)
            for column, meaning in enumerate(self.meanings)
            if meaning == SKIP and columns.is_number_column(self.grid, column)
        ]

    def _dates(self) -> Iterator[Question]:
        """Ask in which order the figures of dates stand."""
        which, order = self.plan.which_date, self.choices.get(DATES, "")
        if not which and not order:
            return
        words = {
            "dmy": _("day, month, year"),
            "mdy": _("month, day, year"),
            "ymd": _("year, month, day"),
        }
        years = re.search(r"\d{4}", which) if which else order != "ymd"
        readings = (
            Interpretation(id, words[id]) for id in (ORDERS[:2] if years else ORDERS)
        )
        reason = (
            _("“{date}” can be read in two ways.").format(date=which)
            if which
            else _("Dates can be read in two ways.")
        )
        yield Question(DATES, reason, tuple(readings), order)

    @cached_property
    def seasons(self) -> SeasonsByDate:
        return SeasonsByDate(list(self.club.seasons.order_by("starts", "pk")))

    @cached_property
    def early(self) -> datetime.date | None:
        """Return the first date that lies before every season."""
        nights = self.plan.nights
        dates = [n.date for n in nights if self.seasons.of(n.date) is None]
        return min(dates, default=None)

    @property
    def season_name(self) -> str:
        """Return what the season of those before all others is to be called."""
        return str(self.choices.get("season", ""))

    @cached_property
    def wrong(self) -> Sequence[str]:
        """Return what stands in the way and is no row's fault."""
        return list(self._wrong())

    def _wrong(self) -> Iterator[str]:
        for one in self.plan.people.open:
            if one.taken and self.choices.get("people", {}).get(one.key):
                message = _("“{name}” is taken or too long: choose another name.")
                yield message.format(name=one.name)
            else:
                yield _("Say who {name} is.").format(name=one.name)
        closed = {s for n in self.plan.nights if (s := self.seasons.of(n.date))}
        for season in sorted(closed, key=lambda season: season.starts):
            if season.closed_at:
                message = _("The season {name} is closed: it has to be reopened first.")
                yield message.format(name=season.name)
        if self.early and not self.season_name:
            yield _("Give the season of the earliest evenings a name.")
        elif self.early and name_is_taken(self.club, self.season_name):
            message = _("There is already a season {name}: choose another name.")
            yield message.format(name=self.season_name)
        if at := self._bare():
            message = _(
                "{cells}: a formula without a value. A program made the file and never "
                "calculated it: open it in a spreadsheet, save it, and upload it again."
            )
            shown = "; ".join(at[:MOST_CELLS_NAMED]) + (
                "…" if len(at) > MOST_CELLS_NAMED else ""
            )
            yield message.format(cells=shown)
        if self.plan.undated:
            yield _("Say when it was played.")
        elif not self.plan.nights and not self.plan.troubles and not self.open:
            yield _("There is nothing to import.")

    def _bare(self) -> list[str]:
        """Return which cells that are read hold formulas without a value."""
        read = {n for n, meaning in enumerate(self.meanings) if meaning != columns.SKIP}
        return [
            (f"{row.sheet}: " if row.sheet else "")
            + _("Row {row}, {column}").format(
                row=row.number, column=self.grid.headings.cell(column)
            )
            for row in self._counted
            for column in sorted(row.bare & read)
        ]

    @property
    def _bare_left_out(self) -> list[str]:
        """Return the columns that are left out and hold such formulas."""
        bare = {column for row in self._counted for column in row.bare}
        left = (n for n in sorted(bare) if self.meanings[n] == columns.SKIP)
        return [self.grid.headings.cell(column) or "–" for column in left]

    @property
    def _counted(self) -> list[GridRow]:
        without = set(map(str, self.choices.get(WITHOUT, ())))
        rows = (row for row in self.grid.rows if row.key not in without)
        return [self.grid.headings, *rows]

    @cached_property
    def open(self) -> Sequence[Question]:
        """Return the questions without an answer."""
        return [question for question in self.questions if question.open]

    @cached_property
    def ticks(self) -> Sequence[Confirmation]:
        return list(self._ticks())

    def _ticks(self) -> Iterator[Confirmation]:
        if earlier := self._earlier():
            sentence = _("The same sheet was already imported, on {day}.")
            day = short_date(earlier.uploaded_at.date())
            yield self._tick("again", sentence.format(day=day), _("Import it again"))
        if left := self._bare_left_out:
            sentence = _("Columns left out, with formulas that have no value: {names}.")
            sentence = sentence.format(names=", ".join(left))
            yield self._tick("bare", sentence, _("Leave them out"))
        if same := self._same_days():
            days = ", ".join(short_date(date) for date in same[:5])
            sentence = ngettext(
                "The club already has an evening on {days}.",
                "The club already has evenings on {count} days: {days}.",
                len(same),
            ).format(count=len(same), days=days + ("…" if len(same) > 5 else ""))
            yield self._tick("same_days", sentence, _("These are other evenings"))
        if self.plan.doubts:
            sentence = _("Some hands are unlikely: check them below.")
            yield self._tick("unlikely", sentence, _("They are right anyway"))

    def _tick(self, id: str, sentence: str, label: str) -> Confirmation:
        return Confirmation(id, sentence, label, id in self.choices.get("ticked", ()))

    def _earlier(self) -> OldSheet | None:
        """Return what brought in one of these sheets before."""
        mine = set(self.grid.fingerprints)
        return next((old for old in self._brought if self._prints(old) & mine), None)

    @cached_property
    def titles(self) -> list[str]:
        """Return the titles of all sheets, where the workbook has several."""
        return [s.title for s in self._sheets] if len(self._sheets) > 1 else []

    @cached_property
    def together(self) -> list[str]:
        """Return the titles of the sheets that can be read as one."""
        sheets = combinable_sheets(self._sheets)
        return [sheet.title for sheet in sheets] if len(sheets) > 1 else []

    @property
    def new_together(self) -> list[str]:
        """Return those of them that were not brought in yet; all, if all were."""
        known = {mark for old in self._brought for mark in old.fingerprints}
        new = combinable_sheets(
            [sheet for sheet in self._sheets if sheet.fingerprint not in known]
        )
        return [sheet.title for sheet in new] or self.together

    @property
    def sheets_chosen(self) -> list[str]:
        """Return the titles of those that are to be read as one."""
        if self.choices.get("sheet") != files.ALL_SHEETS:
            return []
        return list(self.choices.get("sheets") or self.together)

    @property
    def sheets_left(self) -> list[str]:
        """Return the titles of the sheets that are left for another time."""
        return [title for title in self.titles if title not in self.grid.sheets]

    @cached_property
    def _sheets(self) -> list[SheetGrid]:
        return files.sheets(bytes(self.sheet.content))

    @cached_property
    def known_sheets(self) -> set[str]:
        """Return the fingerprints of all that was brought in, with what is read now."""
        known = (self._prints(old) for old in self._brought)
        return set(self.grid.fingerprints).union(*known)

    @cached_property
    def _brought(self) -> list[OldSheet]:
        counting = OldSheet.objects.filter(club=self.club).counting()
        return list(counting.exclude(pk=self.sheet.pk).defer("content"))

    def _prints(self, old: OldSheet) -> set[str]:
        """Return what tells an *old* sheet; it may come of a time that kept none."""
        if old.fingerprints or old.digest != self.sheet.digest:
            return set(old.fingerprints)
        title = old.choices.get("sheet", "")
        of_file = zip(self.grid.sheets or ("",), self.grid.fingerprints, strict=True)
        return {mark for sheet, mark in of_file if title in ("", sheet)}

    def _same_days(self) -> list[datetime.date]:
        dates = {night.date for night in self.plan.nights}
        known = Evening.objects.shown().filter(club=self.club)
        kept = known.filter(date__gte=min(dates), date__lte=max(dates)) if dates else ()
        return sorted(dates & {evening.date for evening in kept})

    @property
    def ready(self) -> bool:
        if self.asked or self.missing or self.plan.troubles or self.wrong:
            return False
        if self.open:
            return False
        return all(tick.ticked for tick in self.ticks)

    @property
    def _names(self) -> Iterator[str]:
        return (name for p in self._players for name in (p.name, p.nickname) if name)

    @cached_property
    def _players(self) -> list[Any]:
        return list(self.club.players.people())


class SeasonsByDate:
    """Which season an evening falls in: the last that has begun on its date."""

    def __init__(self, known: Sequence[Season]) -> None:
        self.known = known

    def of(self, date: datetime.date) -> Season | None:
        """Return the season; None for a date before all of them."""
        begun = [season for season in self.known if season.starts <= date]
        return begun[-1] if begun else None


def _edition_of(club: Club, tariff: scoring.Tariff) -> Edition:
    kept = club.editions.filter(variant=tariff.variant.id, digest=tariff_digest(tariff))
    return kept.first() or Edition(
        club=club, variant=tariff.variant.id, rules=tariff.rules
    )
