"""What the scorer writes down: lines of bonuses, and how high they were doubled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import Any

from ledger.demo.deals.play import DealtHand

Line = tuple[str, bool]
"""A bonus, and whether it is the declarer's side's."""
Said = tuple[str, int]
"""A bonus, and the seat that announced it."""


def side(ours: bool) -> str:
    return "declarer" if ours else "defenders"


def once(deal: DealtHand, said: Collection[Said]) -> list[Said]:
    """Return what was *said*, each bonus by the first of a side who did."""
    first: dict[Line, Said] = {}
    for bonus, seat in said:
        first.setdefault((bonus, deal.ours[seat]), (bonus, seat))
    return list(first.values())


def lines(
    deal: DealtHand,
    players: Sequence[Any],
    made: Collection[Line],
    said: Collection[Said],
    level: Callable[[str, int], int],
) -> Iterator[dict[str, Any]]:
    """Yield a line for each bonus that was *said*, and that was *made* in silence."""
    for bonus, seat in said:
        yield {
            "bonus": bonus,
            "announced_by": players[seat],
            "contra": level(bonus, seat),
            "made": (bonus, deal.ours[seat]) in made,
        }
    announced = {(bonus, deal.ours[seat]) for bonus, seat in said}
    for bonus, ours in sorted(made):
        if (bonus, ours) not in announced:
            yield {"bonus": bonus, "side": side(ours), "made": True}


def doubled(rng: Random, chance: float, top: int) -> int:
    """Return how often it was doubled: each time less likely, at most *top* times."""
    level = 0
    while level < top and rng.random() < chance:
        level += 1
        chance *= 0.4
    return level
