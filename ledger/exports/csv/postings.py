"""The tables of what moved points and money, and of the players it moved them for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.exports.csv.export_scope import ExportScope, amount, of, when
from ledger.exports.csv.seats import minute
from ledger.exports.csv.writer import Cell, Row
from ledger.models import Club, Entry, Evening, Player, Posting
from ledger.models.journal import key
from ledger.settlement import debts
from ledger.settlement.scope import title
from ledger.tallies import HANDS, OF_THE_GAME, WON
from ledger.text import messages

AT_THE_TABLE = Q(kind__in=WON) | Q(reverses__kind__in=WON)


def players(reach: ExportScope) -> Iterator[Row]:
    """A row a player: hands, points of the game, and the balance in each currency."""
    found = Posting.objects.filter(reach.entries)
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
    for pk, player in reach.people.items():
        hands, points = game.get(pk, (0, 0))
        open_here: list[Cell] = [
            amount(sums.get(pk, 0), currency) if currency else sums.get(pk, 0)
            for currency, sums in open_.items()
        ]
        kind = str(Player.Kind(player.kind).label)
        name: Row = player.name, player.nickname, kind, int(player.retired)
        yield (*name, hands, points, *open_here)


def _game(found: QuerySet[Posting]) -> Mapping[int, tuple[int, int]]:
    """Return how many hands that count each has played, and all points of the game."""
    counted = HANDS & Q(entry__reversal=None)
    rows = found.filter(OF_THE_GAME).values_list("player")
    return {
        player: (hands, points)
        for player, hands, points in rows.annotate(
            hands=Count("pk", filter=counted), sum=Sum("points")
        )
    }


def postings(reach: ExportScope) -> Iterator[Row]:
    """A row a posting, reversed ones and what reversed them too."""
    yield (*_head(), _("Table"), _("Hand"))
    for entry, cells in _postings(reach, Q()):
        yield (*cells, entry["table"], entry["hand"])


def payments(reach: ExportScope) -> Iterator[Row]:
    """A row a posting of what no hand has moved."""
    said = (
        _("Paid on"),
        _("Counts up to"),
        _("Carried over to"),
        _("Entered by"),
        _("Entered"),
    )
    yield (*_head(), *said)
    for entry, cells in _postings(reach, ~AT_THE_TABLE):
        days = (day.isoformat() if day else "" for day in entry["days"])
        by = entry["created_by__username"], minute(entry["created_at"])
        yield (*cells, *days, entry["carried"], *by)


def _head() -> tuple[str, ...]:
    return (
        *when(),
        *(_("Entry"), _("Type"), _("Player"), _("Points"), _("Money")),
        *(_("Currency"), _("How"), _("Note")),
    )


def _postings(
    reach: ExportScope, which: Q
) -> Iterator[tuple[Mapping[str, Any], tuple[Cell, ...]]]:
    """Yield each posting's entry and its first cells; entries count from 1."""
    names = {pk: player.name for pk, player in reach.people.items()}
    kinds: dict[str, str] = {str(kind): str(kind.label) for kind in Entry.Kind}
    for number, (entry, place, gained) in enumerate(_entries(reach, which), start=1):
        currency = entry["currency"]
        what = kinds[entry["kind"]]
        how = messages.how(entry["method"]) if entry["kind"] == "payment" else ""
        for player, points, money in gained:
            worth = amount(money, currency)
            cells = names[player], points, worth, currency, how, entry["note"]
            yield entry, (*place, number, what, *cells)


Gained = list[tuple[int, int, int]]
"""Player, points, money."""


def _entries(
    reach: ExportScope, which: Q
) -> Iterator[tuple[Mapping[str, Any], tuple[str, str, str], Gained]]:
    for batch in reach.batches():
        yield from _of_batch(reach.club, batch, which)
    if reach.outside is not None:
        yield from _outside(reach.club, reach.outside & which)


def _of_batch(
    club: Club, batch: Mapping[int, Evening], which: Q
) -> Iterator[tuple[Mapping[str, Any], tuple[str, str, str], Gained]]:
    entries = Entry.objects.filter(which, evening__in=batch)
    by_evening: dict[int, list[dict[str, Any]]] = {pk: [] for pk in batch}
    for entry in _told(club, _read(entries)):
        by_evening[entry["evening"]].append(entry)
    gained = _gained(Posting.objects.filter(entry__evening__in=batch))
    for pk, some in by_evening.items():
        place = of(batch[pk])
        for entry in some:
            yield entry, place, gained[entry["key"]]


def _outside(
    club: Club,
    which: Q,
) -> Iterator[tuple[Mapping[str, Any], tuple[str, str, str], Gained]]:
    """Yield what belongs to a season, or the club, as one."""
    entries = Entry.objects.filter(which)
    gained = _gained(Posting.objects.filter(entry__in=entries))
    for entry in _told(club, _read(entries)):
        on = entry["days"][0] or entry["date"]
        place = entry["season__name"] or "", on.isoformat(), ""
        yield entry, place, gained[entry["key"]]


def _read(entries: QuerySet[Entry]) -> Iterable[dict[str, Any]]:
    hand, undone = "version__hand", "reverses__version__hand"
    found: Iterable[dict[str, Any]] = entries.order_by("created_at", "pk").values(
        *("evening", "kind", "currency", "method", "note", "date", "paid_on", "action"),
        *("season__name", "created_by__username", "created_at"),
        key=key("pk"),
        table=Coalesce(f"{hand}__table__number", f"{undone}__table__number"),
        hand=Coalesce(
            *(f"{hand}__number", f"{undone}__number"),
            *("sheet_hand", "reverses__sheet_hand"),
        ),
    )
    return found


def _told(club: Club, entries: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the entries with the days of payments, and where they were carried to."""
    some = list(entries)
    carried = {e["action"] for e in some if e["kind"] == Entry.Kind.CARRY}
    ways = debts.routes(club, "", carried)
    for entry in some:
        way = ways.get(entry["action"]) if entry["kind"] == Entry.Kind.CARRY else None
        entry["carried"] = title(way.target) if way else ""
        entry["days"] = _days(entry)
        yield entry


def _days(entry: Mapping[str, Any]) -> tuple[date | None, date | None]:
    """Return when it was paid, and up to when it counts where that is another day."""
    if entry["kind"] != Entry.Kind.PAYMENT:
        return None, None
    paid_on = entry["paid_on"] or timezone.localdate(entry["created_at"])
    counts_for = None if entry["evening"] else entry["date"]
    return paid_on, counts_for if counts_for != paid_on else None


def _gained(postings: QuerySet[Posting]) -> Mapping[str, Gained]:
    gained: dict[str, Gained] = defaultdict(list)
    for entry, player, points, money in postings.order_by("player").values_list(
        key("entry_id"), "player", "points", "money"
    ):
        gained[entry].append((player, points, money))
    return gained
