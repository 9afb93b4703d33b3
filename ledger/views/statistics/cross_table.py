"""Cross tables: players against players, contracts against players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ledger import statistics
from ledger.models import Player
from ledger.presenters import line_chart
from ledger.statistics import Figure, FigureRow, Matrix, Statistics
from ledger.text.names import short_names


@dataclass(frozen=True, slots=True)
class Cell:
    """Points of the row's player (*player*) in hands with the column's (*other*)."""

    player: int
    other: int
    points: int
    heat: str


@dataclass(frozen=True, slots=True)
class CrossTableRow:
    name: str
    cells: Sequence[Cell | FigureRow | None]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A figure by rows and columns; *heads* are the columns' short names."""

    figure: Figure
    heads: Sequence[str]
    rows: Sequence[CrossTableRow]


def players_table(figure: str, matrix: Matrix) -> CrossTable:
    """Return a table of players against players, warmer for larger sums."""
    short = short_names(matrix.players)
    most = max((abs(row.points) for row in matrix.cells.values()), default=0)
    rows = [
        CrossTableRow(
            one.name, [_cell(one, other, matrix, most) for other in matrix.players]
        )
        for one in matrix.players
    ]
    heads = [short[player.name] for player in matrix.players]
    return CrossTable(statistics.FIGURES[figure], heads, rows)


def _cell(one: Player, other: Player, matrix: Matrix, most: int) -> Cell | None:
    row = matrix.cells.get((one.pk, other.pk))
    if row is None:
        return None
    return Cell(one.pk, other.pk, row.points, line_chart.heat(row.points, most))


def contracts_table(report: Statistics) -> CrossTable:
    """Return a table of contracts against their declarers."""
    by_player: Mapping[tuple[str, int], FigureRow] = report.contracts_by_player()
    declared = {player for _about, player in by_player}
    players = [row.player for row in report.ranked if row.player.pk in declared]
    short = short_names(players)
    rows = [
        CrossTableRow(
            row.called(several=report.several_games),
            [by_player.get((row.about, player.pk)) for player in players],
        )
        for row in report.contracts()
    ]
    heads = [short[player.name] for player in players]
    return CrossTable(statistics.FIGURES["contract"], heads, rows)
