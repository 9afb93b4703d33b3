"""Charts of the book: drawn by the spreadsheet, from the cells they refer to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from ledger.exports.workbook.formats import MONTHS
from ledger.exports.workbook.worksheet import (
    GREEN,
    HEAD,
    RED,
    BookWriter,
    SheetTable,
    Stretch,
)

CURVE = 4000
"""A curve of more hands goes by evenings: nobody sees more points in it."""
ROOM = 17
"""Rows that a player's chart covers."""
LINES = 10
"""More curves in one chart could not be told apart."""

COLOURS = ("#184A36", "#A5241A", "#1F5F99", "#B8860B", "#6B3FA0")
DASHES = ("solid", "dash")
MUTED, HAIR = "#4C584E", "#D5CBB2"


def draw(
    book: BookWriter,
    sheet: Any,
    ranking: SheetTable,
    running: SheetTable,
    points: Sequence[int],
) -> None:
    """Draw how the ranking came about, and where it ended, with these *points*."""
    sheet.hide_gridlines(2)
    sheet.fit_to_pages(1, 1)
    if points:
        sheet.insert_chart(0, 0, _running(book, running, 2, len(points)))
        sheet.insert_chart(22, 0, _ranking(book, ranking, points))


def curve(book: BookWriter, line: Stretch) -> Any:
    """How one player's total ran, hand by hand."""
    chart = book.workbook.add_chart({"type": "line"})
    chart.add_series(
        {
            "name": [line.sheet, HEAD, line.column],
            "values": line.cells,
            "line": {"color": GREEN, "width": 1.75},
        }
    )
    _dress(chart, _("Running score"))
    chart.set_legend({"none": True})
    chart.set_size({"width": 420, "height": 320})
    return chart


def _running(book: BookWriter, table: SheetTable, first: int, people: int) -> Any:
    """How everybody's total ran by evening, the best ones where they are many."""
    chart = book.workbook.add_chart({"type": "line"})
    days = table.stretch(0)
    for place in range(min(people, LINES)):
        colour = COLOURS[place % len(COLOURS)]
        dash = DASHES[place // len(COLOURS)]
        chart.add_series(
            {
                "name": [table.name, HEAD, first + place],
                "categories": days.cells,
                "values": table.stretch(first + place).cells,
                "line": {"color": colour, "width": 2, "dash_type": dash},
                "marker": {
                    "type": "circle",
                    "size": 4,
                    "fill": {"color": colour},
                    "border": {"color": colour},
                }
                if days.last - days.first < 60
                else {"type": "none"},
            }
        )
    title = _("Running score")
    if people > LINES:
        title = _("Running score, the first {count}").format(count=LINES)
    _dress(chart, title, MONTHS[book.language])
    chart.set_legend({"position": "right"})
    chart.show_blanks_as("gap")
    chart.set_size({"width": 960, "height": 420})
    return chart


def _ranking(book: BookWriter, table: SheetTable, points: Sequence[int]) -> Any:
    """The ranking as bars, the first on top."""
    chart = book.workbook.add_chart({"type": "bar"})
    chart.add_series(
        {
            "name": _("Points"),
            "categories": table.stretch(1).cells,
            "values": table.stretch(4).cells,
            "points": [{"fill": {"color": RED if n < 0 else GREEN}} for n in points],
            "gap": 40,
            "data_labels": {"value": True},
        }
    )
    _dress(chart, _("Ranking"))
    chart.set_x_axis(
        {
            "major_gridlines": {"visible": True, "line": {"color": HAIR}},
            "num_font": {"color": MUTED},
            "line": {"none": True},
        }
    )
    chart.set_y_axis(
        {"reverse": True, "label_position": "low", "line": {"color": MUTED}}
    )
    chart.set_legend({"none": True})
    chart.set_size({"width": 960, "height": 120 + 26 * len(points)})
    return chart


def _dress(chart: Any, title: str, numbers: str = "General") -> None:
    chart.set_title({"name": title, "name_font": {"size": 13, "color": GREEN}})
    chart.set_x_axis(
        {
            "label_position": "low",
            "line": {"color": MUTED},
            "text_axis": True,
            "num_format": numbers,
            "num_font": {"color": MUTED},
        }
    )
    chart.set_y_axis(
        {
            "major_gridlines": {"visible": True, "line": {"color": HAIR}},
            "line": {"none": True},
            "num_font": {"color": MUTED},
        }
    )
