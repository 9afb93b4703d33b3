"""What a file covers, read some evenings at a time, in the order they were played.

Memory stays flat, however many hands there are. Whoever reads does so in one moment
of the ledger (see ledger/snapshot.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import islice

from django.db.models import Q, QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from ledger.models import Club, Evening, Player, Season
from ledger.text import amounts

AT_ONCE = 25
"""Evenings that are read together."""


@dataclass(frozen=True)
class ExportScope:
    """What a file covers: an evening, a season or all of a club."""

    club: Club
    season: Season | None = None
    evening: Evening | None = None

    @property
    def evenings(self) -> QuerySet[Evening]:
        """Return its evenings as they were played."""
        found = Evening.objects.shown().filter(club=self.club)
        if self.evening:
            found = found.filter(pk=self.evening.pk)
        elif self.season:
            found = found.filter(season=self.season)
        return found.select_related("season", "edition").order_by("date", "pk")

    @property
    def entries(self) -> Q:
        """Return which postings belong here, those of its evenings among them."""
        if self.evening:
            return Q(entry__evening=self.evening)
        if self.season:
            of_season = Q(entry__season=self.season)
            return Q(entry__evening__season=self.season) | of_season
        return Q(entry__club=self.club)

    @property
    def outside(self) -> Q | None:
        """Return which entries belong here and to no evening, if any can."""
        if self.evening:
            return None
        book = {"season": self.season} if self.season else {"club": self.club}
        return Q(evening=None, **book)

    @cached_property
    def people(self) -> dict[int, Player]:
        """Return all of the club by id, in the order of their names, the pot last."""
        everybody = self.club.players.order_by("kind", "name", "pk")
        return {player.pk: player for player in everybody}

    def batches(self) -> Iterator[dict[int, Evening]]:
        """Yield the evenings by id, some at a time."""
        evenings = self.evenings.iterator(AT_ONCE)
        while some := {evening.pk: evening for evening in islice(evenings, AT_ONCE)}:
            yield some


def when() -> tuple[str, ...]:
    """Return the headings that say which evening it was."""
    return _("Season"), _("Date"), _("Evening")


def of(evening: Evening) -> tuple[str, str, str]:
    return evening.season.name, evening.date.isoformat(), evening.name


@lru_cache(1024)
def amount(minor: int, currency: str) -> Decimal | None:
    """Return the money as spreadsheets sum it; none where none is played for."""
    if not currency:
        return None
    return Decimal(minor).scaleb(-amounts.minor_digits(currency))
