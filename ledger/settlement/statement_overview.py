"""Statement overview: a balance by evening, each as one sum.

The hands of closed evenings are not read, see ledger/settlement/pair_sums.py.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from uuid import UUID

from django.db.models import Q, QuerySet, Sum

from ledger.models import Entry, Evening, Player, Posting
from ledger.settlement import pair_sums
from ledger.settlement.scope import Kind, SettlementScope
from ledger.settlement.scope_entries import entries_in
from ledger.settlement.statement import (
    Statement,
    both_played,
    owed_for,
    pair_statement,
)
from ledger.settlement.statement_items import (
    EntryAmounts,
    Item,
    Part,
    by_date,
    items_of,
)

SHOWN_AT_FIRST = 20
"""So many evenings, and so many items outside of them, until all are requested."""


def overview_of(
    player: Player, scope: SettlementScope, latest: int | None = SHOWN_AT_FIRST
) -> Statement:
    """Return the balance of *player* by evening."""
    inner, outer = _carries(player, scope)
    amounts = pair_sums.of_player(player, scope)
    own = Posting.objects.filter(
        player=player, entry__in=pair_sums.unsummed_entries(scope, player)
    )
    rows = own.values_list("entry__evening").annotate(Sum(scope.unit)).order_by()
    amounts.update(dict(rows))
    amounts.subtract(inner)
    counts = ~Q(entry__kind=Kind.CARRY) | Q(entry__action__in=outer)
    outside = own.filter(counts, entry__evening=None)
    entries = _latest(outside, scope, latest)
    items = tuple(items_of(player, scope, entries, lines=False))
    parts, earlier = _by_evening(scope, amounts, items, latest)
    return Statement(player, scope, sum(amounts.values()), parts, earlier=earlier)


def overview_between(
    player: Player,
    other: Player,
    scope: SettlementScope,
    latest: int | None = SHOWN_AT_FIRST,
) -> Statement:
    """Return what *other* owes *player* by evening."""
    amounts = Counter(pair_sums.between(player, other, scope))
    by_hands = sum(amounts.values())
    outside: dict[UUID, int] = {}
    among = pair_sums.unsummed_entries(scope, player, other)
    for entry in entries_in(scope, among):
        amount = owed_for(entry, other.pk, player.pk)
        if amount or both_played(entry, player, other):
            amounts[entry.evening] += amount
        if entry.kind not in Entry.AFTER_CLOSING:
            by_hands += amount
        if amount and entry.evening is None:
            outside[entry.id] = amount
    shown = dict(list(outside.items())[-latest:] if latest else outside)
    entries = _with_amounts(scope, shown)
    items = tuple(items_of(player, scope, entries, lines=False))
    parts, earlier = _by_evening(scope, amounts, items, latest)
    return pair_statement(player, other, scope, parts, by_hands, earlier)


def _carries(
    player: Player, scope: SettlementScope
) -> tuple[dict[int | None, int], set[UUID]]:
    """Return the carries within *scope*, summed by evening, and the actions of others.

    A carry within the scope moves nothing in it.
    """
    rows = (
        scope.postings.filter(player=player, entry__kind=Kind.CARRY)
        .filter(entry__reversal=None)
        .values_list("entry__action", "entry__evening")
        .annotate(Sum(scope.unit))
        .order_by()
    )
    by_action: dict[UUID, list[tuple[int | None, int]]] = defaultdict(list)
    for action, evening, amount in rows:
        by_action[action].append((evening, amount))
    outer = {
        action
        for action, carried in by_action.items()
        if sum(amount for _evening, amount in carried)
    }
    inner: dict[int | None, int] = defaultdict(int)
    for action in by_action.keys() - outer:
        for evening, amount in by_action[action]:
            inner[evening] += amount
    return inner, outer


def _latest(
    postings: QuerySet[Posting], scope: SettlementScope, latest: int | None
) -> EntryAmounts:
    """Return the entries of the *latest* postings in force, oldest first."""
    live = postings.filter(entry__reversal=None).exclude(entry__kind=Kind.REVERSAL)
    rows = live.exclude(**{scope.unit: 0}).select_related("entry")
    newest = rows.order_by("-entry__created_at", "-entry")[:latest]
    return [(posting.entry, getattr(posting, scope.unit)) for posting in newest][::-1]


def _with_amounts(scope: SettlementScope, amounts: Mapping[UUID, int]) -> EntryAmounts:
    """Return the entries of these *amounts*; a carry has the id of its action."""
    found = Entry.objects.filter(club=scope.club, reversal=None)
    of_these = Q(pk__in=amounts) | Q(action__in=amounts, kind=Kind.CARRY)
    by_id: dict[UUID, Entry] = {}
    for entry in found.filter(of_these).order_by("created_at", "pk"):
        key = entry.action_id if entry.kind == Kind.CARRY else entry.pk
        assert key is not None
        by_id.setdefault(key, entry)
    return [(entry, amounts[key]) for key, entry in by_id.items()]


def _by_evening(
    scope: SettlementScope,
    amounts: Mapping[int | None, int],
    outside: tuple[Item, ...],
    latest: int | None,
) -> tuple[tuple[Part, ...], int | None]:
    """Return a part for each of the *latest* evenings, and the sum of those before.

    A last part has the items *outside* of evenings.
    """
    newest = scope.club.evenings.order_by("-date", "-pk").values_list("pk", flat=True)
    played = [pk for pk in newest if pk in amounts]
    shown = Evening.objects.in_bulk(played[:latest]).values()
    parts = [Part(evening, amounts[evening.pk]) for evening in shown]
    total = amounts.get(None, 0)
    before = sum(amounts.values()) - total - sum(part.amount for part in parts)
    if outside or total:
        earlier = total - sum(item.amount for item in outside)
        parts.append(Part(None, total, outside, earlier or None))
    is_cut = len(shown) < len(played)
    return tuple(sorted(parts, key=by_date)), before if is_cut else None
