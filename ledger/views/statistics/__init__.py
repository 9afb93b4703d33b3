"""Statistics pages: season, player, club, and the hands behind a figure."""

from __future__ import annotations
