"""Whether the digests that are kept are still what the hands come to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ledger.models import Club, Evening, Season, SeasonDigest, TableDigest
from ledger.statistics import kept, played
from ledger.statistics.digest import FORMAT
from ledger.statistics.kept import Told, Which

ANEW = "`manage.py statistics --anew` makes them anew."


def differences(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Yield a sentence for every digest that differs; count what was compared."""
    evenings = club.evenings.filter(digests__format=FORMAT).distinct()
    for evening in evenings.select_related("edition").order_by("date", "pk"):
        yield from _evening(club, evening, checked)
    for season in club.seasons.order_by("starts", "pk"):
        yield from _season(club, season, checked)


def not_kept(club: Club) -> int:
    """Return how many closed evenings are read from their hands, which takes long."""
    return kept.loose(club.evenings.filter(closed_at__isnull=False)).count()


def _evening(club: Club, evening: Evening, checked: Counter[str]) -> Iterator[str]:
    where = f"{club}, {evening} ({evening.date})"
    if evening.closed_at is None:
        yield f"{where} is open, and has digests all the same. {ANEW}"
    (now,) = played.read([evening])
    due = {which: digest.to_json() for which, digest in kept.digests_of(now).items()}
    rows = TableDigest.objects.filter(evening=evening, format=FORMAT)
    found = _by_which(rows.values_list("number", "variant", "data"))
    yield from _differing(where, found, due, checked)


def _season(club: Club, season: Season, checked: Counter[str]) -> Iterator[str]:
    rows = SeasonDigest.objects.filter(season=season, format=FORMAT)
    days = TableDigest.objects.filter(evening__season=season, format=FORMAT)
    dates = days.values_list("evening__date", flat=True).distinct()
    months = {kept.month_of(date) for date in dates}
    known = rows.filter(month__isnull=False).values_list("month", flat=True)
    for month in sorted(months | {month for month in known if month}):
        found = rows.filter(month=month).values_list("number", "variant", "data")
        where = f"{club}, {season}, {month:%Y-%m}"
        due = kept.of_month(season, month)
        yield from _differing(where, _by_which(found), due, checked)
    whole = rows.filter(month=None).values_list("number", "variant", "data")
    yield from _differing(
        f"{club}, {season}", _by_which(whole), kept.of_season(season), checked
    )


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
