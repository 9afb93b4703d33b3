"""SQLite under a server: connections are kept, who comes first writes first."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest
from django.db import ConnectionHandler, OperationalError, connections, transaction

from ledger import database_errors, settings
from ledger.sqlite.queue import WriterQueue, queue_of

ROOT = Path(__file__).parent.parent
PATIENCE = 30
"""Seconds after which a test fails that waits for what should come."""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "db.sqlite3"
    make(path)
    return path


@pytest.fixture
def connect(file, django_db_blocker):
    """Return a function that gives this thread's connection to the file."""
    database = settings._database(f"sqlite:///{file}")
    database["OPTIONS"] = database["OPTIONS"] | {"timeout": PATIENCE}
    databases = {"default": {}, "apart": database}
    connections.settings["apart"] = ConnectionHandler(databases).settings["apart"]
    with django_db_blocker.unblock():
        yield lambda: connections["apart"]
        hang_up()
    del connections.settings["apart"]


def make(path, *rows):
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("PRAGMA journal_mode=WAL")
        plain.execute("CREATE TABLE hand (name TEXT)")
        plain.executemany("INSERT INTO hand VALUES (?)", [(row,) for row in rows])


def rows(path):
    with closing(sqlite3.connect(path)) as plain:
        return [name for (name,) in plain.execute("SELECT name FROM hand")]


def record(name, using="apart"):
    with transaction.atomic(using), connections[using].cursor() as cursor:
        cursor.execute("INSERT INTO hand VALUES (%s)", [name])


def recorded():
    with connections["apart"].cursor() as cursor:
        cursor.execute("SELECT name FROM hand ORDER BY rowid")
        return [name for (name,) in cursor.fetchall()]


def hang_up():
    connections["apart"].close()
    del connections["apart"]


def end_of_request():
    connections["apart"].close_if_unusable_or_obsolete()


# The order


def test_threads_have_their_turn_in_the_order_of_coming(file):
    queue, order = WriterQueue(str(file)), []
    places = [queue.join() for _number in range(8)]

    def write(number):
        queue.wait(places[number], PATIENCE)
        order.append(number)
        queue.leave(places[number])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, reversed(range(8))))

    assert order == list(range(8))


IN_LINE = """
import sys
from ledger.sqlite.queue import queue_of
file, order, name = sys.argv[1:]
queue = queue_of(file)
place = queue.join()
print("in line", flush=True)
queue.wait(place, 60)
with open(order, "a") as written:
    written.write(name)
print("turn", flush=True)
if name.isupper():
    sys.stdin.read()
queue.leave(place)
"""


@contextmanager
def in_line(file, name):
    """Let a process get in line; with a capital letter it keeps its turn until told."""
    command = [sys.executable, "-c", IN_LINE, str(file), f"{file}-order", name]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "in line\n"
            yield process
        finally:
            process.stdin.close()
            process.wait(PATIENCE)


def order(file):
    return Path(f"{file}-order").read_text()


def test_processes_and_threads_have_their_turn_in_the_order_of_coming(file):
    queue = queue_of(str(file))
    first = queue.join()
    queue.wait(first, PATIENCE)

    with in_line(file, "a"), in_line(file, "b"):
        between = queue.join()
        with in_line(file, "c"):
            queue.leave(first)
            queue.wait(between, PATIENCE)
            before = order(file)
            queue.leave(between)

    assert (before, order(file)) == ("ab", "abc")


def test_who_is_killed_in_his_turn_makes_room_at_once(file):
    queue = WriterQueue(str(file))
    with in_line(file, "A") as holder:
        assert holder.stdout.readline() == "turn\n"
        place = queue.join()
        is_free = not queue._is_behind_others(place)

        holder.send_signal(signal.SIGKILL)
        holder.wait(PATIENCE)

        assert not is_free
        assert not queue._is_behind_others(place)


def test_who_is_killed_while_waiting_lets_nobody_pass_the_one_before(file):
    queue = WriterQueue(str(file))
    with in_line(file, "A") as holder, in_line(file, "b") as waiting:
        assert holder.stdout.readline() == "turn\n"
        place = queue.join()

        waiting.send_signal(signal.SIGKILL)
        waiting.wait(PATIENCE)

        assert queue._is_behind_others(place)
        holder.stdin.close()
        queue.wait(place, PATIENCE)

    assert order(file) == "A"


def test_who_loses_patience_leaves_the_line(file):
    queue = WriterQueue(str(file))
    first, second, third = (queue.join() for _number in range(3))

    with pytest.raises(TimeoutError):
        queue.wait(second, 0.01)

    queue.leave(first)
    queue.wait(third, PATIENCE)
    assert list(queue._waiting) == [third]


def test_threads_keep_their_order_where_no_file_can_be_made(tmp_path):
    queue = WriterQueue(str(tmp_path / "nowhere" / "db.sqlite3"))
    first, second = queue.join(), queue.join()

    queue.wait(first, PATIENCE)
    with pytest.raises(TimeoutError):
        queue.wait(second, 0)

    queue.leave(first)
    assert not queue._waiting


# Who waits


@contextmanager
def somebody_writes(file):
    queue = queue_of(str(file))
    place = queue.join()
    queue.wait(place, PATIENCE)
    yield
    queue.leave(place)


def waits(file, call):
    """Whether the call gets in line behind somebody, and is done after him."""
    done = Event()

    def called():
        call()
        done.set()
        hang_up()

    thread = Thread(target=called)
    with somebody_writes(file):
        thread.start()
        while len(queue_of(str(file))._waiting) < 2 and not done.is_set():
            pass
        waited = not done.is_set()
    thread.join(PATIENCE)
    assert done.is_set()
    return waited


def nested():
    with transaction.atomic("apart"), transaction.atomic("apart"):
        record("nested")


def single():
    with connections["apart"].cursor() as cursor:
        cursor.execute("UPDATE hand SET name = 'one'")


def reads_in_a_transaction():
    connection = connections["apart"]
    connection.ensure_connection()
    connection.transaction_mode = "DEFERRED"
    with transaction.atomic("apart"):
        recorded()


@pytest.mark.parametrize("call", [nested, single, lambda: record("one")])
def test_who_writes_waits_for_his_turn(file, connect, call):
    assert waits(file, call)


@pytest.mark.parametrize("call", [recorded, reads_in_a_transaction])
def test_who_reads_waits_for_nobody(file, connect, call):
    assert not waits(file, call)


def test_the_turn_ends_with_the_transaction(file, connect):
    with transaction.atomic("apart"):
        record("inner")
        during = len(queue_of(str(file))._waiting)

    assert (during, len(queue_of(str(file))._waiting)) == (1, 0)
    assert recorded() == ["inner"]


def test_the_turn_ends_with_a_transaction_that_is_given_up(file, connect):
    with pytest.raises(LookupError):
        refused()

    assert not queue_of(str(file))._waiting
    assert recorded() == []


@transaction.atomic("apart")
def refused():
    record("never")
    raise LookupError


def test_the_turn_ends_when_the_connection_is_closed_in_the_middle(file, connect):
    with transaction.atomic("apart"):
        record("lost")
        connect().close()

    assert not queue_of(str(file))._waiting
    assert recorded() == []


def test_who_waits_too_long_is_told_that_it_is_too_much_at_once(file, connect):
    connect().settings_dict["OPTIONS"]["timeout"] = 0.01

    with somebody_writes(file), pytest.raises(OperationalError) as error:
        record("never")

    assert database_errors.problem_of(error.value) is database_errors.BUSY
    record("again")
    assert recorded() == ["again"]


def test_another_program_that_writes_is_waited_for_and_told_the_same(file, connect):
    connect().settings_dict["OPTIONS"]["timeout"] = 0.01

    with closing(sqlite3.connect(file, isolation_level=None)) as program:
        program.execute("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError) as error:
            record("never")

    assert database_errors.problem_of(error.value) is database_errors.BUSY
    end_of_request()
    record("again")
    assert recorded() == ["again"]
    assert not queue_of(str(file))._waiting


# Kept connections


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
        refused()

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


def test_the_log_of_a_killed_server_is_not_read_into_another_file(
    file, connect, tmp_path
):
    child = os.fork()
    if not child:
        record("old")
        os._exit(0)
    os.waitpid(child, 0)
    make(tmp_path / "new", *map(str, range(1000)))

    os.replace(tmp_path / "new", file)

    assert recorded() == [*map(str, range(1000))]
    assert b"old" in Path(f"{file}-wal.before").read_bytes()


def test_the_log_of_a_killed_server_is_read_where_all_was_moved(
    file, connect, tmp_path
):
    child = os.fork()
    if not child:
        record("last")
        os._exit(0)
    os.waitpid(child, 0)
    files = sorted(tmp_path.glob("db.sqlite3*"))

    for each in files:
        shutil.copy(each, tmp_path / f"copy-{each.name}")
        os.replace(tmp_path / f"copy-{each.name}", each)

    assert f"{file}-wal" in map(str, files)
    assert recorded() == ["last"]


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
