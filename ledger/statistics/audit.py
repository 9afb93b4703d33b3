"""Audit of stored digests: each compared with one rebuilt from the hands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ledger.models import Club, Evening, Season, SeasonDigest, TableDigest
from ledger.statistics import load, rating_store, store
from ledger.statistics.digest import FORMAT
from ledger.statistics.store import DigestJson, DigestKey, Span

ANEW = "`manage.py statistics --anew` makes them anew."


def differences(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Yield a sentence for every digest and rating that differs; count in *checked*."""
    evenings = club.evenings.filter(digests__format=FORMAT).distinct()
    for evening in evenings.select_related("edition").order_by("date", "pk"):
        yield from _evening(evening, checked)
    for season in club.seasons.order_by("starts", "pk"):
        yield from _season(club, season, checked)
    checked["ratings"] += 1
    for evening in rating_store.stale(club):
        yield f"{evening.full_name}: the rating is another. {ANEW}"


def count_without_digest(club: Club) -> int:
    """Return the number of closed evenings without digest, key slow every page."""
    return store.without_digest(
        club.evenings.not_removed().filter(closed_at__isnull=False)
    ).count()


def _evening(evening: Evening, checked: Counter[str]) -> Iterator[str]:
    where = evening.full_name
    if evening.closed_at is None:
        yield f"{where} is open, and has digests all the same. {ANEW}"
    (played,) = load.read([evening])
    due = {key: digest.dump() for key, digest in store.digests_of(played).items()}
    rows = TableDigest.objects.filter(evening=evening, format=FORMAT)
    found = _by_key(rows.values_list("number", "variant", "data"))
    yield from _differing(where, found, due, checked)
    if not rating_store.is_stored(played):
        yield f"{where}: who won against whom is kept wrongly. {ANEW}"


def _season(club: Club, season: Season, checked: Counter[str]) -> Iterator[str]:
    rows = SeasonDigest.objects.filter(season=season, format=FORMAT)
    tables = TableDigest.objects.filter(evening__season=season, format=FORMAT)
    dates = tables.values_list("evening__date", flat=True).distinct()
    periods = {period for date in dates for period in store.periods_of(date)}
    periods |= {
        (Span(span), first) for span, first in rows.values_list("span", "first")
    }
    order = {span: place for place, span in enumerate(Span)}
    for span, first in sorted(
        periods, key=lambda period: (order[period[0]], str(period[1]))
    ):
        found = rows.filter(span=span, first=first)
        when = f", {first:{DATE_FORMATS[span]}}" if first else ""
        yield from _differing(
            f"{club}, {season}{when}",
            _by_key(found.values_list("number", "variant", "data")),
            store.period_digests(season, (span, first)),
            checked,
        )


DATE_FORMATS = {Span.MONTH: "%Y-%m", Span.YEAR: "%Y"}


def _by_key(rows: Any) -> dict[DigestKey, DigestJson]:
    return {(number, variant): data for number, variant, data in rows}


def _differing(
    where: str,
    found: dict[DigestKey, DigestJson],
    due: dict[DigestKey, DigestJson],
    checked: Counter[str],
) -> Iterator[str]:
    for key in sorted(found.keys() | due.keys()):
        checked["digests"] += 1
        number, variant = key
        what = f"{where}, table {number or 'any'}, {variant or 'any game'}"
        if key not in found:
            yield f"{what}: the digest is missing. {ANEW}"
        elif key not in due:
            yield f"{what}: there is a digest of nothing. {ANEW}"
        elif wrong := _differing_parts(found[key], due[key]):
            yield f"{what}: the digest differs in {', '.join(wrong)}. {ANEW}"


def _differing_parts(found: DigestJson, due: DigestJson) -> list[str]:
    due = json.loads(json.dumps(due))  # tuples become lists, as in the database
    return sorted(
        part for part in found.keys() | due.keys() if found.get(part) != due.get(part)
    )
