"""Who won the game."""

from __future__ import annotations

from scoring.hand import Hand
from scoring.sides import Side
from scoring.variant import Variant


def winner(variant: Variant, hand: Hand) -> Side | None:
    """Return the side that won the game; None where a tie is nobody's.

    The hand must say who won, or how many card points the declarer's side has.
    """
    game = variant.game
    if hand.card_points is None:
        return Side.DECLARER if hand.won else Side.DEFENDERS
    if hand.card_points == game.tie and game.tie_goes_to != "defenders":
        if game.tie_goes_to == "nobody":
            return None
        return Side.DECLARER if hand.contra % 2 else Side.DEFENDERS
    won = hand.card_points >= game.wins_with
    return Side.DECLARER if won else Side.DEFENDERS
