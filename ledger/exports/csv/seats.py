"""CSV files of evenings and of line-ups."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ledger.exports.csv.export_scope import ExportScope, evening_cells, evening_headings
from ledger.exports.csv.writer import Cell, Row
from ledger.models import Evening, Hand, Seat
from ledger.text import amounts, messages


def evenings(scope: ExportScope) -> Iterator[Row]:
    """Yield a row an evening: game, tables, hands, stake, start and close."""
    yield (
        *evening_headings(),
        *(pgettext("kind", "Game"), _("Tables"), _("Hands")),
        *(_("Currency"), _("A point"), _("Start"), _("Closed")),
    )
    for batch in scope.batches():
        played = Hand.objects.filter(table__evening__in=batch)
        counts: dict[int, tuple[int, int]] = {
            evening: (tables, hands)
            for evening, tables, hands in played.values_list("table__evening").annotate(
                tables=Count("table", distinct=True),
                hands=Count("pk", filter=Q(voided=False)),
            )
        }
        for evening in batch.values():
            game = messages.game(evening.edition.variant)
            tables, hands = counts.get(evening.pk, (0, 0))
            yield (
                *evening_cells(evening),
                *(game, tables, hands),
                *(evening.currency, _stake(evening)),
                *(format_minute(evening.opened_at), format_minute(evening.closed_at)),
            )


def _stake(evening: Evening) -> Cell:
    if not evening.currency:
        return None
    return amounts.stake_decimal(evening.per_point, evening.currency)


def seats(scope: ExportScope) -> Iterator[Row]:
    """Yield a row a seat of each line-up."""
    yield (
        *evening_headings(),
        *(_("Table"), _("From hand"), _("Dealer"), _("Seat"), _("Player")),
        _("Takes a break"),
    )
    names = {pk: player.name for pk, player in scope.people.items()}
    for batch in scope.batches():
        rows: dict[int, list[Row]] = {pk: [] for pk in batch}
        found = Seat.objects.filter(lineup__table__evening__in=batch)
        for evening, table, hand, dealer, place, player, rests in found.order_by(
            "lineup__table__number", "lineup__from_hand", "position"
        ).values_list(
            *("lineup__table__evening", "lineup__table__number", "lineup__from_hand"),
            *("lineup__dealer", "position", "player", "resting"),
        ):
            cells = table, hand, names.get(dealer), place + 1, names[player], int(rests)
            rows[evening].append((*evening_cells(batch[evening]), *cells))
        for some in rows.values():
            yield from some


def format_minute(time: datetime | None) -> str:
    """Return local date and time to the minute, "" for None."""
    return f"{timezone.localtime(time):%Y-%m-%d %H:%M}" if time else ""
