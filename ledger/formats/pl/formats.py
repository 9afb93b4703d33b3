"""Polish dates in figures, as people write them: 30.11.2026 06:48."""

from __future__ import annotations

SHORT_DATE_FORMAT = "d.m.Y"
SHORT_DATETIME_FORMAT = "d.m.Y H:i"
