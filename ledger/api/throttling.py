"""Throttles of accounts and, before anybody signs in, of addresses.

All workers count together. REST framework's own throttle reads the times of all
requests from a cache and writes them back, so that two workers at once lose one;
`ledger.security.rate_counters` adds in one statement.
"""

from __future__ import annotations

import logging
from typing import Any

from django.db import OperationalError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from ledger.security import rate_counters
from ledger.security.rate_counters import Count

LOG = logging.getLogger(__name__)


class SharedRateThrottle(SimpleRateThrottle):
    """So many requests within the time that begins with the first of them."""

    count = Count()
    num_requests: int
    duration: int

    def allow_request(self, request: Request, view: Any) -> bool:
        key = self.get_cache_key(request, view) if self.rate else None
        return key is None or (self.has_room(key) and self.add(key))

    def has_room(self, key: str) -> bool:
        """Whether the limit is not reached yet: beyond it a flood only reads."""
        self.count = rate_counters.read(key)
        return self.count.number < self.num_requests

    def add(self, key: str) -> bool:
        """Count a request; whether it is within the limit."""
        self.count = rate_counters.increment(key, within=self.duration)
        return self.count.number <= self.num_requests

    def wait(self) -> float:
        return max(1, self.count.until - rate_counters.now())


class UserThrottle(SharedRateThrottle):
    """Requests of an account, by whatever session or token."""

    scope = "user"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if not request.user.is_authenticated:
            return None  # counted as a stranger before
        return rate_counters.counter_key("api", "user", str(request.user.pk))

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return super().allow_request(request, view)
        except OperationalError as error:  # a full disk keeps nobody from reading
            LOG.warning("A request was not counted: %s", error)
            return True


class StrangerThrottle(SharedRateThrottle):
    """Requests of a place that signed nobody in."""

    scope = "anon"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return rate_counters.counter_key(
            "api", rate_counters.network_of(self.get_ident(request))
        )


def check_stranger(request: Request, *, counts: bool) -> None:
    """Raise `Throttled` when the place has asked too often; *counts* adds this time.

    The view's own throttles come after signing in: too late for who fails at it.
    """
    throttle = StrangerThrottle()
    key = throttle.get_cache_key(request, None)
    if not throttle.has_room(key) or (counts and not throttle.add(key)):
        raise Throttled(throttle.wait())
