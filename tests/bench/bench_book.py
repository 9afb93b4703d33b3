"""The season book of ten thousand hands, and of more: seconds, and memory on top.

    HANDS=100000 .venv/bin/pytest tests/bench/bench_book.py …   # else 10,000

It is written in a process of its own, as the site does it, after one of a few hands
that loads all code; what it then takes on top should not grow with the hands.
"""

from __future__ import annotations

import os
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from django.db import connection

from ledger.demo import play
from ledger.exports import workbook
from ledger.models import Season, User
from ledger.snapshot import read_snapshot

HANDS = int(os.environ.get("HANDS", "10000"))

pytestmark = pytest.mark.django_db(transaction=True)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def write_book(season, path):
    """Return the seconds and the megabytes that a book takes."""
    connection.close()
    before, began = peak(), time.process_time()
    with read_snapshot(), path.open("wb") as file:
        workbook.write(Season.objects.get(pk=season), file)
    return time.process_time() - began, peak() - before


def test_the_book_of_a_long_season(tmp_path, capsys):
    owner = User.objects.create_user("owner")
    seasons = []
    for name, hands in (("Few", 100), ("Many", HANDS)):
        wish = play.ClubSpec(
            name, hands=hands, seed=1, games=("taroki",), players=12, seasons=1
        )
        evenings = list(play.play_club(wish, owner))
        seasons.append(evenings[0].season_id)
    connection.close()

    with ProcessPoolExecutor(1, get_context("fork")) as apart:
        path = tmp_path / "book.xlsx"
        few, many = [apart.submit(write_book, pk, path).result() for pk in seasons]

    with capsys.disabled():
        size = path.stat().st_size / 1e6
        print(
            f"\n{HANDS} hands: {many[0]:.1f} s of work, {many[1]} MB on top, ", end=""
        )
        print(f"a file of {size:.1f} MB; a hundred hands: {few[0]:.2f} s")
