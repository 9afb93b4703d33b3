"""Seconds that an old sheet of 10,000 rows takes: read, reviewed, applied, reverted.

    make bench

BENCH_ROWS=1000 reads less.
"""

from __future__ import annotations

import datetime
import os
import time
from itertools import pairwise
from random import Random
from uuid import uuid4

import pytest

from ledger import journal
from ledger.imports import files
from ledger.imports.apply import apply_sheet
from ledger.imports.review import Review
from ledger.models import OldSheet, User

ROWS = int(os.getenv("BENCH_ROWS", "10000"))
AN_EVENING = 30
NAMES = ("Ania", "Bartek", "Celina", "Darek")
HEADS = {
    "points": ["Date", "Hand", *NAMES],
    "hands": [
        *("Date", "Hand", "Seat 1", "Seat 2", "Seat 3", "Seat 4"),
        *("Contract", "Declarer", "Partner", "Card points", "Bonuses"),
    ],
}

pytestmark = pytest.mark.django_db(transaction=True)


def sheet(mode):
    """Return a seeded sheet: an evening a week, thirty hands each."""
    random = Random(1)
    rows = [HEADS[mode]]
    for row in range(ROWS):
        week, hand = divmod(row, AN_EVENING)
        day = datetime.date(2015, 1, 2) + datetime.timedelta(weeks=week)
        if mode == "points":
            won = [random.randint(-9, 9) for _player in range(3)]
            rows.append([day, hand + 1, *won, -sum(won)])
        else:
            two = random.sample(NAMES, 2)
            bonus = random.choice(["", "trul+", f"pagat_ultimo! {two[0]} -"])
            points = random.randint(20, 60)
            rows.append(
                [day, hand + 1, *NAMES, random.choice("123"), *two, points, bonus]
            )
    return "\n".join(";".join(map(str, row)) for row in rows).encode()


@pytest.mark.parametrize("mode", list(HEADS))
def test_an_old_sheet_takes_seconds(mode, capsys):
    owner = User.objects.create_user("owner")
    club = journal.found_club("Kozy", owner=owner)
    choices = {
        "mode": mode,
        "variant": "taroki",
        "rules": {},
        "currency": "PLN",
        "stake": 20,
        "season": "Before",
        "people": {name.lower(): "new" for name in NAMES},
        "ticked": ["unlikely"],
    }
    marks = [time.perf_counter()]

    content = files.content_of("old.csv", sheet(mode))
    old = OldSheet.objects.create(
        id=uuid4(), club=club, content=content, choices=choices, uploaded_by=owner
    )
    marks.append(time.perf_counter())
    assert Review.of(old).is_ready
    marks.append(time.perf_counter())
    action = apply_sheet(old, by=owner)
    marks.append(time.perf_counter())
    journal.undo(action, id=uuid4(), by=owner)
    marks.append(time.perf_counter())

    read, review, applied, reverted = (b - a for a, b in pairwise(marks))
    with capsys.disabled():
        print(
            f"\n{mode}, {ROWS:,} rows: read {read:.2f} s, reviewed in {review:.2f} s, "
            f"applied in {applied:.1f} s, reverted in {reverted:.1f} s"
        )
