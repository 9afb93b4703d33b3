"""What is kept of closed evenings is what their hands come to, at any time."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ledger import journal, statistics
from ledger.models import SeasonDigest, TableDigest
from ledger.statistics import HandFilter

pytestmark = pytest.mark.django_db


def audited():
    out = StringIO()
    with suppress(CommandError):
        call_command("audit", stdout=out)
    return out.getvalue()


def points(found):
    return {row.player.name: row.points for row in found.ranking()}


def test_what_is_kept_stays_true_when_an_evening_is_reopened(
    night, club, owner, people, record, undo
):
    """Report 34: closed, opened, corrected and closed again."""
    for day in ("2026-10-30", "2026-11-06", "2026-11-20"):
        table = night(day, 2)
    scope = HandFilter(club)
    before, kept = statistics.read(scope), snapshot()

    journal.reopen_evening(table.evening, by=owner, reason="One hand more")
    reopened = statistics.read(scope)
    record(table)
    with_one_more = statistics.read(scope)
    undo(table)
    journal.close_evening(table.evening, by=owner)

    assert points(reopened) == points(before)
    assert with_one_more.hands == before.hands + 1 == 7
    assert statistics.read(scope).digest == before.digest
    assert snapshot() == kept
    assert "Nothing differs." in audited()


def snapshot():
    return (
        list(TableDigest.objects.order_by("evening", "number").values_list("data")),
        list(
            SeasonDigest.objects.order_by(
                "span", "first", "number", "variant"
            ).values_list("span", "first", "number", "variant", "data")
        ),
    )


def test_the_audit_finds_a_digest_that_was_changed_behind_its_back(night):
    """Report 34."""
    night("2026-11-20", 2)
    assert "Nothing differs." in audited()
    for model, where in (
        (TableDigest, {"number": 1}),
        (SeasonDigest, {"span": "month", "number": 0, "variant": ""}),
        (SeasonDigest, {"span": "year", "number": 0, "variant": "taroki"}),
        (SeasonDigest, {"span": "season", "number": 1, "variant": "taroki"}),
    ):
        row = model.objects.get(**where)
        good = json.dumps(row.data)
        row.data["sums"]["hands"][next(iter(row.data["sums"]["hands"]))] = {}
        row.save()

        said = audited()

        assert "the digest differs in sums." in said
        assert "--anew" in said
        row.data = json.loads(good)
        row.save()
    SeasonDigest.objects.filter(first=None, number=0, variant="").delete()
    assert "Kozy, 2026, table any, any game: the digest is missing." in audited()
    call_command("statistics", "--anew", stdout=StringIO())
    assert "Nothing differs." in audited()


def test_an_evening_that_is_not_kept_counts_all_the_same(night, club):
    """Another format is as if it were not there, until everything is kept anew."""
    night("2026-11-13", 2)
    night("2026-11-20", 3)
    scope = HandFilter(club)
    before = statistics.read(scope)
    TableDigest.objects.update(format=0)
    SeasonDigest.objects.update(format=0)

    without = statistics.read(scope)
    said = audited()
    out = StringIO()
    call_command("statistics", stdout=out)

    assert without.digest == before.digest
    assert "`manage.py statistics` keeps 2 closed evenings." in said
    assert out.getvalue() == "Kept 2 evenings.\n"
    assert statistics.read(scope).digest == before.digest
    assert "Nothing differs." in audited()


RANGES = [
    ("2026-10-30", "2027-12-02", 8),
    ("2026-10-31", None, 7),
    ("2024-12-30", "2027-01-01", 10),
    ("2025-12-31", "2026-10-31", 3),
    (None, "2026-11-30", 7),
    ("2026-11-01", "2026-11-30", 3),
    ("2026-11-08", "2026-11-27", 2),
    ("2026-12-02", "2026-12-02", 4),
    ("2027-01-02", "2027-02-01", 0),
]


def test_any_range_of_days_counts_the_evenings_in_it(night, club):
    """Reports 110, 121 and 123: months that lie in it whole, and the days around."""
    for day, count in (
        ("2024-12-29", 1),
        ("2025-12-30", 0),
        ("2025-12-31", 1),
        ("2026-01-01", 1),
        ("2026-10-30", 1),
        ("2026-11-07", 1),
        ("2026-11-27", 2),
        ("2026-12-02", 4),
    ):
        night(day, count)
    scopes = [
        HandFilter(
            club,
            since=since and date.fromisoformat(since),
            until=until and date.fromisoformat(until),
        )
        for since, until, _hands in RANGES
    ]

    kept = [statistics.read(scope) for scope in scopes]
    TableDigest.objects.all().delete()
    SeasonDigest.objects.all().delete()

    assert [found.hands for found in kept] == [hands for _s, _u, hands in RANGES]
    for scope, found in zip(scopes, kept, strict=True):
        assert found.digest == statistics.read(scope).digest
