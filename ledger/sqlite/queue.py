"""Queue of the writers of a SQLite file: first come, first served.

SQLite allows one writer at a time; a waiting one polls at growing intervals, so the
longest wait polls most rarely. Here each writer draws a number, in the order of coming,
and locks the byte at that offset in a file beside the database. It may write when no
byte before it is locked. The system releases the locks of a process that ends.

Such locks belong to a process, so its threads queue in memory first. SQLite's own lock
still guards the database; this queue only orders the writers.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from threading import Event, Lock

DRAWING_BYTE, OPENING_BYTE = 0, 1
"""Bytes locked while a number is drawn, and while the database is opened."""
FIRST_NUMBER = 2
"""Least number of a ticket."""
POLL_SECONDS = 0.002
"""Seconds between polls of the first in line of a process."""


@dataclass(frozen=True, slots=True, eq=False)
class QueueTicket:
    """Place of one writer in the queue."""

    number: int
    first: Event = field(default_factory=Event)
    """Set when no ticket of this process is before."""


class WriterQueue:
    """Queue of the writers of *database*, in this process and others."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._lock = Lock()
        self._opening_lock = Lock()
        self._waiting: deque[QueueTicket] = deque()
        self._file: int | None = None

    def join(self) -> QueueTicket:
        """Return a ticket behind all others."""
        with self._lock:
            ticket = QueueTicket(self._draw_number())
            self._waiting.append(ticket)
            self._waiting[0].first.set()
            return ticket

    def wait(self, ticket: QueueTicket, patience: float) -> None:
        """Wait until *ticket* is the first; it has to `leave` afterwards.

        Raise `TimeoutError` when that takes more than *patience* seconds.
        """
        until = time.monotonic() + patience
        try:
            if not ticket.first.wait(patience):
                raise TimeoutError
            while self._is_behind_others(ticket):
                if time.monotonic() > until:
                    raise TimeoutError
                time.sleep(POLL_SECONDS)
        except BaseException:
            self.leave(ticket)
            raise

    def leave(self, ticket: QueueTicket) -> None:
        with self._lock:
            self._waiting.remove(ticket)
            self._unlock(ticket.number)
            if self._waiting:
                self._waiting[0].first.set()

    @contextmanager
    def opening(self) -> Iterator[int | None]:
        """Let one process at a time open the database; yield the file of the locks."""
        with self._opening_lock:
            with self._lock:
                file = self._open_file()
            if file is not None:
                with suppress(OSError):
                    fcntl.lockf(file, fcntl.LOCK_EX, 1, OPENING_BYTE)
            try:
                yield file
            finally:
                self._unlock(OPENING_BYTE)

    def _open_file(self) -> int | None:
        if self._file is None:
            self._file = _open_lock_file(self._database)
        return self._file

    def _draw_number(self) -> int:
        """Draw a number: the monotonic time, which all processes share.

        Return 0 without a file, as on a read-only disk, where nobody can write anyway.
        """
        if (file := self._open_file()) is None:
            return 0
        with suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, DRAWING_BYTE)
        number = time.monotonic_ns()
        while not self._try_lock(fcntl.LOCK_EX, number):
            number = time.monotonic_ns()
        self._unlock(DRAWING_BYTE)
        return number

    def _is_behind_others(self, ticket: QueueTicket) -> bool:
        if self._file is None or not ticket.number:
            return False
        before = ticket.number - FIRST_NUMBER
        if not self._try_lock(fcntl.LOCK_SH, FIRST_NUMBER, before):
            return True
        self._unlock(FIRST_NUMBER, before)
        return False

    def _try_lock(self, how: int, start: int, length: int = 1) -> bool:
        """Lock bytes without waiting; return False if another process has them.

        True where the file system has no locks.
        """
        try:
            assert self._file is not None
            fcntl.lockf(self._file, how | fcntl.LOCK_NB, length, start)
        except (BlockingIOError, PermissionError):
            return False
        except OSError:
            return True
        return True

    def _unlock(self, start: int, length: int = 1) -> None:
        if self._file is not None:
            with suppress(OSError):
                fcntl.lockf(self._file, fcntl.LOCK_UN, length, start)


@cache
def queue_of(database: str) -> WriterQueue:
    """Return the queue of this process for a file."""
    # Its file is never closed: closing would release every lock in it.
    return WriterQueue(database)


def _open_lock_file(database: str) -> int | None:
    """Open the file of the locks, with the owner of the database."""
    try:
        owner = os.stat(database)
        file = os.open(f"{database}-queue", os.O_RDWR | os.O_CREAT, 0o600)
        if os.geteuid() == 0:
            os.fchown(file, owner.st_uid, owner.st_gid)
    except OSError:
        return None
    return file


# A forked child has none of the waiting threads, and none of the locks.
os.register_at_fork(after_in_child=queue_of.cache_clear)
