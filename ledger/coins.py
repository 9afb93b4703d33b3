"""Who hands coins to whom after a hand, as it is done at the table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from scoring.settlement import Transfer, transfers


def handed(payments: Sequence[int]) -> tuple[Transfer[int], ...]:
    """Return who pays whom, by seat: two losers pay one winner each, a lone player
    settles with each of the others; anything else with the fewest payments.

    >>> [(t.payer, t.payee, t.amount) for t in handed([-6, 6, -6, 6])]
    [(0, 1, 6), (2, 3, 6)]
    >>> [(t.payer, t.payee, t.amount) for t in handed([-6, -6, 6, 6])]
    [(0, 3, 6), (1, 2, 6)]
    >>> [(t.payer, t.payee, t.amount) for t in handed([-2, 6, -2, -2])]
    [(0, 1, 2), (2, 1, 2), (3, 1, 2)]
    """
    return _handed(tuple(payments))


@lru_cache(maxsize=4096)
def _handed(payments: tuple[int, ...]) -> tuple[Transfer[int], ...]:
    losers = [seat for seat, points in enumerate(payments) if points < 0]
    if len({abs(points) for points in payments}) == 1 and len(losers) == 2:
        return tuple(
            Transfer(seat, _neighbour(seat, payments), -payments[seat])
            for seat in losers
        )
    return tuple(transfers(dict(enumerate(payments))))


def _neighbour(seat: int, payments: Sequence[int]) -> int:
    """Return the winner on the right; where the partner sits there, on the left."""
    right, left = (seat + 1) % len(payments), seat - 1
    return right if payments[right] > 0 else left % len(payments)
