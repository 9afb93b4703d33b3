"""Who pays whom at the end, with as few payments as possible.

Balances that cancel out among themselves make a group; a group of *n* people needs
n − 1 payments, so the fewest payments come from the most groups. Up to EXACT people
the groups are found by dynamic programming over all subsets. Of more people, pairs
and threes that cancel out are taken first; the rest is split exactly when it has
become small enough, and settled as one group when not: that can take a payment or
two more than needed, never more than one less than there are people.

Who owes only pays, and who is owed only receives: nobody has to do both. Of the plans
with the fewest payments it is the one with the fewest that should be *avoided*; of
these the one whose largest payment is smallest, then the second largest and so on;
then the first by payer, payee and amount. A payment that
is in two plans doesn't change which of them comes first. So the order of the balances
doesn't matter, and when one payment has been made the rest of the plan stays as it
was. Groups of more than EVEN people, who all need each other, and more ways to split
than TRIED, are rare and would take long: there the payments are fewest, but may not
be the most even ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

EXACT = 16
EVEN = 8
TRIED = 2000

Payment: TypeAlias = tuple[int, int, int]
"""Who pays, who is paid, how much; people are numbers in their order."""
Pairs: TypeAlias = frozenset[tuple[int, int]]
"""Who should not pay whom."""
Plan: TypeAlias = tuple[int, tuple[int, ...], tuple[Payment, ...]]
"""How many payments should be avoided, the amounts, largest first, and the payments:
the smaller plan is the better one."""
NOTHING: Final[Plan] = (0, (), ())
ANYBODY: Final[Pairs] = frozenset()
"""Nobody is to be kept from paying anybody."""


class Ordered(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=Ordered)


@dataclass(frozen=True, slots=True)
class Transfer(Generic[K]):
    """A planned payment, in points or minor units, as the balances were."""

    payer: K
    payee: K
    amount: int


def transfers(
    balances: Mapping[K, int], avoided: Iterable[tuple[K, K]] = ()
) -> list[Transfer[K]]:
    """Return the payments that bring every balance to zero, ordered by payer.

    A payer and payee who are *avoided* come together only where every plan that is
    as short has more such pairs.

    >>> for transfer in transfers({"Ania": -5, "Bartek": 8, "Celina": -3, "Darek": 0}):
    ...     print(transfer.payer, transfer.payee, transfer.amount)
    Ania Bartek 5
    Celina Bartek 3
    """
    if total := sum(balances.values()):
        raise ValueError(f"expected balances that sum to 0, they sum to {total}")
    people = sorted(balances)
    left = [balances[person] for person in people]
    payments = sorted(_payments(left, _among(avoided, people)))
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


def hand_transfers(gains: Sequence[int]) -> tuple[Transfer[int], ...]:
    """Return who pays whom after one hand, by seat, as it is done at the table.

    Two losers pay one winner each: the one on the right, or on the left where the
    partner sits on the right. A lone player settles with each of the others. Any other
    gains are settled with the fewest payments.

    >>> [(t.payer, t.payee, t.amount) for t in hand_transfers([-6, 6, -6, 6])]
    [(0, 1, 6), (2, 3, 6)]
    >>> [(t.payer, t.payee, t.amount) for t in hand_transfers([-6, -6, 6, 6])]
    [(0, 3, 6), (1, 2, 6)]
    >>> [(t.payer, t.payee, t.amount) for t in hand_transfers([-2, 6, -2, -2])]
    [(0, 1, 2), (2, 1, 2), (3, 1, 2)]
    """
    return _hand_transfers(tuple(gains))


@lru_cache(maxsize=4096)
def _hand_transfers(gains: tuple[int, ...]) -> tuple[Transfer[int], ...]:
    losers = [seat for seat, points in enumerate(gains) if points < 0]
    if len({abs(points) for points in gains}) == 1 and len(losers) == 2:
        return tuple(
            Transfer(seat, _neighbour(seat, gains), -gains[seat]) for seat in losers
        )
    return tuple(transfers(dict(enumerate(gains))))


def _neighbour(seat: int, gains: Sequence[int]) -> int:
    """Return the winner on the right; where the partner sits there, on the left."""
    right, left = (seat + 1) % len(gains), seat - 1
    return right if gains[right] > 0 else left % len(gains)


def _payments(left: list[int], avoided: Pairs) -> Iterator[Payment]:
    if sum(map(bool, left)) > EXACT:
        for group in _small_groups(left):
            yield from _in_order(left, group)
    alive = [i for i, balance in enumerate(left) if balance]
    if len(alive) > EXACT:
        yield from _in_order(left, alive)
    elif alive:
        found = _best(tuple(left[i] for i in alive), _among(avoided, alive))
        yield from ((alive[a], alive[b], amount) for a, b, amount in found)


def _among(avoided: Iterable[tuple[K, K]], people: Sequence[K]) -> Pairs:
    """Return the pairs among these *people*, by their places there."""
    if not (pairs := set(avoided)):
        return ANYBODY
    place = {person: i for i, person in enumerate(people)}
    return frozenset(
        (place[payer], place[payee])
        for payer, payee in pairs
        if payer in place and payee in place
    )


def _in_order(left: list[int], people: list[int]) -> Iterator[Payment]:
    """Settle one group: the first who owes pays the first who is owed."""
    while any(left[i] for i in people):
        yield _pay(left, _payer(left, people), next(i for i in people if left[i] > 0))


def _payer(left: list[int], people: list[int]) -> int:
    return next(i for i in people if left[i] < 0)


def _pay(left: list[int], payer: int, payee: int) -> Payment:
    amount = min(-left[payer], left[payee])
    left[payer] += amount
    left[payee] -= amount
    return payer, payee, amount


@lru_cache(maxsize=256)
def _best(balances: tuple[int, ...], avoided: Pairs) -> tuple[Payment, ...]:
    """Return the best plan of up to EXACT people who all owe or are owed something."""
    split = _Split(balances, avoided)
    return min(split.plans())[2]


class _Split:
    """The ways to split people into the most groups that cancel out.

    Sets are bits over all but the last, whose group is what the others leave.
    """

    def __init__(self, balances: tuple[int, ...], avoided: Pairs) -> None:
        *others, self.last = balances
        self.balances = balances
        self.avoided = avoided
        self.sums = _sums(others)
        self.most = _most_groups(self.sums)
        self.everybody = len(self.sums) - 1
        self.tried = 0
        self.known: dict[int, Plan] = {0: NOTHING}
        self.groups: dict[int, list[int]] = {}
        fewer = self.most[-1] - 1
        for group, total in enumerate(self.sums):
            least = not total and self.most[group] == 1
            if least and self.most[self.everybody ^ group] == fewer:
                self.groups.setdefault(group & -group, []).append(group)

    def plans(self) -> Iterator[Plan]:
        """Yield the best plan with each group that the last can be in."""
        for group, total in enumerate(self.sums):
            others = self.everybody ^ group
            if total != -self.last or self.most[group]:
                continue
            if self.most[others] == self.most[-1]:
                own = self._of([*self._people(group), len(self.balances) - 1])
                yield _together(own, self._rest(others))

    def _rest(self, people: int) -> Plan:
        if people not in self.known:
            self.known[people] = min(self._ways(people))
        return self.known[people]

    def _ways(self, people: int) -> Iterator[Plan]:
        """Yield the best plan with each group that the first of *people* can be in."""
        for group in self.groups[people & -people]:
            others = people & ~group
            if group & people != group or self.most[others] != self.most[people] - 1:
                continue
            yield _together(self._of(self._people(group)), self._rest(others))
            self.tried += 1
            if self.tried > TRIED:
                return

    def _people(self, group: int) -> list[int]:
        return [i for i in range(len(self.balances)) if group >> i & 1]

    def _of(self, people: list[int]) -> Plan:
        balances = tuple(self.balances[i] for i in people)
        shunned, amounts, found = _of_group(balances, _among(self.avoided, people))
        payments = tuple((people[a], people[b], paid) for a, b, paid in found)
        return shunned, amounts, payments


@lru_cache(maxsize=4096)
def _of_group(balances: tuple[int, ...], avoided: Pairs) -> Plan:
    """Return the best plan of a group of which no smaller one can be split off."""
    payers = sum(balance < 0 for balance in balances)
    if 1 < payers < len(balances) - 1 and len(balances) <= EVEN:
        return _Trees(balances, avoided).best()
    everybody = range(len(balances))
    orders = [
        sorted(everybody, key=lambda i: sign * abs(balances[i])) for sign in (0, 1, -1)
    ]
    return min(_plan(_in_order(list(balances), order), avoided) for order in orders)


class _Trees:
    """The payments of a group are a tree: each takes to the rest what is behind it."""

    def __init__(self, balances: tuple[int, ...], avoided: Pairs) -> None:
        self.balances = balances
        self.avoided = avoided
        self.sums = _sums(balances)
        self.known: dict[tuple[int, int], Plan | None] = {}

    def best(self) -> Plan:
        found = self._of(len(self.sums) - 1, 0)
        assert found is not None
        return found

    def _of(self, people: int, root: int) -> Plan | None:
        """Return the best way for these to settle, but for what the *root* has left.

        None where there is none: two who owe, say, have nothing to pay each other.
        """
        if people == 1 << root:
            return NOTHING
        if (people, root) not in self.known:
            self.known[people, root] = min(self._ways(people, root), default=None)
        return self.known[people, root]

    def _ways(self, people: int, root: int) -> Iterator[Plan]:
        """Yield the best plan with each branch that the first of the others is in."""
        others = people ^ 1 << root
        first, branch = others & -others, others
        while branch:
            owes = self.sums[branch] < 0
            if branch & first and owes != (self.balances[root] < 0):
                rest = self._of(people ^ branch, root)
                if rest is not None:
                    yield from (_together(rest, b) for b in self._branch(branch, root))
            branch = (branch - 1) & others

    def _branch(self, branch: int, root: int) -> Iterator[Plan]:
        """Yield the best plan of a branch for each who can pay the root, or be paid."""
        total = self.sums[branch]
        for i, balance in enumerate(self.balances):
            if branch >> i & 1 and (balance < 0) == (total < 0):
                plan = self._of(branch, i)
                if plan is not None:
                    payer, payee = (i, root) if total < 0 else (root, i)
                    paid = _plan([(payer, payee, abs(total))], self.avoided)
                    yield _together(plan, paid)


def _plan(payments: Iterable[Payment], avoided: Pairs) -> Plan:
    kept = tuple(sorted(payments))
    amounts = tuple(sorted((paid for _a, _b, paid in kept), reverse=True))
    return sum((a, b) in avoided for a, b, _paid in kept), amounts, kept


def _together(one: Plan, other: Plan) -> Plan:
    amounts = tuple(sorted(one[1] + other[1], reverse=True))
    return one[0] + other[0], amounts, tuple(sorted(one[2] + other[2]))


def _sums(balances: Iterable[int]) -> list[int]:
    """Return the sum of every set of these, by its bits."""
    sums = [0]
    for balance in balances:
        sums += [total + balance for total in sums]
    return sums


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
