"""Who pays whom at the end, with as few payments as possible.

Balances that cancel out among themselves make a group; a group of *n* people needs
n − 1 payments, so the fewest payments come from the most groups. Up to EXACT people
the groups are found by dynamic programming over all subsets. Of more people, pairs
and threes that cancel out are taken first; the rest is split exactly when it has
become small enough, and settled as one group when not: that can take a payment or
two more than needed, never more than one less than there are people.

Who owes only pays, and who is owed only receives. Of all plans with the fewest
payments it is the first by payer, then payee, then the larger amount. So the order
of the balances doesn't matter, and when one payment of an exact plan has been made
the rest of the plan stays as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

EXACT = 16


class Ordered(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=Ordered)


@dataclass(frozen=True, slots=True)
class Transfer(Generic[K]):
    payer: K
    payee: K
    amount: int


def transfers(balances: Mapping[K, int]) -> list[Transfer[K]]:
    """Return the payments that bring every balance to zero, ordered by payer.

    >>> for transfer in transfers({"Ania": -5, "Bartek": 8, "Celina": -3, "Darek": 0}):
    ...     print(transfer.payer, transfer.payee, transfer.amount)
    Ania Bartek 5
    Celina Bartek 3
    """
    if total := sum(balances.values()):
        raise ValueError(f"expected balances that sum to 0, they sum to {total}")
    people = sorted(balances)
    payments = sorted(_payments([balances[person] for person in people]))
    return [Transfer(people[a], people[b], amount) for a, b, amount in payments]


def at_least(balances: Mapping[K, int]) -> int:
    """Return how many payments every plan needs: the fewest, up to EXACT people.

    Of more people a bound: who owes pays once at least, and who is owed is paid once;
    and of groups that cancel out only pairs are smaller than three.
    """
    left = [balance for balance in balances.values() if balance]
    if len(left) <= EXACT:
        return len(transfers(balances))
    owing = Counter(-balance for balance in left if balance < 0)
    owed = Counter(balance for balance in left if balance > 0)
    pairs = (owing & owed).total()
    groups = pairs + (len(left) - 2 * pairs) // 3
    return max(owing.total(), owed.total(), len(left) - groups)


def _payments(left: list[int]) -> Iterator[tuple[int, int, int]]:
    if sum(map(bool, left)) > EXACT:
        for group in _small_groups(left):
            yield from _in_order(left, group)
    while len(alive := [i for i, balance in enumerate(left) if balance]) > 2:
        if len(alive) > EXACT or (payees := _payees(left, alive)) is None:
            yield from _in_order(left, alive)
            return
        yield _pay(left, _payer(left, alive), payees)
    yield from _in_order(left, alive)


def _in_order(left: list[int], people: list[int]) -> Iterator[tuple[int, int, int]]:
    """Settle one group: the first who owes pays the first who is owed."""
    while any(left[i] for i in people):
        yield _pay(left, _payer(left, people), next(i for i in people if left[i] > 0))


def _payer(left: list[int], people: list[int]) -> int:
    return next(i for i in people if left[i] < 0)


def _pay(left: list[int], payer: int, payee: int) -> tuple[int, int, int]:
    amount = min(-left[payer], left[payee])
    left[payer] += amount
    left[payee] -= amount
    return payer, payee, amount


def _payees(left: list[int], alive: list[int]) -> int | None:
    """Return the first whom the first payer shares a group with in some best split.

    None when all are one group: then they stay one until they are settled.
    """
    payer = _payer(left, alive)
    others = [i for i in alive if i != payer]
    sums = [0]
    for i in others:
        sums += [total + left[i] for total in sums]
    if sums.count(0) == 1:
        return None
    most = _most_groups(sums)
    together = 0
    for mask, total in enumerate(sums):
        if not total and most[mask] == most[-1]:
            together |= ~mask
    return next(
        i for bit, i in enumerate(others) if together >> bit & 1 and left[i] > 0
    )


def _most_groups(sums: list[int]) -> bytearray:
    """Return for every subset how many groups can be cut off it one after another."""
    most = bytearray(len(sums))
    for mask in range(1, len(sums)):
        best = 0
        rest = mask
        while rest:
            one = rest & -rest
            if most[mask ^ one] > best:
                best = most[mask ^ one]
            rest ^= one
        most[mask] = best + (not sums[mask])
    return most


def _small_groups(left: list[int]) -> Iterator[list[int]]:
    """Yield pairs, then threes, that cancel out; each is settled before the next."""
    for size in (2, 3):
        while (group := _cancelling(left, size)) is not None:
            yield group


def _cancelling(left: list[int], size: int) -> list[int] | None:
    alive = [i for i, balance in enumerate(left) if balance]
    where = {left[i]: i for i in reversed(alive)}
    for at, i in enumerate(alive):
        if size == 2 and -left[i] in where:
            return [i, where[-left[i]]]
        for j in alive[at + 1 :] if size == 3 else []:
            k = where.get(-left[i] - left[j])
            if k is not None and k not in (i, j):
                return sorted((i, j, k))
    return None
