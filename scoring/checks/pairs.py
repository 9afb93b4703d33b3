"""Two bonuses that ask for the same trick or card in two places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from scoring.checks.bonuses import about
from scoring.hand import BonusLine, Hand
from scoring.items import Bonus
from scoring.problems import Problem
from scoring.text import Text, Who, _
from scoring.variant import Variant


def check_pairs(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield each two bonuses that cannot both have been made, or announced."""
    for one, two in combinations(hand.bonuses, 2):
        a, b = variant.bonus[one.bonus], variant.bonus[two.bonus]
        message = None
        if one.made and two.made:
            message = _both_made(variant, a, b, one.side is two.side)
        if message is not None:
            yield _not_both(a, b, message)
        elif a is not b or one.side is None or one.side is not two.side:
            yield from _both_announced(a, b, one, two)


def _not_both(a: Bonus, b: Bonus, message: str, **players: object) -> Problem:
    """Return the problem of *b* beside *a*, which is named where it is another."""
    other = {} if a is b else {"other": Text(a.name)}
    return about(b, message, code="not_both", **other, **players)


def _both_made(variant: Variant, a: Bonus, b: Bonus, same_side: bool) -> str | None:
    """Return why *a* and *b* cannot both have been made, if they cannot."""
    if not same_side:
        if a is b and (a.tricks or a.takes):
            return _("{bonus} cannot be made by both sides.")
        if a.tricks & b.tricks:
            return _("{other} and {bonus}: one trick cannot go to both sides.")
        if a.takes & b.takes:
            return _("{other} and {bonus}: one card cannot be in both piles.")
        if a.id in variant.sweeps or b.id in variant.sweeps:
            return _("{other} and {bonus}: a side without a trick makes no bonus.")
    if a.won_by and b.won_by and a.id != b.id:
        if max(a.tricks) == max(b.tricks) and a.won_by != b.won_by:
            return _("{other} and {bonus}: one trick cannot be won by two cards.")
        if max(a.tricks) != max(b.tricks) and a.won_by == b.won_by:
            return _("{other} and {bonus}: one card cannot win two tricks.")
    if a.won_by in b.captures or b.won_by in a.captures:
        return _("{other} and {bonus}: a card that won its trick was not captured.")
    return None


def _both_announced(
    a: Bonus, b: Bonus, one: BonusLine, two: BonusLine
) -> Iterator[Problem]:
    first, second = one.announced_by, two.announced_by
    if first is None or second is None or first == second or not a.holds & b.holds:
        return
    message = (
        _("{bonus}: announced by {one} and {two}, but only one player holds its cards.")
        if a is b
        else _(
            "{other}: announced by {one}, {bonus}: by {two}. "
            "Only one player holds the card that both need."
        )
    )
    yield _not_both(a, b, message, one=Who(first), two=Who(second))
