"""Where Django's way of writing dates is not ours."""

from __future__ import annotations
