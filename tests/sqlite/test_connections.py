"""Persistent connections: kept, or dropped after an error, a fork, another file."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import OperationalError

from ledger import database_errors
from ledger.sqlite.queue import queue_of
from tests.support.sqlite_file import (
    PATIENCE,
    end_of_request,
    hang_up,
    make,
    record,
    recorded,
    rolled_back,
    rows,
    somebody_writes,
)


def test_a_connection_and_its_log_are_kept_after_a_request(file, connect):
    record("one")
    kept, log = connect().connection, os.stat(f"{file}-wal").st_ino

    end_of_request()
    record("two")

    assert connect().connection is kept
    assert os.stat(f"{file}-wal").st_ino == log


@pytest.mark.parametrize("state", ["max_page_count = 1", "query_only = 1"])
def test_a_connection_that_met_a_full_or_read_only_disk_is_not_kept(
    file, connect, state
):
    with connect().cursor() as cursor:
        cursor.execute(f"PRAGMA {state}")

    with pytest.raises(OperationalError) as error:
        record("x" * 100_000)

    end_of_request()
    assert database_errors.problem_of(error.value) in (
        database_errors.FULL,
        database_errors.READ_ONLY,
    )
    assert connect().connection is None
    record("room again")
    assert recorded() == ["room again"]


def test_a_refused_action_costs_no_connection(connect):
    record("one")
    kept = connect().connection

    with pytest.raises(LookupError):
        rolled_back()

    end_of_request()
    assert connect().connection is kept


def test_a_file_that_is_made_is_written_to_at_once(file, connect):
    file.unlink()

    with connect().cursor() as cursor:
        cursor.execute("CREATE TABLE hand (name TEXT)")
        cursor.execute("INSERT INTO hand VALUES ('first')")

    assert recorded() == ["first"]


def test_a_file_that_was_replaced_is_opened_anew(file, connect, tmp_path):
    record("old")
    os.link(file, tmp_path / "old")
    make(tmp_path / "new", "restored")

    os.replace(tmp_path / "new", file)
    record("after it")

    assert recorded() == rows(file) == ["restored", "after it"]
    assert "after it" not in rows(tmp_path / "old")


def test_who_waits_while_the_file_is_replaced_writes_to_neither(
    file, connect, tmp_path
):
    def late():
        with pytest.raises(OperationalError) as error:
            record("late")
        hang_up()
        return database_errors.problem_of(error.value)

    record("old")
    os.link(file, tmp_path / "old")
    make(tmp_path / "new")
    with ThreadPoolExecutor(1) as phone, somebody_writes(file):
        told = phone.submit(late)
        while len(queue_of(str(file))._waiting) < 2:
            assert not told.done()
        os.replace(tmp_path / "new", file)

    assert told.result() is database_errors.BUSY
    assert "late" not in rows(file) + rows(tmp_path / "old")


def test_a_child_process_opens_the_file_anew(file, connect):
    record("parent")
    kept = connect().connection

    child = os.fork()
    if not child:
        record("child")
        os._exit(0 if connect().connection is not kept else 1)
    _pid, status = os.waitpid(child, 0)
    record("parent again")

    assert status == 0
    assert connect().connection is kept
    assert recorded() == ["parent", "child", "parent again"]


def test_a_child_process_has_a_line_of_its_own(file, connect):
    with somebody_writes(file):
        child = os.fork()
        if not child:
            connect().settings_dict["OPTIONS"]["timeout"] = 0
            try:
                record("child")
            except OperationalError:  # the parent is in his turn still
                os._exit(0)
            os._exit(1)
        _pid, status = os.waitpid(child, 0)

    assert status == 0
    record("parent")
    assert recorded() == ["parent"]


def test_threads_keep_one_connection_each_and_no_more_files(connect):
    together = Barrier(32)

    def phone(number):
        together.wait(PATIENCE)
        record(str(number))
        end_of_request()
        return len(os.listdir("/dev/fd"))

    with ThreadPoolExecutor(32) as threads:
        before = len(os.listdir("/dev/fd"))
        first, second = (max(threads.map(phone, range(32))) for _round in range(2))
        list(threads.map(lambda _n: (together.wait(PATIENCE), hang_up()), range(32)))

    looking = 32  # whoever lists the open files opens one for it
    assert first - before <= 2 * 32 + 4 + looking
    assert second - first < looking
    assert len(recorded()) == 64
