"""Presenters: the journal in words, as pages and API show it.

They read journal, settlement and text, and know no view and no template.
"""

from __future__ import annotations
