"""Limits of wrong passwords, as the handler of django-axes.

Two counters, each for a day: of a user name from one network, so that nobody elsewhere
locks its owner out, and of the network alone. After the free tries each further one
doubles the wait. Tries during a wait are not counted; sign-in links work at any time.
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
LONGEST_WAIT = int(timedelta(hours=1).total_seconds())
MOST_WAITING = 4
"""Sign-ins of one worker at a time: checking a password takes a whole processor."""
_waiting, _checking = BoundedSemaphore(MOST_WAITING), Lock()
OPERATOR_SESSION = int(timedelta(hours=12).total_seconds())
SIGNED_IN_AT = "came"
"""Session key: time at which an operator signed in."""
Credentials = dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Limit:
    """Wrong passwords without a wait; the first wait is a minute."""

    scope: str
    free: int

    def seconds_to_wait(self, count: Count) -> int:
        """Return the seconds until the next try.

        >>> [
        ...     Limit("name", 5).seconds_to_wait(Count(n, rate_counters.now()))
        ...     for n in (4, 5, 6, 7, 30)
        ... ]
        [0, 60, 120, 240, 3600]
        """
        if count.number < self.free:
            return 0
        pause = min(60 << (count.number - self.free), LONGEST_WAIT)
        return max(0, count.latest + pause - rate_counters.now())


NAME_LIMIT = Limit("tries of a name", 5)
ADDRESS_LIMIT = Limit("tries of a place", 30)
"""A whole club may sit behind one address."""


class Handler(AxesHandler):  # type: ignore[misc] # axes ships no types
    """Handler of django-axes; it stores nothing of a request."""

    def is_locked(self, request: HttpRequest, credentials: Credentials = None) -> bool:
        return seconds_to_wait(request, credentials) > 0

    def user_login_failed(
        self, sender: object, credentials: Credentials, request: Any, **more: object
    ) -> None:
        request.axes_credentials = credentials
        if request.axes_locked_out:
            return
        for key in _keys_by_limit(request, credentials).values():
            rate_counters.increment(key, within=DAY)
        request.axes_locked_out = self.is_locked(request, credentials)

    def user_logged_in(
        self, sender: object, request: HttpRequest, user: AbstractUser, **more: object
    ) -> None:
        """Delete the counter of the name; the network may still be an attacker's."""
        rate_counters.delete(
            [_keys_by_limit(request, {"username": user.get_username()})[NAME_LIMIT]]
        )
        if user.is_staff:
            request.session[SIGNED_IN_AT] = rate_counters.now()


class OperatorSite(AdminSite):
    """Admin site that asks for a recent sign-in.

    Sessions last for a season: a phone at the table must not open the admin.
    """

    def has_permission(self, request: HttpRequest) -> bool:
        is_recent = (
            request.session.get(SIGNED_IN_AT, 0)
            > rate_counters.now() - OPERATOR_SESSION
        )
        return is_recent and super().has_permission(request)


class TooManySignIns(Exception):
    """More sign-ins at once than people cause."""


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Check one password at a time, to leave other processors to the tables."""
    if not _waiting.acquire(blocking=False):
        raise TooManySignIns
    try:
        with _checking:
            yield
    finally:
        _waiting.release()


def seconds_to_wait(request: HttpRequest, credentials: Credentials) -> int:
    """Return the seconds until a password is checked for this name and network."""
    keys = _keys_by_limit(request, credentials)
    return max(
        limit.seconds_to_wait(rate_counters.read(key)) for limit, key in keys.items()
    )


def _keys_by_limit(request: HttpRequest, credentials: Credentials) -> dict[Limit, str]:
    network = rate_counters.network_of(request.META.get("REMOTE_ADDR", ""))
    name = str(get_client_username(request, credentials) or "").casefold()
    return {
        NAME_LIMIT: rate_counters.counter_key(NAME_LIMIT.scope, network, name),
        ADDRESS_LIMIT: rate_counters.counter_key(ADDRESS_LIMIT.scope, network),
    }
