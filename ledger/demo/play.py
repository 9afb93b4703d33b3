"""Play of an invented club : seasons of evenings, by the rules.

The same spec in an empty ledger gives the same club, with the same ids and times.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import statistics
from ledger.demo.club import DemoClub
from ledger.demo.evening import play_evening
from ledger.demo.spec import ClubSpec
from ledger.models import Evening, User

__all__ = ["ClubSpec", "play_club"]


def play_club(spec: ClubSpec, by: User) -> Iterator[Evening]:
    """Play all evenings of *spec*, and yield each when it is over.

    Every season but the last is closed. Raise `ValueError` on a spec with a problem.
    """
    demo = DemoClub.of(spec, by)
    seasons = spec.evenings_by_season()
    for place, evenings in enumerate(seasons, start=1):
        season = demo.create_season(evenings)
        played = (play_evening(demo, season, place, evening) for evening in evenings)
        yield from statistics.rebuild(played)
        if place < len(seasons):
            demo.close_season(season, evenings[-1].day)
