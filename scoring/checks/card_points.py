"""Bonuses against card points: what each takes for its side, or leaves."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.checks.bonuses import about
from scoring.hand import BonusLine, Hand
from scoring.items import Bonus
from scoring.problems import Problem
from scoring.sides import Side
from scoring.text import _
from scoring.variant import Variant


def check_card_points(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield each bonus that the card points, or the other bonuses, leave no room for.

    The card points of the declarer's side are narrowed down fact by fact: by the count
    or the result, then by sweeps, then by the other bonuses.
    """
    least, most = _points_by_result(variant, hand)
    for line in sorted(hand.bonuses, key=lambda line: line.bonus not in variant.sweeps):
        bonus = variant.bonus[line.bonus]
        low, high = _points_by_bonus(variant, hand, bonus, line)
        if max(low, least) > min(high, most):
            yield _contradicted(variant, hand, bonus, line)
        else:
            least, most = max(low, least), min(high, most)


def _points_by_result(variant: Variant, hand: Hand) -> tuple[int, int]:
    """Return the least and most card points that the declarer's side can have."""
    game, most = variant.game, variant.pack.points
    if hand.card_points is not None:
        return hand.card_points, hand.card_points
    if hand.won is None:
        return 0, most
    tied = game.tie is not None and game.tie_goes_to == "last_doubler_loses"
    if hand.won:
        return game.wins_with - tied, most
    return 0, game.wins_with - 1


def _points_by_bonus(
    variant: Variant, hand: Hand, bonus: Bonus, line: BonusLine
) -> tuple[int, int]:
    """Return the least and most that *line* leaves the declarer's side."""
    top, ours = variant.pack.points, line.side is Side.DECLARER
    if bonus.at_least is not None:
        if line.made:
            return (bonus.at_least, top) if ours else (0, top - bonus.at_least)
        if line.announced:
            return (0, bonus.at_least - 1) if ours else (top - bonus.at_least + 1, top)
    if line.made and bonus.id in variant.sweeps and hand.contract:
        contract, wins = variant.contract[hand.contract], variant.game.wins_with
        if ours:
            return max(contract.sweep_at_least, wins), top
        left = contract.swept_at_most
        return 0, wins - 1 if left is None else left
    return 0, top


def _contradicted(
    variant: Variant, hand: Hand, bonus: Bonus, line: BonusLine
) -> Problem:
    if hand.card_points is None:
        return about(
            bonus,
            _("{bonus}: does not fit the result. Correct one of them."),
            code="not_with_result",
        )
    low, high = _points_by_bonus(variant, hand, bonus, line)
    values = {"points": hand.card_points, "least": low, "most": high}
    if hand.card_points < low:
        message = _(
            "{bonus} as entered needs {least} card points or more for the declarer’s "
            "side, which has {points}."
        )
    else:
        message = _(
            "{bonus} as entered leaves the declarer’s side {most} card points or "
            "fewer, but it has {points}."
        )
    return about(bonus, message, code="not_with_points", **values)
