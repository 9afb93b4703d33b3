"""Writer of the season workbook: worksheets of sums first, then hands and postings.

Everything is written row by row, so that memory is bounded by a batch of evenings.
The caller reads in one snapshot (see ledger/snapshot.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from ledger.exports.workbook.season_data import SeasonData
from ledger.exports.workbook.worksheet import MOST_ROWS, WorkbookWriter, Worksheet
from ledger.models import Season

Progress = Callable[[int, int], None]
"""Callback with the rows done and the rows in all."""

PROGRESS_STEP = 500
"""Rows between two calls of a progress callback."""


class TooLong(Exception):
    """The season has more rows than a worksheet; the message names another way."""

    def __init__(self) -> None:
        message = _(
            "A sheet of a spreadsheet has {rows} rows, and this season has more "
            "postings. Download its tables as CSV instead."
        )
        super().__init__(message.format(rows=MOST_ROWS))


def write(
    season: Season,
    file: IO[bytes],
    progress: Progress = lambda done, total: None,
    *,
    place: Path | None = None,
) -> None:
    """Write the workbook of a season in the active language; raise `TooLong`.

    Worksheets are gathered in a temporary folder in *place*.
    """
    data = season_data.read(season)
    if max(data.posting_count, data.hand_count) > MOST_ROWS:
        raise TooLong
    title = f"{data.season.club.name} · {data.season.name}"
    with TemporaryDirectory(dir=place) as folder:
        workbook = WorkbookWriter(file, title, get_language() or "en", folder)
        rows = _write_worksheets(workbook, data)
        for done, _row in enumerate(rows):
            if not done % PROGRESS_STEP:
                progress(done, data.hand_count + data.posting_count)
        workbook.close()


def _write_worksheets(workbook: WorkbookWriter, data: SeasonData) -> Iterator[None]:
    """Write all worksheets but the long ones; return an iterator that writes those."""
    front = workbook.blank(_("Cover"))
    summed, totals = _write_sum_worksheets(workbook, data)
    all_hands = hands.hands_worksheet(workbook, data)
    postings = hands.postings_worksheet(workbook, data)
    player_sheets = {
        player.pk: player_figures.player_worksheet(
            workbook, data, player, totals.column_range(2 + place)
        )
        for place, player in enumerate(data.players)
    }
    contents = [
        *summed,
        (all_hands, _("Every hand that counts, with what it brought each player.")),
        (postings, _("Every posting in the ledger, including what was taken back.")),
        *(
            (own.worksheet, _("The player’s hands and statistics."))
            for own in player_sheets.values()
        ),
    ]
    described = [(worksheet.name, text) for worksheet, text in contents]
    cover.write_cover(front, workbook, data, described)
    return chain(
        hands.write_hands(all_hands, player_sheets, data),
        hands.write_postings(postings, data),
    )


def _write_sum_worksheets(
    workbook: WorkbookWriter, data: SeasonData
) -> tuple[list[tuple[Worksheet, str]], Worksheet]:
    """Write the worksheets of sums; return them described, and the running totals."""
    ranking = results.ranking(workbook, data)
    drawn = workbook.blank(_("Charts"))
    totals = results.running_totals(workbook, data)
    points = [one.points for one in data.ranking]
    charts.draw(workbook, drawn, ranking, totals, points)
    contents = [
        (ranking, _("Places, points and averages; bars and curves come after it.")),
        (totals, _("Where everybody stood after each evening.")),
        (
            results.evenings(workbook, data),
            _("What everybody won each evening, in points."),
        ),
        *(
            (results.evenings(workbook, data, code), _("The same in money."))
            for code in data.currencies
        ),
        (
            results.balances(workbook, data),
            _("What was won, owed and paid, and what is open."),
        ),
        (payments.debts(workbook, data), _("What is open, paid or carried elsewhere.")),
        (payments.payments(workbook, data), _("Who paid whom.")),
        (payments.fees(workbook, data), _("What the pot took and gave, and carried.")),
        (
            payments.adjustments(workbook, data),
            _("What was adjusted apart from the hands."),
        ),
    ]
    return contents, totals
