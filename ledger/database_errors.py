"""Errors of the database or the disk, with a status and a message each.

A full or broken disk, a database that is away or busy: the reader gets a sentence about
it. Every other database error is a bug.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from django.db import DatabaseError, OperationalError

from scoring.text import _


@dataclass(frozen=True, slots=True)
class DatabaseProblem:
    """A cause outside of Kontra, with its texts to translate."""

    code: str
    status: HTTPStatus
    title: str
    says: str


FULL = DatabaseProblem(
    "disk-full",
    HTTPStatus.INSUFFICIENT_STORAGE,
    _("The disk is full"),
    _(
        "The server has no room left, so this could not be saved. "
        "Tell whoever looks after it to make room."
    ),
)
READ_ONLY = DatabaseProblem(
    "read-only",
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Nothing can be saved now"),
    _(
        "The server may only read its database, so this could not be saved. "
        "Tell whoever looks after it."
    ),
)
BROKEN = DatabaseProblem(
    "disk-fault",
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("The disk is not responding"),
    _(
        "The server cannot read or write its disk, so this could not be done. "
        "Tell whoever looks after it."
    ),
)
SIGNED_IN_ANEW = DatabaseProblem(
    "signed-in-anew",
    HTTPStatus.FORBIDDEN,
    _("Not saved yet"),
    _("You have signed in or out since this page was opened."),
)
AWAY = DatabaseProblem(
    "database-away",
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("The database is not responding"),
    _("It may be restarting: try again in a minute."),
)
BUSY = DatabaseProblem(
    "busy",
    HTTPStatus.SERVICE_UNAVAILABLE,
    _("Too much at once"),
    _("The database was busy for too long: try again in a minute."),
)

SQLITE: Mapping[int, DatabaseProblem] = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: BROKEN,
    sqlite3.SQLITE_CANTOPEN: BROKEN,
    sqlite3.SQLITE_BUSY: BUSY,
}
"""By the primary result code, the last byte of the extended one."""

POSTGRESQL: Mapping[str, DatabaseProblem] = {
    "53100": FULL,
    "25006": READ_ONLY,
    "58030": BROKEN,
    "08": AWAY,
    "57P": AWAY,
    "53300": BUSY,  # too many connections
    "55P03": BUSY,  # a lock was not to be had
    "40P01": BUSY,  # a deadlock
}
"""By the start of the SQLSTATE."""


FILES: Mapping[int, DatabaseProblem] = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EFBIG: FULL,
    errno.EROFS: READ_ONLY,
    errno.EIO: BROKEN,
}
"""By the errno of an operation on any other file."""


def problem_of(error: BaseException | None) -> DatabaseProblem | None:
    """Return the problem behind *error*, or None where it is a bug."""
    if isinstance(error, OSError):
        return FILES.get(error.errno or 0)
    if not isinstance(error, DatabaseError):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    state = getattr(cause, "sqlstate", "")
    if state is None:  # there was no connection to say one
        return AWAY if isinstance(error, OperationalError) else None
    return next((t for code, t in POSTGRESQL.items() if state.startswith(code)), None)
