"""Throttle of those who are not signed in, counted by address before anything else."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class StrangerThrottle(SimpleRateThrottle):
    """Requests of an address that signed nobody in; *counts* adds the present one."""

    scope = "anon"

    def __init__(self, *, counts: bool) -> None:
        super().__init__()
        self.counts = counts

    def get_cache_key(self, request: Request, view: Any) -> str:
        return self.cache_format % {
            "scope": self.scope,
            "ident": self.get_ident(request),
        }

    def throttle_success(self) -> bool:
        return super().throttle_success() if self.counts else True


def check_stranger(request: Request, *, counts: bool) -> None:
    """Raise `Throttled` when the address has asked too often without signing in."""
    throttle = StrangerThrottle(counts=counts)
    if not throttle.allow_request(request, None):  # type: ignore[arg-type] # no view
        raise Throttled(throttle.wait())
