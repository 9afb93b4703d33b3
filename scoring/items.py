"""The vocabulary in which variants are written: plain values, no functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from scoring.sides import BOTH, Side

NONE: frozenset[str] = frozenset()


class When(Enum):
    """What the bigger bonus must have been for a smaller item to give way."""

    MADE = "made"
    CLAIMED = "claimed"
    """Made or announced."""
    FAILED = "failed"
    """Announced and not made."""


class Whose(Enum):
    """Whose bigger bonus it must have been, seen from the smaller item's side."""

    OWN = "own"
    OTHER = "other"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivesWay:
    """An item that was made is not scored beside one of *to*.

    *when* says whether that must have been made, claimed or failed.
    """

    to: tuple[str, ...]
    when: When = When.MADE
    whose: Whose = Whose.OWN
    silent_only: bool = False
    """An announced item stands."""
    unless_contra: bool = False
    """An item that was contra'd stands."""
    failed_too: bool = False
    """Whether an item that failed is not scored either: else the bet is paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What the declarer undertook. *value* in points from each opponent."""

    id: str
    name: str
    note: str = ""
    value: int
    lifts: int = 0
    """Cards taken from the talon, and laid away again into the side's pile."""
    contra: bool = True
    may_surrender: bool = False
    sweep_at_least: int = 0
    """Card points that all the tricks leave the declarer's side at the least."""
    swept_at_most: int | None = None
    """Card points that are left to a declarer's side without a trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """How the contract itself is scored."""

    wins_with: int
    """Card points from which the declarer's side wins."""
    tie: int | None = None
    """Card points at which both sides have the same."""
    tie_goes_to: str = "defenders"
    """`defenders`, `nobody` or `last_doubler_loses`."""
    lone_value: int | None = None
    """What every contract is worth to a lone declarer, where that is fixed."""
    gives_way: tuple[GivesWay, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """A feat that is paid whoever wins the game."""

    id: str
    name: str
    help: str
    announced: int | None = None
    """Points from each opponent; None where it cannot be announced."""
    silent: int | None = None
    """Points from each opponent unannounced; None where it does not count so."""
    times_contract: bool = False
    """Whether both values are multiplied by the contract's."""
    announced_by: tuple[Side, ...] = BOTH
    silent_by: tuple[Side, ...] = BOTH
    contra: bool = True
    silent_can_fail: bool = False
    silent_loss: bool = False
    """Whether a silent attempt that failed costs the silent value."""
    at_least: int | None = None
    """Card points that make it."""
    tricks: frozenset[int] = frozenset()
    """Numbers of the tricks that the side takes."""
    won_by: str = ""
    """The card that wins the last of these tricks."""
    takes: frozenset[str] = NONE
    """Cards that lie in the side's tricks."""
    captures: frozenset[str] = NONE
    """Cards among them that the opponents held."""
    holds: frozenset[str] = NONE
    """Cards that whoever announces it holds."""
    gives_way: tuple[GivesWay, ...] = ()
    not_with: tuple[str, ...] = ()
    """Bonuses that the same side does not announce beside it."""
    not_with_is_sure: bool = True
    """Whether that is forbidden, or merely pointless."""
    not_alone_because: tuple[str, ...] = ()
    """Reasons for playing alone with which nobody can announce it."""
    defenders_need: str = ""
    """Bonus that the defenders must have made with it, against a pair."""
    usually_by_partner: bool = False
    """Whether the partner announces it where the declarer has one."""
    family: str = ""
    """Heading under which several small bonuses stand side by side."""
    mark: str = ""
    """A numeral or a suit that stands for the name beside that heading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """Numbers of trumps in hand that may be declared, and what each is worth."""

    id: str = "holdings"
    name: str
    help: str
    values: Mapping[str, int]
    paid_to: str = "side"
    """`side`, `player` (by each of the others) or `nobody`."""
    gives_way: tuple[GivesWay, ...] = ()


class EndingKind(Enum):
    """What kind of ending a hand had."""

    PLAYED = "played"
    THROWN_IN = "thrown_in"
    SURRENDERED = "surrendered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """A way in which a deal ends."""

    id: str
    name: str
    help: str
    kind: EndingKind
    keeps_contract: bool = False
    """Whether contract and declarer may already be known."""
    by: str = ""
    """Label of who ended it so, where that is recorded."""
    reasons: tuple[Reason, ...] = ()
    value: int = 0
    """Points to each opponent when the declarer surrenders."""
    price: str = "flat"
    """`flat`, `contract` or `contract_times_contra`."""

    @property
    def counts_contra(self) -> bool:
        """Whether contra on the game changes what is paid."""
        return self.kind is EndingKind.PLAYED or self.price == "contract_times_contra"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why somebody plays alone, or why a hand was annulled."""

    id: str
    name: str
    needs_contra: str = ""
    """The sentence that says why the game must have been contra'd."""
    unlikely: str = ""
    """The sentence that warns of it under this club's rules."""
    unlikely_unless: str = ""
    """Bonus whose announcement by the declarer explains it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The card that the declarer called for a partner."""

    label: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mayor:
    """A hat for whoever lost the card to an opponent."""

    label: str
    lost: str
    """Field of the record that says who lost it."""
    caught_by: str
    """The bonus of the side that caught it."""


HIGHEST_MULTIPLIER = 2**20
"""Twenty deals thrown in one after another; so points stay small numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeal:
    """What follows a deal that was thrown in."""

    doubling: str = "off"
    """`cumulative`, `flat`, `round` or `off`."""
    dealer: str = "same"
    """`same` or `next`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a choice changes: attributes of the item *of* that id.

    No two options set the same attribute of one item; what they add to it adds up.
    """

    of: str
    to: Mapping[str, Any] = field(default_factory=dict)
    adds: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """What comes to the tuples that stand there, whatever other choices bring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer to an option, and what it changes in the game."""

    value: str | int
    name: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A point on which clubs differ. The first choice is the default."""

    id: str
    name: str
    help: str
    choices: tuple[Choice, ...]

    @property
    def default(self) -> str | int:
        return self.choices[0].value


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A whole tariff that many clubs share: options and values in one."""

    id: str
    name: str
    help: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)
