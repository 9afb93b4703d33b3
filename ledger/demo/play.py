"""A club that never was, and plays as many evenings as one likes by the rules.

The same wish in an empty ledger gives the same club, every id and moment of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import statistics
from ledger.demo.club import Host
from ledger.demo.evening import play_evening
from ledger.demo.spec import ClubSpec
from ledger.models import Evening, User

__all__ = ["ClubSpec", "play"]


def play(wish: ClubSpec, by: User) -> Iterator[Evening]:
    """Let the club of *wish* play, and yield each evening when it is over.

    Every season but the last is closed. Raise `ValueError` on a wish that cannot be.
    """
    host = Host.of(wish, by)
    programme = wish.programme()
    for place, nights in enumerate(programme, start=1):
        season = host.season(nights)
        played = (play_evening(host, season, place, night) for night in nights)
        yield from statistics.rebuild(played)
        if place < len(programme):
            host.end(season, nights[-1].day)
