"""Security: sign-in links and limits, rate counters, masked logs, file modes."""

from __future__ import annotations
