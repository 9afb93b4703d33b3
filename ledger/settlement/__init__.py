"""Settlement: who owes whom, by which plan, and why."""

from __future__ import annotations
