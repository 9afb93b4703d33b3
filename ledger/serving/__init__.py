"""Serving: the server and the middleware around every view."""

from __future__ import annotations
