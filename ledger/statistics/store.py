"""The digests that are kept: of closed evenings, their months, years and seasons.

They are written in the transaction that closes or reopens an evening, and follow from
its hands alone; so does who owes whom, kept beside them (see settlement/pair_sums.py).
While an evening is closed the database refuses every change of its hands, so that what
is kept stays true; `differences` compares it all the same.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from ledger.models import Evening, Season, SeasonDigest, TableDigest
from ledger.settlement import pair_sums
from ledger.statistics import digest as digests
from ledger.statistics import load, rating
from ledger.statistics.digest import FORMAT, Digest
from ledger.statistics.load import Played

AT_ONCE = 20
"""Evenings, or digests, that are read together."""

ALL_TABLES = 0
ALL_GAMES = ""

Which = tuple[int, str]
"""A table's number, or all; a game, or all."""

Told = dict[str, Any]
"""A digest as JSON."""

Span = SeasonDigest.Span
Stretch = tuple[Span, datetime.date | None]
SEASON: Stretch = (Span.SEASON, None)

KEPT = TableDigest.objects.filter(number=0, format=FORMAT).values("evening")
"""The evenings whose digests are kept: each of them has this one."""


@transaction.atomic
def store(evening: Evening) -> None:
    """Keep what *evening*, which is closed, comes to."""
    season = _locked(evening.season_id)
    is_last = _is_last(evening)
    (pieces,) = _keep([evening])
    if is_last:
        for stretch in stretches(evening.date):
            _append(season, stretch, pieces)
    else:
        _sum_up(season, [evening.date])
    rating.go_on(evening)


@transaction.atomic
def drop(evening: Evening) -> None:
    """Read *evening* from its hands again: they may change from now on."""
    season = _locked(evening.season_id)
    TableDigest.objects.filter(evening=evening).delete()
    pair_sums.drop([evening])
    _sum_up(season, [evening.date])
    rating.forget(evening)


def keep_many(evenings: Iterable[Evening]) -> Iterator[Evening]:
    """Keep what each of *evenings*, all closed, comes to, and yield it when done.

    Some are read together. The seasons are put together once, after the last; nothing
    is kept if not all is.
    """
    days: dict[int, set[datetime.date]] = defaultdict(set)
    first: dict[int, Evening] = {}
    left = iter(evenings)
    with transaction.atomic():
        while some := list(islice(left, AT_ONCE)):
            for season_id in sorted({evening.season_id for evening in some}):
                if season_id not in days:
                    _locked(season_id)
            _keep(some)
            for evening in some:
                days[evening.season_id].add(evening.date)
                earliest = first.setdefault(evening.club_id, evening)
                if (evening.date, evening.pk) < (earliest.date, earliest.pk):
                    first[evening.club_id] = evening
            yield from some
        for season in Season.objects.filter(pk__in=days):
            _sum_up(season, days[season.pk])
        for evening in first.values():
            rating.go_on(evening)


def loose(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return those of *evenings* that are to be read from their hands."""
    return evenings.exclude(pk__in=KEPT)


def digests_of(evening: Played) -> dict[Which, Digest]:
    """Return what an evening comes to: by table, and under 0 what has no table."""
    of = {(0, evening.evening.edition.variant): digests.of_booked(evening.booked)}
    for number, (game, facts) in evening.tables.items():
        of[number, game] = digests.of_table(facts)
    return of


def belongs(to: Which, which: Which) -> bool:
    """Tell whether what is kept as *which* is part of *to*."""
    return to[0] in (ALL_TABLES, which[0]) and to[1] in (ALL_GAMES, which[1])


def _locked(season: int) -> Season:
    """Return the season, which nobody else puts together meanwhile."""
    (locked,) = Season.objects.select_for_update(no_key=True).filter(pk=season)
    return locked


def _is_last(evening: Evening) -> bool:
    """Tell whether *evening* comes after all that is kept of its season."""
    later = Q(evening__date__gt=evening.date) | Q(
        evening__date=evening.date, evening__gte=evening.pk
    )
    season = TableDigest.objects.filter(evening__season=evening.season_id)
    return not season.filter(later).exists()


def _keep(evenings: Sequence[Evening]) -> list[dict[Which, Digest]]:
    for evening in evenings:
        if evening.closed_at is None:
            raise ValueError(f"expected a closed evening, got {evening}")
    TableDigest.objects.filter(evening__in=evenings).delete()
    pair_sums.store(evenings)
    read = load.read(evenings)
    kept = [digests_of(what) for what in read]
    TableDigest.objects.bulk_create(
        TableDigest(
            evening=evening,
            number=number,
            variant=variant,
            format=FORMAT,
            data=digest.to_json(),
        )
        for evening, pieces in zip(evenings, kept, strict=True)
        for (number, variant), digest in pieces.items()
    )
    rating.note(read)
    return kept


def stretches(day: datetime.date) -> tuple[Stretch, ...]:
    """Return the stretches of time that *day* is part of, the shortest first."""
    return (Span.MONTH, month_of(day)), (Span.YEAR, year_of(day)), SEASON


def _append(season: Season, stretch: Stretch, pieces: Mapping[Which, Digest]) -> None:
    """Add what came after all the rest, which is faster than adding all again."""
    groups = _groups_of(season, stretch)
    _group(groups, sorted(pieces.items()))
    _put(season, stretch, _told(groups, stretch))


def _sum_up(season: Season, days: Iterable[datetime.date]) -> None:
    """Put the digests of *season* together again where some of *days* have changed."""
    changed = {stretch for day in days for stretch in stretches(day)}
    for span in Span:
        for stretch in sorted(s for s in changed if s[0] == span):
            _put(season, stretch, made_anew(season, stretch))


def made_anew(season: Season, stretch: Stretch) -> dict[Which, Told]:
    """Return what the kept evenings come to, in every grouping.

    A month is put together from its evenings, a year from its months, the season
    from its years.
    """
    groups: dict[Which, Digest] = defaultdict(Digest)
    span, first = stretch
    if span == Span.MONTH and first:
        _group(groups, _evenings(season, first))
    else:
        parts = SeasonDigest.objects.filter(season=season, format=FORMAT)
        if span == Span.YEAR and first:
            parts = parts.filter(span=Span.MONTH, first__year=first.year)
        else:
            parts = parts.filter(span=Span.YEAR)
        for which, digest in _read(parts.order_by("first")):
            groups[which].add(digest)
    return _told(groups, stretch)


def _evenings(season: Season, month: datetime.date) -> Iterator[tuple[Which, Digest]]:
    rows = TableDigest.objects.filter(
        evening__season=season,
        evening__date__gte=month,
        evening__date__lt=next_month(month),
        format=FORMAT,
    )
    return _read(rows.order_by("evening__date", "evening", "number"))


def _groups_of(season: Season, stretch: Stretch) -> dict[Which, Digest]:
    span, first = stretch
    rows = SeasonDigest.objects.filter(
        season=season, span=span, first=first, format=FORMAT
    )
    return defaultdict(Digest, _read(rows))


def _read(
    rows: QuerySet[SeasonDigest] | QuerySet[TableDigest],
) -> Iterator[tuple[Which, Digest]]:
    columns = rows.values_list("number", "variant", "data")
    for number, variant, data in columns.iterator(AT_ONCE):
        yield (number, variant), Digest.from_json(data)


def _group(groups: dict[Which, Digest], pieces: Iterable[tuple[Which, Digest]]) -> None:
    """Add each of *pieces* to every grouping that it belongs to."""
    for (number, variant), piece in pieces:
        for which in {(n, v) for n in (0, number) for v in ("", variant)}:
            groups[which].add(piece)


def _told(groups: Mapping[Which, Digest], stretch: Stretch) -> dict[Which, Told]:
    """Return how whole evenings are kept; of a whole season not each has a point."""
    for digest in groups.values():
        digest.complete()
        if stretch == SEASON:
            digest.course.thin()
    return {which: digest.to_json() for which, digest in groups.items()}


def _put(season: Season, stretch: Stretch, sums: Mapping[Which, Told]) -> None:
    span, first = stretch
    SeasonDigest.objects.filter(season=season, span=span, first=first).delete()
    SeasonDigest.objects.bulk_create(
        SeasonDigest(
            season=season,
            span=span,
            first=first,
            number=number,
            variant=variant,
            format=FORMAT,
            data=data,
        )
        for (number, variant), data in sums.items()
    )


def year_of(day: datetime.date) -> datetime.date:
    return day.replace(month=1, day=1)


def month_of(day: datetime.date) -> datetime.date:
    return day.replace(day=1)


def next_month(month: datetime.date) -> datetime.date:
    return (month + datetime.timedelta(days=31)).replace(day=1)
