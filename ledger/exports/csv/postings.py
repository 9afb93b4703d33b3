"""CSV files of postings, of payments, and of players with their balances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger import settlement
from ledger.exports.csv.export_scope import (
    ExportScope,
    decimal_amount,
    evening_cells,
    evening_headings,
)
from ledger.exports.csv.seats import format_minute
from ledger.exports.csv.writer import Cell, Row
from ledger.models import Club, Entry, Evening, Player, Posting
from ledger.models.journal import id_text
from ledger.tallies import HANDS, OF_THE_GAME, WON
from ledger.text import messages

AT_THE_TABLE = Q(kind__in=WON) | Q(reverses__kind__in=WON)


def players(scope: ExportScope) -> Iterator[Row]:
    """Yield a row a player: hands, points of the game, balance in each currency."""
    found = Posting.objects.filter(scope.entries)
    open_: dict[str, dict[int, int]] = defaultdict(dict)
    for player, currency, points, money in (
        found.values_list("player", "entry__currency")
        .annotate(Sum("points"), Sum("money"))
        .order_by("entry__currency")
    ):
        open_[currency][player] = money if currency else points
    yield (
        *(_("Player"), _("Short name"), _("Type"), _("Retired"), _("Hands")),
        _("Points of the game"),
        *(_("Open in {unit}").format(unit=c or _("points")) for c in open_),
    )
    game = _game(found)
    for pk, player in scope.people.items():
        hands, points = game.get(pk, (0, 0))
        open_here: list[Cell] = [
            decimal_amount(sums.get(pk, 0), currency) if currency else sums.get(pk, 0)
            for currency, sums in open_.items()
        ]
        kind = str(Player.Kind(player.kind).label)
        name: Row = player.name, player.nickname, kind, int(player.retired)
        yield (*name, hands, points, *open_here)


def _game(found: QuerySet[Posting]) -> Mapping[int, tuple[int, int]]:
    """Return the live hands and the points of the game of each player."""
    counted = HANDS & Q(entry__reversal=None)
    rows = found.filter(OF_THE_GAME).values_list("player")
    return {
        player: (hands, points)
        for player, hands, points in rows.annotate(
            hands=Count("pk", filter=counted), sum=Sum("points")
        )
    }


def postings(scope: ExportScope) -> Iterator[Row]:
    """Yield a row a posting, reversed ones and reversals too."""
    yield (*_headings(), _("Table"), _("Hand"))
    for entry, cells in _postings(scope, Q()):
        yield (*cells, entry["table"], entry["hand"])


def payments(scope: ExportScope) -> Iterator[Row]:
    """Yield a row a posting of entries that no hand made."""
    headings = (
        _("Paid on"),
        _("Counts up to"),
        _("Carried over to"),
        _("Entered by"),
        _("Entered"),
    )
    yield (*_headings(), *headings)
    for entry, cells in _postings(scope, ~AT_THE_TABLE):
        days = (day.isoformat() if day else "" for day in entry["days"])
        by = entry["created_by__username"], format_minute(entry["created_at"])
        yield (*cells, *days, entry["carried"], *by)


def _headings() -> tuple[str, ...]:
    return (
        *evening_headings(),
        *(_("Entry"), _("Type"), _("Player"), _("Points"), _("Money")),
        *(_("Currency"), _("How"), _("Note")),
    )


def _postings(
    scope: ExportScope, which: Q
) -> Iterator[tuple[Mapping[str, Any], tuple[Cell, ...]]]:
    """Yield each posting's entry and its first cells; entries are numbered from 1."""
    names = {pk: player.name for pk, player in scope.people.items()}
    kinds: dict[str, str] = {str(kind): str(kind.label) for kind in Entry.Kind}
    for number, (entry, place, gains) in enumerate(_entries(scope, which), start=1):
        currency = entry["currency"]
        what = kinds[entry["kind"]]
        how = messages.how(entry["method"]) if entry["kind"] == "payment" else ""
        for player, points, money in gains:
            worth = decimal_amount(money, currency)
            cells = names[player], points, worth, currency, how, entry["note"]
            yield entry, (*place, number, what, *cells)


Gains = list[tuple[int, int, int]]
"""Player, points, money."""


def _entries(
    scope: ExportScope, which: Q
) -> Iterator[tuple[Mapping[str, Any], tuple[str, str, str], Gains]]:
    for batch in scope.batches():
        yield from _entries_of(scope.club, batch, which)
    if scope.outside_evenings is not None:
        yield from _entries_outside(scope.club, scope.outside_evenings & which)


def _entries_of(
    club: Club, batch: Mapping[int, Evening], which: Q
) -> Iterator[tuple[Mapping[str, Any], tuple[str, str, str], Gains]]:
    entries = Entry.objects.filter(which, evening__in=batch)
    by_evening: dict[int, list[dict[str, Any]]] = {pk: [] for pk in batch}
    for entry in _with_targets(club, _read(entries)):
        by_evening[entry["evening"]].append(entry)
    gains = _gains(Posting.objects.filter(entry__evening__in=batch))
    for pk, some in by_evening.items():
        place = evening_cells(batch[pk])
        for entry in some:
            yield entry, place, gains[entry["key"]]


def _entries_outside(
    club: Club,
    which: Q,
) -> Iterator[tuple[Mapping[str, Any], tuple[str, str, str], Gains]]:
    """Yield the entries of a season or the club that are of no evening."""
    entries = Entry.objects.filter(which)
    gains = _gains(Posting.objects.filter(entry__in=entries))
    for entry in _with_targets(club, _read(entries)):
        on = entry["days"][0] or entry["date"]
        place = entry["season__name"] or "", on.isoformat(), ""
        yield entry, place, gains[entry["key"]]


def _read(entries: QuerySet[Entry]) -> Iterable[dict[str, Any]]:
    hand, undone = "version__hand", "reverses__version__hand"
    found: Iterable[dict[str, Any]] = entries.order_by("created_at", "pk").values(
        *("evening", "kind", "currency", "method", "note", "date", "paid_on", "action"),
        *("season__name", "created_by__username", "created_at"),
        key=id_text("pk"),
        table=Coalesce(f"{hand}__table__number", f"{undone}__table__number"),
        hand=Coalesce(
            *(f"{hand}__number", f"{undone}__number"),
            *("sheet_hand", "reverses__sheet_hand"),
        ),
    )
    return found


def _with_targets(
    club: Club, entries: Iterable[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the entries with days of payments and targets of carried balances."""
    some = list(entries)
    carried = {e["action"] for e in some if e["kind"] == Entry.Kind.CARRY}
    ways = settlement.routes_of(club, "", carried)
    for entry in some:
        way = ways.get(entry["action"]) if entry["kind"] == Entry.Kind.CARRY else None
        entry["carried"] = way.target.title if way else ""
        entry["days"] = _days(entry)
        yield entry


def _days(entry: Mapping[str, Any]) -> tuple[date | None, date | None]:
    """Return the day of a payment, and the day it counts up to where that differs."""
    if entry["kind"] != Entry.Kind.PAYMENT:
        return None, None
    paid_on = entry["paid_on"] or timezone.localdate(entry["created_at"])
    counts_for = None if entry["evening"] else entry["date"]
    return paid_on, counts_for if counts_for != paid_on else None


def _gains(postings: QuerySet[Posting]) -> Mapping[str, Gains]:
    gains: dict[str, Gains] = defaultdict(list)
    for entry, player, points, money in postings.order_by("player").values_list(
        id_text("entry_id"), "player", "points", "money"
    ):
        gains[entry].append((player, points, money))
    return gains
