"""Pages that read everything as it is at one moment, whoever writes meanwhile.

Without this each query sees what was saved since the one before: a tally beside hands
that it does not follow from, or a step whose version came too late to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]
T = TypeVar("T")


def middleware(get_response: Answer) -> Answer:
    """Let a page that only shows something read one state of the ledger.

    It stands last, next to the view. A program's token notes when it was used, so the
    API is left alone.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD") or request.path.startswith("/api/"):
            return get_response(request)
        with one_moment():
            return get_response(request)

    return answer


@contextmanager
def one_moment() -> Iterator[None]:
    """Read one state of the ledger, and write nothing."""
    connection: Any = connections["default"]  # its attributes depend on the engine
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _deferred(connection), transaction.atomic():
            yield


def streamed(read: Callable[[], Iterable[T]]) -> Iterator[T]:
    """Yield what *read* yields, from one state of the ledger.

    A file is sent after its view has returned, and with that the moment of the page.
    """
    with one_moment():
        yield from read()


@contextmanager
def _deferred(connection: Any) -> Iterator[None]:
    """Let SQLite begin a transaction that waits for nobody who writes."""
    connection.ensure_connection()  # which sets the mode
    writing = connection.transaction_mode
    connection.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = writing
