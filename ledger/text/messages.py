"""Messages of the rules, names of games and of payment methods, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils import translation
from django.utils.translation import gettext, gettext_noop

import scoring
from scoring import Problem, Text

HOW = {"cash": gettext_noop("cash"), "transfer": gettext_noop("bank transfer")}


def say(text: Text | str, names: Sequence[object] = ()) -> str:
    """Return *text* in the active language, with the *names* of the players by seat."""
    if not isinstance(text, Text):
        text = Text(text)
    return text.render(translation, names)


def messages_of(problems: Iterable[Problem]) -> list[str]:
    """Return the sentences of *problems*, in the active language."""
    return [say(problem.message) for problem in problems]


def rounding_note() -> str:
    """Explain the rounding where the stake is a fraction of a minor unit."""
    return gettext(
        "A point is a fraction of the smallest coin: everybody’s points are counted "
        "together and rounded once, so that all sums come to 0."
    )


def game(variant: str) -> str:
    """Return the name of a game, by the id of its variant."""
    return say(Text(scoring.get_variant(variant).name))


def how(method: str) -> str:
    """Return a method of payment in words: one of HOW, or what was typed."""
    return gettext(HOW[method]) if method in HOW else method
