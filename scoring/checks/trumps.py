"""Trumps: who lost the XXI, and how many were declared."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.hand import Hand
from scoring.problems import Problem, problem, warning
from scoring.text import Text, Who, _
from scoring.variant import Variant


def check_mayor(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield why the XXI, whose loser is the Mayor, was not lost like that."""
    if variant.mayor is None or hand.xxi_lost_by is None or hand.declarer is None:
        return
    loser = hand.side_of(hand.xxi_lost_by)
    catch = variant.bonus[variant.mayor.caught_by]
    if any(
        line.made
        and line.side is loser
        and variant.bonus[line.bonus].takes & catch.captures
        for line in hand.bonuses
    ):
        yield problem(
            "xxi_lost_by",
            _("{player}’s side has the XXI in its own tricks: choose an opponent."),
            code="mayor_on_capturing_side",
            player=Who(hand.xxi_lost_by),
        )
    elif not hand.has_made(catch.id, loser.other):
        yield warning(
            "xxi_lost_by",
            _("{player} lost the XXI, so the opponents made {bonus}. Add it?"),
            code="mayor_without_capture",
            player=Who(hand.xxi_lost_by),
            bonus=Text(catch.name),
        )


def check_holdings(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield why the trumps declared cannot be right: not paid, too many, too few.

    The others hold a hand of trumps each at the most; of all trumps only so many can
    lie apart, in the talon or discarded.
    """
    if not hand.holdings:
        return
    if variant.holdings is None or variant.holdings.paid_to == "nobody":
        yield problem(
            "holdings",
            _("Declared trumps are not paid here: leave them out."),
            code="holdings_not_paid",
        )
        return
    pack, declared = variant.pack, sum(int(n) for n in hand.holdings.values())
    others = (variant.active - len(hand.holdings)) * pack.hand
    if declared > pack.trumps:
        yield problem(
            "holdings",
            _("{declared} trumps are declared, but the pack has {trumps}."),
            code="too_many_trumps",
            declared=declared,
            trumps=pack.trumps,
        )
    elif declared + others < pack.trumps - pack.apart:
        yield problem(
            "holdings",
            _("That is too few trumps: the hands hold at least {least}."),
            code="too_few_trumps",
            least=pack.trumps - pack.apart,
        )
