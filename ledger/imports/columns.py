"""Meanings of the columns of a sheet: proposed by heading and cells, then chosen."""

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
from ledger.table.rotation import FEWEST_SEATS
from ledger.text.names import fold


class Mode(Enum):
    """Content of a sheet: whole hands, points by hand, or totals by evening."""

    HANDS = "hands"
    POINTS = "points"
    TOTALS = "totals"


SKIP, SCORE = "", "score"
"""Meanings beside those of `MEANINGS`: left out, and points of the named player."""
SAMPLE_ROWS = 200
"""Rows on which proposals are based."""
MOST_UNSURE_COLUMNS, MOST_STRAY_COLUMNS = 16, 4
SEATS: Final = tuple(f"seat{number}" for number in range(1, 7))


@dataclass(frozen=True, slots=True)
class Meaning:
    """A meaning that a column can have; *synonyms* are other headings for it."""

    id: str
    label: str
    modes: frozenset[Mode]
    synonyms: tuple[str, ...] = ()

    @property
    def headings(self) -> frozenset[str]:
        """Return the folded headings that propose it, in all languages."""
        return in_all_languages(self.label) | set(map(fold, self.synonyms))


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
    """Return the name of a meaning in the reader's language."""
    if meaning in SEATS:
        return _("Seat {number}").format(number=SEATS.index(meaning) + 1)
    return _(MEANING_BY_ID[meaning if meaning in MEANING_BY_ID else "hand"].label)


def meaning_choices(mode: Mode) -> list[tuple[str, str]]:
    """Return the ids and labels of the meanings that a column may have."""
    found = [(m.id, label(m.id)) for m in MEANINGS if mode in m.modes]
    return [
        (SKIP, _("– left out –")),
        (SCORE, _("Points of the player named above")),
        *found,
    ]


def proposed_meanings(grid: Grid, mode: Mode, names: Iterable[str] = ()) -> list[str]:
    """Return a meaning for each column: by its heading, else by its numbers.

    *names* are those of players: a heading with one of them is that player's points.
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
    # Beside a column for each player, “player” and “points” are about the hand.
    if found.count(SCORE) > 1:
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
    """Set the date on the first column of dates where no heading proposes it."""
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


# Columns of numbers that are no player's


def _number_columns_of_nobody(
    grid: Grid, found: Sequence[str], players: Collection[str], mode: Mode
) -> set[int]:
    """Return the columns of numbers that are no player's points."""
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
    if mode is Mode.POINTS and len(left) > FEWEST_SEATS:
        empty = [c for c in left if headings[c] not in players and not any(figures[c])]
        nobody.update(empty[: len(left) - FEWEST_SEATS])
    rest = [
        SCORE if c in scores and c not in nobody else SKIP for c in range(grid.width)
    ]
    strays = stray_columns(grid, rest, players) if len(left) > FEWEST_SEATS else []
    return nobody.union(*strays[:1]) if len(strays) == 1 else nobody


def stray_columns(
    grid: Grid, meanings: Sequence[str], players: Collection[str]
) -> list[tuple[int, ...]]:
    """Return the smallest sets of columns without which all rows sum to 0.

    *players* are folded names of players, whose columns are never in such a set.
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
    """Return the points by column, from the rows in which all columns have numbers."""
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
    """Tell whether a column numbers its rows from 1, perhaps several times."""
    steps = zip(cells, (0, *cells), strict=False)
    found = [cell in (1, before + 1) for cell, before in steps if cell]
    return len(found) > 2 and all(found) and max(cells) > 2


def _is_running_total(cells: Sequence[int], others: Iterable[Sequence[int]]) -> bool:
    """Tell whether a column is the running total of another."""
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
    """Return the seats by their folded headings in all languages."""
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= {fold(label(seat)): seat for seat in SEATS}
    return found


NUMBER = re.compile(r"[+\-−–]?\s*\d[\d\s.,'’]*")


def is_number_column(grid: Grid, column: int) -> bool:
    """Tell whether most cells of a column are numbers; some may be typing errors."""
    cells = [
        cell for row in grid.rows if not is_empty(cell := row.cell(column).strip())
    ]
    figures = sum(NUMBER.fullmatch(cell) is not None for cell in cells)
    return 2 * figures > len(cells)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a sheet, counted from 0, by their meanings."""

    by_meaning: Mapping[str, int]
    scores: Mapping[int, str]
    """Headings of the columns of points: the names of players, by column."""

    @classmethod
    def from_meanings(cls, grid: Grid, chosen: Sequence[str]) -> Columns:
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
        return meaning in self.by_meaning

    @property
    def seats(self) -> list[str]:
        return [seat for seat in SEATS if seat in self.by_meaning]


def repeated_meanings(meanings: Sequence[str]) -> list[str]:
    """Return a sentence for each meaning that several columns have."""
    counted = Counter(m for m in meanings if m not in (SKIP, SCORE))
    message = _("More than one column means “{meaning}”: leave one out.")
    return [message.format(meaning=label(m)) for m, n in counted.items() if n > 1]


def missing_meanings(columns: Columns, mode: Mode) -> list[str]:
    """Return a sentence for each meaning that the mode needs and no column has."""
    wrong = []
    long = {"player", "points"} & set(columns.by_meaning)
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
