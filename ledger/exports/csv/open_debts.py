"""The table of debts: what each one owes another, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from ledger.exports.csv.export_scope import ExportScope, amount, of, when
from ledger.exports.csv.writer import Row
from ledger.models import Evening
from ledger.settlement import debts
from ledger.settlement.debts import Debt, Debts
from ledger.settlement.scope import SettlementScope, title


def rows(reach: ExportScope) -> Iterator[Row]:
    """A row a debt: those of each evening, then of what was settled outside of them."""
    yield (
        *when(),
        *(_("Who owes it"), _("Who gets it"), _("Points"), _("Money"), _("Currency")),
        *(
            _("State"),
            _("Open"),
            _("Where it is recorded"),
            _("Paid on"),
            _("Counts up to"),
        ),
    )
    for batch in reach.batches():
        for stand in debts.of_evenings(reach.club, list(batch.values())):
            assert stand.scope.evening is not None
            yield from _rows(of(batch[stand.scope.evening.pk]), stand)
    for scope in outside(reach):
        season = scope.season.name if scope.season else ""
        yield from _rows((season, "", ""), debts.of_book(scope))


def outside(reach: ExportScope) -> Iterator[SettlementScope]:
    """Yield the books that are of no evening, in each currency of the club."""
    if reach.evening:
        return
    club = SettlementScope.everything(reach.club, "")
    seasons = [reach.season] if reach.season else reach.club.seasons.order_by("starts")
    for currency in club.currencies:
        for season in seasons:
            yield SettlementScope(reach.club, currency, season=season)
        if reach.season is None:
            yield club.in_currency(currency)


def _rows(place: tuple[str, str, str], stand: Debts) -> Iterator[Row]:
    for debt in stand.rows:
        yield (*place, *_cells(debt, stand.scope.currency))


def _cells(debt: Debt, currency: str) -> Row:
    paid_on, counts_for = debt.paid_on, debt.counts_for
    return (
        *(debt.payer.name, debt.payee.name),
        None if currency else debt.amount,
        amount(debt.amount, currency),
        currency,
        str(debt.state.label),
        int(debt.open),
        title(debt.book),
        paid_on.isoformat() if paid_on else "",
        counts_for.isoformat() if counts_for else "",
    )


def of_season(reach: ExportScope, evenings: Iterable[Evening]) -> Iterator[Debts]:
    """Yield where the debts stand of these *evenings*, and of the season as one."""
    yield from debts.of_evenings(reach.club, list(evenings))
    for scope in outside(reach):
        yield debts.of_book(scope)
