"""A player's figures and curve, beside the hands on his sheet."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ledger.exports.workbook import charts
from ledger.exports.workbook.hands import RUNNING, OfPlayer, own_columns
from ledger.exports.workbook.season_data import HandRow
from ledger.exports.workbook.worksheet import FIRST, BookWriter, Cell, CellKind, Stretch
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


def sheet_of(
    book: BookWriter, played: HandRow, player: Player, evenings: Stretch
) -> OfPlayer:
    """Begin the sheet of a player; of very many hands the curve goes by *evenings*."""
    columns = own_columns(played, player)
    column = len(columns) + 1
    rows = played.rows.get(player.pk, 0)
    groups = played.figures.player(player)
    beside = _beside(book, groups, FIRST + charts.ROOM, column)
    table = book.table(player.name, columns, rows, frozen=2, beside=beside)
    table.sheet.set_column(column - 1, column - 1, 2)
    for place, width in enumerate(WIDTHS):
        table.sheet.set_column(column + place, column + place, width)
    line = table.stretch(RUNNING) if rows <= charts.CURVE else evenings
    chart = charts.curve(book, line)
    table.sheet.insert_chart(FIRST, column, chart, {"object_position": 3})
    return OfPlayer(table)


def _beside(
    book: BookWriter, groups: list[FigureGroup], row: int, column: int
) -> Beside:
    beside: Beside = {}
    bold = book.format(CellKind.TEXT, look={"bold": True, "bottom": 1})
    right = book.format(
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
                (column + place, value, book.format(kind))
                for place, (kind, value) in enumerate(
                    zip(KINDS, (_name(figure, group), *figure.cells), strict=True)
                )
                if value is not None
            ]
            row += 1
        row += 1
    return beside


def _name(row: FigureRow, group: FigureGroup) -> str:
    """Return what the row is about, with the figure where the group has several."""
    figure = str(row.figure.name)
    if not row.name:
        return figure
    name = row.called(several=len({other.game for other in group.rows}) > 1)
    several = len({other.figure.id for other in group.rows}) > 1
    return f"{figure}: {name}" if several else name
