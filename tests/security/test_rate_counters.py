"""Rate counters: exact under concurrency, in a file of their own."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import time_machine
from django.db import connections

from ledger.security import rate_counters

ROOT = Path(__file__).parent.parent.parent
COUNTING = """
import sys, django
django.setup()
from ledger.security import rate_counters
for time in range(100):
    print(rate_counters.increment("key", within=60).number)
"""


@pytest.mark.django_db(transaction=True)
def test_threads_that_count_at_once_lose_nothing():
    key = rate_counters.counter_key("threads", "here")

    def phone(_number):
        try:
            return [
                rate_counters.increment(key, within=60).number for _time in range(10)
            ]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as phones:
        told = [number for numbers in phones.map(phone, range(4)) for number in numbers]

    assert sorted(told) == list(range(1, 41))
    assert rate_counters.read(key).number == 40


def test_processes_share_a_file_beside_the_ledger_that_only_the_owner_reads(tmp_path):
    run = {
        "env": os.environ
        | {
            "DATA_DIR": str(tmp_path),
            "DATABASE_URL": "",
            "DJANGO_SETTINGS_MODULE": "ledger.settings",
        },
        "cwd": ROOT,
        "stdout": subprocess.PIPE,
        "text": True,
    }
    run["env"].pop("DATABASE_URL")

    workers = [
        subprocess.Popen([sys.executable, "-c", COUNTING], **run) for _worker in "12"
    ]
    told = [int(line) for one in workers for line in one.communicate()[0].split()]

    made = {
        file.name: stat.S_IMODE(file.stat().st_mode)
        for file in tmp_path.glob("*.sqlite3*")
    }
    assert sorted(told) == list(range(1, 201))
    assert made == {"counts.sqlite3": 0o600, "counts.sqlite3-queue": 0o600}


def test_a_count_that_has_run_out_begins_anew_and_the_others_are_swept(db):
    with time_machine.travel(time.time(), tick=False) as clock:
        rate_counters.increment("old", within=10)
        rate_counters.increment("again", within=60)
        rate_counters.increment("again", within=60)
        clock.shift(60)
        again = rate_counters.increment("again", within=60)

        assert (again.number, rate_counters.read("old").number) == (1, 0)
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT key FROM kontra_counts")
            assert cursor.fetchall() == [("again",)]
