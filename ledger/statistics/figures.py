"""The figures: what each is called, what it means, and which hands it counts.

A figure that counts hands is one function from a hand and a player to the marks that
it leaves. The numbers on a page, the hands behind them and the audit all come from it,
so that nothing can count something else than its definition says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ledger.statistics.facts import Fact, Line, Role
from scoring import Side

Words = str | Promise


class About(Enum):
    """What the rows of one figure are about."""

    NOTHING = "nothing"
    ITEM = "item"
    """A contract or a bonus of some game, as `Fact.about` spells it."""
    PLAYER = "player"
    SEAT = "seat"


class Shows(Enum):
    """Which of a row's numbers say something; all figures show the count."""

    COUNT = "count"
    VALUE = "value"
    """Points only: there is one hand, or none."""
    SUCCESS = "success"
    POINTS = "points"
    """Points and the average."""
    ALL = "all"
    """Success, points and the average."""


class Mark(NamedTuple):
    """What a hand adds to a figure: one more, whether it succeeded, points."""

    about: str = ""
    hit: bool = False
    points: int = 0


Counted = Callable[[Fact, int], Iterator[Mark]]
"""What a hand means to a player; for the club's figures the player is NOBODY."""

NOBODY = 0
"""Stands for the player where a figure is the whole club's."""


@dataclass(frozen=True, slots=True)
class Figure:
    id: str
    name: Words
    definition: Words
    counted: Counted | None = None
    """None for what is a hand, a run of hands or an evening: a best of its kind."""
    about: About = About.NOTHING
    shows: Shows = Shows.COUNT
    hits: Words = ""
    """What a success is called: won, made."""


def _hands(fact: Fact, player: int) -> Iterator[Mark]:
    if not fact.thrown_in and player in fact.players:
        gain = fact.gain(player)
        yield Mark("", gain > 0, gain)


def _thrown_in(fact: Fact, player: int) -> Iterator[Mark]:
    if fact.thrown_in and player in fact.players:
        yield Mark()


def _as(role: Role) -> Counted:
    def counted(fact: Fact, player: int) -> Iterator[Mark]:
        if fact.role(player) is role:
            yield Mark("", fact.has_won(player), fact.gain(player))

    return counted


def _contract(fact: Fact, player: int) -> Iterator[Mark]:
    if fact.role(player) in (Role.DECLARER, Role.ALONE):
        about = fact.about(fact.contract)
        yield Mark(about, fact.won is True, fact.gain(player))


def _announced(fact: Fact, player: int) -> Iterator[Mark]:
    for line in fact.lines:
        if line.kind == "bonus" and line.announced and line.player == player:
            yield Mark(fact.about(line.item), line.made is True)


def _silent(fact: Fact, player: int) -> Iterator[Mark]:
    for line in _own_silent(fact, player):
        yield Mark(fact.about(line.item), True)


def _missed(fact: Fact, player: int) -> Iterator[Mark]:
    for line in _own_silent(fact, player):
        bonus = fact.game.bonus.get(line.item)
        if bonus is None or Side(line.side) not in bonus.announced_by:
            continue
        if line.points and (bonus.announced or 0) > (bonus.silent or 0):
            yield Mark(fact.about(line.item), True)


def _own_silent(fact: Fact, player: int) -> Iterator[Line]:
    side = fact.side(player)
    if side is None:
        return
    for line in fact.lines:
        if _is_silent(line) and line.side == side.value:
            yield line


def _is_silent(line: Line) -> bool:
    return line.kind == "bonus" and not line.announced and line.made is True


def _contra_given(fact: Fact, player: int) -> Iterator[Mark]:
    for item, level, owns, hit in _doubled(fact, player):
        if not owns or level > 1:
            yield Mark(fact.about(item), hit)


def _contra_received(fact: Fact, player: int) -> Iterator[Mark]:
    for item, level, owns, hit in _doubled(fact, player):
        if owns or level > 1:
            yield Mark(fact.about(item), hit)


def _doubled(fact: Fact, player: int) -> Iterator[tuple[str, int, bool, bool]]:
    """Yield item and level, whether *player*'s side owns it, and whether it gained.

    The game is the declarer's, a bonus belongs to the side that announced it. The
    first contra is the other side's, the next its owner's, and so on in turn.
    """
    side = fact.side(player)
    if side is None:
        return
    for line in fact.lines:
        if line.contra:
            game = line.kind != "bonus"
            owner = Side.DECLARER if game else Side(line.side)
            item = fact.contract if game else line.item
            yield item, line.contra, owner is side, line.points * side.sign > 0


def _captured(fact: Fact, player: int) -> Iterator[Mark]:
    for line, own in _captures(fact, player):
        if own:
            yield Mark(fact.about(line.item), True)


def _suffered(fact: Fact, player: int) -> Iterator[Mark]:
    for line, own in _captures(fact, player):
        if not own:
            yield Mark(fact.about(line.item), True)


def _captures(fact: Fact, player: int) -> Iterator[tuple[Line, bool]]:
    side = fact.side(player)
    for line in fact.lines:
        bonus = fact.game.bonus.get(line.item) if line.kind == "bonus" else None
        if side is not None and bonus and bonus.captures and line.made:
            yield line, line.side == side.value


def _mayor(fact: Fact, player: int) -> Iterator[Mark]:
    if fact.xxi_lost_by == player:
        yield Mark("", True, fact.gain(player))


def _with(fact: Fact, player: int) -> Iterator[Mark]:
    yield from _met(fact, player, together=True)


def _against(fact: Fact, player: int) -> Iterator[Mark]:
    yield from _met(fact, player, together=False)


def _met(fact: Fact, player: int, *, together: bool) -> Iterator[Mark]:
    side = fact.side(player)
    if side is None:
        return
    for other in fact.players:
        if other != player and (fact.side(other) is side) is together:
            yield Mark(str(other), fact.gain(player) > 0, fact.gain(player))


def _played_contract(fact: Fact, nobody: int) -> Iterator[Mark]:
    if fact.declarer is not None:
        yield from _contract(fact, fact.declarer)


def _seat(fact: Fact, nobody: int) -> Iterator[Mark]:
    if not fact.thrown_in and fact.declarer is not None:
        gain = fact.gain(fact.declarer)
        yield Mark(str(fact.seat), fact.won is True, gain)


def _club_announced(fact: Fact, nobody: int) -> Iterator[Mark]:
    for line in fact.lines:
        if line.kind == "bonus" and line.announced:
            yield Mark(fact.about(line.item), line.made is True)


def _club_silent(fact: Fact, nobody: int) -> Iterator[Mark]:
    for line in fact.lines:
        if _is_silent(line):
            yield Mark(fact.about(line.item), True)


WON = pgettext_lazy("hands", "won")
MADE = pgettext_lazy("bonuses", "made")

GENERAL = (
    Figure(
        "hands",
        _("Hands"),
        _(
            "Hands played out; deals thrown in are left out. In plus is a hand that "
            "brought points. Adjustments are no hands and no part of the average."
        ),
        _hands,
        shows=Shows.ALL,
        hits=_("in plus"),
    ),
    Figure(
        "best",
        _("Best hand"),
        _("The hand that brought the most points; of equal ones the first."),
        shows=Shows.VALUE,
    ),
    Figure(
        "worst",
        _("Worst hand"),
        _("The hand that cost the most points; of equal ones the first."),
        shows=Shows.VALUE,
    ),
    Figure(
        "thrown_in",
        _("Thrown in"),
        _("Deals that nobody played. They count in no average and break no streak."),
        _thrown_in,
    ),
)

ROLES = tuple(
    Figure(id, name, definition, _as(role), shows=Shows.ALL, hits=WON)
    for role, id, name, definition in (
        (
            Role.DECLARER,
            "as_declarer",
            _("As declarer"),
            _(
                "Hands as declarer with a partner, and those given up. Won when the "
                "declarer’s side won."
            ),
        ),
        (
            Role.PARTNER,
            "as_partner",
            _("As partner"),
            _("Hands as the declarer’s partner. Won when the declarer’s side won."),
        ),
        (
            Role.DEFENDER,
            "as_defender",
            _("As defender"),
            _(
                "Hands against the declarer. Won when the declarer’s side lost or "
                "gave up; a tie is won by nobody."
            ),
        ),
        (
            Role.ALONE,
            "as_alone",
            _("Alone"),
            _("Hands as declarer without a partner, played to the end."),
        ),
    )
)

CONTRACT = Figure(
    "contract",
    _("By contract"),
    _(
        "Hands as declarer, with a partner or alone. Won when the declarer’s side won "
        "the game; the points are all that the hand brought, bonuses too."
    ),
    _contract,
    about=About.ITEM,
    shows=Shows.ALL,
    hits=WON,
)

BONUSES = (
    Figure(
        "announced",
        _("Announced"),
        _("Bonuses that the player himself announced, and how many were made."),
        _announced,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=MADE,
    ),
    Figure(
        "silent",
        _("Made in silence"),
        _("Bonuses that the player’s side made and nobody had announced."),
        _silent,
        about=About.ITEM,
    ),
    Figure(
        "missed",
        _("Missed"),
        _(
            "Bonuses that the player’s side made in silence and was paid for, though "
            "the club pays more for an announced one."
        ),
        _missed,
        about=About.ITEM,
    ),
)

CONTRA = (
    Figure(
        "contra_given",
        _("Contra given"),
        _(
            "Games and bonuses that the player’s side doubled: a contra to the other "
            "side’s, or a re-contra to its own. A success when the points of that "
            "line went to the player’s side."
        ),
        _contra_given,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=_("to the good"),
    ),
    Figure(
        "contra_received",
        _("Contra received"),
        _(
            "Games and bonuses that the other side doubled: a contra to the player’s "
            "side’s, or a re-contra to its own. A success when the points of that "
            "line went to the player’s side."
        ),
        _contra_received,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=_("to the good"),
    ),
)

CAPTURES = (
    Figure(
        "captured",
        _("Captured"),
        _("Cards that the player’s side captured from the other side."),
        _captured,
        about=About.ITEM,
    ),
    Figure(
        "suffered",
        _("Lost to a capture"),
        _("Cards that the other side captured from the player’s side."),
        _suffered,
        about=About.ITEM,
    ),
    Figure(
        "mayor",
        _("Became Mayor"),
        _("Hands in which the player lost the XXI to the other side."),
        _mayor,
    ),
)

MET = (
    Figure(
        "with",
        _("Together with"),
        _(
            "Points of the player in the hands that he and the other sat on one side: "
            "declarer and partner, or both defenders. In plus is a hand that brought "
            "him points."
        ),
        _with,
        about=About.PLAYER,
        shows=Shows.ALL,
        hits=_("in plus"),
    ),
    Figure(
        "against",
        _("Against"),
        _(
            "Points of the player in the hands that he and the other sat on different "
            "sides, whoever paid them."
        ),
        _against,
        about=About.PLAYER,
        shows=Shows.ALL,
        hits=_("in plus"),
    ),
)

STREAKS = (
    Figure(
        "plus_streak",
        _("Longest run in plus"),
        _(
            "Hands in a row that each brought points. A hand of 0 ends it, a deal "
            "thrown in doesn’t."
        ),
    ),
    Figure(
        "minus_streak",
        _("Longest run in minus"),
        _(
            "Hands in a row that each cost points. A hand of 0 ends it, a deal "
            "thrown in doesn’t."
        ),
    ),
    Figure(
        "current_streak",
        _("Current run"),
        _(
            "Hands in a row, up to the last one, in plus or in minus. Evenings that "
            "are still open come last."
        ),
    ),
)

CLUB = (
    Figure(
        "contracts",
        _("Contracts"),
        _(
            "Hands of each contract. Won by the declarer’s side; the points are the "
            "declarer’s, bonuses too."
        ),
        _played_contract,
        about=About.ITEM,
        shows=Shows.ALL,
        hits=WON,
    ),
    Figure(
        "seats",
        _("The declarer’s seat"),
        _(
            "Hands by the place of the declarer in the order of play. Won when the "
            "declarer’s side won; the points are the declarer’s."
        ),
        _seat,
        about=About.SEAT,
        shows=Shows.ALL,
        hits=WON,
    ),
    Figure(
        "club_announced",
        _("Announced"),
        _("How often each bonus was announced, by whichever side, and made."),
        _club_announced,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=MADE,
    ),
    Figure(
        "club_silent",
        _("Made in silence"),
        _("How often each bonus was made that nobody had announced."),
        _club_silent,
        about=About.ITEM,
    ),
)

RECORDS = (
    Figure(
        "highest",
        _("Highest hand"),
        _("The hand in which the most points changed hands; of equal ones the first."),
        shows=Shows.VALUE,
    ),
    Figure(
        "thrown_in_run",
        _("Most deals thrown in"),
        _("Deals thrown in one after another at one table."),
    ),
    Figure(
        "comeback",
        _("Biggest comeback"),
        _(
            "From a player’s lowest running total at a table to what he ended the "
            "evening with there, where it was below 0."
        ),
        shows=Shows.VALUE,
    ),
)

OF_PLAYERS = (*GENERAL, *ROLES, CONTRACT, *BONUSES, *CONTRA, *CAPTURES, *MET)
FIGURES = {f.id: f for f in (*OF_PLAYERS, *STREAKS, *CLUB, *RECORDS)}
