"""File modes: files 0600 and folders 0700, for the user of the server alone.

New files have them by the umask (ledger/settings.py); others, of older versions or
copied there, get them when the server starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import connection

OTHERS_BITS = 0o077
DATABASE_SUFFIXES = ("", "-wal", "-shm", "-journal", "-queue")
"""Suffixes of a SQLite database and of the files beside it."""


def make_private() -> None:
    """Remove the access of others from our files; skip files that are not ours."""
    for path in _own_paths():
        with suppress(FileNotFoundError, PermissionError):
            mode = path.lstat().st_mode
            if mode & OTHERS_BITS and not path.is_symlink():
                path.chmod(mode & ~OTHERS_BITS)


def _own_paths() -> Iterator[Path]:
    if connection.vendor == "sqlite":
        for end in DATABASE_SUFFIXES:
            yield Path(f"{connection.settings_dict['NAME']}{end}")
    for folder, _folders, files in os.walk(settings.DATA_DIR):
        yield Path(folder)
        for file in files:
            yield Path(folder, file)
