"""The fields of the slip: what a scorer is asked, derived from a tariff.

The web form, the API's schema, the stored record and the help page follow from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from scoring.cards import called_name
from scoring.items import Bonus, Reason
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
    groups = _ending, _game, _result, _bonuses, _trumps, _called, _annulment
    return tuple(field for group in groups for field in group(tariff.variant))


def _ending(variant: Variant) -> Iterator[Field]:
    yield Field(
        "ending",
        Asks.CHOICE,
        Text(_("How the hand ended")),
        tuple(Answer(e.id, Text(e.name), Text(e.help)) for e in variant.endings),
        endings=frozenset(variant.ending),
    )


def _game(variant: Variant) -> Iterator[Field]:
    """Yield what was played, and by whom."""
    asked, needed = _with_contract(variant), _with_declarer(variant)
    contracts = tuple(
        Answer(c.id, Text(c.name), _worth(c.note, c.value)) for c in variant.contracts
    )
    yield Field(
        "contract",
        Asks.CHOICE,
        Text(_("Contract")),
        contracts,
        endings=asked,
        needed=needed,
    )
    yield Field(
        "declarer", Asks.PLAYER, Text(_("Declarer")), endings=asked, needed=needed
    )
    yield Field("partner", Asks.PLAYER, Text(variant.partner_label), needed=PLAYED)
    reasons = _reasons(variant.alone)
    yield Field("alone", Asks.CHOICE, Text(_("Why alone")), reasons)


def _result(variant: Variant) -> Iterator[Field]:
    """Yield who won, by how many card points, and how often it was doubled."""
    won = Answer(True, Text(_("won"))), Answer(False, Text(_("lost")))
    yield Field("won", Asks.FLAG, Text(variant.result_label), won, needed=PLAYED)
    yield Field(
        "card_points",
        Asks.WHOLE,
        Text(_("Card points of the declarer’s side")),
        most=variant.pack.points,
    )
    ladder = variant.ladder
    yield Field(
        "contra",
        Asks.LEVEL,
        Text(_("Kontra on the game")),
        tuple(Answer(level, ladder.word(level)) for level in range(ladder.top + 1)),
        most=ladder.top,
        endings=_with_declarer(variant),
    )


def _bonuses(variant: Variant) -> Iterator[Field]:
    yield Field("bonuses", Asks.BONUSES, Text(_("Bonuses")), bonuses=offered(variant))


def _trumps(variant: Variant) -> Iterator[Field]:
    """Yield the trumps declared, where they are paid, and who lost the XXI."""
    if variant.holdings and variant.holdings.paid_to != "nobody":
        held = tuple(Answer(n, Text(n)) for n in variant.holdings.values)
        yield Field("holdings", Asks.HOLDINGS, Text(variant.holdings.name), held)
    if variant.mayor:
        yield Field("xxi_lost_by", Asks.PLAYER, Text(variant.mayor.label))


def _called(variant: Variant) -> Iterator[Field]:
    if variant.called:
        cards = tuple(Answer(c, called_name(c)) for c in variant.called.cards)
        yield Field("called", Asks.CHOICE, Text(variant.called.label), cards)


def _annulment(variant: Variant) -> Iterator[Field]:
    """Yield who ended the hand, and why, for each ending that records it."""
    for ending in variant.endings:
        if ending.by:
            only, reasons = frozenset({ending.id}), _reasons(ending.reasons)
            yield Field("annulled_by", Asks.PLAYER, Text(ending.by), endings=only)
            yield Field(
                "annulled_because", Asks.CHOICE, Text(_("Why")), reasons, endings=only
            )


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


def _worth(note: str, value: int) -> Text:
    if note:
        return Text(note)
    message = _("{value} point") if value == 1 else _("{value} points")
    return Text(message, {"value": value})


def _reasons(reasons: Sequence[Reason]) -> tuple[Answer, ...]:
    return tuple(Answer(reason.id, Text(reason.name)) for reason in reasons)


def _with_contract(variant: Variant) -> frozenset[str]:
    """Return the endings with which a contract may be known."""
    keeping = frozenset(e.id for e in variant.endings if e.keeps_contract)
    return _with_declarer(variant) | keeping


def _with_declarer(variant: Variant) -> frozenset[str]:
    """Return the endings with which somebody must have declared."""
    return frozenset(variant.ending) - variant.thrown_in
