"""CSV file of debts: who owes whom, how much, and the state of the debt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from ledger import settlement
from ledger.exports.csv.export_scope import (
    ExportScope,
    decimal_amount,
    evening_cells,
    evening_headings,
)
from ledger.exports.csv.writer import Row
from ledger.models import Evening
from ledger.settlement import Debt, Debts, SettlementScope


def rows(scope: ExportScope) -> Iterator[Row]:
    """Yield a row a debt: of each evening, then of seasons and the club as one."""
    yield (
        *evening_headings(),
        *(_("Who owes it"), _("Who gets it"), _("Points"), _("Money"), _("Currency")),
        *(
            _("State"),
            _("Open"),
            _("Where it is recorded"),
            _("Paid on"),
            _("Counts up to"),
        ),
    )
    for batch in scope.batches():
        for found in settlement.debts_of_evenings(scope.club, list(batch.values())):
            assert found.scope.evening is not None
            yield from _rows(evening_cells(batch[found.scope.evening.pk]), found)
    for settled in scopes_outside_evenings(scope):
        season = settled.season.name if settled.season else ""
        yield from _rows((season, "", ""), settlement.own_debts_of(settled))


def debts_of_season(scope: ExportScope, evenings: Iterable[Evening]) -> Iterator[Debts]:
    """Yield the debts of these *evenings*, and of their season as one."""
    yield from settlement.debts_of_evenings(scope.club, list(evenings))
    for settled in scopes_outside_evenings(scope):
        yield settlement.own_debts_of(settled)


def scopes_outside_evenings(scope: ExportScope) -> Iterator[SettlementScope]:
    """Yield the settlement scopes of seasons and club, in each currency of the club."""
    if scope.evening:
        return
    club = SettlementScope.everything(scope.club, "")
    seasons = [scope.season] if scope.season else scope.club.seasons.order_by("starts")
    for currency in club.currencies:
        for season in seasons:
            yield SettlementScope(scope.club, currency, season=season)
        if scope.season is None:
            yield club.in_currency(currency)


def _rows(place: tuple[str, str, str], found: Debts) -> Iterator[Row]:
    for debt in found.rows:
        yield (*place, *_cells(debt, found.scope.currency))


def _cells(debt: Debt, currency: str) -> Row:
    paid_on, counts_for = debt.paid_on, debt.counts_for
    return (
        *(debt.payer.name, debt.payee.name),
        None if currency else debt.amount,
        decimal_amount(debt.amount, currency),
        currency,
        str(debt.state.label),
        int(debt.open),
        debt.scope.title,
        paid_on.isoformat() if paid_on else "",
        counts_for.isoformat() if counts_for else "",
    )
