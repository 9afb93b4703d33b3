"""Query of statistics: stored digests of closed evenings, merged with live ones of the
evenings that are still open.

The number of queries is constant: whole seasons, years and months come as one digest
each (see `store`), the days at both ends as the digests of single evenings.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from ledger.models import Club, Evening, Season, SeasonDigest, TableDigest
from ledger.statistics import load, store
from ledger.statistics.digest import FORMAT, Digest, merged
from ledger.statistics.store import DigestKey, Span


@dataclass(frozen=True, slots=True)
class HandFilter:
    """Filter of a club's hands: by season, days, game and table.

    An adjustment belongs to the game of its evening and to no table.
    """

    club: Club
    season: Season | None = None
    since: datetime.date | None = None
    until: datetime.date | None = None
    """The last day, itself included."""
    variant: str = ""
    table: int = 0

    @property
    def key(self) -> DigestKey:
        return self.table, self.variant

    def evenings(self) -> QuerySet[Evening]:
        """Return the evenings of the club, the season and the days, by date."""
        evenings = Evening.objects.not_removed().filter(self._within(""))
        return evenings.select_related("edition").order_by("date", "pk")

    def _within(self, evening: str) -> Q:
        within = Q(**{f"{evening}club": self.club})
        if self.season is not None:
            within &= Q(**{f"{evening}season": self.season})
        if self.since is not None:
            within &= Q(**{f"{evening}date__gte": self.since})
        if self.until is not None:
            within &= Q(**{f"{evening}date__lte": self.until})
        return within

    def tables_within(self) -> Q:
        """Return the condition for the stored digests of single tables."""
        return self._within("evening__") & self.tables()

    def tables(self) -> Q:
        """Return the same for tables of evenings that are selected already."""
        tables = Q(format=FORMAT)
        if self.table:
            tables &= Q(number=self.table)
        if self.variant:
            tables &= Q(variant=self.variant)
        return tables


def digest_of(hand_filter: HandFilter) -> Digest:
    """Return the digest of the hands, evenings that are still open last."""
    pieces = [*_stored(hand_filter), *_live(hand_filter)]
    digest = pieces[0] if len(pieces) == 1 else merged(pieces)
    digest.complete()
    return digest


def _stored(hand_filter: HandFilter) -> Iterator[Digest]:
    number, variant = hand_filter.key
    seasons = SeasonDigest.objects.filter(
        season__club=hand_filter.club, number=number, variant=variant, format=FORMAT
    )
    if hand_filter.season is not None:
        seasons = seasons.filter(season=hand_filter.season)
    if hand_filter.since is None and hand_filter.until is None:
        full = seasons.filter(span=Span.SEASON)
        yield from _load(full.order_by("season__starts", "season"))
        return
    tables = TableDigest.objects.filter(hand_filter.tables_within())
    single = tables.order_by("evening__date", "evening", "number")
    parts = seasons.order_by("first", "season__starts", "season")
    first, after = _full_months(hand_filter)
    if first >= after:
        yield from _load(single)
        return
    year, end = _full_years(first, after)
    yield from _load(single.filter(evening__date__lt=first))
    for span, start, stop in (
        (Span.MONTH, first, year),
        (Span.YEAR, year, end),
        (Span.MONTH, end, after),
    ):
        within = parts.filter(span=span, first__gte=start, first__lt=stop)
        yield from _load(within)
    yield from _load(single.filter(evening__date__gte=after))


def _full_months(hand_filter: HandFilter) -> tuple[datetime.date, datetime.date]:
    """Return the first month that lies fully in the filter, and the first after it."""
    first, after = datetime.date.min, datetime.date.max
    if hand_filter.since is not None:
        month = store.month_of(hand_filter.since)
        first = month if month == hand_filter.since else store.next_month(month)
    if hand_filter.until is not None:
        after = store.month_of(hand_filter.until + datetime.timedelta(days=1))
    return first, after


def _full_years(
    first: datetime.date, after: datetime.date
) -> tuple[datetime.date, datetime.date]:
    """Return the first year within these months, and the first after it."""
    year, end = store.year_of(first), store.year_of(after)
    if year < first:
        year = year.replace(year=year.year + 1)
    return (year, end) if year < end else (after, after)


def _load(
    rows: QuerySet[SeasonDigest] | QuerySet[TableDigest],
) -> Iterable[Digest]:
    return [Digest.load(data) for data in rows.values_list("data", flat=True)]


def _live(hand_filter: HandFilter) -> Iterator[Digest]:
    for evening in load.read(list(store.without_digest(hand_filter.evenings()))):
        for key, digest in sorted(store.digests_of(evening).items()):
            if store.is_part(key, hand_filter.key):
                yield digest
