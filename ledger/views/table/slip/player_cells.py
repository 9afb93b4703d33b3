"""Cells of a slip that name a player: replace him in them, or leave them out."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.http import QueryDict

from ledger.text.parsing import whole_number

PLAYERS = ("declarer", "partner", "xxi_lost_by", "annulled_by")
CELLS = ("-made", "-failed")
"""Ends of names of cells of the bonus panels whose values are players."""


def players_of(data: QueryDict) -> set[int]:
    """Return the ids of all players named on the slip."""
    return {pk for text in _mentions(data) if (pk := whole_number(text)) is not None}


def _mentions(data: QueryDict) -> Iterator[str]:
    for name, values in data.lists():
        if _stands_for_player(name):
            yield from values
        elif (owner := _owner(name)) and any(values):
            yield owner


def without_players(data: QueryDict, players: Collection[int]) -> QueryDict:
    """Return the slip without cells that name *players*."""
    out = {str(player) for player in players}
    kept = QueryDict(mutable=True)
    for name, values in data.lists():
        if _owner(name) in out:
            continue
        if _stands_for_player(name):
            values = [value for value in values if value not in out]
        if values:
            kept.setlist(name, values)
    return kept


def player_replaced(data: QueryDict, out: str, newcomer: str) -> QueryDict:
    """Return the slip with *newcomer* in each cell that names *out*."""
    written = QueryDict(mutable=True)
    for name, values in data.lists():
        field = name if _owner(name) != out else f"{name.removesuffix(out)}{newcomer}"
        named = _stands_for_player(name) or name in ("dealer", "resting")
        written.setlist(field, [newcomer if named and v == out else v for v in values])
    return written


def _stands_for_player(name: str) -> bool:
    return name in PLAYERS or name.endswith(CELLS)


def _owner(name: str) -> str:
    """Return the player in the name of a cell: of trumps held, or of a contra."""
    about, _dash, player = name.rpartition("-")
    return player if about == "held" or about.endswith("-contra") else ""
