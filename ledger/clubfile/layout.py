"""What the file of a club holds, and what stands in what.

Every field of a model is in it, but for the database's own numbers and what the place
in the file says already: who adds a field to a model adds it to the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.db.models.expressions import Combinable

from ledger.clubfile.fields import Spelling, spelling
from ledger.models import (
    Action,
    Club,
    Edition,
    Entry,
    Evening,
    Hand,
    Line,
    LineUp,
    Member,
    OldSheet,
    Player,
    Posting,
    Season,
    Seat,
    Step,
    Table,
    Version,
)

FORMAT = 1
"""Goes up when a file of before can no longer be read as it was meant."""

BOOKS = ("club", "season", "evening")
"""Where an entry or an action stands."""
BACK = ExpressionWrapper(Q(reverses__isnull=False), BooleanField())
"""What takes entries back comes after them all: a clock may have been put back."""


@dataclass(frozen=True)
class FilePart:
    """A list of things of one kind: those *within* something, in this *order*."""

    model: Any
    within: str
    order: tuple[str | Combinable, ...]
    parts: Mapping[str, FilePart] = field(default_factory=dict)
    numbered: bool = False
    """Each has a number in the file, which others call it by."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Which of them; the rest is no part of a file, or stands elsewhere."""
    but: tuple[str, ...] = ()
    """Fields that are left out."""

    @cached_property
    def fields(self) -> tuple[Spelling, ...]:
        said = {self.within, *self.but}
        return tuple(
            spelling(column)
            for column in self.model._meta.concrete_fields
            if not isinstance(column, models.AutoField) and column.name not in said
        )

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(spelled.column for spelled in self.fields)

    @cached_property
    def keys(self) -> frozenset[str]:
        number = ["id"] if self.numbered else []
        return frozenset([*number, *(f.key for f in self.fields), *self.parts])


def _actions(within: str) -> FilePart:
    steps = FilePart(Step, "action", ("hand_id",))
    return FilePart(Action, within, ("number",), {"steps": steps}, but=BOOKS)


def _entries(within: str, **where: object) -> FilePart:
    postings = FilePart(Posting, "entry", ("player_id",))
    order = BACK, "created_at", "pk"
    below = {"postings": postings}
    return FilePart(Entry, within, order, below, where=where, but=BOOKS)


HANDS = FilePart(
    Hand,
    "table",
    ("number", "voided", "played_at", "pk"),
    {
        "versions": FilePart(
            Version,
            "hand",
            ("number",),
            {"lines": FilePart(Line, "version", ("position",))},
        )
    },
)
LINEUPS = FilePart(
    LineUp, "table", ("from_hand",), {"seats": FilePart(Seat, "lineup", ("position",))}
)
EVENINGS = FilePart(
    Evening,
    "club",
    ("pk",),
    {
        "tables": FilePart(
            Table, "evening", ("number",), {"lineups": LINEUPS, "hands": HANDS}
        ),
        "actions": _actions("evening"),
        "entries": _entries("evening"),
    },
)
SEASONS = FilePart(
    Season,
    "club",
    ("pk",),
    {"actions": _actions("season"), "entries": _entries("season")},
    numbered=True,
)
SHEETS = FilePart(
    OldSheet,
    "club",
    ("uploaded_at", "pk"),
    where={"action__isnull": False},
    but=("content", "choices"),
)
"""Those that were brought in: their digests tell when one comes again."""
CLUB = FilePart(
    Club,
    "",
    ("pk",),
    {
        "players": FilePart(Player, "club", ("pk",), numbered=True),
        "members": FilePart(Member, "club", ("pk",)),
        "editions": FilePart(Edition, "club", ("pk",), numbered=True),
        "seasons": SEASONS,
        "actions": _actions("club"),
        "sheets": SHEETS,
        "entries": _entries("club", evening=None, season=None),
        "evenings": EVENINGS,
    },
)
"""The evenings come last: they are many, and are read one after another."""
