"""Tables that cross players with something else: a player, a contract."""

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
    """What the row's player and the column's have to do with each other."""

    player: int
    other: int
    points: int
    heat: str


@dataclass(frozen=True, slots=True)
class CrossedLine:
    name: str
    cells: Sequence[Cell | FigureRow | None]


@dataclass(frozen=True, slots=True)
class Crossed:
    figure: Figure
    heads: Sequence[str]
    rows: Sequence[CrossedLine]


def met(figure: str, matrix: Matrix) -> Crossed:
    """Return players against players, the larger figures warmer."""
    short = short_names(matrix.players)
    most = max((abs(row.points) for row in matrix.cells.values()), default=0)
    rows = [
        CrossedLine(
            one.name, [_cell(one, other, matrix, most) for other in matrix.players]
        )
        for one in matrix.players
    ]
    heads = [short[player.name] for player in matrix.players]
    return Crossed(statistics.FIGURES[figure], heads, rows)


def _cell(one: Player, other: Player, matrix: Matrix, most: int) -> Cell | None:
    row = matrix.cells.get((one.pk, other.pk))
    if row is None:
        return None
    return Cell(one.pk, other.pk, row.points, line_chart.heat(row.points, most))


def contracts(found: Statistics) -> Crossed:
    """Return how every declarer did with each contract (report 122)."""
    by_player: Mapping[tuple[str, int], FigureRow] = found.contracts_by_player()
    declared = {player for _about, player in by_player}
    players = [row.player for row in found.ranked if row.player.pk in declared]
    short = short_names(players)
    rows = [
        CrossedLine(
            row.called(several=found.several_games),
            [by_player.get((row.about, player.pk)) for player in players],
        )
        for row in found.contracts()
    ]
    heads = [short[player.name] for player in players]
    return Crossed(statistics.FIGURES["contract"], heads, rows)
