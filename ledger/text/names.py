"""Names: tidied to be stored, sorted in a list, and shortened, unique at a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Protocol, TypeVar

LETTERS = 8
PLAIN = str.maketrans("łŁđĐøØßœæ", "lLdDoOsoa")


JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Some scripts are written with them, and some smileys; Latin letters are not."""
BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Fillers of Hangul: letters to Unicode, and nothing to the eye."""


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def nickname(self) -> str: ...


P = TypeVar("P", bound=Named)


def tidy(name: str) -> str:
    """Return *name* with single spaces, each accented letter as one, no unseen marks.

    >>> tidy(" Ka\N{ZERO WIDTH SPACE}ti\N{RIGHT-TO-LEFT OVERRIDE}  N. ")
    'Kati N.'
    """
    seen = " "
    for letter in unicodedata.normalize("NFC", name):
        if letter.isspace() or not _is_unseen(letter, seen[-1]):
            seen += letter
    return " ".join(seen.split())


def _is_unseen(letter: str, before: str) -> bool:
    if letter in JOINERS:
        return before.isspace() or unicodedata.name(before, "").startswith("LATIN")
    return letter in BLANK_LETTERS or unicodedata.category(letter) in ("Cc", "Cf")


def has_letter(name: str) -> bool:
    """Tell whether there is something to read in a tidy *name*: a letter or a digit.

    >>> has_letter("2027"), has_letter("…")
    (True, False)
    """
    return any(letter.isalnum() for letter in name)


def same(name: str, other: str) -> bool:
    """Tell whether two tidy names differ in case at the most."""
    return name.casefold() == other.casefold()


def in_order(people: Iterable[P]) -> list[P]:
    """Return *people* by name: Ágnes before Bartek, on every database."""
    return sorted(people, key=sort_key)


def sort_key(person: Named) -> tuple[str, str]:
    """Return the key that sorts *person* by name."""
    return fold(person.name), person.name


def fold(text: str) -> str:
    """Return *text* without case and accents, for comparing.

    >>> fold(" Żółć  ŐRI ")
    'zolc ori'
    """
    bare = unicodedata.normalize("NFKD", text.translate(PLAIN))
    letters = "".join(mark for mark in bare if not unicodedata.combining(mark))
    return " ".join(letters.casefold().split())


def short_names(people: Iterable[Named]) -> dict[str, str]:
    """Return a short form of each name, none of them twice.

    It is the nickname, else the first part of the name; where two would look alike,
    its beginning and the next initial.
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
