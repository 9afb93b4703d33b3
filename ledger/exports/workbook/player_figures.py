"""Player worksheets: figures and curve beside the player's hands."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ledger.exports.workbook import charts
from ledger.exports.workbook.hands import TOTAL_COLUMN, PlayerWorksheet, player_columns
from ledger.exports.workbook.season_data import SeasonData
from ledger.exports.workbook.worksheet import (
    FIRST,
    Cell,
    CellKind,
    CellRange,
    WorkbookWriter,
)
from ledger.models import Player
from ledger.statistics import FigureGroup, FigureRow

KINDS = (
    CellKind.TEXT,
    CellKind.COUNT,
    CellKind.SHARE,
    CellKind.POINTS,
    CellKind.AVERAGE,
)
WIDTHS = (34, 9, 9, 9, 11)

Beside = dict[int, list[tuple[int, Cell, object]]]


def player_worksheet(
    workbook: WorkbookWriter, data: SeasonData, player: Player, evenings: CellRange
) -> PlayerWorksheet:
    """Begin the worksheet of a player, with figures and curve beside its rows.

    Above `charts.MOST_HANDS` hands the curve is by *evenings*.
    """
    columns = player_columns(data, player)
    column = len(columns) + 1
    rows = data.hand_counts.get(player.pk, 0)
    groups = data.figures.player(player)
    beside = _figures_beside(workbook, groups, FIRST + charts.CHART_ROWS, column)
    worksheet = workbook.worksheet(player.name, columns, rows, frozen=2, beside=beside)
    worksheet.xlsx.set_column(column - 1, column - 1, 2)
    for place, width in enumerate(WIDTHS):
        worksheet.xlsx.set_column(column + place, column + place, width)
    line = (
        worksheet.column_range(TOTAL_COLUMN) if rows <= charts.MOST_HANDS else evenings
    )
    chart = charts.curve(workbook, line)
    worksheet.xlsx.insert_chart(FIRST, column, chart, {"object_position": 3})
    return PlayerWorksheet(worksheet)


def _figures_beside(
    workbook: WorkbookWriter, groups: list[FigureGroup], row: int, column: int
) -> Beside:
    beside: Beside = {}
    bold = workbook.format(CellKind.TEXT, look={"bold": True, "bottom": 1})
    right = workbook.format(
        CellKind.TEXT, look={"bold": True, "bottom": 1, "align": "right", "indent": 0}
    )
    for group in groups:
        titles = (group.title, _("How often"), _("Success"), _("Points"), _("Average"))
        beside[row] = [
            (column + place, title, right if place else bold)
            for place, title in enumerate(titles)
        ]
        row += 1
        for figure in group.rows:
            beside[row] = [
                (column + place, value, workbook.format(kind))
                for place, (kind, value) in enumerate(
                    zip(KINDS, (_name(figure, group), *figure.cells), strict=True)
                )
                if value is not None
            ]
            row += 1
        row += 1
    return beside


def _name(row: FigureRow, group: FigureGroup) -> str:
    """Return the label of the row, with the figure where the group has several."""
    figure = str(row.figure.name)
    if not row.name:
        return figure
    name = row.called(several=len({other.game for other in group.rows}) > 1)
    several = len({other.figure.id for other in group.rows}) > 1
    return f"{figure}: {name}" if several else name
