"""Streaks: hands in a row in profit or at a loss, mergeable where two digests meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ledger.statistics.played_hand import HandPosition


class Streak(NamedTuple):
    """Hands in a row of one *sign*: in plus, in minus, or 0."""

    sign: int
    length: int
    first: HandPosition
    last: HandPosition


class Streaks(NamedTuple):
    """Streaks of a player: the first, the last, and the longest of either sign.

    Head and tail are there so that the streaks of later hands can continue them.
    """

    hands: int
    head: Streak
    tail: Streak
    plus: Streak | None
    minus: Streak | None

    @classmethod
    def of(cls, gain: int, place: HandPosition) -> Streaks:
        streak = Streak((gain > 0) - (gain < 0), 1, place, place)
        plus = streak if streak.sign > 0 else None
        minus = streak if streak.sign < 0 else None
        return cls(1, streak, streak, plus, minus)

    def then(self, later: Streaks) -> Streaks:
        """Return the streaks of these hands and the *later* ones."""
        one, other = self.tail, later.head
        if one.sign != other.sign:
            bridge = None
            head, tail = self.head, later.tail
        else:
            bridge = Streak(one.sign, one.length + other.length, one.first, other.last)
            head = bridge if self.head.length == self.hands else self.head
            tail = bridge if later.tail.length == later.hands else later.tail
        return Streaks(
            self.hands + later.hands,
            head,
            tail,
            _longest(1, self.plus, bridge, later.plus),
            _longest(-1, self.minus, bridge, later.minus),
        )


def _longest(sign: int, *streaks: Streak | None) -> Streak | None:
    """Return the longest of this sign, of equal ones the earliest."""
    some = [streak for streak in streaks if streak and streak.sign == sign]
    return max(some, key=lambda streak: streak.length, default=None)


def _load(row: Sequence[Any]) -> Streak:
    sign, length, first, last = row
    return Streak(sign, length, HandPosition(*first), HandPosition(*last))


def load_streaks(row: Sequence[Any]) -> Streaks:
    """Parse the JSON of `Streaks`, a named tuple and so an array."""
    hands, head, tail, *longest = row
    plus, minus = (None if one is None else _load(one) for one in longest)
    return Streaks(hands, _load(head), _load(tail), plus, minus)
