"""Cover worksheet: facts of the season, and a list of the other worksheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.exports.workbook.results import stake
from ledger.exports.workbook.season_data import SeasonData
from ledger.exports.workbook.worksheet import GREEN, Cell, CellKind, WorkbookWriter
from ledger.text import messages

CoverLine = tuple[str, Cell, CellKind]


def write_cover(
    sheet: Any,
    workbook: WorkbookWriter,
    data: SeasonData,
    contents: Sequence[tuple[str, str]],
) -> None:
    """Write the cover; *contents* are names and descriptions of the worksheets."""
    sheet.hide_gridlines(2)
    sheet.set_column(0, 0, 30)
    sheet.set_column(1, 1, 90)
    _title(workbook, sheet, data)
    row = 3
    for title, value, kind in _lines(data):
        sheet.write(row, 0, title, workbook.format(CellKind.TEXT, look={"bold": True}))
        style = workbook.format(
            kind, look={"align": "left", "indent": 1, "text_wrap": True}
        )
        sheet.write(row, 1, value, style)
        row += 1
    row += 1
    sheet.write(row, 0, _("The sheets"), _heading(workbook))
    for name, description in contents:
        row += 1
        link = f"internal:'{name.replace(chr(39), 2 * chr(39))}'!A1"
        style = workbook.format(
            CellKind.TEXT, look={"font_color": GREEN, "underline": 1}
        )
        sheet.write_url(row, 0, link, style, string=name)
        sheet.write_string(
            row,
            1,
            description,
            workbook.format(CellKind.TEXT, look={"text_wrap": True}),
        )


def _title(workbook: WorkbookWriter, sheet: Any, data: SeasonData) -> None:
    large: dict[str, object] = {"bold": True, "font_size": 22, "font_color": GREEN}
    sheet.set_row(0, 30)
    sheet.set_row(1, 22)
    sheet.write_string(
        0, 0, data.season.club.name, workbook.format(CellKind.TEXT, look=large)
    )
    season = _("Season {season}").format(season=data.season.name)
    sheet.write_string(1, 0, season, _heading(workbook))


def _heading(workbook: WorkbookWriter) -> Any:
    return workbook.format(
        CellKind.TEXT, look={"bold": True, "font_size": 14, "font_color": GREEN}
    )


def _lines(data: SeasonData) -> Iterator[CoverLine]:
    yield _("Season starts"), data.season.starts, CellKind.DATE
    if evenings := data.evenings:
        yield _("First evening"), evenings[0].evening.date, CellKind.DATE
        yield _("Last evening"), evenings[-1].evening.date, CellKind.DATE
    if closed := data.season.closed_at:
        yield _("Closed"), timezone.localdate(closed), CellKind.DATE
    yield (
        _("Games"),
        ", ".join(map(messages.game, _games(data))) or "–",
        CellKind.TEXT,
    )
    yield _("Stakes"), _stakes(data), CellKind.TEXT
    if any(row.evening.stake_parts > 1 for row in data.evenings):
        yield _("Rounded"), messages.rounding_note(), CellKind.TEXT
    yield _("Evenings"), len(data.evenings), CellKind.COUNT
    yield _("Hands"), data.hand_count, CellKind.COUNT
    yield _("Players"), len(data.players), CellKind.COUNT
    made = timezone.localtime(data.made_at).replace(second=0, microsecond=0)
    yield _("This book was made"), made, CellKind.MOMENT
    if still := sum(row.evening.closed_at is None for row in data.evenings):
        text = ngettext(
            "{count} evening is not closed yet: its figures may still change.",
            "{count} evenings are not closed yet: their figures may still change.",
            still,
        )
        yield (
            _("Not closed yet:").rstrip(":"),
            text.format(count=still),
            CellKind.TEXT,
        )
    yield (
        _("Not included"),
        _("What was paid or carried over for the club as a whole, outside any season."),
        CellKind.TEXT,
    )


def _games(data: SeasonData) -> dict[str, None]:
    return dict.fromkeys(name for row in data.evenings for name in row.games)


def _stakes(data: SeasonData) -> str:
    used = {(n.evening.currency, n.evening.per_point): None for n in data.evenings}
    return ", ".join(stake(*one) for one in used) or "–"
