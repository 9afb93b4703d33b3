"""Turns of connections: writers wait in the queue, readers do not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from threading import Event, Thread

import pytest
from django.db import OperationalError, connections, transaction

from ledger import database_errors
from ledger.sqlite.queue import queue_of
from tests.support.sqlite_file import (
    PATIENCE,
    end_of_request,
    hang_up,
    record,
    recorded,
    rolled_back,
    somebody_writes,
)


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
        rolled_back()

    assert not queue_of(str(file))._waiting
    assert recorded() == []


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
