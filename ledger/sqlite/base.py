"""Database wrapper of the backend: persistent connections, and writers in a queue.

Before each use outside of a transaction, a connection is dropped if the file has been
replaced or the process has forked. A connection with an error is closed.

Transactions that write wait in a queue (ledger/sqlite/queue.py); those that only read,
as ledger/snapshot.py begins them, do not.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db.backends.sqlite3 import base

from ledger.sqlite import write_ahead_log
from ledger.sqlite.queue import QueueTicket, WriterQueue, queue_of

Execute = Callable[..., Any]
WRITE_STATEMENT = re.compile(
    r"\s*(BEGIN IMMEDIATE|INSERT|UPDATE|DELETE)\b", re.IGNORECASE
)
"""First statement of a transaction that writes."""
FileIdentity = tuple[int, int, int]
"""Process, device and inode: a connection is valid for one of them."""
NO_FILE = 0
"""Inode of a file that does not exist yet."""
_INHERITED: list[Any] = []
"""Connections of a parent process, never closed: closing would use them."""


class DatabaseWrapper(base.DatabaseWrapper):
    _file: FileIdentity | None = None
    _ticket: QueueTicket | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(self._execute_in_turn)

    # Persistent connections

    def ensure_connection(self) -> None:
        if self.connection is not None and not self.in_atomic_block:
            self._drop_stale_connection()
        super().ensure_connection()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.is_in_memory_db():
            return super().get_new_connection(conn_params)
        name = str(self.settings_dict["NAME"])
        with self._queue.opening() as note, write_ahead_log.matched_log(name, note):
            # Before it is opened: if it is replaced meanwhile, it is opened again.
            self._file = self._file_now()
            if self._file[2] == NO_FILE and not name.startswith("file:"):
                _create_file(name)
            made = super().get_new_connection(conn_params)
        if self._file[2] == NO_FILE:
            self._file = self._file_now()
        return made

    def is_usable(self) -> bool:
        """Tell whether the connection may be reused: not after an error."""
        # One that was opened on a read-only disk stays read-only.
        return not self.errors_occurred

    def _drop_stale_connection(self) -> None:
        now = self._file_now()
        if self._file is None or self._file == now:
            return
        if self._file[0] != now[0]:
            _INHERITED.append(self.connection)
            self.connection = self._ticket = None
        else:
            self.close()

    def _file_now(self) -> FileIdentity:
        try:
            found = os.stat(self.settings_dict["NAME"])
        except OSError:
            return os.getpid(), 0, NO_FILE
        return os.getpid(), found.st_dev, found.st_ino

    # The queue of writers

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait in the queue. A transaction begun meanwhile may outlast this context."""
        if self._ticket is None and not self.is_in_memory_db():
            self._wait_in_queue()
        try:
            yield
        finally:
            self._leave_queue_if_done()

    def commit(self) -> None:
        try:
            super().commit()
        finally:
            self._leave_queue_if_done()

    def rollback(self) -> None:
        met_an_error = self.errors_occurred
        try:
            super().rollback()
        finally:
            self.errors_occurred = met_an_error
            self._leave_queue_if_done()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._leave_queue_if_done()

    def _execute_in_turn(self, execute: Execute, sql: str, *more: Any) -> Any:
        if self.in_atomic_block or not WRITE_STATEMENT.match(sql):
            return execute(sql, *more)
        with self.turn():
            return execute(sql, *more)

    def _leave_queue_if_done(self) -> None:
        is_open = self.connection is not None and not self.closed_in_transaction
        if self._ticket is None or (is_open and self.connection.in_transaction):
            return
        self._queue.leave(self._ticket)
        self._ticket = None

    def _wait_in_queue(self) -> None:
        ticket = self._queue.join()
        with self.wrap_database_errors:
            try:
                self._queue.wait(
                    ticket, self.settings_dict["OPTIONS"].get("timeout", 5)
                )
            except TimeoutError:
                raise _busy_error() from None
            if self._file != self._file_now():  # replaced while we waited
                self._queue.leave(ticket)
                raise _busy_error()
        self._ticket = ticket

    @property
    def _queue(self) -> WriterQueue:
        return queue_of(str(self.settings_dict["NAME"]))


def _create_file(name: str) -> None:
    """Create the file for its owner only; SQLite copies its mode to those beside it."""
    with suppress(OSError):
        os.close(os.open(name, os.O_RDWR | os.O_CREAT, 0o600))


def _busy_error() -> sqlite3.OperationalError:
    """Return the error that SQLite itself raises when it cannot get a lock."""
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error
