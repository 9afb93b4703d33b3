"""Export scope: the evenings and entries of a CSV file, read in batches.

Memory does not grow with the number of hands. The caller reads in one snapshot (see
ledger/snapshot.py).
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

BATCH = 25
"""Evenings read together."""


@dataclass(frozen=True)
class ExportScope:
    """One evening, one season, or all of a club."""

    club: Club
    season: Season | None = None
    evening: Evening | None = None

    @property
    def evenings(self) -> QuerySet[Evening]:
        """Return the evenings in order of play."""
        found = Evening.objects.shown().filter(club=self.club)
        if self.evening:
            found = found.filter(pk=self.evening.pk)
        elif self.season:
            found = found.filter(season=self.season)
        return found.select_related("season", "edition").order_by("date", "pk")

    @property
    def entries(self) -> Q:
        """Return the condition for postings, of evenings and outside of them."""
        if self.evening:
            return Q(entry__evening=self.evening)
        if self.season:
            of_season = Q(entry__season=self.season)
            return Q(entry__evening__season=self.season) | of_season
        return Q(entry__club=self.club)

    @property
    def outside_evenings(self) -> Q | None:
        """Return the condition for entries outside evenings; None for one evening."""
        if self.evening:
            return None
        owner = {"season": self.season} if self.season else {"club": self.club}
        return Q(evening=None, **owner)

    @cached_property
    def people(self) -> dict[int, Player]:
        """Return all players of the club by id, in order of names, the pot last."""
        everybody = self.club.players.order_by("kind", "name", "pk")
        return {player.pk: player for player in everybody}

    def batches(self) -> Iterator[dict[int, Evening]]:
        """Yield the evenings by id, `BATCH` at a time."""
        evenings = self.evenings.iterator(BATCH)
        while some := {evening.pk: evening for evening in islice(evenings, BATCH)}:
            yield some


def evening_headings() -> tuple[str, ...]:
    """Return the headings of `evening_cells`."""
    return _("Season"), _("Date"), _("Evening")


def evening_cells(evening: Evening) -> tuple[str, str, str]:
    """Return season, date and name of *evening*."""
    return evening.season.name, evening.date.isoformat(), evening.name


@lru_cache(1024)
def decimal_amount(minor: int, currency: str) -> Decimal | None:
    """Return minor units as a decimal of the currency; None without a currency."""
    if not currency:
        return None
    return Decimal(minor).scaleb(-amounts.minor_digits(currency))
