"""Hands in a row in which a player gained, or lost: put together at their ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ledger.statistics.played_hand import SeatTaken


class Run(NamedTuple):
    """Hands in a row of one *sign*: in plus, in minus, or 0."""

    sign: int
    length: int
    first: SeatTaken
    last: SeatTaken


class Runs(NamedTuple):
    """The hands of a player in order, as far as runs need them."""

    hands: int
    head: Run
    tail: Run
    plus: Run | None
    minus: Run | None

    @classmethod
    def of(cls, gain: int, place: SeatTaken) -> Runs:
        run = Run((gain > 0) - (gain < 0), 1, place, place)
        return cls(
            1, run, run, run if run.sign > 0 else None, run if run.sign < 0 else None
        )

    def then(self, later: Runs) -> Runs:
        """Return these hands and the *later* ones."""
        one, other = self.tail, later.head
        if one.sign != other.sign:
            bridge = None
            head, tail = self.head, later.tail
        else:
            bridge = Run(one.sign, one.length + other.length, one.first, other.last)
            head = bridge if self.head.length == self.hands else self.head
            tail = bridge if later.tail.length == later.hands else later.tail
        return Runs(
            self.hands + later.hands,
            head,
            tail,
            _longest(1, self.plus, bridge, later.plus),
            _longest(-1, self.minus, bridge, later.minus),
        )


def _longest(sign: int, *runs: Run | None) -> Run | None:
    """Return the longest, of equal ones the earliest."""
    some = [run for run in runs if run and run.sign == sign]
    return max(some, key=lambda run: run.length, default=None)


def _run(kept: Sequence[Any]) -> Run:
    sign, length, first, last = kept
    return Run(sign, length, SeatTaken(*first), SeatTaken(*last))


def _longest_of(kept: Sequence[Any] | None) -> Run | None:
    return None if kept is None else _run(kept)


def runs_of(kept: Sequence[Any]) -> Runs:
    """Return the runs that JSON spells."""
    hands, *some = kept
    head, tail, *longest = some
    return Runs(hands, _run(head), _run(tail), *map(_longest_of, longest))
