"""Possible gains of a hand, where contract and bonuses are not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from scoring.sides import Sides
from scoring.variant import Variant


def can_be_paid(variant: Variant, gains: Iterable[int]) -> bool:
    """Return whether a hand of the game can bring these *gains*, in any order of seats.

    One side pays the other: two against two, or one against all others. Trumps that a
    player declared come on top, where each of the others pays them.

    >>> from scoring import tariff
    >>> game = tariff("taroki").variant
    >>> can_be_paid(game, [4, -4, 4, -4]), can_be_paid(game, [16, -8, 8, -16])
    (True, False)
    """
    won = sorted(filter(None, gains))
    if len(won) > variant.active:
        return False
    won += [0] * (variant.active - len(won))
    declared = variant.holdings
    personal = declared is not None and declared.paid_to == "player"
    held = frozenset(declared.values.values()) if declared and personal else frozenset()
    return _can_be_paid(tuple(won), held)


@lru_cache(maxsize=4096)
def _can_be_paid(gains: tuple[int, ...], held: frozenset[int]) -> bool:
    return any(_by_sides(rest) for rest in _without_declared(gains, held))


def _without_declared(
    gains: tuple[int, ...], held: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """Yield what is left of *gains* without each way to have declared what is held."""
    players = len(gains)
    for declared in product((0, *sorted(held)), repeat=players):
        total = sum(declared)
        yield tuple(
            gain - players * own + total
            for gain, own in zip(gains, declared, strict=True)
        )


def _by_sides(gains: tuple[int, ...]) -> bool:
    """Whether one side has paid the other, two or alone."""
    players = len(gains)
    for partner in (None, 1):
        for sign in (1, -1):
            shape = sorted(Sides(0, partner, players).pay(sign))
            points = min(gains) // shape[0]
            if sorted(gains) == [points * part for part in shape]:
                return True
    return False
