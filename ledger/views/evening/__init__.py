"""Evening pages: new, score, closing, corrections, adjustments, history, links."""

from __future__ import annotations
