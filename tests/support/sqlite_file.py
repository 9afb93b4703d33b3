"""A SQLite file as the ledger uses it: connections to it, rows in it, its queue."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager

from django.db import connections, transaction

from ledger.sqlite.queue import queue_of

PATIENCE = 30
"""Seconds after which a test fails that waits for what should come."""


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


@contextmanager
def somebody_writes(file):
    queue = queue_of(str(file))
    place = queue.join()
    queue.wait(place, PATIENCE)
    yield
    queue.leave(place)


@transaction.atomic("apart")
def rolled_back():
    record("never")
    raise LookupError
