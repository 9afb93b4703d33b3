"""Games that can be dealt: a pack is dealt, bid, announced, doubled and played out.

Partners, bonuses made and card points follow from the cards alone. The rules must
accept every such record: this code shares none of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

import scoring
from ledger.demo.deals import hungarian, taroki

__all__ = ["GAMES", "play_deal"]

PlayDeal: TypeAlias = Callable[
    [scoring.Tariff, Random, Sequence[Any], float], dict[str, Any]
]

GAMES: Mapping[str, PlayDeal] = {
    "taroki": taroki.play_deal,
    "paskievics": hungarian.play_deal,
    "palatine": hungarian.play_deal,
}
"""By the id of the variant."""


def play_deal(
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
