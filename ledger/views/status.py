"""HTTP statuses of pages that show a form again."""

from __future__ import annotations

UNPROCESSABLE = 422
"""The form has errors."""
CONFLICT = 409
"""Somebody else has written first, or the evening or season is closed."""
