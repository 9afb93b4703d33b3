"""One module per page."""

from __future__ import annotations
