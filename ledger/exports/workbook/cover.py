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
    worksheet: Any,
    workbook: WorkbookWriter,
    data: SeasonData,
    contents: Sequence[tuple[str, str]],
) -> None:
    """Write the cover; *contents* are names and descriptions of the worksheets."""
    worksheet.hide_gridlines(2)
    worksheet.set_column(0, 0, 30)
    worksheet.set_column(1, 1, 90)
    _write_title(workbook, worksheet, data)
    bold = workbook.format(CellKind.TEXT, look={"bold": True})
    left: dict[str, object] = {"align": "left", "indent": 1, "text_wrap": True}
    row = 3
    for title, value, kind in _lines(data):
        worksheet.write(row, 0, title, bold)
        worksheet.write(row, 1, value, workbook.format(kind, look=left))
        row += 1
    worksheet.write(row + 1, 0, _("The sheets"), _heading(workbook))
    _write_contents(workbook, worksheet, row + 2, contents)


def _write_contents(
    workbook: WorkbookWriter,
    worksheet: Any,
    first: int,
    contents: Sequence[tuple[str, str]],
) -> None:
    """Write links to the other worksheets, with their descriptions."""
    linked = workbook.format(CellKind.TEXT, look={"font_color": GREEN, "underline": 1})
    wrapped = workbook.format(CellKind.TEXT, look={"text_wrap": True})
    for row, (name, description) in enumerate(contents, start=first):
        target = name.replace("'", "''")
        worksheet.write_url(row, 0, f"internal:'{target}'!A1", linked, string=name)
        worksheet.write_string(row, 1, description, wrapped)


def _write_title(workbook: WorkbookWriter, worksheet: Any, data: SeasonData) -> None:
    large: dict[str, object] = {"bold": True, "font_size": 22, "font_color": GREEN}
    worksheet.set_row(0, 30)
    worksheet.set_row(1, 22)
    worksheet.write_string(
        0, 0, data.season.club.name, workbook.format(CellKind.TEXT, look=large)
    )
    season = _("Season {season}").format(season=data.season.name)
    worksheet.write_string(1, 0, season, _heading(workbook))


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
