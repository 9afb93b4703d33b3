"""The first sheet: what this is, of when, and what the other sheets tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.exports.workbook.results import stake
from ledger.exports.workbook.season_data import HandRow
from ledger.exports.workbook.worksheet import GREEN, BookWriter, Cell, CellKind
from ledger.text import messages

Line = tuple[str, Cell, CellKind]


def fill(
    sheet: Any, book: BookWriter, played: HandRow, sheets: Sequence[tuple[str, str]]
) -> None:
    """Write the cover; *sheets* are names of other sheets, and what each tells."""
    sheet.hide_gridlines(2)
    sheet.set_column(0, 0, 30)
    sheet.set_column(1, 1, 90)
    _title(book, sheet, played)
    row = 3
    for title, value, kind in _facts(played):
        sheet.write(row, 0, title, book.format(CellKind.TEXT, look={"bold": True}))
        style = book.format(
            kind, look={"align": "left", "indent": 1, "text_wrap": True}
        )
        sheet.write(row, 1, value, style)
        row += 1
    row += 1
    sheet.write(row, 0, _("The sheets"), _heading(book))
    for name, tells in sheets:
        row += 1
        link = f"internal:'{name.replace(chr(39), 2 * chr(39))}'!A1"
        style = book.format(CellKind.TEXT, look={"font_color": GREEN, "underline": 1})
        sheet.write_url(row, 0, link, style, string=name)
        sheet.write_string(
            row, 1, tells, book.format(CellKind.TEXT, look={"text_wrap": True})
        )


def _title(book: BookWriter, sheet: Any, played: HandRow) -> None:
    large: dict[str, object] = {"bold": True, "font_size": 22, "font_color": GREEN}
    sheet.set_row(0, 30)
    sheet.set_row(1, 22)
    sheet.write_string(
        0, 0, played.season.club.name, book.format(CellKind.TEXT, look=large)
    )
    season = _("Season {season}").format(season=played.season.name)
    sheet.write_string(1, 0, season, _heading(book))


def _heading(book: BookWriter) -> Any:
    return book.format(
        CellKind.TEXT, look={"bold": True, "font_size": 14, "font_color": GREEN}
    )


def _facts(played: HandRow) -> Iterator[Line]:
    yield _("Season starts"), played.season.starts, CellKind.DATE
    if nights := played.nights:
        yield _("First evening"), nights[0].evening.date, CellKind.DATE
        yield _("Last evening"), nights[-1].evening.date, CellKind.DATE
    if closed := played.season.closed_at:
        yield _("Closed"), timezone.localdate(closed), CellKind.DATE
    yield (
        _("Games"),
        ", ".join(map(messages.game, _games(played))) or "–",
        CellKind.TEXT,
    )
    yield _("Stakes"), _stakes(played), CellKind.TEXT
    if any(night.evening.stake_parts > 1 for night in played.nights):
        yield _("Rounded"), messages.rounded(), CellKind.TEXT
    yield _("Evenings"), len(played.nights), CellKind.COUNT
    yield _("Hands"), played.row_count, CellKind.COUNT
    yield _("Players"), len(played.players), CellKind.COUNT
    made = timezone.localtime(played.made_at).replace(second=0, microsecond=0)
    yield _("This book was made"), made, CellKind.MOMENT
    if still := sum(night.evening.closed_at is None for night in played.nights):
        said = ngettext(
            "{count} evening is not closed yet: its figures may still change.",
            "{count} evenings are not closed yet: their figures may still change.",
            still,
        )
        yield _("Not closed yet:").rstrip(":"), said.format(count=still), CellKind.TEXT
    yield (
        _("Not included"),
        _("What was paid or carried over for the club as a whole, outside any season."),
        CellKind.TEXT,
    )


def _games(played: HandRow) -> dict[str, None]:
    return dict.fromkeys(name for night in played.nights for name in night.games)


def _stakes(played: HandRow) -> str:
    used = {(n.evening.currency, n.evening.per_point): None for n in played.nights}
    return ", ".join(stake(*one) for one in used) or "–"
