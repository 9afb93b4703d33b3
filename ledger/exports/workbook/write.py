"""The season book: a spreadsheet with all that a season was, for the treasurer.

It is written sheet by sheet and row by row, so that a season of any length needs no
more memory than some of its evenings. Whoever reads does so in one moment of the
ledger (see ledger/snapshot.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ledger.exports.workbook import (
    charts,
    cover,
    hands,
    payments,
    player_figures,
    results,
    season_data,
)
from ledger.exports.workbook.season_data import HandRow, Tell
from ledger.exports.workbook.worksheet import MOST_ROWS, BookWriter, SheetTable
from ledger.models import Season

__all__ = ["TooLong", "write"]

OFTEN = 500
"""After so many rows it is told how far the book is."""


class TooLong(Exception):
    """A sheet has no room for the season; says what to do, in the active language."""

    def __init__(self) -> None:
        message = _(
            "A sheet of a spreadsheet has {rows} rows, and this season has more "
            "postings. Download its tables as CSV instead."
        )
        super().__init__(message.format(rows=MOST_ROWS))


def write(
    of: Season,
    file: IO[bytes],
    tell: Tell = lambda done, total: None,
    *,
    place: Path | None = None,
) -> None:
    """Write the book of a season in the active language; raise `TooLong`.

    Its sheets are gathered in a folder of *place* that is gone afterwards.
    """
    played = season_data.read(of)
    if max(played.postings, played.row_count) > MOST_ROWS:
        raise TooLong
    title = f"{played.season.club.name} · {played.season.name}"
    with TemporaryDirectory(dir=place) as folder:
        book = BookWriter(file, title, get_language() or "en", folder)
        rows = _begun(book, played)
        for done, _row in enumerate(rows):
            if not done % OFTEN:
                tell(done, played.row_count + played.postings)
        book.close()


def _begun(book: BookWriter, played: HandRow) -> Iterator[None]:
    """Write all but the long sheets; what is returned writes those, row by row."""
    front = book.sheet(_("Cover"))
    summed, running = _summed(book, played)
    all_hands = hands.table_of(book, played)
    postings = hands.postings_table(book, played)
    own = {
        player.pk: player_figures.sheet_of(
            book, played, player, running.stretch(2 + place)
        )
        for place, player in enumerate(played.players)
    }
    told = [
        *summed,
        (all_hands, _("Every hand that counts, with what it brought each player.")),
        (postings, _("Every posting in the ledger, including what was taken back.")),
        *(
            (mine.table, _("The player’s hands and statistics."))
            for mine in own.values()
        ),
    ]
    cover.fill(front, book, played, [(table.name, tells) for table, tells in told])
    return chain(
        hands.fill(all_hands, own, played), hands.fill_postings(postings, played)
    )


def _summed(
    book: BookWriter, played: HandRow
) -> tuple[list[tuple[SheetTable, str]], SheetTable]:
    """Write the sheets whose sums are known; return them and the running score."""
    ranking = results.ranking(book, played)
    drawn = book.sheet(_("Charts"))
    running = results.running(book, played)
    points = [one.points for one in played.ranking]
    charts.draw(book, drawn, ranking, running, points)
    told = [
        (ranking, _("Places, points and averages; bars and curves come after it.")),
        (running, _("Where everybody stood after each evening.")),
        (
            results.evenings(book, played),
            _("What everybody won each evening, in points."),
        ),
        *(
            (results.evenings(book, played, code), _("The same in money."))
            for code in played.currencies
        ),
        (
            results.balances(book, played),
            _("What was won, owed and paid, and what is open."),
        ),
        (payments.debts(book, played), _("What is open, paid or carried elsewhere.")),
        (payments.payments(book, played), _("Who paid whom.")),
        (payments.fees(book, played), _("What the pot took and gave, and carried.")),
        (
            payments.adjustments(book, played),
            _("What was adjusted apart from the hands."),
        ),
    ]
    return told, running
