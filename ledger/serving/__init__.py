"""Serving: how requests come in and answers go out, whatever the view."""

from __future__ import annotations
