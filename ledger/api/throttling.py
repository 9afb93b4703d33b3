"""Throttle of those who are not signed in, counted by address before anything else.

All workers count together. Who is signed in is counted by each of them, in its memory:
his requests are not to cost a write, and he can be told to stop.
"""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from ledger import counts
from ledger.counts import Count


class StrangerThrottle(SimpleRateThrottle):
    """Requests of a place that signed nobody in; *counts* adds the present one."""

    scope = "anon"
    count = Count()
    num_requests: int
    duration: int

    def __init__(self, *, counts: bool) -> None:
        super().__init__()
        self.counts = counts

    def get_cache_key(self, request: Request, view: Any) -> str:
        return counts.key("api", counts.origin(self.get_ident(request)))

    def allow_request(self, request: Request, view: Any) -> bool:
        """Who is over the limit is not counted: a flood of requests only reads."""
        key = self.get_cache_key(request, view)
        self.count = counts.read(key)
        if self.count.number >= self.num_requests:
            return False
        if self.counts:
            self.count = counts.add(key, within=self.duration)
        return self.count.number <= self.num_requests

    def wait(self) -> float:
        return max(1, self.count.until - counts.now())


def check_stranger(request: Request, *, counts: bool) -> None:
    """Raise `Throttled` when the place has asked too often without signing in."""
    throttle = StrangerThrottle(counts=counts)
    if not throttle.allow_request(request, None):
        raise Throttled(throttle.wait())
