"""Record of a played deal: its bonuses, and the levels of kontra."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import Any

from ledger.demo.deals.play import DealtHand

BonusOfSide = tuple[str, bool]
"""Id of a bonus, and True for the declarer's side."""
Announcement = tuple[str, int]
"""Id of a bonus, and the seat that announced it."""


def side(ours: bool) -> str:
    return "declarer" if ours else "defenders"


def first_announcements(
    deal: DealtHand, announcements: Collection[Announcement]
) -> list[Announcement]:
    """Return the announcements, each bonus by the first of a side who announced it."""
    first: dict[BonusOfSide, Announcement] = {}
    for bonus, seat in announcements:
        first.setdefault((bonus, deal.ours[seat]), (bonus, seat))
    return list(first.values())


def bonus_records(
    deal: DealtHand,
    players: Sequence[Any],
    made: Collection[BonusOfSide],
    announcements: Collection[Announcement],
    level: Callable[[str, int], int],
) -> Iterator[dict[str, Any]]:
    """Yield the record of each bonus announced, and of each *made* in silence."""
    for bonus, seat in announcements:
        yield {
            "bonus": bonus,
            "announced_by": players[seat],
            "contra": level(bonus, seat),
            "made": (bonus, deal.ours[seat]) in made,
        }
    announced = {(bonus, deal.ours[seat]) for bonus, seat in announcements}
    for bonus, ours in sorted(made):
        if (bonus, ours) not in announced:
            yield {"bonus": bonus, "side": side(ours), "made": True}


def kontra_level(rng: Random, chance: float, top: int) -> int:
    """Return a level of kontra up to *top*, each level less likely than the last."""
    level = 0
    while level < top and rng.random() < chance:
        level += 1
        chance *= 0.4
    return level
