"""Why somebody stands where he stands: from the figure to evening, hand and line.

The parts of each level add up to the level above. Over more than one evening each is
one sum, and its own statement goes down to the hands. Between two people it is the
coins that went, or should have gone, from one to the other after each hand; what a
plan moves otherwise goes through others, and is told beside it.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import add
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, Sum

from ledger.models import Entry, Evening, Line, Player, Posting, Version
from ledger.settlement import debts, pair_sums, planning
from ledger.settlement.debts import Route
from ledger.settlement.planning import ScopeEntry, SettlementScope
from ledger.text.amounts import Stake, shared
from scoring.sides import Sides, pay_one

Kind = Entry.Kind
AT_ONCE = 25
"""Evenings that are read together."""
LATEST = 20
"""So many evenings, and so much of what was moved outside of them, are told until
more is asked for."""


@dataclass(frozen=True, slots=True)
class Share:
    """One line of a hand, and what it brings the player, in the scope's unit."""

    line: Line
    amount: int


@dataclass(frozen=True, slots=True)
class Item:
    """One entry that counts, and what it brings the player."""

    entry: UUID
    kind: str
    amount: int
    at: datetime.datetime
    note: str = ""
    method: str = ""
    version: Version | None = None
    lines: tuple[Share, ...] = ()
    others: tuple[Player, ...] = ()
    """Who is on the other side of a payment."""
    sheet_hand: int | None = None
    """Which hand of the evening it was, of one from an old sheet."""
    day: datetime.date | None = None
    """When it was paid; of anything else outside of evenings, when it was done."""
    counts_for: datetime.date | None = None
    """The day up to which it was settled, where that is another."""
    way: Route | None = None
    """From where, or where to, it was carried."""


@dataclass(frozen=True, slots=True)
class Part:
    """An evening; without one, what was settled across evenings."""

    evening: Evening | None
    amount: int
    items: tuple[Item, ...] = ()
    earlier: int | None = None
    """What the items before these came to, where only the latest are told."""


@dataclass(frozen=True, slots=True)
class Statement:
    """*amount* is what *player* is owed, by *other* if there is one."""

    player: Player
    scope: SettlementScope
    amount: int
    parts: tuple[Part, ...]
    other: Player | None = None
    through: int = 0
    """What the plan has him paid by *other* beyond that: it goes through others."""
    earlier: int | None = None
    """What evenings before these came to, where only the latest are told."""
    plan: planning.SettlementPlan | None = None
    """What was planned to know what goes *through* others."""
    by_hands: int = 0
    """What *other* owes by the hands alone, whatever was paid since."""


def statement(
    player: Player, scope: SettlementScope, *, lines: bool = True
) -> Statement:
    """Return everything that makes up the balance of *player*."""
    shares = _gained(player, None, planning.entries_in(scope))
    parts = _parts(player, scope, shares, lines=lines)
    return Statement(player, scope, sum(part.amount for part in parts), parts)


def between(player: Player, other: Player, scope: SettlementScope) -> Statement:
    """Return what *other* owes *player* by the hands and payments between the two."""
    moves = list(planning.entries_in(scope))
    shares = _gained(player, other, moves)
    by_hands = sum(
        shares.get(one.id, 0) for one in moves if one.kind not in Entry.AFTER_CLOSING
    )
    parts = _parts(player, scope, shares, lines=False)
    return _with(player, other, scope, parts, by_hands)


def in_turn(
    player: Player, other: Player | None, scope: SettlementScope, *, lines: bool = True
) -> Iterator[Part]:
    """Yield the parts of a statement, some evenings at a time; together they are it.

    What was carried out of the scope, and moved outside of evenings, comes last.
    """
    counts = planning.live(
        Entry.objects.filter(scope.entries(), club=scope.club, currency=scope.currency)
    )
    last = Q(evening=None) | Q(kind=Kind.CARRY)
    played = counts.exclude(last).values("evening")
    evenings = Evening.objects.filter(pk__in=played).order_by("date", "pk")
    some = iter(list(evenings.values_list("pk", flat=True)))
    while chunk := list(islice(some, AT_ONCE)):
        entries = counts.exclude(last).filter(evening__in=chunk)
        yield from _some(player, other, scope, entries, lines=lines)
    yield from _some(player, other, scope, counts.filter(last), lines=lines)


def _some(
    player: Player,
    other: Player | None,
    scope: SettlementScope,
    entries: QuerySet[Entry],
    *,
    lines: bool,
) -> tuple[Part, ...]:
    among = list(entries.values_list("pk", flat=True))
    shares = _gained(player, other, planning.entries_in(scope, among))
    return _parts(player, scope, shares, lines=lines, within=Q(pk__in=among))


def _gained(
    player: Player, other: Player | None, moves: Iterable[ScopeEntry]
) -> dict[UUID, int]:
    """Return what of each the player, or the two, had a part in.

    A hand that both played is one even if nothing went from one to the other.
    """
    shares = ((moved, _share(moved, player, other)) for moved in moves)
    return {
        moved.id: amount
        for moved, amount in shares
        if amount or (other and _played(moved, player, other))
    }


def _played(moved: ScopeEntry, *players: Player) -> bool:
    """Whether it is a hand that all these *players* played."""
    return {player.pk for player in players} <= set(moved.seats)


def _share(moved: ScopeEntry, player: Player, other: Player | None) -> int:
    if other is None:
        return moved.gains.get(player.pk, 0)
    return _from(moved, other.pk, player.pk)


def overview(
    player: Player, scope: SettlementScope, latest: int | None = LATEST
) -> Statement:
    """Return the balance of *player* by evening, each as one sum."""
    inner, outer = _carried(player, scope)
    amounts = pair_sums.of_player(player, scope)
    mine = Posting.objects.filter(
        player=player, entry__in=pair_sums.others(scope, player)
    )
    rows = mine.values_list("entry__evening").annotate(Sum(scope.unit)).order_by()
    amounts.update(dict(rows))
    amounts.subtract(inner)
    counts = ~Q(entry__kind=Kind.CARRY) | Q(entry__action__in=outer)
    outside = mine.filter(counts, entry__evening=None)
    told = _told(player, scope, _latest(outside, scope, latest))
    parts, earlier = _by_evening(scope, amounts, told, latest)
    return Statement(player, scope, sum(amounts.values()), parts, earlier=earlier)


def overview_between(
    player: Player, other: Player, scope: SettlementScope, latest: int | None = LATEST
) -> Statement:
    """Return what *other* owes *player* by evening, each as one sum.

    The hands of closed evenings are not read; see ledger/settlement/pair_sums.py.
    """
    amounts = Counter(pair_sums.between(player, other, scope))
    by_hands = sum(amounts.values())
    outside: dict[UUID, int] = {}
    among = pair_sums.others(scope, player, other)
    for moved in planning.entries_in(scope, among):
        amount = _from(moved, other.pk, player.pk)
        if amount or _played(moved, player, other):
            amounts[moved.evening] += amount
        if moved.kind not in Entry.AFTER_CLOSING:
            by_hands += amount
        if amount and moved.evening is None:
            outside[moved.id] = amount
    shown = dict(list(outside.items())[-latest:] if latest else outside)
    told = _told(player, scope, _of_shares(scope, shown))
    parts, earlier = _by_evening(scope, amounts, told, latest)
    return _with(player, other, scope, parts, by_hands, earlier)


def _with(
    player: Player,
    other: Player,
    scope: SettlementScope,
    parts: tuple[Part, ...],
    by_hands: int,
    earlier: int | None = None,
) -> Statement:
    amount = sum(part.amount for part in parts) + (earlier or 0)
    plan = planning.plan(scope, planning.Method.FEWEST)
    through = _planned(plan, player, other) - amount
    return Statement(
        *(player, scope, amount, parts, other, through, earlier, plan, by_hands)
    )


def _carried(
    player: Player, scope: SettlementScope
) -> tuple[dict[int | None, int], set[UUID]]:
    """Return what was carried within *scope* by book, and the other carryings.

    What goes from one book of the scope to another moves nothing in it.
    """
    rows = (
        scope.postings.filter(player=player, entry__kind=Kind.CARRY)
        .filter(entry__reversal=None)
        .values_list("entry__action", "entry__evening")
        .annotate(Sum(scope.unit))
        .order_by()
    )
    books: dict[UUID, list[tuple[int | None, int]]] = defaultdict(list)
    for action, evening, amount in rows:
        books[action].append((evening, amount))
    outer = {
        action for action, moves in books.items() if sum(amount for _e, amount in moves)
    }
    inner: dict[int | None, int] = defaultdict(int)
    for action in books.keys() - outer:
        for evening, amount in books[action]:
            inner[evening] += amount
    return inner, outer


def _latest(
    postings: QuerySet[Posting], scope: SettlementScope, latest: int | None
) -> list[tuple[Entry, int]]:
    live = postings.filter(entry__reversal=None).exclude(entry__kind=Kind.REVERSAL)
    rows = live.exclude(**{scope.unit: 0}).select_related("entry")
    newest = rows.order_by("-entry__created_at", "-entry")[:latest]
    return [(posting.entry, getattr(posting, scope.unit)) for posting in newest][::-1]


def _of_shares(
    scope: SettlementScope, shares: Mapping[UUID, int]
) -> list[tuple[Entry, int]]:
    """Return the entries with what each is worth; a carrying goes by its action."""
    found = Entry.objects.filter(club=scope.club, reversal=None)
    of_these = Q(pk__in=shares) | Q(action__in=shares, kind=Kind.CARRY)
    by_key: dict[UUID, Entry] = {}
    for entry in found.filter(of_these).order_by("created_at", "pk"):
        key = entry.action_id if entry.kind == Kind.CARRY else entry.pk
        assert key is not None
        by_key.setdefault(key, entry)
    return [(entry, shares[key]) for key, entry in by_key.items()]


def _told(
    player: Player, scope: SettlementScope, entries: list[tuple[Entry, int]]
) -> tuple[Item, ...]:
    everybody, ways = _others(entries, player), _ways(scope, entries)
    return tuple(
        _item(entry, amount, scope, player, {}, everybody, ways)
        for entry, amount in entries
    )


def _by_evening(
    scope: SettlementScope,
    amounts: Mapping[int | None, int],
    told: tuple[Item, ...],
    latest: int | None,
) -> tuple[tuple[Part, ...], int | None]:
    """Return a part for each of the *latest* evenings, and one with what was *told*
    outside of them; and what the evenings before came to."""
    dated = scope.club.evenings.order_by("-date", "-pk").values_list("pk", flat=True)
    moved = [pk for pk in dated if pk in amounts]
    shown = Evening.objects.in_bulk(moved[:latest]).values()
    parts = [Part(evening, amounts[evening.pk]) for evening in shown]
    outside = amounts.get(None, 0)
    before = sum(amounts.values()) - outside - sum(part.amount for part in parts)
    earlier = outside - sum(item.amount for item in told)
    if told or outside:
        parts.append(Part(None, outside, told, earlier or None))
    return tuple(sorted(parts, key=_when)), before if len(shown) < len(moved) else None


def _from(moved: ScopeEntry, payer: int, payee: int) -> int:
    """Return what *payer* owes *payee* for it; below zero, the other way."""
    return sum(
        transfer.amount if transfer.payee == payee else -transfer.amount
        for transfer in moved.handed()
        if {transfer.payer, transfer.payee} == {payer, payee}
    )


def _planned(plan: planning.SettlementPlan, player: Player, other: Player) -> int:
    both = {player.pk, other.pk}
    return sum(
        row.amount if row.payee == player else -row.amount
        for row in plan.rows
        if {row.payer.pk, row.payee.pk} == both
    )


def _parts(
    player: Player,
    scope: SettlementScope,
    shares: Mapping[UUID, int],
    *,
    lines: bool,
    within: Q | None = None,
) -> tuple[Part, ...]:
    """Return the entries by evening, in the order they came.

    What was carried within the scope moves nothing in it, and is left out.
    """
    entries = _entries(scope, shares, within or scope.entries())
    kept = _lines(entries) if lines else {}
    everybody, ways = _others(entries, player), _ways(scope, entries)
    by_evening: dict[int | None, list[Item]] = defaultdict(list)
    evenings: dict[int | None, Evening | None] = {None: None}
    for entry, amount in entries:
        evenings[entry.evening_id] = entry.evening
        by_evening[entry.evening_id].append(
            _item(entry, amount, scope, player, kept, everybody, ways)
        )
    found = [
        Part(evenings[pk], sum(item.amount for item in items), tuple(items))
        for pk, items in by_evening.items()
    ]
    return tuple(sorted(found, key=_when))


def _when(part: Part) -> tuple[bool, Any, int]:
    evening = part.evening
    if evening is None:
        return True, datetime.date.max, 0
    return False, evening.date, evening.pk


def _entries(
    scope: SettlementScope, shares: Mapping[UUID, int], within: Q
) -> list[tuple[Entry, int]]:
    """Return the entries with what each is worth; a carrying is one of its own."""
    found = (
        planning.live(Entry.objects.filter(within, club=scope.club))
        .select_related("evening", "version__hand__table", "version__edition", "action")
        .order_by("created_at", "pk")
    )
    entries: list[tuple[Entry, int]] = []
    carried: set[UUID] = set()
    for entry in found:
        key = entry.action_id if entry.kind == Kind.CARRY else entry.pk
        assert key is not None
        if key not in shares or key in carried:
            continue
        if entry.kind == Kind.CARRY:
            carried.add(key)
        entries.append((entry, shares[key]))
    return entries


def _others(
    entries: Iterable[tuple[Entry, int]], player: Player
) -> Mapping[UUID, tuple[Player, ...]]:
    paid = [entry.pk for entry, _amount in entries if entry.kind == Kind.PAYMENT]
    rows = Posting.objects.filter(entry__in=paid).exclude(player=player)
    others: dict[UUID, list[Player]] = defaultdict(list)
    for posting in rows.select_related("player"):
        others[posting.entry_id].append(posting.player)
    return {entry: tuple(people) for entry, people in others.items()}


def _ways(
    scope: SettlementScope, entries: Iterable[tuple[Entry, int]]
) -> Mapping[UUID, Route]:
    """Return from where and where to the carried ones of *entries* went."""
    carried = {
        entry.action_id
        for entry, _amount in entries
        if entry.kind == Kind.CARRY and entry.action_id
    }
    return debts.routes(scope.club, scope.currency, carried)


def _item(
    entry: Entry,
    amount: int,
    scope: SettlementScope,
    player: Player,
    lines: Mapping[UUID, Sequence[Line]],
    others: Mapping[UUID, tuple[Player, ...]],
    ways: Mapping[UUID, Route],
) -> Item:
    version = entry.version
    shares: tuple[Share, ...] = ()
    if version is not None and version.pk in lines:
        stake = entry.evening.per_point if scope.in_money and entry.evening else 1
        shares = tuple(_shares(version, lines[version.pk], player.pk, stake, amount))
    return Item(
        entry.pk,
        entry.kind,
        amount,
        entry.created_at,
        entry.note,
        entry.method,
        version,
        shares,
        others.get(entry.pk, ()),
        entry.sheet_hand,
        entry.day if entry.kind == Kind.PAYMENT else entry.date,
        entry.counts_for if entry.kind == Kind.PAYMENT else None,
        ways.get(entry.action_id) if entry.action_id else None,
    )


def _lines(entries: Iterable[tuple[Entry, int]]) -> dict[UUID, list[Line]]:
    kept: dict[UUID, list[Line]] = defaultdict(list)
    versions = [entry.version_id for entry, _amount in entries if entry.version_id]
    for line in Line.objects.filter(version__in=versions).order_by("position"):
        kept[line.version_id].append(line)
    return kept


def _shares(
    version: Version,
    lines: Sequence[Line],
    player: int,
    stake: Stake,
    amount: int,
) -> Iterator[Share]:
    """Yield what each line brings the player; together what the hand brings him."""
    seat = version.players.index(player)
    sides = _sides(version)
    exact: dict[int, Stake] = {}
    for place, line in enumerate(lines):
        worth = sides.pay(line.points) if sides else (0,) * len(version.players)
        if line.personal and line.player_id is not None:
            holder = version.players.index(line.player_id)
            held = pay_one(holder, line.personal, len(version.players))
            worth = tuple(map(add, worth, held))
        exact[place] = worth[seat] * version.multiplier * stake
    whole = shared(exact, amount)
    yield from (Share(line, whole[place]) for place, line in enumerate(lines))


def _sides(version: Version) -> Sides | None:
    """Return who played with whom; None when nobody declared."""
    record, seats = version.record, version.players
    if record.get("declarer") is None:
        return None
    partner = record.get("partner")
    return Sides(
        seats.index(record["declarer"]),
        None if partner is None else seats.index(partner),
        len(seats),
    )
