"""Store of the digests: of each closed evening, and of its month, year and season.

The running total of a season is part of its digest (`SeasonDigest` of the span
"season"). These functions are all that write digests, each in the caller's transaction:

* `store` on closing an evening: adds the digests of its tables, and updates those of
  its month, year and season;
* `drop` on reopening or amending it: deletes the first, and rebuilds the others;
* `rebuild` for many closed evenings at once: imports, club files, demo data, and
  `manage.py statistics`.

Ratings (`rating_store`) and pair sums (`settlement.pair_sums`) are stored, dropped and
rebuilt here together with the digests. An evening without digest is read from its hands
(`query`). The database refuses changes to hands of a closed evening, so a digest stays
right until the evening is reopened; `audit.differences` compares it all the same.
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
from ledger.statistics import load, rating_store
from ledger.statistics.digest import FORMAT, Digest
from ledger.statistics.load import PlayedEvening

BATCH = 20
"""Evenings, or digests, read together."""

ALL_TABLES = 0
ALL_GAMES = ""

DigestKey = tuple[int, str]
"""Number of a table or ALL_TABLES; id of a variant or ALL_GAMES."""

DigestJson = dict[str, Any]
"""A digest as `Digest.dump` returns it."""

Span = SeasonDigest.Span
Period = tuple[Span, datetime.date | None]
"""A month or year of a season by its first day, or the whole season."""
WHOLE_SEASON: Period = (Span.SEASON, None)

# Every evening has this digest, of what belongs to none of its tables.
WITH_DIGEST = TableDigest.objects.filter(number=0, format=FORMAT).values("evening")


@transaction.atomic
def store(evening: Evening) -> None:
    """Store the digests of *evening*, which is closed.

    Raise `ValueError` when it is open.
    """
    season = _locked_season(evening.season_id)
    is_last = _is_last(evening)
    (pieces,) = _store_evenings([evening])
    if is_last:
        # Adding the last evening costs one digest, rebuilding all of a month.
        for period in periods_of(evening.date):
            _append(season, period, pieces)
    else:
        _rebuild_periods(season, [evening.date])
    rating_store.rebuild_since(evening)


@transaction.atomic
def drop(evening: Evening) -> None:
    """Delete the digests of *evening*, whose hands can change from now on."""
    season = _locked_season(evening.season_id)
    TableDigest.objects.filter(evening=evening).delete()
    pair_sums.drop([evening])
    _rebuild_periods(season, [evening.date])
    rating_store.drop(evening)


def rebuild(evenings: Iterable[Evening]) -> Iterator[Evening]:
    """Store the digests of *evenings*, all closed, anew; yield each evening when done.

    Seasons follow once, after the last evening. All is stored, or nothing.
    """
    days: dict[int, set[datetime.date]] = defaultdict(set)
    earliest: dict[int, Evening] = {}
    left = iter(evenings)
    with transaction.atomic():
        while some := list(islice(left, BATCH)):
            for season_id in sorted({evening.season_id for evening in some}):
                if season_id not in days:
                    _locked_season(season_id)
            _store_evenings(some)
            for evening in some:
                days[evening.season_id].add(evening.date)
                known = earliest.get(evening.club_id, evening)
                earliest[evening.club_id] = min(known, evening, key=_in_order)
            yield from some
        for season in Season.objects.filter(pk__in=days):
            _rebuild_periods(season, days[season.pk])
        for evening in earliest.values():
            rating_store.rebuild_since(evening)


def _in_order(evening: Evening) -> tuple[datetime.date, int]:
    return evening.date, evening.pk


def without_digest(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return those of *evenings* that are read from their hands."""
    return evenings.exclude(pk__in=WITH_DIGEST)


def digests_of(evening: PlayedEvening) -> dict[DigestKey, Digest]:
    """Return the digests of an evening: by table, and under 0 its other entries."""
    others = digests.of_other_entries(evening.other_entries)
    of = {(ALL_TABLES, evening.evening.edition.variant): others}
    for number, (game, hands) in evening.tables.items():
        of[number, game] = digests.of_table(hands)
    return of


def is_part(key: DigestKey, whole: DigestKey) -> bool:
    """Tell whether the digest under *key* is part of the one under *whole*."""
    return whole[0] in (ALL_TABLES, key[0]) and whole[1] in (ALL_GAMES, key[1])


def _locked_season(season: int) -> Season:
    """Return the season, locked against others who rebuild its digests."""
    (locked,) = Season.objects.select_for_update(no_key=True).filter(pk=season)
    return locked


def _is_last(evening: Evening) -> bool:
    """Tell whether *evening* comes after all evenings of its season with digests."""
    later = Q(evening__date__gt=evening.date) | Q(
        evening__date=evening.date, evening__gte=evening.pk
    )
    season = TableDigest.objects.filter(evening__season=evening.season_id)
    return not season.filter(later).exists()


def _store_evenings(evenings: Sequence[Evening]) -> list[dict[DigestKey, Digest]]:
    for evening in evenings:
        if evening.closed_at is None:
            raise ValueError(f"expected a closed evening, got {evening}")
    TableDigest.objects.filter(evening__in=evenings).delete()
    pair_sums.store(evenings)
    played = load.read(evenings)
    stored = [digests_of(one) for one in played]
    TableDigest.objects.bulk_create(
        TableDigest(
            evening=evening,
            number=number,
            variant=variant,
            format=FORMAT,
            data=digest.dump(),
        )
        for evening, pieces in zip(evenings, stored, strict=True)
        for (number, variant), digest in pieces.items()
    )
    rating_store.store(played)
    return stored


def periods_of(day: datetime.date) -> tuple[Period, ...]:
    """Return the periods of *day*, the shortest first."""
    return (Span.MONTH, month_of(day)), (Span.YEAR, year_of(day)), WHOLE_SEASON


def _append(season: Season, period: Period, pieces: Mapping[DigestKey, Digest]) -> None:
    """Add the digests of the last evening to those of *period*."""
    groups = _load_groups(season, period)
    _add_to_groups(groups, sorted(pieces.items()))
    _replace(season, period, _dump(groups, period))


def _rebuild_periods(season: Season, days: Iterable[datetime.date]) -> None:
    """Rebuild the digests of the periods of *days*, months before years."""
    changed = {period for day in days for period in periods_of(day)}
    for span in Span:
        for period in sorted(s for s in changed if s[0] == span):
            _replace(season, period, period_digests(season, period))


def period_digests(season: Season, period: Period) -> dict[DigestKey, DigestJson]:
    """Return the digests of *period*: for all tables and games, and for each.

    A month is the sum of its evenings, a year of its months, the season of its years.
    """
    groups: dict[DigestKey, Digest] = defaultdict(Digest)
    span, first = period
    if span == Span.MONTH and first:
        _add_to_groups(groups, _month_digests(season, first))
    else:
        parts = SeasonDigest.objects.filter(season=season, format=FORMAT)
        if span == Span.YEAR and first:
            parts = parts.filter(span=Span.MONTH, first__year=first.year)
        else:
            parts = parts.filter(span=Span.YEAR)
        for key, digest in _load(parts.order_by("first")):
            groups[key].add(digest)
    return _dump(groups, period)


def _month_digests(
    season: Season, month: datetime.date
) -> Iterator[tuple[DigestKey, Digest]]:
    rows = TableDigest.objects.filter(
        evening__season=season,
        evening__date__gte=month,
        evening__date__lt=next_month(month),
        format=FORMAT,
    )
    return _load(rows.order_by("evening__date", "evening", "number"))


def _load_groups(season: Season, period: Period) -> dict[DigestKey, Digest]:
    span, first = period
    rows = SeasonDigest.objects.filter(
        season=season, span=span, first=first, format=FORMAT
    )
    return defaultdict(Digest, _load(rows))


def _load(
    rows: QuerySet[SeasonDigest] | QuerySet[TableDigest],
) -> Iterator[tuple[DigestKey, Digest]]:
    columns = rows.values_list("number", "variant", "data")
    for number, variant, data in columns.iterator(BATCH):
        yield (number, variant), Digest.load(data)


def _add_to_groups(
    groups: dict[DigestKey, Digest], pieces: Iterable[tuple[DigestKey, Digest]]
) -> None:
    """Add each of *pieces* to the digests of its table, its game, both and all."""
    for (number, variant), piece in pieces:
        for key in {(n, v) for n in (0, number) for v in ("", variant)}:
            groups[key].add(piece)


def _dump(
    groups: Mapping[DigestKey, Digest], period: Period
) -> dict[DigestKey, DigestJson]:
    """Dump digests of complete evenings, with fewer points on a season's curve."""
    for digest in groups.values():
        digest.complete()
        if period == WHOLE_SEASON:
            digest.running_totals.thin()
    return {key: digest.dump() for key, digest in groups.items()}


def _replace(
    season: Season, period: Period, sums: Mapping[DigestKey, DigestJson]
) -> None:
    span, first = period
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
