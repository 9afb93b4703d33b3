"""Reading of a sheet: grid, columns and plan by the choices made so far."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ledger.imports import (
    columns,
    files,
    hands,
    totals,
)
from ledger.imports.columns import SKIP, Columns, Mode
from ledger.imports.files import ReadOptions
from ledger.imports.grid import Grid
from ledger.imports.plan import ImportPlan
from ledger.imports.player_names import PlayerNames
from ledger.imports.row_reader import RowReader
from ledger.imports.workbook_sheets import WorkbookSheets
from ledger.models import Club, Edition, OldSheet, Season

MOST_SEASON = 60
"""Characters of the name of a season."""


@dataclass(frozen=True)
class SheetReading:
    """A sheet as it reads by the choices made so far."""

    sheet: OldSheet
    edition: Edition

    @property
    def stake(self) -> Fraction:
        """Minor units a point in the imported evenings."""
        return Fraction(self.choices["stake"])

    @property
    def choices(self) -> Mapping[str, Any]:
        choices: Mapping[str, Any] = self.sheet.choices
        return choices

    @property
    def club(self) -> Club:
        return self.sheet.club

    @property
    def mode(self) -> Mode:
        return Mode(self.choices["mode"])

    @cached_property
    def grid_or_options(self) -> Grid | ReadOptions:
        """The rows, or the choice to make first. Raise `Unreadable`."""
        return files.grid_of(bytes(self.sheet.content), self.choices)

    @cached_property
    def grid_if_read(self) -> Grid | None:
        """The rows; None where a choice comes first, or the file is unreadable."""
        try:
            return None if self.read_options else self.grid
        except files.Unreadable:
            return None

    @property
    def read_options(self) -> ReadOptions | None:
        found = self.grid_or_options
        return found if isinstance(found, ReadOptions) else None

    @property
    def grid(self) -> Grid:
        assert isinstance(self.grid_or_options, Grid)
        return self.grid_or_options

    @cached_property
    def meanings(self) -> Sequence[str]:
        """Meaning of each column: as chosen, else as proposed."""
        chosen = self.choices.get("columns")
        if chosen and len(chosen) == self.grid.width:
            return list(chosen)
        return columns.proposed_meanings(self.grid, self.mode, self.player_names)

    @cached_property
    def columns(self) -> Columns:
        return Columns.from_meanings(self.grid, self.meanings)

    @cached_property
    def missing_meanings(self) -> Sequence[str]:
        repeated = columns.repeated_meanings(self.meanings)
        return repeated or columns.missing_meanings(self.columns, self.mode)

    @cached_property
    def plan(self) -> ImportPlan:
        taken = self.club.players.values_list("name", flat=True)
        names = PlayerNames(self._players, self.choices.get("people", {}), taken)
        reader = RowReader(self.grid, self.columns, names, self.edition, self.choices)
        if self.mode is Mode.HANDS:
            return hands.read(reader)
        return totals.read(reader, self.mode)

    def heading(self, column: int) -> str:
        return self.grid.headings.cell(column)

    @cached_property
    def left_out_headings(self) -> Sequence[str]:
        """Headings of columns of numbers that are left out."""
        return [
            self.heading(column)
            for column, meaning in enumerate(self.meanings)
            if meaning == SKIP and columns.is_number_column(self.grid, column)
        ]

    @cached_property
    def sheets(self) -> WorkbookSheets:
        return WorkbookSheets(self.sheet)

    @cached_property
    def seasons(self) -> SeasonsByDate:
        return SeasonsByDate(list(self.club.seasons.order_by("starts", "pk")))

    @cached_property
    def early_season_start(self) -> datetime.date | None:
        """First date before all seasons of the club; None if there is none."""
        evenings = self.plan.evenings
        early = (e.date for e in evenings if self.seasons.of(e.date) is None)
        return min(early, default=None)

    @property
    def season_name(self) -> str:
        """Name of the season to create for evenings before all seasons."""
        return str(self.choices.get("season", ""))

    @property
    def player_names(self) -> Iterator[str]:
        return (name for p in self._players for name in (p.name, p.nickname) if name)

    @cached_property
    def _players(self) -> list[Any]:
        return list(self.club.players.people())


class SeasonsByDate:
    """Seasons by the date of an evening: the last one that has begun."""

    def __init__(self, known: Sequence[Season]) -> None:
        self.known = known

    def of(self, date: datetime.date) -> Season | None:
        """Return the season; None for a date before all of them."""
        begun = [season for season in self.known if season.starts <= date]
        return begun[-1] if begun else None
