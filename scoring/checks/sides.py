"""The declarer, his partner, and why he plays alone."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.hand import Hand
from scoring.items import Reason
from scoring.problems import Problem, problem, warning
from scoring.text import _
from scoring.variant import Variant


def check_sides(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield what cannot be of declarer, partner and the reason for playing alone."""
    if hand.declarer is None:
        yield problem("declarer", _("Choose the declarer."), code="no_declarer")
    elif hand.partner == hand.declarer:
        yield problem(
            "partner",
            _("Leave the partner empty when the declarer plays alone."),
            code="own_partner",
        )
    if hand.alone is not None:
        yield from _alone(variant.alone_reason[hand.alone], hand)


def _alone(reason: Reason, hand: Hand) -> Iterator[Problem]:
    if hand.partner is not None:
        yield problem(
            "alone",
            _("The declarer has a partner: leave out the reason for playing alone."),
            code="not_alone",
        )
    if reason.needs_contra and not hand.contra:
        yield problem("contra", reason.needs_contra, code="needs_contra")
    if reason.unlikely and not _declarer_announced(hand, reason.unlikely_unless):
        yield warning("alone", reason.unlikely, code="unlikely_alone")


def _declarer_announced(hand: Hand, bonus: str) -> bool:
    return any(
        line.bonus == bonus and line.announced_by == hand.declarer is not None
        for line in hand.bonuses
    )
