"""Security: limits at sign-in, counted tries, private logs and files."""

from __future__ import annotations
