"""Worksheets of entries without a hand: payments, debts, fees, adjustments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from ledger.exports.csv import open_debts
from ledger.exports.csv.export_scope import ExportScope
from ledger.exports.workbook import posting_rows
from ledger.exports.workbook.posting_rows import PostingRow
from ledger.exports.workbook.season_data import SeasonData
from ledger.exports.workbook.worksheet import (
    CellKind,
    Column,
    WorkbookWriter,
    Worksheet,
    cell,
    local,
    unit,
)
from ledger.models import Entry
from ledger.text import messages

FEES = (Entry.Kind.FEE, Entry.Kind.PRIZE, Entry.Kind.CARRY)


def payments(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Write the worksheet of payments; payer and payee of an entry share one row."""
    rows = list(_pairs(posting_rows.postings(data, Entry.Kind.PAYMENT)))
    codes = sorted({payer.currency for payer, _payee in rows})
    paid = {
        code: sum(_amount(payer) for payer, _payee in rows if payer.currency == code)
        for code in codes
    }
    columns = _payment_columns(paid)
    worksheet = workbook.worksheet(_("Payments"), columns, len(rows), frozen=2)
    for payer, payee in rows:
        _day, name = data.place(payer.evening)
        amount = _amount(payer)
        worksheet.add(
            payer.day,
            payer.counts_for,
            name,
            data.name(payer.player),
            data.name(payee.player),
            *(cell(amount, c) if c == payer.currency else None for c in codes),
            messages.how(payer.method),
            payer.note,
            local(payer.at),
            payer.by,
        )
    return worksheet


def _payment_columns(paid: Mapping[str, int]) -> list[Column]:
    """Return the columns, with one for each currency in *paid* and its sum."""
    return [
        Column(_("Date"), CellKind.DATE),
        Column(_("Counts up to"), CellKind.DATE),
        Column(_("Evening")),
        Column(_("Who paid it")),
        Column(_("Who gets it")),
        *(
            Column(code or _("Points"), *unit(code), total=cell(total, code))
            for code, total in paid.items()
        ),
        Column(_("How")),
        Column(_("Note")),
        Column(_("Entered"), CellKind.MOMENT),
        Column(_("Entered by")),
    ]


def debts(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Write the worksheet of debts: of each evening, and of the season as one."""
    export_scope = ExportScope(data.season.club, season=data.season)
    evenings = [row.evening for row in data.evenings]
    rows = [
        (found.scope, debt)
        for found in open_debts.debts_of_season(export_scope, evenings)
        for debt in found.rows
    ]
    codes = sorted({scope.currency for scope, _debt in rows})
    worksheet = workbook.worksheet(
        _("Who owes whom"),
        [
            Column(_("Date"), CellKind.DATE),
            Column(_("Evening")),
            Column(_("Who owes it")),
            Column(_("Who gets it")),
            *(Column(c or _("Points"), *unit(c)) for c in codes),
            Column(_("State")),
            Column(_("Open"), CellKind.COUNT),
            Column(_("Where it is recorded")),
            Column(_("Paid on"), CellKind.DATE),
            Column(_("Counts up to"), CellKind.DATE),
        ],
        len(rows),
        frozen=2,
    )
    for scope, debt in rows:
        day, name = data.place(scope.evening.pk if scope.evening else None)
        worksheet.add(
            *(day, name, debt.payer.name, debt.payee.name),
            *(cell(debt.amount, c) if c == scope.currency else None for c in codes),
            *(str(debt.state.label), int(debt.open), debt.scope.title),
            *(debt.paid_on, debt.counts_for),
        )
    return worksheet


def _pairs(postings: Iterable[PostingRow]) -> Iterator[tuple[PostingRow, PostingRow]]:
    """Yield payer and payee: the two postings of an entry follow each other."""
    each = iter(postings)
    for one, other in zip(each, each, strict=True):
        yield (one, other) if _amount(one) > 0 else (other, one)


def _amount(posting: PostingRow) -> int:
    return posting.money if posting.currency else posting.points


def fees(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Write the worksheet of fees, prizes and carried balances."""
    return _by_posting(workbook, data, _("Fees and prizes"), FEES)


def adjustments(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Write the worksheet of adjustments."""
    return _by_posting(workbook, data, _("Adjustments"), (Entry.Kind.ADJUSTMENT,))


def _by_posting(
    workbook: WorkbookWriter, data: SeasonData, title: str, kinds: Sequence[Entry.Kind]
) -> Worksheet:
    rows = list(posting_rows.postings(data, *kinds))
    codes = sorted({row.currency for row in rows if row.money})
    money = {code: sum(r.money for r in rows if r.currency == code) for code in codes}
    worksheet = workbook.worksheet(
        title,
        [
            Column(_("Date"), CellKind.DATE),
            Column(_("Evening")),
            Column(_("Type")),
            Column(_("Player")),
            Column(_("Points"), CellKind.POINTS, total=sum(row.points for row in rows)),
            *(Column(c, *unit(c), total=cell(money[c], c)) for c in codes),
            Column(_("Why")),
            Column(_("Entered"), CellKind.MOMENT),
            Column(_("Entered by")),
        ],
        len(rows),
        frozen=2,
    )
    for row in rows:
        day, name = data.place(row.evening)
        worksheet.add(
            day or row.date,
            name,
            str(Entry.Kind(row.kind).label),
            data.name(row.player),
            row.points,
            *(cell(row.money, c) if c == row.currency else None for c in codes),
            row.note,
            local(row.at),
            row.by,
        )
    return worksheet
