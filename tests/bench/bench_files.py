"""The files of a club of ten thousand hands, and of more: seconds, and memory on top.

    HANDS=100000 .venv/bin/pytest tests/bench/bench_files.py …   # else 10,000

Each is written in a process of its own, after one of a few hands that loads all code;
what it then takes on top should not grow with the hands. The club's file is loaded
into an empty ledger and saved from there again: it must be the same.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from django.conf import settings
from django.db import connection

from ledger import clubfile
from ledger.demo import play
from ledger.exports.csv import writer
from ledger.exports.csv.export_scope import ExportScope
from ledger.exports.csv.files import CSV_FILES
from ledger.models import Club, User
from ledger.snapshot import stream_snapshot

HANDS = int(os.environ.get("HANDS", "10000"))
FILES = ("postings", "hands", "lines", "club")

pytestmark = pytest.mark.django_db(transaction=True)


def write(name, which, path):
    """Return the seconds of work, and the megabytes on top, that a file takes."""
    connection.close()
    club = Club.objects.get(name=name)
    before, began = peak(), time.process_time()
    with path.open("wb") as file:
        file.writelines(stream_snapshot(lambda: chunks(club, which)))
    return time.process_time() - began, peak() - before


def chunks(club, which):
    if which == "club":
        return clubfile.dump(club)
    return writer.encode(CSV_FILES[which].rows(ExportScope(club)), writer.Style())


def peak(who=resource.RUSAGE_SELF):
    return resource.getrusage(who).ru_maxrss // 1024


def test_the_files_of_a_large_club(tmp_path, capsys):
    owner = User.objects.create_user("owner")
    for name, hands in (("Few", 100), ("Many", HANDS)):
        wish = play.ClubSpec(name, hands=hands, seed=1, games=("taroki",))
        list(play.play_club(wish, owner))
    connection.close()

    told = []
    for which in FILES:
        path = tmp_path / which
        with ProcessPoolExecutor(1, get_context("fork")) as apart:
            apart.submit(write, "Few", which, path).result()
            spent, more = apart.submit(write, "Many", which, path).result()
        size = path.stat().st_size / 1e6
        told.append(f"{which}: {spent:.2f} s of work, {more} MB on top, {size:.1f} MB")
    told.append(loaded(tmp_path / "club", tmp_path))

    with capsys.disabled():
        print(f"\n{HANDS} hands", *told, sep="\n")


def loaded(path, folder):
    """Load the file into a ledger of its own, and save it from there again."""
    manage(folder, "migrate", "--verbosity", "0")
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    manage(folder, "load_club", path, "--no-audit")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began
    manage(folder, "save_club", "1", folder / "again")

    assert (folder / "again").read_bytes() == path.read_bytes()
    most = peak(resource.RUSAGE_CHILDREN)
    return f"loaded: {spent:.1f} s of work, {most} MB at most, and the same again"


def manage(folder, *asked):
    kept = {key: of for key, of in os.environ.items() if key != "DATABASE_URL"}
    subprocess.run(
        [sys.executable, "manage.py", *asked, "--settings", "ledger.settings"],
        cwd=settings.BASE_DIR,
        env=kept | {"DATA_DIR": str(folder)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
