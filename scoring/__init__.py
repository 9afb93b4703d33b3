"""Tarock hands, scored and explained: pure Python that knows no database.

A variant declares a game as data, and a tariff is a variant under a club's rules. A
hand comes as a record in JSON's terms; it is read, checked and scored. Points are
what each seat gains, from forehand on.

>>> rules = tariff("taroki", {"contra_cap": 2})
>>> players = ["Ania", "Bartek", "Celina", "Darek"]
>>> record = {"contract": "3", "declarer": "Ania", "partner": "Celina", "contra": 1}
>>> result = score(rules, parse(rules, players, record | {"card_points": 41}))
>>> result.payments
(6, -6, 6, -6)
>>> for line in result.lines:  # doctest: +ELLIPSIS
...     print(f"{line.name}, {line.points}: {line.why}")
Contract: 3, 6: The declarer’s side has 41 card points; 36 ... to win. ×2 (kontra).

A record that cannot be a hand is refused, with every reason at once.

>>> parse(rules, players, record | {"partner": "Ania"})  # doctest: +ELLIPSIS
Traceback (most recent call last):
scoring.problems.Refused: Leave the partner empty when the declarer plays alone.; ...

Where things are: games in `variants`, written in the words of `items`, `cards` and
`contra`; what a scorer is asked in `fields`; records in `reading` and `hand`;
contradictions in `checks`, and what they rule out in `barred`; points and reasons in
`engine`; who pays whom at the end in `settlement`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from scoring.barred import barred, barred_contra, barred_contracts
from scoring.cards import Pack, roman
from scoring.checks import check
from scoring.engine import Line, Score, score
from scoring.fields import Band, Field, bands, fields
from scoring.hand import BonusLine, Hand, renamed
from scoring.problems import Problem, Refused, Severity, problem, refuse
from scoring.reading import read
from scoring.sides import Side, Sides
from scoring.text import Text, Who
from scoring.variant import Tariff, Variant
from scoring.variants import VARIANTS

__all__ = [
    "VARIANTS",
    "Band",
    "BonusLine",
    "Field",
    "Hand",
    "Line",
    "Pack",
    "Problem",
    "Refused",
    "Score",
    "Severity",
    "Side",
    "Sides",
    "Tariff",
    "Text",
    "Variant",
    "Who",
    "bands",
    "barred",
    "barred_contra",
    "barred_contracts",
    "check",
    "examine",
    "fields",
    "get_variant",
    "parse",
    "problem",
    "refuse",
    "renamed",
    "roman",
    "score",
    "tariff",
]


def get_variant(id: str) -> Variant:
    """Return the variant of that id. Raise `LookupError` when there is none."""
    try:
        return VARIANTS[id]
    except (KeyError, TypeError):
        known = ", ".join(VARIANTS)
        raise LookupError(f"unknown variant {id!r}, expected one of: {known}") from None


def tariff(variant: str, rules: Mapping[str, Any] | None = None) -> Tariff:
    """Return the tariff of the variant of that id under *rules*.

    Raise `LookupError` on an unknown variant, `Refused` on rules it does not know.
    """
    known = get_variant(variant)
    return _tariff(known, "{}" if rules is None or rules == {} else SPELL(rules))


SPELL = json.JSONEncoder(sort_keys=True).encode


@lru_cache(maxsize=512)
def _tariff(variant: Variant, rules: str) -> Tariff:
    return Tariff.of(variant, json.loads(rules))


def examine(
    tariff: Tariff, players: Sequence[Any], record: object
) -> tuple[Hand, tuple[Problem, ...]]:
    """Return the hand of *record*, and every problem it has: errors and warnings.

    *players* are the active players from forehand on, as the record names them. A
    field that could not be read has its default in the hand and is not checked.
    """
    hand, malformed = read(tariff, players, record)
    unread = {(problem.field, problem.about) for problem in malformed}
    if unread & {("hand", ""), ("ending", "")}:
        return hand, tuple(malformed)
    if ("card_points", "") in unread:
        unread.add(("won", ""))
    found = [p for p in check(tariff, hand) if (p.field, p.about) not in unread]
    return hand, tuple(dict.fromkeys((*malformed, *found)))


def parse(tariff: Tariff, players: Sequence[Any], record: object) -> Hand:
    """Return the hand of *record*. Raise `Refused` when it has errors.

    *players* are the active players from forehand on, as the record names them.
    """
    hand, problems = examine(tariff, players, record)
    if any(problem.is_error for problem in problems):
        raise Refused(problems)
    return hand
