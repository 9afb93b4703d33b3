"""Layout of the club file: nested models and their fields.

Every field of a model is in the file, without primary keys of the database and
references that the nesting says already. A new field is in the file by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.db.models.expressions import Combinable

from ledger.clubfile.fields import FileField, file_field
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
"""Version of the format; raised when older files could not be read any more."""

BOOKS = ("club", "season", "evening")
"""Fields of an entry or an action that the nesting says."""
# Reversals follow all other entries: times alone fail when a clock was set back.
IS_REVERSAL = ExpressionWrapper(Q(reverses__isnull=False), BooleanField())


@dataclass(frozen=True)
class FilePart:
    """A list of objects of one model, nested *within* another, in this *order*."""

    model: Any
    within: str
    order: tuple[str | Combinable, ...]
    parts: Mapping[str, FilePart] = field(default_factory=dict)
    numbered: bool = False
    """Each has a number in the file, by which others refer to it."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Condition; other rows are not in the file, or elsewhere in it."""
    but: tuple[str, ...] = ()
    """Fields that are left out."""

    @cached_property
    def fields(self) -> tuple[FileField, ...]:
        left_out = {self.within, *self.but}
        return tuple(
            file_field(column)
            for column in self.model._meta.concrete_fields
            if not isinstance(column, models.AutoField) and column.name not in left_out
        )

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(field.column for field in self.fields)

    @cached_property
    def keys(self) -> frozenset[str]:
        number = ["id"] if self.numbered else []
        return frozenset([*number, *(field.key for field in self.fields), *self.parts])


def _actions(within: str) -> FilePart:
    steps = FilePart(Step, "action", ("hand_id",))
    return FilePart(Action, within, ("number",), {"steps": steps}, but=BOOKS)


def _entries(within: str, **where: object) -> FilePart:
    postings = FilePart(Posting, "entry", ("player_id",))
    order = IS_REVERSAL, "created_at", "pk"
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
"""Applied imports: their fingerprints recognise a sheet that is uploaded again."""
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
"""Evenings come last: they are many, and loaded one after another."""
