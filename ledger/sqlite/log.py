"""A SQLite file and the log beside it belong together.

While connections are kept, the last hands are in the log alone. Who puts another file
in the place of the database leaves that log behind, and SQLite would read it into the
new file. So it is noted which log is whose, and a stranger's is put away.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

Inode = tuple[int, int] | None
Pair = tuple[Inode, Inode]
"""A database and its log."""


@contextmanager
def told_apart(database: str, note: int | None) -> Iterator[None]:
    """Open the database meanwhile, and nobody else: then the log beside it is its own.

    *note* is the file in which that is noted, if there can be one.
    """
    if note is not None:
        _put_away_strange(database, _noted(note))
    yield
    if note is not None:
        _write(note, _pair(database))


def _put_away_strange(database: str, noted: Pair) -> None:
    """Rename the log that we know as another file's; its hands are not thrown away."""
    (file, log), (noted_file, noted_log) = _pair(database), noted
    if file and log and log == noted_log and file != noted_file:
        os.replace(f"{database}-wal", f"{database}-wal.before")
        with suppress(FileNotFoundError):
            os.unlink(f"{database}-shm")


def _pair(database: str) -> Pair:
    return _inode(database), _inode(f"{database}-wal")


def _inode(path: str) -> Inode:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None


def _noted(note: int) -> Pair:
    words = os.pread(note, 200, 0).split()
    if len(words) != 4:
        return None, None
    device, inode, log_device, log_inode = map(int, words)
    return (device, inode), (log_device, log_inode)


def _write(note: int, pair: Pair) -> None:
    file, log = pair
    if file and log and pair != _noted(note):
        with suppress(OSError):  # on a full disk nothing is written anyway
            os.ftruncate(note, os.pwrite(note, b"%d %d %d %d" % (*file, *log), 0))
