"""Money pages: settlement, payments, pot, statement."""

from __future__ import annotations
