"""Deck for the play: cards are numbers, suit after suit, the trumps above all.

A higher number beats a lower one of the same suit, and a trump every other card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import scoring

SUITS: Mapping[str, str] = {"S": "spades", "C": "clubs", "H": "hearts", "D": "diamonds"}
"""Suits by the first letter of a card's code."""
LETTERS = (*SUITS, "T")
TRUMPS = 4
"""The place of the trumps among the suits."""
FOOL = 22
"""Rank of the Fool, above the XXI."""


@dataclass(frozen=True, slots=True)
class Deck:
    codes: tuple[str, ...]
    number: Mapping[str, int]
    suit: tuple[int, ...]
    worth: tuple[int, ...]
    force: tuple[float, ...]
    """Expected tricks of each card, for bids."""
    trumps: int
    """The lowest trump."""
    hand: int
    """Cards in each hand."""

    @classmethod
    def of(cls, pack: scoring.Pack, ranks: Sequence[str]) -> Deck:
        """Return *pack* with the *ranks* of its suits from the lowest up."""

        def order(code: str) -> tuple[int, int]:
            if code == "F":
                return TRUMPS, FOOL
            suit = LETTERS.index(code[0])
            rank = code[1:]
            return suit, int(rank) if suit == TRUMPS else ranks.index(rank)

        codes = tuple(sorted(pack.values, key=order))
        suits = tuple(order(code)[0] for code in codes)
        return cls(
            codes=codes,
            number={code: number for number, code in enumerate(codes)},
            suit=suits,
            worth=tuple(pack.values[code] for code in codes),
            force=tuple(_force(*order(code), len(ranks)) for code in codes),
            trumps=suits.index(TRUMPS),
            hand=pack.hand,
        )

    def numbers(self, codes: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.number[code] for code in codes)

    def code(self, cards: Iterable[int]) -> list[str]:
        return [self.codes[card] for card in cards]


def _force(suit: int, rank: int, ranks: int) -> float:
    if suit < TRUMPS:
        return {ranks - 1: 0.8, ranks - 2: 0.3}.get(rank, 0.0)
    return 0.7 + max(0, rank - 12) * 0.1
