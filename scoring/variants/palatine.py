"""Palatine, or Illustrated, tarokk: Paskievics with more bonuses and nothing else.

Source: the chapter "Hungarian Tarokk II: Palatine".
"""

from __future__ import annotations

from scoring.cards import SIGNS
from scoring.items import Bonus, Change, Choice, Option
from scoring.text import _
from scoring.variant import extend
from scoring.variants.paskievics import OPTIONS, PASKIEVICS


def _first(n: int, id: str, name: str, help: str, card: str, worth: int) -> Bonus:
    return Bonus(
        id=id,
        name=name,
        help=help,
        announced=worth,
        silent=worth // 2,
        tricks=frozenset(range(1, n + 1)),
        won_by=card,
        takes=frozenset({card}),
        family=_("First … tricks"),
        mark={5: "V", 6: "VI", 7: "VII", 8: "VIII"}[n],
    )


def _king(suit: str, kind: str, name: str, help: str, worth: int, trick: int) -> Bonus:
    king = f"K{SIGNS[suit][0]}"
    return Bonus(
        id=f"{kind}_{suit}",
        name=name,
        help=help,
        announced=worth,
        tricks=frozenset({trick}),
        won_by=king,
        takes=frozenset({king}),
        family={"king_ultimo": _("King Ultimo"), "king_penultimo": _("King Penultimo")}[
            kind
        ],
        mark=suit,
    )


LAST_TRICK = _("That king wins the last trick. Counts only when announced.")
EIGHTH_TRICK = _("That king wins the eighth trick. Counts only when announced.")

FIRST = (
    _first(
        5,
        "first_five",
        _("First Five"),
        _("The side takes the first five tricks, the fifth with the XX."),
        "XX",
        10,
    ),
    _first(
        6,
        "first_six",
        _("First Six"),
        _("The side takes the first six tricks, the sixth with the XXI."),
        "XXI",
        12,
    ),
    _first(
        7,
        "first_seven",
        _("First Seven"),
        _("The side takes the first seven tricks, the seventh with the Fool."),
        "Fool",
        14,
    ),
    _first(
        8,
        "first_eight",
        _("First Eight"),
        _("The side takes the first eight tricks, the eighth with the Pagat."),
        "I",
        20,
    ),
)

KINGS = (
    _king("hearts", "king_ultimo", _("King Ultimo ♥︎"), LAST_TRICK, 15, 9),
    _king("diamonds", "king_ultimo", _("King Ultimo ♦︎"), LAST_TRICK, 15, 9),
    _king("spades", "king_ultimo", _("King Ultimo ♠︎"), LAST_TRICK, 15, 9),
    _king("clubs", "king_ultimo", _("King Ultimo ♣︎"), LAST_TRICK, 15, 9),
    _king("hearts", "king_penultimo", _("King Penultimo ♥︎"), EIGHTH_TRICK, 20, 8),
    _king("diamonds", "king_penultimo", _("King Penultimo ♦︎"), EIGHTH_TRICK, 20, 8),
    _king("spades", "king_penultimo", _("King Penultimo ♠︎"), EIGHTH_TRICK, 20, 8),
    _king("clubs", "king_penultimo", _("King Penultimo ♣︎"), EIGHTH_TRICK, 20, 8),
)

EIGHTH_TRICK_ONLY = Change(
    of="first_eight",
    to={
        "tricks": frozenset({8}),
        "help": _("The Pagat wins the eighth trick for the side."),
    },
)

PALATINE = extend(
    PASKIEVICS,
    bonuses=(*FIRST, *KINGS),
    id="palatine",
    name=_("Palatine"),
    help=_(
        "Paskievics with First Five to First Eight and the kings in the last two "
        "tricks."
    ),
    source=_(
        "The chapter “Hungarian Tarokk II: Palatine”; the preset pagat follows "
        "pagat.com."
    ),
    options=(
        *OPTIONS,
        Option(
            id="first_eight_needs_all_tricks",
            name=_("First Eight needs"),
            help=_("Whether the seven tricks before must be taken too."),
            choices=(
                Choice(value="on", name=_("all of the first eight tricks")),
                Choice(
                    value="off",
                    name=_("only the eighth trick"),
                    changes=(EIGHTH_TRICK_ONLY,),
                ),
            ),
        ),
    ),
)
