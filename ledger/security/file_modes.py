"""What Kontra keeps is for its own user alone: files 0600, folders 0700.

New ones are made so by the umask (see ledger/settings.py); those of before, or that
somebody put there, are tightened when the server starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import connection

OTHERS = 0o077
BESIDE = ("", "-wal", "-shm", "-journal", "-queue")
"""What SQLite and our queue keep beside a database, and the database."""


def tighten() -> None:
    """Take from others what they may do with our files; theirs are left alone."""
    for path in _kept():
        with suppress(FileNotFoundError, PermissionError):
            mode = path.lstat().st_mode
            if mode & OTHERS and not path.is_symlink():
                path.chmod(mode & ~OTHERS)


def _kept() -> Iterator[Path]:
    if connection.vendor == "sqlite":
        for end in BESIDE:
            yield Path(f"{connection.settings_dict['NAME']}{end}")
    for folder, _folders, files in os.walk(settings.DATA_DIR):
        yield Path(folder)
        for file in files:
            yield Path(folder, file)
