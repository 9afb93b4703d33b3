"""Spec of an invented club: its size, its games, and the evenings that it plays."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from random import Random

from ledger.demo.deals.games import GAMES
from ledger.demo.names import PLAYER_NAMES
from ledger.table.rotation import FEWEST_SEATS
from ledger.text.dates import EARLIEST, LATEST, is_likely

MOST_HANDS = 1_000_000
LONGEST_NAME = 80
LAST_EVENING = datetime.date(2026, 6, 26)
WEEK = datetime.timedelta(weeks=1)
FEWEST_HANDS, MOST_TABLE_HANDS = 25, 40
"""Hands of a table in an evening."""
FOR_TWO_TABLES = 8
TWO_TABLES = 0.35
"""Probability of a second table, from `FOR_TWO_TABLES` players on."""


@dataclass(frozen=True, slots=True)
class ClubSpec:
    """An invented club as ordered."""

    name: str
    hands: int
    seed: int
    games: tuple[str, ...]
    players: int = 8
    seasons: int = 0
    """Number of seasons of equal length; 0: one a year."""
    until: datetime.date = LAST_EVENING
    """Date of the last evening; evenings are a week apart."""

    def problem(self) -> str:
        """Return a sentence about an impossible value, or an empty text."""
        if not 1 <= len(self.name.strip()) <= LONGEST_NAME:
            return f"A club's name has 1 to {LONGEST_NAME} characters."
        if not 1 <= self.hands <= MOST_HANDS:
            return f"Play 1 to {MOST_HANDS} hands."
        if not FEWEST_SEATS <= self.players <= len(PLAYER_NAMES):
            return f"A club has {FEWEST_SEATS} to {len(PLAYER_NAMES)} players."
        if not is_likely(self.until):
            return f"The last evening is from {EARLIEST} to {LATEST}."
        if self.seasons < 0:
            return "There are no fewer seasons than none."
        if strange := [game for game in self.games if game not in GAMES]:
            return f"Nobody can play {strange[0]}: choose of {', '.join(GAMES)}."
        return "" if self.games else "Choose a game."

    def evenings_by_season(self) -> list[list[EveningSpec]]:
        """Return the evenings of each season, with all hands among them."""
        sizes = [*self._sizes()]
        first = self.until - WEEK * (len(sizes) - 1)
        evenings = [EveningSpec(first + WEEK * n, size) for n, size in enumerate(sizes)]
        if not self.seasons:
            return [
                [*year]
                for _y, year in groupby(evenings, lambda evening: evening.day.year)
            ]
        parts = min(self.seasons, len(evenings))
        ends = [len(evenings) * part // parts for part in range(parts + 1)]
        return [evenings[one:two] for one, two in pairwise(ends)]

    def _sizes(self) -> Iterator[tuple[int, ...]]:
        left, rng = self.hands, Random(self.seed)
        while left:
            many = self.players >= FOR_TWO_TABLES and rng.random() < TWO_TABLES
            size = []
            for _table in range(2 if many else 1):
                size.append(min(left, rng.randint(FEWEST_HANDS, MOST_TABLE_HANDS)))
                left -= size[-1]
            yield tuple(hands for hands in size if hands)


@dataclass(frozen=True, slots=True)
class EveningSpec:
    """An evening to play: its date, and the number of hands at each table."""

    day: datetime.date
    hands: tuple[int, ...]
