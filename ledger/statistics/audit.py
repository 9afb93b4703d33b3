"""Whether the digests that are kept are still what the hands come to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ledger.models import Club, Evening, Season, SeasonDigest, TableDigest
from ledger.statistics import load, rating, store
from ledger.statistics.digest import FORMAT
from ledger.statistics.store import Span, Told, Which

ANEW = "`manage.py statistics --anew` makes them anew."


def differences(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Yield a sentence for every digest that differs; count what was compared."""
    evenings = club.evenings.filter(digests__format=FORMAT).distinct()
    for evening in evenings.select_related("edition").order_by("date", "pk"):
        yield from _evening(evening, checked)
    for season in club.seasons.order_by("starts", "pk"):
        yield from _season(club, season, checked)
    checked["ratings"] += 1
    for evening in rating.stale(club):
        yield f"{evening.full_name}: the rating is another. {ANEW}"


def not_kept(club: Club) -> int:
    """Return how many closed evenings are read from their hands, which takes long."""
    return store.loose(club.evenings.there().filter(closed_at__isnull=False)).count()


def _evening(evening: Evening, checked: Counter[str]) -> Iterator[str]:
    where = evening.full_name
    if evening.closed_at is None:
        yield f"{where} is open, and has digests all the same. {ANEW}"
    (now,) = load.read([evening])
    due = {which: digest.to_json() for which, digest in store.digests_of(now).items()}
    rows = TableDigest.objects.filter(evening=evening, format=FORMAT)
    found = _by_which(rows.values_list("number", "variant", "data"))
    yield from _differing(where, found, due, checked)
    if not rating.is_kept(now):
        yield f"{where}: who won against whom is kept wrongly. {ANEW}"


def _season(club: Club, season: Season, checked: Counter[str]) -> Iterator[str]:
    rows = SeasonDigest.objects.filter(season=season, format=FORMAT)
    tables = TableDigest.objects.filter(evening__season=season, format=FORMAT)
    dates = tables.values_list("evening__date", flat=True).distinct()
    stretches = {stretch for date in dates for stretch in store.stretches(date)}
    stretches |= {(Span(span), first) for span, first in rows.values_list(*STRETCH)}
    order = {span: place for place, span in enumerate(Span)}
    for span, first in sorted(stretches, key=lambda s: (order[s[0]], str(s[1]))):
        found = rows.filter(span=span, first=first)
        when = f", {first:{WRITTEN[span]}}" if first else ""
        yield from _differing(
            f"{club}, {season}{when}",
            _by_which(found.values_list("number", "variant", "data")),
            store.made_anew(season, (span, first)),
            checked,
        )


STRETCH = ("span", "first")
WRITTEN = {Span.MONTH: "%Y-%m", Span.YEAR: "%Y"}


def _by_which(rows: Any) -> dict[Which, Told]:
    return {(number, variant): data for number, variant, data in rows}


def _differing(
    where: str,
    found: dict[Which, Told],
    due: dict[Which, Told],
    checked: Counter[str],
) -> Iterator[str]:
    for which in sorted(found.keys() | due.keys()):
        checked["digests"] += 1
        number, variant = which
        what = f"{where}, table {number or 'any'}, {variant or 'any game'}"
        if which not in found:
            yield f"{what}: the digest is missing. {ANEW}"
        elif which not in due:
            yield f"{what}: there is a digest of nothing. {ANEW}"
        elif wrong := _parts(found[which], due[which]):
            yield f"{what}: the digest differs in {', '.join(wrong)}. {ANEW}"


def _parts(found: Told, due: Told) -> list[str]:
    due = json.loads(json.dumps(due))
    return sorted(
        part for part in found.keys() | due.keys() if found.get(part) != due.get(part)
    )
