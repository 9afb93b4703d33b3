"""SQLite as Django speaks to it, for connections that are kept between requests.

Before each use, outside of a transaction, a connection is given up if the file has
been replaced or the process has forked: what was open before may write to neither.
One that met an error is not kept either.

Whoever begins to write waits for his turn; see ledger/sqlite/queue.py. Transactions
that only read, as ledger/snapshot.py begins them, wait for nobody.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db.backends.sqlite3 import base

from ledger.sqlite import log
from ledger.sqlite.queue import Place, Queue, queue_of

Execute = Callable[..., Any]
WRITES = re.compile(r"\s*(BEGIN IMMEDIATE|INSERT|UPDATE|DELETE)\b", re.IGNORECASE)
"""How a transaction begins that writes, also one of a single statement."""
File = tuple[int, int, int]
"""Process, device and inode: whose connection to which file it is."""
NONE = 0
"""The inode of a file that is to be made."""
_INHERITED: list[Any] = []
"""Connections of a parent process, never closed: that would be using them."""


class DatabaseWrapper(base.DatabaseWrapper):
    _file: File | None = None
    _place: Place | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(self._executed)

    # Kept connections

    def ensure_connection(self) -> None:
        if self.connection is not None and not self.in_atomic_block:
            self._give_up_another()
        super().ensure_connection()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.is_in_memory_db():
            return super().get_new_connection(conn_params)
        name = str(self.settings_dict["NAME"])
        with self._queue.opening() as note, log.told_apart(name, note):
            self._file = self._file_now()  # first: replaced meanwhile, it's opened anew
            if self._file[2] == NONE and not name.startswith("file:"):
                _make(name)
            made = super().get_new_connection(conn_params)
        if self._file[2] == NONE:
            self._file = self._file_now()
        return made

    def is_usable(self) -> bool:
        """Whether it may be kept: what was opened on a read-only disk stays so."""
        return not self.errors_occurred

    def _give_up_another(self) -> None:
        now = self._file_now()
        if self._file is None or self._file == now:
            return
        if self._file[0] != now[0]:
            _INHERITED.append(self.connection)
            self.connection = self._place = None
        else:
            self.close()

    def _file_now(self) -> File:
        try:
            found = os.stat(self.settings_dict["NAME"])
        except OSError:
            return os.getpid(), 0, NONE
        return os.getpid(), found.st_dev, found.st_ino

    # The queue of those who write

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait to write. A transaction that is begun goes on when this ends."""
        if self._place is None and not self.is_in_memory_db():
            self._wait()
        try:
            yield
        finally:
            self._leave_if_done()

    def commit(self) -> None:
        try:
            super().commit()
        finally:
            self._leave_if_done()

    def rollback(self) -> None:
        met_an_error = self.errors_occurred
        try:
            super().rollback()
        finally:
            self.errors_occurred = met_an_error
            self._leave_if_done()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._leave_if_done()

    def _executed(self, execute: Execute, sql: str, *more: Any) -> Any:
        if self.in_atomic_block or not WRITES.match(sql):
            return execute(sql, *more)
        with self.turn():
            return execute(sql, *more)

    def _leave_if_done(self) -> None:
        is_open = self.connection is not None and not self.closed_in_transaction
        if self._place is None or (is_open and self.connection.in_transaction):
            return
        self._queue.leave(self._place)
        self._place = None

    def _wait(self) -> None:
        place = self._queue.join()
        with self.wrap_database_errors:
            try:
                self._queue.wait(place, self.settings_dict["OPTIONS"].get("timeout", 5))
            except TimeoutError:
                raise _busy() from None
            if self._file != self._file_now():  # replaced while we waited
                self._queue.leave(place)
                raise _busy()
        self._place = place

    @property
    def _queue(self) -> Queue:
        return queue_of(str(self.settings_dict["NAME"]))


def _make(name: str) -> None:
    """Make the file, for its owner only; SQLite gives its mode to those beside it."""
    with suppress(OSError):
        os.close(os.open(name, os.O_RDWR | os.O_CREAT, 0o600))


def _busy() -> sqlite3.OperationalError:
    """Return what SQLite itself raises when a lock is not to be had."""
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error
