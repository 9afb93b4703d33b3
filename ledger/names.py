"""Short names for the narrow rails: at most eight letters, unique at a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

LETTERS = 8


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def nickname(self) -> str: ...


def short_names(people: Iterable[Named]) -> dict[str, str]:
    """Return a short form per name, none of them twice.

    Who has a nickname goes by it; others by the first part of the name, and where
    two would look alike, by its beginning and the next initial.
    """
    taken: set[str] = set()
    short: dict[str, str] = {}
    for person in people:
        form = next(form for form in _forms(person) if form.casefold() not in taken)
        taken.add(form.casefold())
        short[person.name] = form
    return short


def _forms(person: Named) -> Iterable[str]:
    parts = [part for part in re.split(r"[\s\-‐-―]+", person.name) if part]
    first = parts[0] if parts else person.name
    if person.nickname:
        yield person.nickname[:LETTERS]
    if len(person.name) <= LETTERS:
        yield person.name
    yield first[:LETTERS]
    for part in parts[1:]:
        yield f"{first[: LETTERS - 3]} {part[0]}."
    yield from (f"{first[: LETTERS - 3]} {number}" for number in range(2, 1000))
