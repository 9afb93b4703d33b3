"""Values that the templates of the slip draw: chips, rails, contra ladders, tiles."""

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
    """Choice that can be tapped; with a reason *why*, it cannot."""

    name: str
    value: str
    label: SafeString | str
    note: str = ""
    on: bool = False
    aria_label: str = ""
    why: str = ""
    side: str = ""
    icon: str = ""
    alone: str = ""
    """Label of the declarer's own chip in the partner's rail."""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """Place in a rail of a player who sits out."""

    player: Player


Rail = Sequence[Chip | Gap]


@dataclass(frozen=True, slots=True)
class Contra:
    """Contra ladder as chips, and as the one chip that climbs it."""

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
    """Tile of a bonus: its worth, the lines entered, and the chips inside."""

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
    """Line of the sum below the slip: what, its multiplication, its points."""

    what: str
    how: str
    points: int


@dataclass(frozen=True, slots=True)
class Pay:
    player: Player
    label: SafeString
    points: int | None
    sits_out: bool


def span(least: int, most: int, top: int) -> str:
    if least == 0:
        return f"≤ {most}"
    return f"≥ {least}" if most == top else f"{least}–{most}"


def worth(bonus: Bonus) -> str:
    """Return both values of a bonus, announced first: “4 · 2”, “×4 · ×2”."""
    return " · ".join(filter(None, values(bonus)))


def values(bonus: Bonus) -> tuple[str, str]:
    """Return the worth of a bonus announced and silent, "" where it cannot be."""
    sign = "×" if bonus.times_contract else ""
    announced, silent = (
        "" if value is None else f"{sign}{value}"
        for value in (bonus.announced, bonus.silent)
    )
    return announced, silent
