"""At the door: who tried too many passwords, how long he waits, and who came in when.

django-axes asks here before a password is looked at, and tells what failed. Two things
are counted, each for a day: a name at one place, so that nobody elsewhere locks its
owner out, and the place alone, whatever the names. Beyond the free tries each one more
doubles the wait. Who waits is not counted, so nothing grows meanwhile; a sign-in link
gets in at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import BoundedSemaphore, Lock
from typing import Any

from axes.handlers.base import AxesHandler
from axes.helpers import get_client_username
from django.contrib.admin import AdminSite
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest

from ledger.security import rate_counters
from ledger.security.rate_counters import Count

DAY = int(timedelta(days=1).total_seconds())
LONGEST = int(timedelta(hours=1).total_seconds())
IN_LINE = 4
"""In one worker; to look at a password takes a processor for itself."""
_line, _turn = BoundedSemaphore(IN_LINE), Lock()
OPERATES = int(timedelta(hours=12).total_seconds())
CAME = "came"
"""When an operator signed in, kept in his session."""
Credentials = dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Limit:
    """So many wrong passwords are free; the first wait is a minute."""

    scope: str
    free: int

    def wait(self, count: Count) -> int:
        """Return the seconds until the next try.

        >>> [Limit("name", 5).wait(Count(n, counts.now())) for n in (4, 5, 6, 7, 30)]
        [0, 60, 120, 240, 3600]
        """
        if count.number < self.free:
            return 0
        pause = min(60 << (count.number - self.free), LONGEST)
        return max(0, count.latest + pause - rate_counters.now())


NAME = Limit("tries of a name", 5)
PLACE = Limit("tries of a place", 30)
"""A whole club may sit behind one address."""


class Handler(AxesHandler):  # type: ignore[misc] # axes ships no types
    """What django-axes calls; it keeps nothing of a request."""

    def is_locked(self, request: HttpRequest, credentials: Credentials = None) -> bool:
        return wait(request, credentials) > 0

    def user_login_failed(
        self, sender: object, credentials: Credentials, request: Any, **more: object
    ) -> None:
        request.axes_credentials = credentials
        if request.axes_locked_out:
            return
        for key in _keys(request, credentials).values():
            rate_counters.add(key, within=DAY)
        request.axes_locked_out = self.is_locked(request, credentials)

    def user_logged_in(
        self, sender: object, request: HttpRequest, user: AbstractUser, **more: object
    ) -> None:
        """The place stays counted: it may be one of its people who tries."""
        rate_counters.forget([_keys(request, {"username": user.get_username()})[NAME]])
        if user.is_staff:
            request.session[CAME] = rate_counters.now()


class Operators(AdminSite):
    """The operator's pages, for who signed in lately: a phone that stays signed in for
    a season opens the table, not these."""

    def has_permission(self, request: HttpRequest) -> bool:
        lately = request.session.get(CAME, 0) > rate_counters.now() - OPERATES
        return lately and super().has_permission(request)


class Crowded(Exception):
    """More passwords were sent at once than anybody types."""


@contextmanager
def turn() -> Iterator[None]:
    """Look at one password after the other: the tables get the rest of the machine."""
    if not _line.acquire(blocking=False):
        raise Crowded
    try:
        with _turn:
            yield
    finally:
        _line.release()


def wait(request: HttpRequest, credentials: Credentials) -> int:
    """Return for how many seconds no password is taken, for that name or at all."""
    keys = _keys(request, credentials)
    return max(limit.wait(rate_counters.read(key)) for limit, key in keys.items())


def _keys(request: HttpRequest, credentials: Credentials) -> dict[Limit, str]:
    place = rate_counters.origin(request.META.get("REMOTE_ADDR", ""))
    name = str(get_client_username(request, credentials) or "").casefold()
    return {
        NAME: rate_counters.key(NAME.scope, place, name),
        PLACE: rate_counters.key(PLACE.scope, place),
    }
