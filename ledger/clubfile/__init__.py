"""Club file: a whole club as one JSON document, dumped and loaded."""

from __future__ import annotations
