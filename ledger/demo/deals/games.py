"""Deals that really happened: a pack is dealt, bid, announced, doubled, played out.

Who plays with whom, what was made and how many card points there are follow from the
cards here, not from the rules' own code: what that refuses of it is a fault there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

import scoring
from ledger.demo.deals import hungarian, taroki

__all__ = ["GAMES", "happened"]

Game: TypeAlias = Callable[
    [scoring.Tariff, Random, Sequence[Any], float], dict[str, Any]
]

GAMES: Mapping[str, Game] = {
    "taroki": taroki.happened,
    "paskievics": hungarian.happened,
    "palatine": hungarian.happened,
}
"""By the id of the variant."""


def happened(
    tariff: scoring.Tariff, rng: Random, players: Sequence[Any], *, skew: float = 0.0
) -> dict[str, Any]:
    """Return the record of a deal between *players*, from forehand on.

    With *skew*, say 0.1, the strong cards lie together. Raise `LookupError` when
    nobody here can play the game.
    """
    try:
        game = GAMES[tariff.variant.id]
    except KeyError:
        known = ", ".join(GAMES)
        raise LookupError(
            f"cannot play {tariff.variant.id!r}, expected one of: {known}"
        ) from None
    return game(tariff, rng, players, skew)
