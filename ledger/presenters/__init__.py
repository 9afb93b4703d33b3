"""Presenters: what pages and API show of the journal, in words."""

from __future__ import annotations
