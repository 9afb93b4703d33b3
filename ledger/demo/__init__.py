"""Demo: an invented club that plays as many evenings as one likes."""

from __future__ import annotations
