"""What is looked at, read: the digests that are kept, and the hands of what is open.

The number of queries is the same for ten hands and for a hundred thousand.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from ledger.models import Club, Evening, Season, SeasonDigest, TableDigest
from ledger.statistics import load, store
from ledger.statistics.digest import FORMAT, Digest, together
from ledger.statistics.store import Span, Which


@dataclass(frozen=True, slots=True)
class HandFilter:
    """What is looked at: a club's hands, limited by anything given.

    Adjustments belong to an evening: to none of its tables, and to its own game.
    """

    club: Club
    season: Season | None = None
    since: datetime.date | None = None
    until: datetime.date | None = None
    """The last day, itself included."""
    variant: str = ""
    table: int = 0

    @property
    def which(self) -> Which:
        return self.table, self.variant

    def evenings(self) -> QuerySet[Evening]:
        """Return the evenings of the club, the season and the days, by date."""
        evenings = Evening.objects.there().filter(self._within(""))
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
        """Return what holds for the kept digests of single tables."""
        return self._within("evening__") & self.tables()

    def tables(self) -> Q:
        """Return the same of tables whose evenings are chosen already."""
        tables = Q(format=FORMAT)
        if self.table:
            tables &= Q(number=self.table)
        if self.variant:
            tables &= Q(variant=self.variant)
        return tables


def whole(scope: HandFilter) -> Digest:
    """Return what the hands of *scope* come to, the evenings still open last."""
    pieces = [*_kept(scope), *_loose(scope)]
    digest = pieces[0] if len(pieces) == 1 else together(pieces)
    digest.complete()
    return digest


def _kept(scope: HandFilter) -> Iterator[Digest]:
    number, variant = scope.which
    seasons = SeasonDigest.objects.filter(
        season__club=scope.club, number=number, variant=variant, format=FORMAT
    )
    if scope.season is not None:
        seasons = seasons.filter(season=scope.season)
    if scope.since is None and scope.until is None:
        whole = seasons.filter(span=Span.SEASON)
        yield from _read(whole.order_by("season__starts", "season"))
        return
    tables = TableDigest.objects.filter(scope.tables_within())
    single = tables.order_by("evening__date", "evening", "number")
    parts = seasons.order_by("first", "season__starts", "season")
    first, after = _whole_months(scope)
    if first >= after:
        yield from _read(single)
        return
    year, end = _whole_years(first, after)
    yield from _read(single.filter(evening__date__lt=first))
    for span, start, stop in (
        (Span.MONTH, first, year),
        (Span.YEAR, year, end),
        (Span.MONTH, end, after),
    ):
        within = parts.filter(span=span, first__gte=start, first__lt=stop)
        yield from _read(within)
    yield from _read(single.filter(evening__date__gte=after))


def _whole_months(scope: HandFilter) -> tuple[datetime.date, datetime.date]:
    """Return the first month that lies in *scope* whole, and the first after it."""
    first, after = datetime.date.min, datetime.date.max
    if scope.since is not None:
        month = store.month_of(scope.since)
        first = month if month == scope.since else store.next_month(month)
    if scope.until is not None:
        after = store.month_of(scope.until + datetime.timedelta(days=1))
    return first, after


def _whole_years(
    first: datetime.date, after: datetime.date
) -> tuple[datetime.date, datetime.date]:
    """Return the first year within these months, and the first after it."""
    year, end = store.year_of(first), store.year_of(after)
    if year < first:
        year = year.replace(year=year.year + 1)
    return (year, end) if year < end else (after, after)


def _read(
    rows: QuerySet[SeasonDigest] | QuerySet[TableDigest],
) -> Iterable[Digest]:
    return [Digest.from_json(data) for data in rows.values_list("data", flat=True)]


def _loose(scope: HandFilter) -> Iterator[Digest]:
    for evening in load.read(list(store.loose(scope.evenings()))):
        for which, digest in sorted(store.digests_of(evening).items()):
            if store.belongs(scope.which, which):
                yield digest
