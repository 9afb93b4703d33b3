"""Pages of a person's own: sign-in, password, language and theme, API tokens."""

from __future__ import annotations
