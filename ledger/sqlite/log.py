"""A SQLite file and the log beside it belong together.

While connections are kept, the last hands are in the log alone. Who puts another file
in the place of the database leaves that log behind, and SQLite would read it into the
new file. So it is noted which log is whose, and a stranger's is put away.
"""

from __future__ import annotations

import os
from contextlib import suppress

Inode = tuple[int, int] | None
Pair = tuple[Inode, Inode]
"""A database and its log."""


def pair(database: str) -> Pair:
    return _inode(database), _inode(f"{database}-wal")


def put_away_strange(database: str, noted: Pair) -> None:
    """Rename the log that we know as another file's; its hands are not thrown away."""
    (file, log), (noted_file, noted_log) = pair(database), noted
    if file and log and log == noted_log and file != noted_file:
        os.replace(f"{database}-wal", f"{database}-wal.before")
        with suppress(FileNotFoundError):
            os.unlink(f"{database}-shm")


def read(note: int) -> Pair:
    words = os.pread(note, 200, 0).split()
    if len(words) != 4:
        return None, None
    device, inode, log_device, log_inode = map(int, words)
    return (device, inode), (log_device, log_inode)


def write(note: int, of: Pair) -> None:
    file, log = of
    if file and log and of != read(note):
        os.ftruncate(note, os.pwrite(note, b"%d %d %d %d" % (*file, *log), 0))


def _inode(path: str) -> Inode:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None
