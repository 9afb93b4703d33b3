"""Sheets of one workbook: those that can be combined, and those imported before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ledger.imports import files
from ledger.imports.grid import Grid, SheetGrid, combinable_sheets
from ledger.models import OldSheet


@dataclass(frozen=True)
class WorkbookSheets:
    """Sheets of an uploaded workbook by title; of a CSV file there are none.

    A sheet is known by the fingerprint of its cells, in whatever file it comes.
    """

    uploaded: OldSheet

    @cached_property
    def titles(self) -> list[str]:
        """Titles of all sheets, where the workbook has several."""
        return [s.title for s in self._grids] if len(self._grids) > 1 else []

    @cached_property
    def combinable(self) -> list[str]:
        """Titles of the sheets that can be read as one."""
        sheets = combinable_sheets(self._grids)
        return [sheet.title for sheet in sheets] if len(sheets) > 1 else []

    @property
    def new_combinable(self) -> list[str]:
        """Titles of those not yet imported; of all, where all were."""
        known = {mark for old in self._imported for mark in old.fingerprints}
        new = [sheet for sheet in self._grids if sheet.fingerprint not in known]
        return [sheet.title for sheet in combinable_sheets(new)] or self.combinable

    @property
    def chosen(self) -> list[str]:
        """Titles of the sheets that the reader combines."""
        choices = self.uploaded.choices
        if choices.get("sheet") != files.ALL_SHEETS:
            return []
        return list(choices.get("sheets") or self.combinable)

    def left_for_later(self, grid: Grid) -> list[str]:
        """Return the titles of the sheets that are not in *grid*."""
        return [title for title in self.titles if title not in grid.sheets]

    def earlier_import(self, grid: Grid) -> OldSheet | None:
        """Return an import of a sheet in *grid*, unless it was reverted."""
        mine = set(grid.fingerprints)
        same = (old for old in self._imported if self._fingerprints(old, grid) & mine)
        return next(same, None)

    def known_fingerprints(self, grid: Grid) -> set[str]:
        """Return the fingerprints of all imported sheets, and of those in *grid*."""
        known = (self._fingerprints(old, grid) for old in self._imported)
        return set(grid.fingerprints).union(*known)

    @cached_property
    def _grids(self) -> list[SheetGrid]:
        return files.sheets(bytes(self.uploaded.content))

    @cached_property
    def _imported(self) -> list[OldSheet]:
        counting = OldSheet.objects.filter(club=self.uploaded.club).counting()
        return list(counting.exclude(pk=self.uploaded.pk).defer("content"))

    def _fingerprints(self, old: OldSheet, grid: Grid) -> set[str]:
        # Imports of older versions stored no fingerprints: the same file has the same.
        if old.fingerprints or old.digest != self.uploaded.digest:
            return set(old.fingerprints)
        title = old.choices.get("sheet", "")
        of_file = zip(grid.sheets or ("",), grid.fingerprints, strict=True)
        return {mark for sheet, mark in of_file if title in ("", sheet)}
