"""What sort of club somebody wishes for, and when it then plays how much."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from random import Random

from ledger.demo.deals.games import GAMES
from ledger.demo.names import PEOPLE
from ledger.table.rotation import FEWEST
from ledger.text.dates import EARLIEST, LATEST, is_likely

MOST_HANDS = 1_000_000
LONGEST_NAME = 80
FRIDAY = datetime.date(2026, 6, 26)
WEEK = datetime.timedelta(weeks=1)
SHORT, LONG = 25, 40
"""How many hands a table plays in an evening."""
FOR_TWO_TABLES = 8
TWO_TABLES = 0.35
"""How often so many people come."""


@dataclass(frozen=True, slots=True)
class ClubSpec:
    name: str
    hands: int
    seed: int
    games: tuple[str, ...]
    players: int = 8
    seasons: int = 0
    """How many, of the same length; with 0 there is one a year."""
    until: datetime.date = FRIDAY
    """When the last evening is; they are a week apart."""

    def wrong(self) -> str:
        """Return why there cannot be such a club, if there cannot."""
        if not 1 <= len(self.name.strip()) <= LONGEST_NAME:
            return f"A club's name has 1 to {LONGEST_NAME} characters."
        if not 1 <= self.hands <= MOST_HANDS:
            return f"Play 1 to {MOST_HANDS} hands."
        if not FEWEST <= self.players <= len(PEOPLE):
            return f"A club has {FEWEST} to {len(PEOPLE)} players."
        if not is_likely(self.until):
            return f"The last evening is from {EARLIEST} to {LATEST}."
        if self.seasons < 0:
            return "There are no fewer seasons than none."
        if strange := [game for game in self.games if game not in GAMES]:
            return f"Nobody can play {strange[0]}: choose of {', '.join(GAMES)}."
        return "" if self.games else "Choose a game."

    def programme(self) -> list[list[PlayedDay]]:
        """Return the evenings, season by season: together they have all the hands."""
        sizes = [*self._sizes()]
        first = self.until - WEEK * (len(sizes) - 1)
        nights = [PlayedDay(first + WEEK * n, size) for n, size in enumerate(sizes)]
        if not self.seasons:
            return [
                [*year] for _y, year in groupby(nights, lambda night: night.day.year)
            ]
        parts = min(self.seasons, len(nights))
        ends = [len(nights) * part // parts for part in range(parts + 1)]
        return [nights[one:two] for one, two in pairwise(ends)]

    def _sizes(self) -> Iterator[tuple[int, ...]]:
        left, rng = self.hands, Random(self.seed)
        while left:
            many = self.players >= FOR_TWO_TABLES and rng.random() < TWO_TABLES
            size = []
            for _table in range(2 if many else 1):
                size.append(min(left, rng.randint(SHORT, LONG)))
                left -= size[-1]
            yield tuple(hands for hands in size if hands)


@dataclass(frozen=True, slots=True)
class PlayedDay:
    """An evening to come: the day, and how many hands each table plays."""

    day: datetime.date
    hands: tuple[int, ...]
