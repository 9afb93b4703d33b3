"""The API: what the pages do, in JSON, from the same declarations."""

from __future__ import annotations
