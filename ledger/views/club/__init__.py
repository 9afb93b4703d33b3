"""Club pages: home, club, players, seasons, settings."""

from __future__ import annotations
