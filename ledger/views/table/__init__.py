"""Table pages: the table, its seats, hands and corrections."""

from __future__ import annotations
