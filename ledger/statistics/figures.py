"""Declaration of figures: name, definition shown to people, and counter.

A counter is a function from a hand and a player to marks (see `counters`). The numbers
on a page, the drill-down and the audit all use this one function.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ledger.statistics import counters
from ledger.statistics.played_hand import PlayedRole

Words = str | Promise


class About(Enum):
    """Subject of the rows of a figure."""

    NOTHING = "nothing"
    ITEM = "item"
    """A contract or a bonus of some game, as `PlayedHand.about` spells it."""
    PLAYER = "player"
    SEAT = "seat"


class Shows(Enum):
    """Columns of a row that are shown; the count always is, but for VALUE."""

    COUNT = "count"
    VALUE = "value"
    """Points only, of the one hand of a record."""
    SUCCESS = "success"
    POINTS = "points"
    """Points and the average."""
    ALL = "all"
    """Success, points and the average."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: one number for each player or the club, or one for each subject."""

    id: str
    name: Words
    definition: Words
    counter: counters.FigureCounter | None = None
    """None for a record: a hand, a streak or an evening."""
    about: About = About.NOTHING
    shows: Shows = Shows.COUNT
    hits: Words = ""
    """Word for a success: won, made."""


WON = pgettext_lazy("hands", "won")
MADE = pgettext_lazy("bonuses", "made")

GENERAL = (
    Figure(
        "hands",
        _("Hands"),
        _(
            "Hands that were played; deals thrown in do not count. A hand is in profit "
            "when it brought points. Adjustments are not hands and do not count in the "
            "average."
        ),
        counters.hands,
        shows=Shows.ALL,
        hits=_("in profit"),
    ),
    Figure(
        "best",
        _("Best hand"),
        _("The hand that brought the most points; if several did, the first."),
        shows=Shows.VALUE,
    ),
    Figure(
        "worst",
        _("Worst hand"),
        _("The hand that cost the most points; if several did, the first."),
        shows=Shows.VALUE,
    ),
    Figure(
        "thrown_in",
        _("Thrown in"),
        _("Deals that were not played. They count in no average and do not end a run."),
        counters.thrown_in,
    ),
)

ROLES = tuple(
    Figure(id, name, definition, counters.as_role(role), shows=Shows.ALL, hits=WON)
    for role, id, name, definition in (
        (
            PlayedRole.DECLARER,
            "as_declarer",
            _("As declarer"),
            _(
                "Hands as declarer with a partner, and those given up. Won when the "
                "declarer’s side won."
            ),
        ),
        (
            PlayedRole.PARTNER,
            "as_partner",
            _("As partner"),
            _("Hands as the declarer’s partner. Won when the declarer’s side won."),
        ),
        (
            PlayedRole.DEFENDER,
            "as_defender",
            _("As defender"),
            _(
                "Hands against the declarer. Won when the declarer’s side lost or "
                "gave up; a tie is won by nobody."
            ),
        ),
        (
            PlayedRole.ALONE,
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
    counters.contract,
    about=About.ITEM,
    shows=Shows.ALL,
    hits=WON,
)

BONUSES = (
    Figure(
        "announced",
        _("Announced"),
        _("Bonuses that the player announced, and how many of them were made."),
        counters.announced,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=MADE,
    ),
    Figure(
        "silent",
        _("Made unannounced"),
        _("Bonuses that the player’s side made and nobody had announced."),
        counters.silent,
        about=About.ITEM,
    ),
    Figure(
        "missed",
        _("Missed"),
        _(
            "Bonuses that the player’s side made unannounced and was paid for, "
            "although the club pays more for an announced one."
        ),
        counters.missed,
        about=About.ITEM,
    ),
)

CONTRA = (
    Figure(
        "contra_given",
        _("Kontras given"),
        _(
            "Games and bonuses that the player’s side doubled: a kontra to the other "
            "side’s, or a rekontra to its own. A success when the points of that line "
            "went to the player’s side."
        ),
        counters.contra_given,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=_("paid off"),
    ),
    Figure(
        "contra_received",
        _("Kontras received"),
        _(
            "Games and bonuses that the other side doubled: a kontra to the player’s "
            "side’s, or a rekontra to its own. A success when the points of that line "
            "went to the player’s side."
        ),
        counters.contra_received,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=_("paid off"),
    ),
)

CAPTURES = (
    Figure(
        "captured",
        _("Captured"),
        _("Cards that the player’s side captured from the other side."),
        counters.captured,
        about=About.ITEM,
    ),
    Figure(
        "suffered",
        _("Captured by the others"),
        _("Cards that the other side captured from the player’s side."),
        counters.suffered,
        about=About.ITEM,
    ),
    Figure(
        "mayor",
        _("Became Mayor"),
        _(
            "Hands in which the player lost the XXI to the other side, and the points "
            "they brought."
        ),
        counters.mayor,
        shows=Shows.POINTS,
    ),
)

MET = (
    Figure(
        "with",
        _("Together with"),
        _(
            "Points of the player in hands played on the same side as the other: "
            "declarer and partner, or both defenders. In profit: the hand brought the "
            "player points."
        ),
        counters.together_with,
        about=About.PLAYER,
        shows=Shows.ALL,
        hits=_("in profit"),
    ),
    Figure(
        "against",
        _("Against"),
        _("Points of the player in hands played against the other, whoever paid them."),
        counters.against,
        about=About.PLAYER,
        shows=Shows.ALL,
        hits=_("in profit"),
    ),
)

STREAKS = (
    Figure(
        "plus_streak",
        _("Longest run in profit"),
        _(
            "Hands in a row that each brought points. A hand of 0 ends it, a deal "
            "thrown in doesn’t."
        ),
    ),
    Figure(
        "minus_streak",
        _("Longest run at a loss"),
        _(
            "Hands in a row that each cost points. A hand of 0 ends it, a deal "
            "thrown in doesn’t."
        ),
    ),
    Figure(
        "current_streak",
        _("Current run"),
        _(
            "Hands in a row, up to the last one, in profit or at a loss. Evenings that "
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
        counters.played_contract,
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
        counters.seat,
        about=About.SEAT,
        shows=Shows.ALL,
        hits=WON,
    ),
    Figure(
        "club_announced",
        _("Announced"),
        _("How often each bonus was announced, by whichever side, and made."),
        counters.club_announced,
        about=About.ITEM,
        shows=Shows.SUCCESS,
        hits=MADE,
    ),
    Figure(
        "club_silent",
        _("Made unannounced"),
        _("How often each bonus was made that nobody had announced."),
        counters.club_silent,
        about=About.ITEM,
    ),
)

RECORDS = (
    Figure(
        "highest",
        _("Highest hand"),
        _(
            "The hand in which the most points were paid; if several are equal, the "
            "first."
        ),
        shows=Shows.VALUE,
    ),
    Figure(
        "thrown_in_run",
        _("Longest run of deals thrown in"),
        _("Deals thrown in one after another at one table."),
    ),
    Figure(
        "comeback",
        _("Biggest comeback"),
        _(
            "From a player’s lowest running score at a table, if it was below 0, to "
            "their score there at the end of the evening."
        ),
        shows=Shows.VALUE,
    ),
)

OF_PLAYERS = (*GENERAL, *ROLES, CONTRACT, *BONUSES, *CONTRA, *CAPTURES, *MET)
FIGURES = {f.id: f for f in (*OF_PLAYERS, *STREAKS, *CLUB, *RECORDS)}
