"""Snapshots: all queries of a page read one state of the database.

Without this each query would see what others saved since the one before: a tally that
does not follow from the hands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]
T = TypeVar("T")


def middleware(get_response: GetResponse) -> GetResponse:
    """Run GET and HEAD requests in one read-only transaction.

    Last in the list, next to the view. Not for the API, which writes when a token was
    used.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD") or request.path.startswith("/api/"):
            return get_response(request)
        with read_snapshot():
            return get_response(request)

    return answer


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Read one state of the database in a transaction that must not write."""
    connection: Any = connections["default"]  # its attributes depend on the engine
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _deferred_transactions(connection), transaction.atomic():
            yield


def stream_snapshot(read: Callable[[], Iterable[T]]) -> Iterator[T]:
    """Yield from *read* within a snapshot of its own.

    A streamed file is written after its view has returned, and the view's snapshot
    with it.
    """
    with read_snapshot():
        yield from read()


@contextmanager
def _deferred_transactions(connection: Any) -> Iterator[None]:
    """Begin SQLite transactions deferred: they wait for no writer."""
    connection.ensure_connection()  # which sets the mode
    writing = connection.transaction_mode
    connection.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = writing
