"""Audit: recompute everything that follows from the journal, and compare."""

from __future__ import annotations
