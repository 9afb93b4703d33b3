"""The rules' messages in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import translation

from scoring import Text


def say(text: Text, names: Sequence[object] = ()) -> str:
    """Return *text* in the active language; *names* are of the players by seat."""
    return text.render(translation, names)
