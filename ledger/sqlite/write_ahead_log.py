"""Write-ahead log of a SQLite file: kept apart when the file is replaced.

While connections are open, the last hands are in the log alone. If another file
replaces the database, SQLite would apply the old log to it. So a note says which log
belongs to which file, and a log of another file is renamed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

Inode = tuple[int, int] | None
FileAndLog = tuple[Inode, Inode]
"""Inodes of a database and of its log."""


@contextmanager
def matched_log(database: str, note: int | None) -> Iterator[None]:
    """Context in which the caller, alone, opens the database with its own log.

    *note* is the open file of the note; None on a read-only disk.
    """
    if note is not None:
        _move_foreign_log(database, _read_note(note))
    yield
    if note is not None:
        _write_note(note, _current(database))


def _move_foreign_log(database: str, noted: FileAndLog) -> None:
    """Rename a log that the note says is another file's; its hands are not deleted."""
    (file, log), (noted_file, noted_log) = _current(database), noted
    if file and log and log == noted_log and file != noted_file:
        os.replace(f"{database}-wal", f"{database}-wal.before")
        with suppress(FileNotFoundError):
            os.unlink(f"{database}-shm")


def _current(database: str) -> FileAndLog:
    return _inode(database), _inode(f"{database}-wal")


def _inode(path: str) -> Inode:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None


def _read_note(note: int) -> FileAndLog:
    words = os.pread(note, 200, 0).split()
    if len(words) != 4:
        return None, None
    device, inode, log_device, log_inode = map(int, words)
    return (device, inode), (log_device, log_inode)


def _write_note(note: int, pair: FileAndLog) -> None:
    file, log = pair
    if file and log and pair != _read_note(note):
        with suppress(OSError):  # on a full disk nobody can write anyway
            os.ftruncate(note, os.pwrite(note, b"%d %d %d %d" % (*file, *log), 0))
