"""The rules' messages, and the ways money is handed over, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext, gettext_noop

import scoring
from scoring import Text

HOW = {"cash": gettext_noop("cash"), "transfer": gettext_noop("bank transfer")}


def say(text: Text | str, names: Sequence[object] = ()) -> str:
    """Return *text* in the active language; *names* are of the players by seat."""
    if not isinstance(text, Text):
        text = Text(text)
    return text.render(translation, names)


def rounding_note() -> str:
    """Return how sums are rounded where a point is worth a fraction of a coin."""
    return gettext(
        "A point is a fraction of the smallest coin: everybody’s points are counted "
        "together and rounded once, so that all sums come to 0."
    )


def game(variant: str) -> str:
    """Return what the game of that id is called."""
    return say(Text(scoring.get_variant(variant).name))


def how(method: str) -> str:
    """Return how a payment was made: the words for it, or what was typed."""
    return gettext(HOW[method]) if method in HOW else method
