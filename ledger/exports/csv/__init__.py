"""CSV files: hands, lines, postings, players, seats and debts."""

from __future__ import annotations
