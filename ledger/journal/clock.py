"""Clock of the journal: the time at which a write is made, or is dated to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from itertools import count

from django.utils import timezone

_TIMES: ContextVar[Iterator[datetime] | None] = ContextVar("times", default=None)


@contextmanager
def backdated(start: datetime) -> Iterator[None]:
    """Date the writes of this block from *start* on: for clubs that are invented.

    One write is a millisecond after another, so that their order shows.
    """
    token = _TIMES.set(start + timedelta(milliseconds=n) for n in count())
    try:
        yield
    finally:
        _TIMES.reset(token)


def backdated_now() -> datetime | None:
    """Return the next time of `backdated`; None outside of it."""
    times = _TIMES.get()
    return next(times) if times else None


def now() -> datetime:
    return backdated_now() or timezone.now()
