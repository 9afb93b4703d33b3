"""The slip: what a scorer is asked, derived from a tariff.

The web form, the API's schema, the stored record and the help page follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from scoring.cards import SUITS
from scoring.items import Bonus, Kind, Reason
from scoring.sides import BOTH, Side
from scoring.text import Text, _
from scoring.variant import Tariff, Variant

PLAYED = frozenset({"played"})


class Asks(Enum):
    """What kind of answer a field takes."""

    CHOICE = "choice"
    PLAYER = "player"
    FLAG = "flag"
    WHOLE = "whole number"
    LEVEL = "contra level"
    BONUSES = "bonus lines"
    HOLDINGS = "declared trumps by player"


@dataclass(frozen=True, slots=True)
class Answer:
    """One possible answer of a field; *value* is what stands in the record."""

    value: str | int | bool
    name: Text
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class Band:
    """Card points of the declarer's side that all pay the same, by *least* and *most*.

    *made* are the silent bonuses that the band tells.
    """

    least: int
    most: int
    won: bool
    made: tuple[tuple[str, Side], ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the hand record, as the slip asks for it."""

    id: str
    asks: Asks
    label: Text
    answers: tuple[Answer, ...] = ()
    most: int = 0
    """The highest whole number or contra level."""
    bonuses: tuple[Bonus, ...] = ()
    endings: frozenset[str] = PLAYED
    """Endings with which the field is asked."""
    needed: frozenset[str] = frozenset()
    """Endings with which there is no hand without an answer."""


def fields(tariff: Tariff) -> tuple[Field, ...]:
    """Return the fields that a scorer fills in under *tariff*, in the slip's order."""
    return tuple(_fields(tariff.variant))


def _fields(variant: Variant) -> Sequence[Field]:
    ladder = variant.ladder
    levels = tuple(Answer(level, ladder.word(level)) for level in range(ladder.top + 1))
    asked = [
        Field(
            "ending",
            Asks.CHOICE,
            Text(_("How the hand ended")),
            tuple(Answer(e.id, Text(e.name), Text(e.help)) for e in variant.endings),
            endings=frozenset(variant.ending),
        ),
        Field(
            "contract",
            Asks.CHOICE,
            Text(_("Contract")),
            tuple(
                Answer(c.id, Text(c.name), _worth(c.note, c.value))
                for c in variant.contracts
            ),
            endings=_with_contract(variant),
            needed=_with_declarer(variant),
        ),
        Field(
            "declarer",
            Asks.PLAYER,
            Text(_("Declarer")),
            endings=_with_contract(variant),
            needed=_with_declarer(variant),
        ),
        Field("partner", Asks.PLAYER, Text(variant.partner_label), needed=PLAYED),
        Field(
            "alone",
            Asks.CHOICE,
            Text(_("Why alone")),
            _reasons(variant.alone),
        ),
        Field("won", Asks.FLAG, Text(variant.result_label), _won(), needed=PLAYED),
        Field(
            "card_points",
            Asks.WHOLE,
            Text(_("Card points of the declarer’s side")),
            most=variant.pack.points,
        ),
        Field(
            "contra",
            Asks.LEVEL,
            Text(_("Kontra on the game")),
            levels,
            most=ladder.top,
            endings=_with_declarer(variant),
        ),
        Field("bonuses", Asks.BONUSES, Text(_("Bonuses")), bonuses=offered(variant)),
    ]
    if variant.holdings and variant.holdings.paid_to != "nobody":
        held = tuple(Answer(n, Text(n)) for n in variant.holdings.values)
        name = Text(variant.holdings.name)
        asked.append(Field("holdings", Asks.HOLDINGS, name, held))
    if variant.mayor:
        asked.append(Field("xxi_lost_by", Asks.PLAYER, Text(variant.mayor.label)))
    if variant.called:
        asked.append(
            Field(
                "called",
                Asks.CHOICE,
                Text(variant.called.label),
                tuple(Answer(c, called_name(c)) for c in variant.called.cards),
            )
        )
    for ending in variant.endings:
        if ending.by:
            only = frozenset({ending.id})
            asked += [
                Field("annulled_by", Asks.PLAYER, Text(ending.by), endings=only),
                Field(
                    "annulled_because",
                    Asks.CHOICE,
                    Text(_("Why")),
                    _reasons(ending.reasons),
                    endings=only,
                ),
            ]
    return asked


def offered(variant: Variant) -> tuple[Bonus, ...]:
    """Return the bonuses that can be scored in some way under the club's rules."""
    return tuple(
        b for b in variant.bonuses if b.announced is not None or b.silent is not None
    )


def bands(tariff: Tariff) -> tuple[Band, ...]:
    """Return the bands of card points between which the payments differ.

    >>> from scoring import tariff
    >>> [(band.least, band.most) for band in bands(tariff("paskievics"))]
    [(0, 23), (24, 47), (48, 70), (71, 94)]
    """
    variant = tariff.variant
    top, wins = variant.pack.points, variant.game.wins_with
    reached = [b for b in offered(variant) if b.at_least is not None and b.silent]
    cuts = {0, wins, top + 1}
    for bonus in reached:
        cuts |= {bonus.at_least or 0, top - (bonus.at_least or 0) + 1}
    return tuple(
        Band(low, high - 1, low >= wins, tuple(_made_by(reached, top, low)))
        for low, high in pairwise(sorted(cuts))
    )


def _made_by(
    reached: Sequence[Bonus], top: int, points: int
) -> Sequence[tuple[str, Side]]:
    ours = points, top - points
    return [
        (bonus.id, side)
        for bonus in reached
        for side, has in zip(BOTH, ours, strict=True)
        if has >= (bonus.at_least or 0)
    ]


def called_name(card: str) -> Text:
    """Return the name of a called card: a suit, or a trump's numeral."""
    if card in SUITS:
        return SUITS[card]
    return Text(roman(int(card))) if card.isdigit() else Text(card)


def roman(number: int) -> str:
    """Return *number*, 1 or more, as it stands on a trump.

    >>> [roman(n) for n in (1, 4, 9, 19, 24, 120)]
    ['I', 'IV', 'IX', 'XIX', 'XXIV', 'CXX']
    """
    numeral = ""
    for value, sign in ROMAN:
        while number >= value:
            numeral += sign
            number -= value
    return numeral


ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


def _worth(note: str, value: int) -> Text:
    if note:
        return Text(note)
    message = _("{value} point") if value == 1 else _("{value} points")
    return Text(message, {"value": value})


def _reasons(reasons: Sequence[Reason]) -> tuple[Answer, ...]:
    return tuple(Answer(reason.id, Text(reason.name)) for reason in reasons)


def _won() -> tuple[Answer, ...]:
    return Answer(True, Text(_("won"))), Answer(False, Text(_("lost")))


def _with_contract(variant: Variant) -> frozenset[str]:
    return frozenset(
        e.id
        for e in variant.endings
        if e.kind is not Kind.THROWN_IN or e.keeps_contract
    )


def _with_declarer(variant: Variant) -> frozenset[str]:
    return frozenset(e.id for e in variant.endings if e.kind is not Kind.THROWN_IN)
