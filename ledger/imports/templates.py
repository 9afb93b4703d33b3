"""Blank sheets to fill in: headings in the reader's language, and an example."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from io import BytesIO

import xlsxwriter
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import scoring
from ledger.exports.csv import writer
from ledger.exports.csv.writer import Style
from ledger.imports.columns import SEATS, Mode, label
from ledger.text import messages
from scoring import Text
from scoring.fields import offered

Cell = str | int | datetime.date
NAMES = ("Ania", "Bartek", "Celina", "Darek")
DAYS = (datetime.date(2024, 1, 5), datetime.date(2024, 1, 12))


def rows(mode: Mode, game: str) -> list[Sequence[Cell]]:
    """Return the headings, and an example that can be imported as it is."""
    match mode:
        case Mode.TOTALS:
            head: list[Cell] = [label("date"), label("evening"), *NAMES]
            first, second = _("Epiphany"), _("Friday")
            return [
                head,
                [DAYS[0], first, 24, -8, -10, -6],
                [DAYS[1], second, -3, 12, 0, -9],
            ]
        case Mode.POINTS:
            head = [label("date"), label("hand"), *NAMES]
            return [
                head,
                [DAYS[0], 1, 6, -6, 6, -6],
                [DAYS[0], 2, -4, 12, -4, -4],
                [DAYS[1], 1, 0, 0, 0, 0],
            ]
    return list(_hands(game))


def _hands(game: str) -> Iterator[Sequence[Cell]]:
    variant = scoring.tariff(game).variant
    contract = messages.say(Text(variant.contracts[-1].name))
    silent = [b for b in offered(variant) if b.silent and len(b.silent_by) > 1]
    bonus = messages.say(Text(next(b.name for b in silent if b.at_least is None)))
    fields = ("contract", "declarer", "partner", "won", "contra", "bonuses")
    yield [*map(label, ("date", "table", "hand", *SEATS[:4], *fields))]
    yield [DAYS[0], 1, 1, *NAMES, contract, "Ania", "Celina", _("yes"), "", f"{bonus}+"]
    yield [DAYS[0], 1, 2, *NAMES, contract, "Bartek", "Darek", _("no"), "", ""]


def csv(mode: Mode, game: str) -> bytes:
    table: list[writer.Row] = [
        [c.isoformat() if isinstance(c, datetime.date) else c for c in row]
        for row in rows(mode, game)
    ]
    return b"".join(writer.encode(table, Style.of(get_language())))


def xlsx(mode: Mode, game: str) -> bytes:
    file = BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        bold = book.add_format({"bold": True})
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for number, row in enumerate(rows(mode, game)):
            for column, cell in enumerate(row):
                if isinstance(cell, datetime.date):
                    sheet.write_datetime(number, column, _midnight(cell), day)
                elif isinstance(cell, int):
                    sheet.write_number(number, column, cell)
                else:
                    sheet.write_string(number, column, cell, None if number else bold)
        sheet.freeze_panes(1, 0)
        sheet.autofit()
    return file.getvalue()


def _midnight(date: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(date, datetime.time())
