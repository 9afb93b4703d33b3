"""The tables of what moved without a hand: payments, fees, prizes, adjustments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from ledger.exports.csv import open_debts
from ledger.exports.csv.export_scope import ExportScope
from ledger.exports.workbook import season_data
from ledger.exports.workbook.season_data import HandRow, Posted
from ledger.exports.workbook.worksheet import (
    BookWriter,
    CellKind,
    Column,
    SheetTable,
    cell,
    local,
    unit,
)
from ledger.models import Entry
from ledger.settlement.scope import title
from ledger.text import messages

FEES = (Entry.Kind.FEE, Entry.Kind.PRIZE, Entry.Kind.CARRY)


def payments(book: BookWriter, played: HandRow) -> SheetTable:
    """Who paid whom: the payer's and the payee's part of an entry in one row."""
    rows = list(_pairs(season_data.postings(played, Entry.Kind.PAYMENT)))
    codes = sorted({payer.currency for payer, _payee in rows})
    paid = {
        code: sum(_moved(p) for p, _q in rows if p.currency == code) for code in codes
    }
    table = book.table(
        _("Payments"),
        [
            Column(_("Date"), CellKind.DATE),
            Column(_("Counts up to"), CellKind.DATE),
            Column(_("Evening")),
            Column(_("Who paid it")),
            Column(_("Who gets it")),
            *(
                Column(c or _("Points"), *unit(c), total=cell(paid[c], c))
                for c in codes
            ),
            Column(_("How")),
            Column(_("Note")),
            Column(_("Entered"), CellKind.MOMENT),
            Column(_("Entered by")),
        ],
        len(rows),
        frozen=2,
    )
    for payer, payee in rows:
        _day, name = played.book(payer.evening)
        amount = _moved(payer)
        table.add(
            payer.day,
            payer.counts_for,
            name,
            played.name(payer.player),
            played.name(payee.player),
            *(cell(amount, c) if c == payer.currency else None for c in codes),
            messages.how(payer.method),
            payer.note,
            local(payer.at),
            payer.by,
        )
    return table


def debts(book: BookWriter, played: HandRow) -> SheetTable:
    """Every debt of each evening and of the season as one, and where it stands."""
    reach = ExportScope(played.season.club, season=played.season)
    evenings = [night.evening for night in played.nights]
    told = [
        (stand.scope, debt)
        for stand in open_debts.debts_of_season(reach, evenings)
        for debt in stand.rows
    ]
    codes = sorted({scope.currency for scope, _debt in told})
    table = book.table(
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
        len(told),
        frozen=2,
    )
    for scope, debt in told:
        day, name = played.book(scope.evening.pk if scope.evening else None)
        table.add(
            *(day, name, debt.payer.name, debt.payee.name),
            *(cell(debt.amount, c) if c == scope.currency else None for c in codes),
            *(str(debt.state.label), int(debt.open), title(debt.book)),
            *(debt.paid_on, debt.counts_for),
        )
    return table


def _pairs(posted: Iterable[Posted]) -> Iterator[tuple[Posted, Posted]]:
    """Yield who gave and who got: two postings that follow each other."""
    each = iter(posted)
    for one, other in zip(each, each, strict=True):
        yield (one, other) if _moved(one) > 0 else (other, one)


def _moved(posted: Posted) -> int:
    return posted.money if posted.currency else posted.points


def fees(book: BookWriter, played: HandRow) -> SheetTable:
    """What the pot took and gave, and what was carried from one book to another."""
    return _by_posting(book, played, _("Fees and prizes"), FEES)


def adjustments(book: BookWriter, played: HandRow) -> SheetTable:
    return _by_posting(book, played, _("Adjustments"), (Entry.Kind.ADJUSTMENT,))


def _by_posting(
    book: BookWriter, played: HandRow, title: str, kinds: Sequence[Entry.Kind]
) -> SheetTable:
    rows = list(season_data.postings(played, *kinds))
    codes = sorted({row.currency for row in rows if row.money})
    money = {code: sum(r.money for r in rows if r.currency == code) for code in codes}
    table = book.table(
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
        day, name = played.book(row.evening)
        table.add(
            day or row.date,
            name,
            str(Entry.Kind(row.kind).label),
            played.name(row.player),
            row.points,
            *(cell(row.money, c) if c == row.currency else None for c in codes),
            row.note,
            local(row.at),
            row.by,
        )
    return table
