"""What the columns of a sheet mean: proposed from their headings, then chosen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import accumulate, combinations
from typing import Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ledger.imports.cell_values import (
    UnclearCell,
    in_all_languages,
    is_date,
    is_empty,
    is_no_name,
    parse_whole,
)
from ledger.imports.files import Grid
from ledger.table.rotation import FEWEST
from ledger.text.names import fold


class Mode(Enum):
    """What a sheet tells."""

    HANDS = "hands"
    POINTS = "points"
    TOTALS = "totals"


SKIP, SCORE = "", "score"
"""A column that is left out, and one of points under a player's name."""
SAMPLE_ROWS = 200
"""So many rows tell what a column means."""
MOST_UNSURE_COLUMNS, MOST_STRAY_COLUMNS = 16, 4
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


ALL_MODES = frozenset(Mode)
POINTS_MODES = frozenset({Mode.POINTS, Mode.TOTALS})
HANDS_MODE = frozenset({Mode.HANDS})

MEANINGS: Final = (
    Meaning("date", gettext_noop("Date"), ALL_MODES, ("day", "dzień", "nap", "tag")),
    Meaning(
        "time", gettext_noop("Time"), ALL_MODES, ("hour", "uhr", "uhrzeit", "idopont")
    ),
    Meaning(
        "evening", gettext_noop("Evening"), ALL_MODES, ("spotkanie", "abend", "este")
    ),
    Meaning("table", gettext_noop("Table"), HANDS_MODE, ("stół", "asztal", "tisch")),
    Meaning(
        "hand",
        gettext_noop("Hand"),
        frozenset({Mode.HANDS, Mode.POINTS}),
        ("no", "nr", "number", "#", "deal", "numer", "lp", "parti", "spiel", "sorszám"),
    ),
    Meaning("player", gettext_noop("Player"), POINTS_MODES, ("name", "imię", "név")),
    Meaning(
        "points",
        gettext_noop("Points"),
        POINTS_MODES,
        ("score", "result", "pkt", "wynik", "pont", "punkte", "total"),
    ),
    *(
        Meaning(
            seat,
            gettext_noop("Seat"),
            HANDS_MODE,
            (f"seat {n}", f"player {n}", f"p{n}"),
        )
        for n, seat in enumerate(SEATS, start=1)
    ),
    Meaning(
        "dealer", gettext_noop("Dealer"), HANDS_MODE, ("rozdaje", "geber", "osztó")
    ),
    Meaning("ending", gettext_noop("Ending"), HANDS_MODE, ("ended",)),
    Meaning(
        "contract",
        gettext_noop("Contract"),
        HANDS_MODE,
        ("game", "gra", "játék", "bid"),
    ),
    Meaning("declarer", gettext_noop("Declarer"), HANDS_MODE, ("felvevő", "spieler")),
    Meaning("partner", gettext_noop("Partner"), HANDS_MODE, ("segítő", "partnerka")),
    Meaning("alone", gettext_noop("Why alone"), HANDS_MODE),
    Meaning("called", gettext_noop("Called card"), HANDS_MODE, ("called", "king")),
    Meaning(
        "card_points",
        gettext_noop("Card points"),
        HANDS_MODE,
        ("cards", "oczka", "ütéspont", "augen"),
    ),
    Meaning("won", gettext_noop("Won"), HANDS_MODE, ("result", "wynik", "eredmény")),
    Meaning("contra", gettext_noop("Kontra"), HANDS_MODE, ("double",)),
    Meaning("bonuses", gettext_noop("Bonuses"), HANDS_MODE, ("premie", "figurák")),
    Meaning("holdings", gettext_noop("Declared trumps"), HANDS_MODE, ("taroks",)),
    Meaning("xxi_lost_by", gettext_noop("XXI lost by"), HANDS_MODE, ("mayor", "xxi")),
    Meaning("annulled_by", gettext_noop("Annulled by"), HANDS_MODE),
    Meaning("annulled_because", gettext_noop("Annulled because"), HANDS_MODE),
    Meaning("multiplier", gettext_noop("Multiplier"), HANDS_MODE, ("x", "×", "times")),
)
MEANING_BY_ID: Final = {meaning.id: meaning for meaning in MEANINGS}


def label(meaning: str) -> str:
    """Return what a meaning is called in the reader's language."""
    if meaning in SEATS:
        return _("Seat {number}").format(number=SEATS.index(meaning) + 1)
    return _(MEANING_BY_ID[meaning if meaning in MEANING_BY_ID else "hand"].label)


def meaning_choices(mode: Mode) -> list[tuple[str, str]]:
    """Return what a column may mean, each id with what it is called."""
    found = [(m.id, label(m.id)) for m in MEANINGS if mode in m.modes]
    return [
        (SKIP, _("– left out –")),
        (SCORE, _("Points of the player named above")),
        *found,
    ]


def proposed_meanings(grid: Grid, mode: Mode, names: Iterable[str] = ()) -> list[str]:
    """Return what each column seems to mean: by its heading, else by its figures.

    *names* are those of players, which never stand for anything else.
    """
    players = {fold(name) for name in names}
    found: list[str] = []
    for column in range(grid.width):
        heading = fold(grid.headings.cell(column))
        meaning = (
            SCORE if heading in players else _meaning_of_heading(heading, mode, found)
        )
        if not meaning and heading and is_number_column(grid, column):
            meaning = SCORE
        found.append(meaning)
    _propose_date_column(grid, found, players)
    if "player" in found and "points" in found:
        return [SKIP if meaning == SCORE else meaning for meaning in found]
    if found.count(SCORE) > 1:  # what else is headed so tells of the hand
        found = [
            SKIP if meaning in ("player", "points") else meaning for meaning in found
        ]
    if "hand" in found and _is_word_column(grid, found.index("hand")):
        found[found.index("hand")] = SKIP
    for column in _number_columns_of_nobody(grid, found, players, mode):
        found[column] = SKIP
    return found


def _propose_date_column(
    grid: Grid, found: list[str], players: Collection[str]
) -> None:
    """Put the date where no heading tells it, but the cells do."""
    for column, meaning in enumerate(found):
        heading = fold(grid.headings.cell(column))
        may_be = meaning in (SKIP, SCORE, "time") and heading not in players
        if "date" not in found and may_be and _is_date_column(grid, column):
            found[column] = "date"


def _is_date_column(grid: Grid, column: int) -> bool:
    cells = [cell for row in grid.rows if (cell := row.cell(column).strip())][
        :SAMPLE_ROWS
    ]
    return bool(cells) and 2 * sum(map(is_date, cells)) > len(cells)


def _is_word_column(grid: Grid, column: int) -> bool:
    written = any(not is_empty(row.cell(column)) for row in grid.rows)
    return written and not is_number_column(grid, column)


# Figures that are no player's


def _number_columns_of_nobody(
    grid: Grid, found: Sequence[str], players: Collection[str], mode: Mode
) -> set[int]:
    """Return the columns of figures that are no player's points."""
    scores = [column for column, meaning in enumerate(found) if meaning == SCORE]
    headings = {column: fold(grid.headings.cell(column)) for column in scores}
    nobody = {
        c for c in scores if headings[c] not in players and is_no_name(headings[c])
    }
    figures = _points_by_column(
        grid, [column for column in scores if column not in nobody]
    )
    for column, cells in figures.items():
        known = headings[column] in players
        if not known and (
            _is_row_numbering(cells) or _is_running_total(cells, figures.values())
        ):
            nobody.add(column)
    left = [column for column in scores if column not in nobody]
    if mode is Mode.POINTS and len(left) > FEWEST:
        empty = [c for c in left if headings[c] not in players and not any(figures[c])]
        nobody.update(empty[: len(left) - FEWEST])
    rest = [
        SCORE if c in scores and c not in nobody else SKIP for c in range(grid.width)
    ]
    strays = stray_columns(grid, rest, players) if len(left) > FEWEST else []
    return nobody.union(*strays[:1]) if len(strays) == 1 else nobody


def stray_columns(
    grid: Grid, meanings: Sequence[str], players: Collection[str]
) -> list[tuple[int, ...]]:
    """Return the fewest columns without which all rows sum to 0, each way to choose.

    *players* are the folded names of those who have a column for certain.
    """
    scores = [column for column, meaning in enumerate(meanings) if meaning == SCORE]
    figures = _points_by_column(grid, scores)
    due = tuple(map(sum, zip(*figures.values(), strict=True)))
    unsure = [c for c in scores if fold(grid.headings.cell(c)) not in players]
    if not any(due) or len(unsure) > MOST_UNSURE_COLUMNS:
        return []
    for count in range(1, MOST_STRAY_COLUMNS + 1):
        ways = [
            columns
            for columns in combinations(unsure, count)
            if tuple(map(sum, zip(*map(figures.get, columns), strict=True))) == due
        ]
        if ways:
            return ways
    return []


def _points_by_column(grid: Grid, columns: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return the figures of columns, of the rows in which all of them can be read."""
    rows = []
    for row in grid.rows:
        try:
            cells = [row.cell(column).strip() for column in columns]
            rows.append([0 if is_empty(cell) else parse_whole(cell) for cell in cells])
        except UnclearCell:
            continue
        if len(rows) == SAMPLE_ROWS:
            break
    by_column = zip(*rows, strict=True) if rows else ((),) * len(columns)
    return dict(zip(columns, by_column, strict=True))


def _is_row_numbering(cells: Sequence[int]) -> bool:
    """Whether a column counts its rows, from 1 on, or from 1 again."""
    steps = zip(cells, (0, *cells), strict=False)
    found = [cell in (1, before + 1) for cell, before in steps if cell]
    return len(found) > 2 and all(found) and max(cells) > 2


def _is_running_total(cells: Sequence[int], others: Iterable[Sequence[int]]) -> bool:
    """Whether a column is the running total of another one."""
    return any(
        cells != other and len(cells) > 2 and list(cells) == list(accumulate(other))
        for other in others
    )


def _meaning_of_heading(heading: str, mode: Mode, taken: Sequence[str]) -> str:
    seat = _seat_headings().get(heading, SKIP)
    if mode is Mode.HANDS and seat not in (SKIP, *taken):
        return seat
    for meaning in MEANINGS:
        free = mode in meaning.modes and meaning.id not in taken
        if free and (heading == fold(meaning.id) or heading in meaning.headings):
            return meaning.id
    return SKIP


@cache
def _seat_headings() -> Mapping[str, str]:
    """Return the seats by their headings in every language."""
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= {fold(label(seat)): seat for seat in SEATS}
    return found


NUMBER = re.compile(r"[+\-−–]?\s*\d[\d\s.,'’]*")


def is_number_column(grid: Grid, column: int) -> bool:
    """Tell whether most cells of a column are figures; some may be wrong."""
    cells = [
        cell for row in grid.rows if not is_empty(cell := row.cell(column).strip())
    ]
    figures = sum(NUMBER.fullmatch(cell) is not None for cell in cells)
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


def repeated_meanings(meanings: Sequence[str]) -> list[str]:
    """Return what more than one column would tell, each in a sentence."""
    counted = Counter(m for m in meanings if m not in (SKIP, SCORE))
    message = _("More than one column means “{meaning}”: leave one out.")
    return [message.format(meaning=label(m)) for m, n in counted.items() if n > 1]


def missing_meanings(columns: Columns, mode: Mode) -> list[str]:
    """Return what the columns have to tell and don't, each in a sentence."""
    wrong = []
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
