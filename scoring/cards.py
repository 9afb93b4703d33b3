"""Cards: what they are worth and called, and how a pile of them is counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scoring.text import Text, _


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """Picture cards of one value: how many the pack has and what each is worth."""

    id: str
    name: str
    points: int
    cards: tuple[str, ...]
    named: tuple[str, ...] = ()
    """What stands on each card where they are shown one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A pack of cards, and how the card points of a pile are counted.

    *group* cards are counted together: a pile's points are its cards' values less
    *off* for every full group, and less *left_over[r]* where *r* cards are left over.
    """

    points: int
    """Card points of the whole pack."""
    ranks: tuple[Rank, ...]
    plain: tuple[str, ...]
    """Codes of the cards that count one."""
    group: int = 1
    off: int = 0
    left_over: tuple[int, ...] = (0,)
    trumps: int = 22
    hand: int
    """Cards in each player's hand."""
    apart: int = 6
    """Cards that lie in no hand: talon, stock, discards."""
    values: Mapping[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        values = dict.fromkeys(self.plain, 1)
        values |= {card: rank.points for rank in self.ranks for card in rank.cards}
        object.__setattr__(self, "values", values)

    def count(self, cards: Iterable[str]) -> int:
        """Return the points of a pile. Raise `ValueError` on a card twice or unknown.

        >>> from scoring import get_variant
        >>> get_variant("taroki").pack.count(["SK", "SQ", "SN"])
        10
        """
        pile = list(cards)
        for number, card in enumerate(pile):
            if card not in self.values:
                raise ValueError(f"unknown card {card!r}")
            if card in pile[:number]:
                raise ValueError(f"card {card!r} lies in the pile twice")
        return self._points(sum(self.values[card] for card in pile), len(pile))

    def count_ranks(self, held: Mapping[str, int], size: int) -> int:
        """Return the points of a pile of *size* cards from how many of each rank.

        Raise `ValueError` when the pack has fewer, or the pile is too small.
        """
        pictures = 0
        points = size
        for rank in self.ranks:
            number = held.get(rank.id, 0)
            if not 0 <= number <= len(rank.cards):
                raise ValueError(f"expected 0 to {len(rank.cards)} {rank.id}")
            pictures += number
            points += number * (rank.points - 1)
        if not pictures <= size <= len(self.values):
            raise ValueError(f"expected {pictures} to {len(self.values)} cards")
        return self._points(points, size)

    def _points(self, worth: int, size: int) -> int:
        groups, rest = divmod(size, self.group)
        return worth - self.off * groups - self.left_over[rest]


SUITS = {
    "spades": Text(_("spades")),
    "clubs": Text(_("clubs")),
    "hearts": Text(_("hearts")),
    "diamonds": Text(_("diamonds")),
}
SIGNS = {
    "spades": "♠\ufe0e",
    "clubs": "♣\ufe0e",
    "hearts": "♥\ufe0e",
    "diamonds": "♦\ufe0e",
}


def called_name(card: str) -> Text:
    """Return the name of a called card: a suit, or a trump's numeral."""
    if card in SUITS:
        return SUITS[card]
    return Text(roman(int(card))) if card.isdigit() else Text(card)


def roman(number: int) -> str:
    """Return *number*, 1 or more, as it stands on a trump.

    >>> [roman(n) for n in (1, 4, 9, 19, 24, 120)]
    ['I', 'IV', 'IX', 'XIX', 'XXIV', 'CXX']
    """
    numeral = ""
    for value, sign in ROMAN:
        while number >= value:
            numeral += sign
            number -= value
    return numeral


ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
