"""Who wants to write to a SQLite file: first come, first served.

SQLite lets one write at a time, and whoever waits looks again now and then: who has
waited longest looks most rarely. Here everybody draws a number, in the order of coming,
and locks the byte of that number in a file beside the database. It is his turn when
nobody holds a byte before it. The system lets go of all the bytes of a process that
ends, however it ends.

These locks belong to a process: its threads stand in line before each other first.
SQLite's own lock stays the one that keeps writers apart; this only puts them in order.
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

DRAWING, OPENING = 0, 1
"""The bytes that are held while somebody draws a number, or opens the database."""
FIRST = 2
"""The least number."""
LOOK = 0.002
"""Seconds until the first in line of a process looks whether others are done."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    number: int
    first: Event = field(default_factory=Event)
    """Set when nobody of this process is before."""


class Queue:
    """The writers of *database*, of this process and of others."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._alone = Lock()
        self._opening = Lock()
        self._line: deque[Place] = deque()
        self._file: int | None = None

    def join(self) -> Place:
        """Return the caller's place: behind everybody who came before."""
        with self._alone:
            place = Place(self._number())
            self._line.append(place)
            self._line[0].first.set()
            return place

    def wait(self, place: Place, patience: float) -> None:
        """Wait until it is the turn of *place*, which then has to leave.

        Raise `TimeoutError` when that takes more than *patience* seconds.
        """
        until = time.monotonic() + patience
        try:
            if not place.first.wait(patience):
                raise TimeoutError
            while self._others_before(place):
                if time.monotonic() > until:
                    raise TimeoutError
                time.sleep(LOOK)
        except BaseException:
            self.leave(place)
            raise

    def leave(self, place: Place) -> None:
        with self._alone:
            self._line.remove(place)
            self._unlock(place.number)
            if self._line:
                self._line[0].first.set()

    @contextmanager
    def opening(self) -> Iterator[int | None]:
        """Let one at a time open the database; yield the open file of the locks."""
        with self._opening:
            with self._alone:
                file = self._open()
            if file is not None:
                with suppress(OSError):
                    fcntl.lockf(file, fcntl.LOCK_EX, 1, OPENING)
            try:
                yield file
            finally:
                self._unlock(OPENING)

    def _open(self) -> int | None:
        if self._file is None:
            self._file = _opened(self._database)
        return self._file

    def _number(self) -> int:
        """Draw a number: the time, which is the same for all processes.

        Without a file, as on a read-only disk, the threads have their order all the
        same; and nobody can write.
        """
        if (file := self._open()) is None:
            return 0
        with suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, DRAWING)
        number = time.monotonic_ns()
        while not self._locked(fcntl.LOCK_EX, number):
            number = time.monotonic_ns()
        self._unlock(DRAWING)
        return number

    def _others_before(self, place: Place) -> bool:
        if self._file is None or not place.number:
            return False
        before = place.number - FIRST
        if not self._locked(fcntl.LOCK_SH, FIRST, before):
            return True
        self._unlock(FIRST, before)
        return False

    def _locked(self, how: int, start: int, length: int = 1) -> bool:
        """Whether the bytes were free to be locked; so they are where none can be."""
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
def queue_of(database: str) -> Queue:
    """Return the one queue of this process for that file.

    Its file is never closed, which would let go of every lock in it.
    """
    return Queue(database)


def _opened(database: str) -> int | None:
    """Open the file of the locks; whoever may write the database may write it too."""
    try:
        owner = os.stat(database)
        file = os.open(f"{database}-queue", os.O_RDWR | os.O_CREAT, 0o600)
        if os.geteuid() == 0:
            os.fchown(file, owner.st_uid, owner.st_gid)
    except OSError:
        return None
    return file


# A child has none of the threads that stand in line here, and none of the locks.
os.register_at_fork(after_in_child=queue_of.cache_clear)
