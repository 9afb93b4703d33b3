"""Why somebody stands where he stands: from the figure to evening, hand and line.

The parts of each level add up to the level above. Between two people it is the coins
that went, or should have gone, from one to the other after each hand; what a plan
moves otherwise goes through others, and is told beside it.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any
from uuid import UUID

from ledger import settling
from ledger.models import Entry, Evening, Line, Player, Version
from ledger.settling import Moved, Scope
from scoring.sides import Sides, pay_one

Kind = Entry.Kind


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


@dataclass(frozen=True, slots=True)
class Part:
    """An evening; without one, what was settled across evenings."""

    evening: Evening | None
    amount: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """*amount* is what *player* is owed, by *other* if there is one."""

    player: Player
    scope: Scope
    amount: int
    parts: tuple[Part, ...]
    other: Player | None = None
    through: int = 0
    """What the plan has him paid by *other* beyond that: it goes through others."""


def statement(player: Player, scope: Scope, *, lines: bool = True) -> Statement:
    """Return everything that makes up the balance of *player*."""
    shares = {
        moved.id: moved.gains[player.pk]
        for moved in settling.moved(scope)
        if moved.gains.get(player.pk)
    }
    parts = _parts(player, scope, shares, lines=lines)
    return Statement(player, scope, sum(part.amount for part in parts), parts)


def between(player: Player, other: Player, scope: Scope) -> Statement:
    """Return what *other* owes *player* by the hands and payments between the two."""
    shares = {
        moved.id: amount
        for moved in settling.moved(scope)
        if (amount := _from(moved, other.pk, player.pk))
    }
    parts = _parts(player, scope, shares, lines=False)
    amount = sum(part.amount for part in parts)
    planned = _planned(settling.plan(scope, settling.Method.FEWEST), player, other)
    return Statement(player, scope, amount, parts, other, planned - amount)


def _from(moved: Moved, payer: int, payee: int) -> int:
    """Return what *payer* owes *payee* for it; below zero, the other way."""
    return sum(
        transfer.amount if transfer.payee == payee else -transfer.amount
        for transfer in moved.handed()
        if {transfer.payer, transfer.payee} == {payer, payee}
    )


def _planned(plan: settling.Plan, player: Player, other: Player) -> int:
    both = {player.pk, other.pk}
    return sum(
        row.amount if row.payee == player else -row.amount
        for row in plan.rows
        if {row.payer.pk, row.payee.pk} == both
    )


def _parts(
    player: Player, scope: Scope, shares: Mapping[UUID, int], *, lines: bool
) -> tuple[Part, ...]:
    """Return the entries by evening, in the order they came.

    What was carried within the scope moves nothing in it, and is left out.
    """
    entries = _entries(scope, shares)
    kept = _lines(entries) if lines else {}
    everybody = _others(scope, entries, player)
    by_evening: dict[int | None, list[Item]] = defaultdict(list)
    evenings: dict[int | None, Evening | None] = {None: None}
    for entry, amount in entries:
        evenings[entry.evening_id] = entry.evening
        by_evening[entry.evening_id].append(
            _item(entry, amount, scope, player, kept, everybody)
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


def _entries(scope: Scope, shares: Mapping[UUID, int]) -> list[tuple[Entry, int]]:
    """Return the entries with what each is worth; a carrying is one of its own."""
    found = (
        settling.live(Entry.objects.filter(scope.entries(), club=scope.club))
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
    scope: Scope, entries: Iterable[tuple[Entry, int]], player: Player
) -> Mapping[UUID, tuple[Player, ...]]:
    paid = [entry.pk for entry, _amount in entries if entry.kind == Kind.PAYMENT]
    rows = scope.postings.filter(entry__in=paid).exclude(player=player)
    others: dict[UUID, list[Player]] = defaultdict(list)
    for posting in rows.select_related("player"):
        others[posting.entry_id].append(posting.player)
    return {entry: tuple(people) for entry, people in others.items()}


def _item(
    entry: Entry,
    amount: int,
    scope: Scope,
    player: Player,
    lines: Mapping[UUID, Sequence[Line]],
    others: Mapping[UUID, tuple[Player, ...]],
) -> Item:
    version = entry.version
    shares: tuple[Share, ...] = ()
    if version is not None and version.pk in lines:
        stake = entry.evening.stake if scope.in_money and entry.evening else 1
        shares = tuple(_shares(version, lines[version.pk], player.pk, stake))
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
    )


def _lines(entries: Iterable[tuple[Entry, int]]) -> dict[UUID, list[Line]]:
    kept: dict[UUID, list[Line]] = defaultdict(list)
    versions = [entry.version_id for entry, _amount in entries if entry.version_id]
    for line in Line.objects.filter(version__in=versions).order_by("position"):
        kept[line.version_id].append(line)
    return kept


def _shares(
    version: Version, lines: Iterable[Line], player: int, stake: int
) -> Iterator[Share]:
    """Yield what each line brings the player; together what the hand brings him."""
    seat = version.players.index(player)
    sides = _sides(version)
    for line in lines:
        worth = sides.pay(line.points) if sides else (0,) * len(version.players)
        if line.personal and line.player_id is not None:
            holder = version.players.index(line.player_id)
            held = pay_one(holder, line.personal, len(version.players))
            worth = tuple(map(add, worth, held))
        yield Share(line, worth[seat] * version.multiplier * stake)


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
