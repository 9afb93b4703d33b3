"""Views of the API, a module a topic: find, check, one call into the ledger, answer."""

from __future__ import annotations
