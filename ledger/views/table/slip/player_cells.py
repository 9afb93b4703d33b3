"""The cells of a slip that speak of a player: exchanged for another, or left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.http import QueryDict

from ledger.text.parsing import whole_number

PLAYERS = ("declarer", "partner", "xxi_lost_by", "annulled_by")
CELLS = ("-made", "-failed")
"""Chips of the bonus panels that stand for a player."""


def players_of(data: QueryDict) -> set[int]:
    """Return the ids of all who have a part in the hand on the slip."""
    return {pk for said in _said(data) if (pk := whole_number(said)) is not None}


def _said(data: QueryDict) -> Iterator[str]:
    for name, values in data.lists():
        if _stands_for_player(name):
            yield from values
        elif (owner := _owner(name)) and any(values):
            yield owner


def without(data: QueryDict, players: Collection[int]) -> QueryDict:
    """Return the same slip with nothing said of *players*."""
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


def exchanged(data: QueryDict, out: str, comes: str) -> QueryDict:
    """Return the same slip, written of *comes* instead of *out*."""
    written = QueryDict(mutable=True)
    for name, values in data.lists():
        field = name if _owner(name) != out else f"{name.removesuffix(out)}{comes}"
        named = _stands_for_player(name) or name in ("dealer", "resting")
        written.setlist(field, [comes if named and v == out else v for v in values])
    return written


def _stands_for_player(name: str) -> bool:
    return name in PLAYERS or name.endswith(CELLS)


def _owner(name: str) -> str:
    """Return whose declaration it is, or whose announcement got the contra."""
    about, _dash, player = name.rpartition("-")
    return player if about == "held" or about.endswith("-contra") else ""
