"""Messages of the rules: marked for translators here, translated when shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from gettext import NullTranslations
from typing import Protocol


def _(message: str) -> str:
    """Mark *message* for the translators."""
    return message


class Catalogue(Protocol):
    """What translates: the standard library's translations, or Django's module."""

    def gettext(self, message: str, /) -> str: ...


ENGLISH: Catalogue = NullTranslations()


@dataclass(frozen=True, slots=True)
class Who:
    """A player in a message, known by his seat until it is shown."""

    seat: int


@dataclass(frozen=True, slots=True)
class Text:
    """A message with values, and the sentences that follow it.

    >>> str(Text(_("{points} card points."), {"points": 48}).then(Text(_("Won."))))
    '48 card points. Won.'
    """

    message: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)
    rest: tuple[Text, ...] = ()

    def then(self, *more: Text) -> Text:
        """Return the same text with *more* sentences behind it."""
        return Text(self.message, self.values, (*self.rest, *more))

    def render(
        self, catalogue: Catalogue = ENGLISH, names: Sequence[object] = ()
    ) -> str:
        """Return the text in the language of *catalogue*; *names* are by seat."""
        shown = catalogue.gettext(self.message) if self.message else ""
        if self.values:
            shown = shown.format_map(
                {
                    key: _shown(value, catalogue, names)
                    for key, value in self.values.items()
                }
            )
        if not self.rest:
            return shown
        return " ".join([shown, *(text.render(catalogue, names) for text in self.rest)])

    def __str__(self) -> str:
        return self.render()


@cache
def plain(message: str) -> Text:
    """Return a declared *message* that has no values, always as the same text."""
    return Text(message)


def quoted(value: object) -> object:
    """Return what somebody wrote, cut short enough to be quoted in a message.

    >>> quoted("x" * 100), quoted([[]]), quoted(7)
    ('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…', '…', 7)
    """
    if isinstance(value, str | int | float):
        return value if len(str(value)) <= 48 else f"{str(value)[:48]}…"
    return "…"


def _shown(value: object, catalogue: Catalogue, names: Sequence[object]) -> object:
    if isinstance(value, Text):
        return value.render(catalogue, names)
    if isinstance(value, Who):
        return names[value.seat] if value.seat < len(names) else value.seat + 1
    return value
