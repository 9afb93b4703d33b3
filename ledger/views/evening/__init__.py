"""Evening pages: the evening, its end, its adjustments, history and share links."""

from __future__ import annotations
