"""What the benchmarks of pages share."""

from __future__ import annotations

import pytest
from django.conf import settings


@pytest.fixture
def as_in_earnest(monkeypatch):
    """Take out the middleware that watches queries: only tests have it."""
    kept = [m for m in settings.MIDDLEWARE if "zeal" not in m]
    monkeypatch.setattr(settings, "MIDDLEWARE", kept)
