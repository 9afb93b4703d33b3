"""What the columns of a sheet mean: proposed from their headings, then chosen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ledger.imports.files import Grid
from ledger.imports.spelling import empty, in_all_languages
from ledger.names import fold


class Mode(Enum):
    """What a sheet tells."""

    HANDS = "hands"
    POINTS = "points"
    TOTALS = "totals"


SKIP, SCORE = "", "score"
"""A column that is left out, and one of points under a player's name."""
SEATS: Final = tuple(f"seat{number}" for number in range(1, 7))


@dataclass(frozen=True, slots=True)
class Meaning:
    """Something a column can tell; *also* are headings that people use for it."""

    id: str
    label: str
    modes: frozenset[Mode]
    also: tuple[str, ...] = ()

    @property
    def headings(self) -> frozenset[str]:
        """Return the folded headings that propose it, in every language."""
        return in_all_languages(self.label) | set(map(fold, self.also))


ALL = frozenset(Mode)
POINTS = frozenset({Mode.POINTS, Mode.TOTALS})
HANDS = frozenset({Mode.HANDS})

MEANINGS: Final = (
    Meaning("date", gettext_noop("Date"), ALL, ("day", "dzień", "nap", "tag")),
    Meaning("evening", gettext_noop("Evening"), ALL, ("spotkanie", "abend", "este")),
    Meaning("table", gettext_noop("Table"), HANDS, ("stół", "asztal", "tisch")),
    Meaning(
        "hand",
        gettext_noop("Hand"),
        frozenset({Mode.HANDS, Mode.POINTS}),
        ("no", "nr", "number", "#", "deal", "numer", "lp", "parti", "spiel", "sorszám"),
    ),
    Meaning("player", gettext_noop("Player"), POINTS, ("name", "imię", "név")),
    Meaning(
        "points",
        gettext_noop("Points"),
        POINTS,
        ("score", "result", "pkt", "wynik", "pont", "punkte", "total"),
    ),
    *(
        Meaning(
            seat, gettext_noop("Seat"), HANDS, (f"seat {n}", f"player {n}", f"p{n}")
        )
        for n, seat in enumerate(SEATS, start=1)
    ),
    Meaning("dealer", gettext_noop("Dealer"), HANDS, ("rozdaje", "geber", "osztó")),
    Meaning("ending", gettext_noop("Ending"), HANDS, ("ended",)),
    Meaning(
        "contract", gettext_noop("Contract"), HANDS, ("game", "gra", "játék", "bid")
    ),
    Meaning("declarer", gettext_noop("Declarer"), HANDS, ("felvevő", "spieler")),
    Meaning("partner", gettext_noop("Partner"), HANDS, ("segítő", "partnerka")),
    Meaning("alone", gettext_noop("Why alone"), HANDS),
    Meaning("called", gettext_noop("Called card"), HANDS, ("called", "king")),
    Meaning(
        "card_points",
        gettext_noop("Card points"),
        HANDS,
        ("cards", "oczka", "ütéspont", "augen"),
    ),
    Meaning("won", gettext_noop("Won"), HANDS, ("result", "wynik", "eredmény")),
    Meaning("contra", gettext_noop("Kontra"), HANDS, ("double",)),
    Meaning("bonuses", gettext_noop("Bonuses"), HANDS, ("premie", "figurák")),
    Meaning("holdings", gettext_noop("Declared trumps"), HANDS, ("taroks",)),
    Meaning("xxi_lost_by", gettext_noop("XXI lost by"), HANDS, ("mayor", "xxi")),
    Meaning("annulled_by", gettext_noop("Annulled by"), HANDS),
    Meaning("annulled_because", gettext_noop("Annulled because"), HANDS),
    Meaning("multiplier", gettext_noop("Multiplier"), HANDS, ("x", "×", "times")),
)
OF_ID: Final = {meaning.id: meaning for meaning in MEANINGS}


def label(meaning: str) -> str:
    """Return what a meaning is called in the reader's language."""
    if meaning in SEATS:
        return _("Seat {number}").format(number=SEATS.index(meaning) + 1)
    return _(OF_ID[meaning if meaning in OF_ID else "hand"].label)


def offered(mode: Mode) -> list[tuple[str, str]]:
    """Return what a column may mean, each id with what it is called."""
    found = [(m.id, label(m.id)) for m in MEANINGS if mode in m.modes]
    return [
        (SKIP, _("– left out –")),
        (SCORE, _("Points of the player named above")),
        *found,
    ]


def proposed(grid: Grid, mode: Mode, names: Iterable[str] = ()) -> list[str]:
    """Return what each column seems to mean: by its heading, else by its figures.

    *names* are those of players, which never stand for anything else.
    """
    players = {fold(name) for name in names}
    found: list[str] = []
    for column in range(grid.width):
        heading = fold(grid.headings.cell(column))
        if heading in players:
            meaning = SCORE
        else:
            meaning = _by_heading(heading, mode, found)
            if not meaning and heading and _is_of_figures(grid, column):
                meaning = SCORE
        found.append(meaning)
    if "player" in found and "points" in found:
        found = [SKIP if meaning == SCORE else meaning for meaning in found]
    return found


def _by_heading(heading: str, mode: Mode, taken: Sequence[str]) -> str:
    seat = _seats().get(heading, SKIP)
    if mode is Mode.HANDS and seat not in (SKIP, *taken):
        return seat
    for meaning in MEANINGS:
        free = mode in meaning.modes and meaning.id not in taken
        if free and (heading == fold(meaning.id) or heading in meaning.headings):
            return meaning.id
    return SKIP


@cache
def _seats() -> Mapping[str, str]:
    """Return the seats by their headings in every language."""
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= {fold(label(seat)): seat for seat in SEATS}
    return found


FIGURE = re.compile(r"[+\-−–]?\s*\d[\d\s.,'’]*")


def _is_of_figures(grid: Grid, column: int) -> bool:
    """Whether most cells of a column are figures; some may be wrong."""
    cells = [cell for row in grid.rows if not empty(cell := row.cell(column).strip())]
    figures = sum(FIGURE.fullmatch(cell) is not None for cell in cells)
    return 2 * figures > len(cells)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a sheet by what they mean."""

    of: Mapping[str, int]
    scores: Mapping[int, str]
    """The columns of points, with the player's name above them."""

    @classmethod
    def of_choice(cls, grid: Grid, chosen: Sequence[str]) -> Columns:
        return cls(
            {
                meaning: n
                for n, meaning in enumerate(chosen)
                if meaning not in (SKIP, SCORE)
            },
            {
                n: grid.headings.cell(n)
                for n, meaning in enumerate(chosen)
                if meaning == SCORE
            },
        )

    def __contains__(self, meaning: object) -> bool:
        return meaning in self.of

    @property
    def seats(self) -> list[str]:
        return [seat for seat in SEATS if seat in self.of]


def doubled(meanings: Sequence[str]) -> list[str]:
    """Return what more than one column would tell, each in a sentence."""
    counted = Counter(m for m in meanings if m not in (SKIP, SCORE))
    message = _("More than one column means “{meaning}”: leave one out.")
    return [message.format(meaning=label(m)) for m, n in counted.items() if n > 1]


def missing(columns: Columns, mode: Mode) -> list[str]:
    """Return what the columns have to tell and don't, each in a sentence."""
    wrong = []
    if "date" not in columns:
        wrong.append(_("Choose the column of the date."))
    long = {"player", "points"} & set(columns.of)
    if mode is Mode.HANDS:
        if not columns.seats and len(columns.scores) < 4:
            wrong.append(_("Choose the columns of those who sit at the table."))
        if "contract" not in columns:
            wrong.append(_("Choose the column of the contract."))
    elif len(long) == 1 or (not long and len(columns.scores) < 2):
        wrong.append(
            _(
                "Choose a column of points for each player, "
                "or one of players and one of points."
            )
        )
    elif long and columns.scores:
        wrong.append(
            _(
                "Choose a column for each player, "
                "or one of players and one of points: not both."
            )
        )
    return wrong
