"""Names in a list, and short ones for the narrow rails, unique at a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Protocol, TypeVar

LETTERS = 8
PLAIN = str.maketrans("łŁđĐøØßœæ", "lLdDoOsoa")


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def nickname(self) -> str: ...


P = TypeVar("P", bound=Named)


def in_order(people: Iterable[P]) -> list[P]:
    """Return *people* by name: Ágnes before Bartek, whatever database they lie in."""
    return sorted(people, key=spelt)


def spelt(person: Named) -> tuple[str, str]:
    """Return by what somebody stands in a list of names."""
    return fold(person.name), person.name


def fold(text: str) -> str:
    """Return *text* without what writers are careless about: case and accents.

    >>> fold(" Żółć  ŐRI ")
    'zolc ori'
    """
    bare = unicodedata.normalize("NFKD", text.translate(PLAIN))
    letters = "".join(mark for mark in bare if not unicodedata.combining(mark))
    return " ".join(letters.casefold().split())


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
