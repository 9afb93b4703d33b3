"""A player's figures and curve, beside the hands on his sheet."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from ledger.exports.book import charts
from ledger.exports.book.hands import RUNNING, OfPlayer, own_columns
from ledger.exports.book.season import Played
from ledger.exports.book.sheets import FIRST, Book, Cell, Kind, Stretch
from ledger.models import Player
from ledger.statistics import Group, Row, Shows

KINDS = (Kind.TEXT, Kind.COUNT, Kind.SHARE, Kind.POINTS, Kind.AVERAGE)
WIDTHS = (34, 9, 9, 9, 11)
COUNTED = {Shows.COUNT, Shows.SUCCESS, Shows.POINTS, Shows.ALL}
SUCCEEDED = {Shows.SUCCESS, Shows.ALL}
WON = {Shows.VALUE, Shows.POINTS, Shows.ALL}

Beside = dict[int, list[tuple[int, Cell, object]]]


def sheet_of(book: Book, played: Played, player: Player, evenings: Stretch) -> OfPlayer:
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


def _beside(book: Book, groups: list[Group], row: int, column: int) -> Beside:
    beside: Beside = {}
    bold = book.format(Kind.TEXT, look={"bold": True, "bottom": 1})
    right = book.format(
        Kind.TEXT, look={"bold": True, "bottom": 1, "align": "right", "indent": 0}
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
                    zip(KINDS, _cells(figure, group), strict=True)
                )
                if value is not None
            ]
            row += 1
        row += 1
    return beside


def _cells(row: Row, group: Group) -> Iterator[Cell]:
    shows = row.figure.shows
    yield _name(row, group)
    yield row.count if shows in COUNTED else None
    yield row.success if shows in SUCCEEDED else None
    yield row.points if shows in WON else None
    yield row.average if shows in WON - {Shows.VALUE} else None


def _name(row: Row, group: Group) -> str:
    """Return what the row is about, with the figure where the group has several."""
    figure = str(row.figure.name)
    if not row.name:
        return figure
    name = row.name
    if len({other.game for other in group.rows}) > 1 and row.game:
        name = f"{name} ({row.game})"
    several = len({other.figure.id for other in group.rows}) > 1
    return f"{figure}: {name}" if several else name
