"""Table: what the next hand is, and what changes with an earlier one."""

from __future__ import annotations
