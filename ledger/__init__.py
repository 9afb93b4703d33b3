"""Kontra's Django project and its one app: clubs, evenings, hands, postings."""

from __future__ import annotations
