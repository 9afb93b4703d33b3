"""Hands that were not played out: thrown in, surrendered, annulled."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.checks.game import check_contract
from scoring.hand import Hand
from scoring.items import Ending, EndingKind
from scoring.problems import Problem, problem
from scoring.text import Text, _
from scoring.variant import Variant


def check_unplayed(variant: Variant, ending: Ending, hand: Hand) -> Iterator[Problem]:
    """Yield what a hand that ended before it was played out cannot have."""
    if ending.kind is EndingKind.SURRENDERED:
        yield from _surrender(variant, hand)
    elif not ending.keeps_contract:
        for field in ("contract", "declarer"):
            if getattr(hand, field) is not None:
                yield _left_over(field, ending)
        if hand.contra:
            yield _left_over("contra", ending)
    for field in ("partner", "card_points", "won", "xxi_lost_by"):
        if getattr(hand, field) is not None:
            yield _left_over(field, ending)
    for field in ("bonuses", "holdings"):
        if getattr(hand, field):
            yield _left_over(field, ending)


def _left_over(field: str, ending: Ending) -> Problem:
    return problem(
        field,
        _("The hand ended as “{ending}”: leave this empty."),
        code="left_over",
        ending=Text(ending.name),
    )


def _surrender(variant: Variant, hand: Hand) -> Iterator[Problem]:
    if hand.declarer is None:
        yield problem("declarer", _("Choose the declarer."), code="no_declarer")
    if hand.contract is None:
        yield problem("contract", _("Choose the contract."), code="no_contract")
        return
    contract = variant.contract[hand.contract]
    if not contract.may_surrender:
        yield problem(
            "ending",
            _("Contract {contract} takes no cards, so nobody can surrender it."),
            code="no_surrender",
            contract=Text(contract.name),
        )
    if hand.contra and not contract.contra:
        yield from check_contract(variant, hand)


def check_annulment(ending: Ending, hand: Hand) -> Iterator[Problem]:
    """Yield who annulled the hand, and why, where nobody did."""
    if ending.by:
        return
    for field in ("annulled_by", "annulled_because"):
        if getattr(hand, field) is not None:
            yield problem(
                field,
                _("The hand was not annulled: leave this empty."),
                code="not_annulled",
            )
