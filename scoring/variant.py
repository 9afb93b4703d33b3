"""A variant, and the tariff that a club makes of it by its options and values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeGuard

from scoring.cards import Pack
from scoring.contra import Ladder
from scoring.items import (
    Bonus,
    Called,
    Change,
    Choice,
    Contract,
    Ending,
    EndingKind,
    Game,
    Holdings,
    Mayor,
    Option,
    Preset,
    Reason,
    Redeal,
)
from scoring.problems import Problem, Refused, problem
from scoring.text import Text, _, quoted


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Variant:
    """The rules of a game as data. Read one in `scoring.variants`."""

    id: str
    name: str
    help: str
    source: str
    """What the rules were taken from, for the reader."""
    pack: Pack
    active: int = 4
    """Players in a hand."""
    tricks: int
    contracts: tuple[Contract, ...]
    game: Game
    game_name: str
    result_label: str
    partner_label: str
    bonuses: tuple[Bonus, ...]
    holdings: Holdings | None = None
    endings: tuple[Ending, ...]
    alone: tuple[Reason, ...] = ()
    called: Called | None = None
    ladder: Ladder
    mayor: Mayor | None = None
    multiplies_all: bool = False
    """Whether a bonus that multiplies the contract multiplies the others too."""
    redeal: Redeal = field(default_factory=Redeal)
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()

    def __repr__(self) -> str:
        return f"<variant {self.id}>"

    @cached_property
    def contract(self) -> Mapping[str, Contract]:
        return {contract.id: contract for contract in self.contracts}

    @cached_property
    def bonus(self) -> Mapping[str, Bonus]:
        return {bonus.id: bonus for bonus in self.bonuses}

    @cached_property
    def ending(self) -> Mapping[str, Ending]:
        return {ending.id: ending for ending in self.endings}

    @cached_property
    def alone_reason(self) -> Mapping[str, Reason]:
        return {reason.id: reason for reason in self.alone}

    @cached_property
    def annulment(self) -> Mapping[str, Reason]:
        return {reason.id: reason for e in self.endings for reason in e.reasons}

    @cached_property
    def called_card(self) -> Mapping[str, str]:
        return {card: card for card in (self.called.cards if self.called else ())}

    @cached_property
    def thrown_in(self) -> frozenset[str]:
        """Ids of the endings after which the cards are dealt again."""
        return frozenset(e.id for e in self.endings if e.kind is EndingKind.THROWN_IN)

    @cached_property
    def game_names(self) -> Mapping[str, Text]:
        """What each contract's own line is called."""
        message, game = _("{game}: {contract}"), Text(self.game_name)
        return {
            c.id: Text(message, {"game": game, "contract": Text(c.name)})
            for c in self.contracts
        }

    @cached_property
    def by_points(self) -> tuple[Bonus, ...]:
        """The bonuses that the card points tell."""
        return tuple(b for b in self.bonuses if b.at_least is not None)

    @cached_property
    def sweeps(self) -> frozenset[str]:
        """Ids of the bonuses for which a side takes all the tricks."""
        return frozenset(b.id for b in self.bonuses if b.tricks == self.all_tricks)

    @cached_property
    def all_tricks(self) -> frozenset[int]:
        return frozenset(range(1, self.tricks + 1))


def extend(variant: Variant, *, bonuses: tuple[Bonus, ...], **changes: Any) -> Variant:
    """Return *variant* with more bonuses and the *changes* named."""
    return replace(variant, bonuses=(*variant.bonuses, *bonuses), **changes)


@dataclass(frozen=True, eq=False)
class Tariff:
    """A variant under a club's rules."""

    original: Variant
    rules: Mapping[str, Any]
    """What differs from the defaults: preset, options, values."""
    options: Mapping[str, str | int]
    """The choice for each option of the variant."""
    variant: Variant
    """The variant with every choice and value of the club put in."""

    @classmethod
    def of(cls, variant: Variant, rules: Mapping[str, Any] | None = None) -> Tariff:
        """Return the tariff of *variant* under *rules* as in a hand record.

        Raise `Refused` with a problem for each rule that the game does not know.
        """
        reading = _Reading(variant, {} if rules is None else rules)
        if reading.problems:
            raise Refused(reading.problems)
        return cls(variant, reading.rules, reading.options, reading.variant)

    @property
    def redeal(self) -> Redeal:
        """Return what follows a deal that was thrown in."""
        return self.variant.redeal

    @property
    def digest(self) -> str:
        """Return the rules as one canonical string."""
        return json.dumps(self.rules, sort_keys=True, separators=(",", ":"))


class _Reading:
    """Rules read once: preset first, then single options, then values."""

    def __init__(self, variant: Variant, rules: object) -> None:
        self.problems: list[Problem] = []
        if not isinstance(rules, Mapping):
            self._wrong(_("Rules must be an object: option, then its choice."))
            rules = {}
        self.rules: dict[str, Any] = {}
        self.known = {option.id: option for option in variant.options}
        self.options = {option.id: option.default for option in variant.options}
        preset = self._preset(variant, rules.get("preset"))
        self.options |= {k: v for k, v in preset.options.items() if k in self.known}
        base = dict(self.options)
        self._choose(rules)
        self.rules |= {k: v for k, v in self.options.items() if v != base[k]}
        self.original = self.variant = variant
        self._apply([*self._chosen()])
        for id, values in preset.values.items():
            if _values_of(variant, id):
                self._worth(id, values)
        self._revalue(rules.get("values", {}))

    def _preset(self, variant: Variant, id: object) -> Preset:
        default = Preset(id="", name="", help="")
        if not variant.presets or id in (None, variant.presets[0].id):
            if id is not None and not variant.presets:
                self._wrong(_("This game has no presets: leave the preset out."))
            return variant.presets[0] if variant.presets else default
        for preset in variant.presets:
            if preset.id == id:
                self.rules["preset"] = id
                return preset
        known = ", ".join(preset.id for preset in variant.presets)
        self._wrong(
            _("There is no preset “{value}”. Choose one of: {known}."),
            value=quoted(id),
            known=known,
        )
        return default

    def _choose(self, rules: Mapping[str, Any]) -> None:
        for id, value in rules.items():
            if id in ("preset", "values"):
                continue
            if id not in self.known:
                self._wrong(_("This game has no option “{value}”."), value=quoted(id))
            elif choice := self._choice(self.known[id], value):
                self.options[id] = choice.value
            else:
                known = ", ".join(str(c.value) for c in self.known[id].choices)
                self._wrong(
                    _("“{value}” is not a choice of {option}. Choose one of: {known}."),
                    value=quoted(value),
                    option=id,
                    known=known,
                )

    @staticmethod
    def _choice(option: Option, value: object) -> Choice | None:
        for choice in option.choices:
            if str(choice.value) == str(value):
                return choice
        return None

    def _chosen(self) -> Iterator[Change]:
        for id, value in self.options.items():
            choice = self._choice(self.known[id], value)
            assert choice is not None  # what is no choice was refused before
            yield from choice.changes

    def _apply(self, changes: Sequence[Change]) -> None:
        """Set first and add then, so that the order of the options changes nothing."""
        for change in changes:
            self.variant = changed(self.variant, change.of, change.to)
        for change in changes:
            self.variant = added(self.variant, change.of, change.adds)

    def _revalue(self, values: object) -> None:
        if not isinstance(values, Mapping):
            self._wrong(_("Values must be an object: item, then what it is worth."))
            return
        for id, new in values.items():
            if self._is_known(str(id), new):
                self._worth(str(id), new)
                self.rules.setdefault("values", {})[str(id)] = new

    def _is_known(self, id: str, new: object) -> TypeGuard[Mapping[str, int | None]]:
        if (
            isinstance(new, Mapping)
            and new
            and set(map(str, new)) <= _values_of(self.original, id)
            and all(_is_worth(value, str(key)) for key, value in new.items())
        ):
            return True
        self._wrong(
            _("“{value}” has no such value to change: use whole numbers from 0 up."),
            value=quoted(id),
        )
        return False

    def _worth(self, id: str, new: Mapping[str, int | None]) -> None:
        """Put the *new* values of item *id* in the place of those it had."""
        to: Mapping[str, Any] = {str(key): value for key, value in new.items()}
        if self.variant.holdings and id == self.variant.holdings.id:
            to = {"values": {**self.variant.holdings.values, **to}}
        self.variant = changed(self.variant, id, to)

    def _wrong(self, message: str, **values: Any) -> None:
        self.problems.append(problem("rules", message, code="rules", **values))


def _values_of(variant: Variant, id: str) -> set[str]:
    if bonus := variant.bonus.get(id):
        return {k for k in ("announced", "silent") if getattr(bonus, k) is not None}
    if id in variant.contract:
        return {"value"}
    if (ending := variant.ending.get(id)) and ending.kind is EndingKind.SURRENDERED:
        return {"value"}
    if variant.holdings and id == variant.holdings.id:
        return set(variant.holdings.values)
    return set()


def _is_worth(value: object, key: str) -> bool:
    if value is None:
        return key in ("announced", "silent")
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 9999


def changed(variant: Variant, id: str, to: Mapping[str, Any]) -> Variant:
    """Return *variant* with attributes of item *id* set; "" is the variant itself."""
    return _with(variant, id, lambda item: replace(item, **to))


def added(variant: Variant, id: str, more: Mapping[str, tuple[Any, ...]]) -> Variant:
    """Return *variant* with *more* behind the tuples that item *id* has."""
    return _with(
        variant,
        id,
        lambda item: replace(
            item, **{name: (*getattr(item, name), *new) for name, new in more.items()}
        ),
    )


def _with(variant: Variant, id: str, new: Callable[[Any], Any]) -> Variant:
    """Return *variant* with what *new* makes of the item *id* in that item's place."""
    if not id:
        made: Variant = new(variant)
        return made
    for name, items in _tables(variant):
        if any(item.id == id for item in items):
            table: dict[str, Any] = {
                name: tuple(new(item) if item.id == id else item for item in items)
            }
            return replace(variant, **table)
    if variant.holdings and id == variant.holdings.id:
        return replace(variant, holdings=new(variant.holdings))
    part = getattr(variant, id, None)
    if part is None:
        raise LookupError(f"no item {id!r} in variant {variant.id!r}")
    return replace(variant, **{id: new(part)})


def _tables(variant: Variant) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for name in ("contracts", "bonuses", "endings", "alone"):
        yield name, getattr(variant, name)
