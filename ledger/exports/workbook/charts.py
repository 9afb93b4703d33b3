"""Charts of the workbook, drawn by the spreadsheet from ranges of cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from ledger.exports.workbook.formats import MONTHS
from ledger.exports.workbook.worksheet import (
    GREEN,
    HEADER,
    RED,
    CellRange,
    WorkbookWriter,
    Worksheet,
)

MOST_HANDS = 4000
"""With more hands a player's curve has one point an evening."""
CHART_ROWS = 17
"""Rows of the worksheet below a player's chart."""
MOST_LINES = 10
"""Lines in one chart."""

COLOURS = ("#184A36", "#A5241A", "#1F5F99", "#B8860B", "#6B3FA0")
DASHES = ("solid", "dash")
MUTED, HAIR = "#4C584E", "#D5CBB2"


def draw(
    workbook: WorkbookWriter,
    worksheet: Any,
    ranking: Worksheet,
    running_totals: Worksheet,
    points: Sequence[int],
) -> None:
    """Insert the charts of running totals and ranking; *points* colour its bars."""
    worksheet.hide_gridlines(2)
    worksheet.fit_to_pages(1, 1)
    if points:
        worksheet.insert_chart(
            0, 0, _totals_chart(workbook, running_totals, 2, len(points))
        )
        worksheet.insert_chart(22, 0, _ranking_chart(workbook, ranking, points))


def curve(workbook: WorkbookWriter, line: CellRange) -> Any:
    """Return the chart of one player's total, by hand or by evening."""
    chart = workbook.xlsx.add_chart({"type": "line"})
    chart.add_series(
        {
            "name": [line.worksheet, HEADER, line.column],
            "values": line.cells,
            "line": {"color": GREEN, "width": 1.75},
        }
    )
    _style(chart, _("Running score"))
    chart.set_legend({"none": True})
    chart.set_size({"width": 420, "height": 320})
    return chart


def _totals_chart(
    workbook: WorkbookWriter, worksheet: Worksheet, first: int, people: int
) -> Any:
    """Return the chart of totals by evening, of the best `MOST_LINES` players."""
    chart = workbook.xlsx.add_chart({"type": "line"})
    days = worksheet.column_range(0)
    for place in range(min(people, MOST_LINES)):
        colour = COLOURS[place % len(COLOURS)]
        dash = DASHES[place // len(COLOURS)]
        chart.add_series(
            {
                "name": [worksheet.name, HEADER, first + place],
                "categories": days.cells,
                "values": worksheet.column_range(first + place).cells,
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
    if people > MOST_LINES:
        title = _("Running score, the first {count}").format(count=MOST_LINES)
    _style(chart, title, MONTHS[workbook.language])
    chart.set_legend({"position": "right"})
    chart.show_blanks_as("gap")
    chart.set_size({"width": 960, "height": 420})
    return chart


def _ranking_chart(
    workbook: WorkbookWriter, worksheet: Worksheet, points: Sequence[int]
) -> Any:
    """Return the ranking as bars, the first on top."""
    chart = workbook.xlsx.add_chart({"type": "bar"})
    chart.add_series(
        {
            "name": _("Points"),
            "categories": worksheet.column_range(1).cells,
            "values": worksheet.column_range(4).cells,
            "points": [{"fill": {"color": RED if n < 0 else GREEN}} for n in points],
            "gap": 40,
            "data_labels": {"value": True},
        }
    )
    _style(chart, _("Ranking"))
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


def _style(chart: Any, title: str, numbers: str = "General") -> None:
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
