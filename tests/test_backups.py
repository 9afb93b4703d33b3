"""Backups: written while phones write, compared, verified and restored."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from ledger import backups, journal, tallies
from ledger.models import Club, Evening, Hand, Version
from tests.support.fixtures import won

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).parent.parent
TALLIES = """
from ledger import tallies
from ledger.models import Evening
print([[(row.player.name, row.points, row.money, row.hands)
        for row in tallies.tally(evening)]
       for evening in Evening.objects.order_by("pk")])
"""


def all_tallies():
    return [
        [
            (row.player.name, row.points, row.money, row.hands)
            for row in tallies.tally(evening)
        ]
        for evening in Evening.objects.order_by("pk")
    ]


def said(*command, **options):
    out = StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue()


def elsewhere(url, *command):
    """Run a command of ours on another database; return what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", *map(str, command)],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url, "SECRET_KEY": "signs nothing"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def demo():
    call_command("demo", stdout=StringIO())


@pytest.fixture
def file(tmp_path):
    return tmp_path / "kontra.backup"


@pytest.fixture(autouse=True)
def _keeps_old_ledgers_here(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"


def test_a_backup_comes_back_in_an_empty_place_with_every_tally(demo, file):
    """Report 127; how it is done every night is in the README."""
    call_command("backup", file, stdout=StringIO())

    with backups.empty_database_url() as url:
        restored = elsewhere(url, "restore", file)
        there = elsewhere(url, "shell", "--no-imports", "-c", TALLIES)

    assert restored.endswith("Nothing differs.\n")
    assert there.strip() == str(all_tallies())
    assert len(all_tallies()) == 3


def test_a_backup_is_for_the_owner_alone_and_leaves_nothing_beside_it(table, file):
    call_command("backup", file, stdout=StringIO())

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(file.parent) == [file.name]


def test_what_a_killed_backup_leaves_is_gone_after_the_next(table, file):
    """A draft looks like no backup, and one that is being written stays."""
    with backups.atomic_file(file) as running:
        killed = file.parent / ".backup-a1b2c3"
        killed.mkdir(0o700)
        (killed / "draft").write_bytes(b"SQLite format 3\0 and half of it")

        call_command("backup", file, stdout=StringIO())

        left = sorted(file.parent.glob("*backup*"))
        assert left == [running.parent, file]
    assert os.listdir(file.parent) == [file.name]


def test_a_backup_is_written_over_only_by_force(table, record, file):
    record(table)
    file.write_text("last night")

    with pytest.raises(CommandError, match="--force"):
        call_command("backup", file)

    assert file.read_text() == "last night"
    call_command("backup", file, force=True, stdout=StringIO())
    assert said("backup", file, verify=True).endswith("can be restored.\n")


def test_a_backup_needs_a_folder(file):
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("backup", file.parent / "nowhere" / file.name)


def test_a_backup_made_while_phones_write_has_every_hand_saved_before(
    lay, people, owner, file
):
    saved, stop = [], Event()

    def phone(table):
        try:
            while not stop.is_set():
                id = uuid4()
                deal = journal.preview(table, {}).deal
                hand = won(deal.players)
                journal.record_hand(table, id=id, record=hand, by=owner)
                saved.append(id)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as phones:
        writing = [phones.submit(phone, lay()) for _number in range(2)]
        try:
            while len(saved) < 6 and not any(each.done() for each in writing):
                pass
            before = set(saved)
            call_command("backup", file, stdout=StringIO())
        finally:
            stop.set()
    assert [each.result() for each in writing] == [None, None]
    assert said("backup", file, verify=True).endswith("can be restored.\n")
    call_command("restore", file, force=True, stdout=StringIO())
    kept = set(Hand.objects.values_list("pk", flat=True))
    assert before <= kept <= set(saved)


def test_a_phone_goes_on_with_what_was_restored(table, people, owner, file):
    """Its connection was open all the while."""

    def save():
        deal = journal.preview(table, {}).deal
        hand = won(deal.players)
        return journal.record_hand(table, id=uuid4(), record=hand, by=owner)

    with ThreadPoolExecutor(1) as phone:
        first = phone.submit(save).result()
        call_command("backup", file, stdout=StringIO())
        lost = phone.submit(save).result()
        call_command("restore", file, force=True, stdout=StringIO())
        again = phone.submit(save).result()
        phone.submit(lambda: connection.close()).result()

    kept = set(Version.objects.values_list("pk", flat=True))
    assert kept == {first.pk, again.pk}
    assert (lost.hand.number, again.hand.number) == (2, 2)
    call_command("audit", stdout=StringIO())


def test_a_ledger_is_replaced_only_by_force_and_then_kept(
    table, record, file, tmp_path
):
    record(table)
    before = all_tallies()
    call_command("backup", file, stdout=StringIO())
    record(table)
    after = all_tallies()

    with pytest.raises(CommandError, match="There is a ledger here already"):
        call_command("restore", file)
    assert all_tallies() == after
    call_command("restore", file, force=True, stdout=StringIO())

    assert all_tallies() == before
    (old,) = (tmp_path / "data").iterdir()
    call_command("restore", old, force=True, stdout=StringIO())
    assert all_tallies() == after


def test_the_guards_come_back_too(table, record, file):
    record(table)
    call_command("backup", file, stdout=StringIO())

    call_command("restore", file, force=True, stdout=StringIO())

    with pytest.raises(Exception, match="stays as it was written"):
        Version.objects.update(units=0)


def test_half_a_backup_restores_nothing(demo, file):
    call_command("backup", file, stdout=StringIO())
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    before = all_tallies()

    with pytest.raises(CommandError, match=r"cannot be read|Nothing was"):
        call_command("restore", file, force=True, stdout=StringIO())

    assert all_tallies() == before
    call_command("audit", stdout=StringIO())


def test_a_damaged_backup_does_not_verify(demo, file):
    call_command("backup", file, stdout=StringIO())
    whole = bytearray(file.read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 20_000] = b"\xaa" * 20_000
    file.write_bytes(whole)

    with pytest.raises(CommandError, match=r"damaged|cannot be read|Nothing was"):
        call_command("backup", file, verify=True, stdout=StringIO())


def test_what_differs_is_told_by_verifying(table, record, file):
    hand = record(table).hand
    Hand.objects.filter(pk=hand.pk).update(voided=True)
    call_command("backup", file, stdout=StringIO())

    with pytest.raises(CommandError, match="is voided and has 1 entries that count"):
        call_command("backup", file, verify=True)


@pytest.mark.parametrize(
    ("begins", "sentence"),
    [
        (b"Dear diary", "is no backup"),
        (
            backups.SIGNATURES[
                "postgresql" if connection.vendor == "sqlite" else "sqlite"
            ],
            f"this ledger is kept in {connection.vendor}",
        ),
    ],
)
def test_a_file_of_another_kind_is_refused(begins, sentence, file):
    file.write_bytes(begins)

    with pytest.raises(CommandError, match=sentence):
        call_command("restore", file)


def test_a_file_that_is_not_there_is_refused(file):
    with pytest.raises(CommandError, match="There is no file"):
        call_command("restore", file)


def test_a_backup_of_a_newer_version_is_refused(table, file):
    newer = MigrationRecorder(connection)
    newer.record_applied("ledger", "9999_pots")
    call_command("backup", file, stdout=StringIO())
    newer.record_unapplied("ledger", "9999_pots")

    with pytest.raises(CommandError, match=re.escape("ledger.9999_pots")):
        call_command("restore", file, force=True)


def test_a_backup_of_an_older_version_says_what_to_do(demo, file):
    *_earlier, before, _last = sorted(
        name
        for app, name in MigrationRecorder(connection).applied_migrations()
        if app == "ledger"
    )
    try:
        call_command("migrate", "ledger", before, verbosity=0)
        call_command("backup", file, stdout=StringIO())
    finally:
        call_command("migrate", verbosity=0)

    try:
        answer = said("restore", file, force=True)
    finally:
        call_command("migrate", verbosity=0)

    assert "run `manage.py migrate`, then `manage.py audit`" in answer
    call_command("audit", stdout=StringIO())
    assert said("backup", file, verify=True).endswith("can be restored.\n")
    assert Club.objects.count() == 3


def test_a_missing_tool_is_named_with_its_package(monkeypatch):
    monkeypatch.setenv("PATH", "")

    with pytest.raises(CommandError, match=r"pg_dump is missing: .*postgresql-client"):
        backups._run_tool("pg_dump")


def test_a_row_that_points_nowhere_is_found():
    with sqlite3.connect(":memory:") as copy:
        copy.execute("CREATE TABLE hand (id INTEGER PRIMARY KEY)")
        copy.execute("CREATE TABLE line (hand REFERENCES hand)")
        copy.execute("INSERT INTO line VALUES (7)")

    with pytest.raises(CommandError, match="rows that point nowhere"):
        backups._check_integrity(copy)
    copy.close()
