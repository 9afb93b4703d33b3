"""The contra ladder: each step doubles one item."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.sides import Side
from scoring.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The words of the steps, lowest first, and the highest that the club allows."""

    none: str
    steps: tuple[str, ...]
    top: int

    def word(self, level: int) -> Text:
        """Return the word that was said last, at *level* 0 that nothing was."""
        return Text(self.steps[level - 1] if level else self.none)

    def next_side(self, announcer: Side, level: int) -> Side:
        """Return the side that may double next: the first contra is the other's.

        >>> ladder = Ladder(none="no", steps=("kontra", "rekontra"), top=2)
        >>> [ladder.next_side(Side.DECLARER, level).value for level in (0, 1)]
        ['defenders', 'declarer']
        """
        return announcer.other if level % 2 == 0 else announcer


def factor(level: int) -> int:
    """Return by how much *level* steps multiply.

    >>> [factor(level) for level in range(6)]
    [1, 2, 4, 8, 16, 32]
    """
    return 1 << level
