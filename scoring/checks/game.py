"""The game itself: its contract, the kontra on it, and who won it."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.hand import Hand
from scoring.problems import Problem, problem
from scoring.result import winner
from scoring.sides import Side
from scoring.text import Text, _
from scoring.variant import Variant


def check_contract(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield that there is no contract, or a kontra on one that allows none."""
    if hand.contract is None:
        yield problem("contract", _("Choose the contract."), code="no_contract")
    elif hand.contra and not variant.contract[hand.contract].contra:
        yield problem(
            "contra",
            _("There is no kontra on contract {contract}: remove the kontra."),
            code="no_contra_on_contract",
            contract=Text(variant.contract[hand.contract].name),
        )


def check_result(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield that nobody is said to have won, or not who has the card points."""
    if hand.card_points is None:
        if hand.won is None:
            yield problem(
                "won", _("Say who won, or count the card points."), code="no_result"
            )
    elif hand.won is not None and hand.won != (winner(variant, hand) is Side.DECLARER):
        yield problem(
            "won",
            _(
                "The declarer’s side has {points} card points and needs {needed} to "
                "win: correct the points, or who won."
            ),
            code="result_twice",
            points=hand.card_points,
            needed=variant.game.wins_with,
        )
