"""Questions about a whole sheet: its columns, and the order of its dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _

from ledger.imports.cell_values import ORDERS
from ledger.imports.columns import Mode, stray_columns
from ledger.imports.questions import COLUMNS, DATES, Interpretation, Question
from ledger.imports.sheet_reading import SheetReading
from ledger.text.names import fold

MOST_STRAY_ANSWERS = 8


def column_questions(reading: SheetReading) -> Iterator[Question]:
    """Yield the question which column is no player's, where several may be."""
    players = {fold(name) for name in reading.player_names}
    strays = stray_columns(reading.grid, reading.meanings, players)
    if len(strays) < 2 or reading.mode is Mode.HANDS:
        return
    quoted = _("“{name}” is no player")
    interpretations = tuple(
        Interpretation(
            "-".join(map(str, ("column", *stray))),
            ", ".join(quoted.format(name=reading.heading(n)) for n in stray),
        )
        for stray in strays[:MOST_STRAY_ANSWERS]
    )
    reason = _(
        "A column too many: without one of them the points of all rows sum to 0."
    )
    yield Question(COLUMNS, reason, interpretations)


def date_questions(reading: SheetReading) -> Iterator[Question]:
    """Yield the question for the order of day, month and year, where dates need it."""
    date, order = reading.plan.ambiguous_date, reading.choices.get(DATES, "")
    if not date and not order:
        return
    labels = {
        "dmy": _("day, month, year"),
        "mdy": _("month, day, year"),
        "ymd": _("year, month, day"),
    }
    has_long_year = re.search(r"\d{4}", date) if date else order != "ymd"
    orders = ORDERS[:2] if has_long_year else ORDERS
    reason = (
        _("“{date}” can be read in two ways.").format(date=date)
        if date
        else _("Dates can be read in two ways.")
    )
    interpretations = tuple(Interpretation(id, labels[id]) for id in orders)
    yield Question(DATES, reason, interpretations, order)
