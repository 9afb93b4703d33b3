"""What the slip is drawn with: chips in rails, ladders, tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from ledger.models import Player
from scoring.items import Bonus

ICONS = {"hearts": "heart", "diamonds": "diamond", "spades": "spade", "clubs": "club"}
RED_ICONS = ("heart", "diamond")


@dataclass(frozen=True, slots=True)
class Chip:
    """A choice that can be tapped: *why* is the reason when it cannot."""

    name: str
    value: str
    label: SafeString | str
    note: str = ""
    on: bool = False
    says: str = ""
    why: str = ""
    side: str = ""
    icon: str = ""
    alone: str = ""
    """What the declarer's own chip says in the partner's rail."""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """The place in a rail of somebody who sits out."""

    player: Player


Rail = Sequence[Chip | Gap]


@dataclass(frozen=True, slots=True)
class Contra:
    """A contra ladder as chips, and as the one chip that climbs it."""

    name: str
    about: str
    level: int
    strokes: int
    chips: tuple[Chip, ...]
    word: str
    factor: str
    next: str
    words: str


@dataclass(frozen=True, slots=True)
class ChipRow:
    caption: str
    rail: Rail
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tile:
    """A bonus, folded: what it is worth, and what was written of it."""

    id: str
    name: str
    help: str
    worth: str
    mark: str
    is_suit: bool
    is_red: bool
    set: tuple[str, ...]
    rows: tuple[ChipRow, ...]
    contras: tuple[Contra, ...]
    only: Chip | None
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    name: str
    worth: str
    tiles: list[Tile]


@dataclass(frozen=True, slots=True)
class PointsSum:
    """A line of the explanation: what, how it multiplies, and the points."""

    what: str
    how: str
    points: int


@dataclass(frozen=True, slots=True)
class Pay:
    player: Player
    label: SafeString
    points: int | None
    rests: bool


def span(least: int, most: int, top: int) -> str:
    if least == 0:
        return f"≤ {most}"
    return f"≥ {least}" if most == top else f"{least}–{most}"


def worth(bonus: Bonus) -> str:
    """Return both values of a bonus, announced first: “4 · 2”, “×4 · ×2”."""
    return " · ".join(filter(None, values(bonus)))


def values(bonus: Bonus) -> tuple[str, str]:
    """Return what a bonus is worth announced and silent, "" where it cannot be."""
    sign = "×" if bonus.times_contract else ""
    announced, silent = (
        "" if value is None else f"{sign}{value}"
        for value in (bonus.announced, bonus.silent)
    )
    return announced, silent
