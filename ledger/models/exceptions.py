"""Exceptions of writes, beside `scoring.Refused`, which has problems to show."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404

from ledger.models import Action, Evening, Hand, Season, Version


class Taken(ValueError):
    """Another *hand* has the number, or the id: the scorer has to choose."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        super().__init__(f"hand {hand.number} is already recorded")


class Stale(ValueError):
    """Something was written in the meantime, by the actions *since*.

    *version* is the latest of the hand, where it is about a hand.
    """

    def __init__(self, version: Version | None, since: Sequence[Action]) -> None:
        self.version = version
        self.since = tuple(since)
        super().__init__("it was changed in the meantime")


class Closed(ValueError):
    """The evening is closed: only payments and carryovers are written in it."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        super().__init__(f"the evening {evening.name!r} is closed")


class Removed(Http404):
    """The evening was removed: it is not found until that is undone."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        super().__init__(f"the evening {evening.name!r} is removed")


class SeasonClosed(ValueError):
    """The season is closed: no evening begins or is reopened in it."""

    def __init__(self, season: Season) -> None:
        self.season = season
        super().__init__(f"the season {season.name!r} is closed")
