"""Statement items: entries as a statement lists them, by evening, hand and line."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any
from uuid import UUID

from django.db.models import Q

from ledger.models import Entry, Evening, Line, Player, Posting, Version
from ledger.settlement.carried_debts import Route, routes_of
from ledger.settlement.scope import Kind, SettlementScope
from ledger.settlement.scope_entries import in_force
from ledger.text.amounts import apportion
from scoring.sides import Sides, pay_one

EntryAmounts = Sequence[tuple[Entry, int]]
"""Entries, each with its amount for the player, in the unit of the scope."""


@dataclass(frozen=True, slots=True)
class Share:
    """One line of a hand with its amount for the player, in the unit of the scope."""

    line: Line
    amount: int


@dataclass(frozen=True, slots=True)
class Item:
    """One entry in force with its amount for the player."""

    entry: UUID
    kind: str
    amount: int
    at: datetime.datetime
    note: str = ""
    method: str = ""
    version: Version | None = None
    lines: tuple[Share, ...] = ()
    others: tuple[Player, ...] = ()
    """The other side of a payment."""
    sheet_hand: int | None = None
    """The number of a hand from an old sheet."""
    day: datetime.date | None = None
    """The day of a payment; of anything else outside of evenings, its day."""
    counts_for: datetime.date | None = None
    """The day up to which a payment settled, where that is another."""
    route: Route | None = None
    """From where to where it was carried."""


@dataclass(frozen=True, slots=True)
class Part:
    """The items of an evening; without one, of what was settled across evenings."""

    evening: Evening | None
    amount: int
    items: tuple[Item, ...] = ()
    earlier: int | None = None
    """The sum of the items before these, where only the latest are listed."""


def parts_of(
    player: Player,
    scope: SettlementScope,
    amounts: Mapping[UUID, int],
    *,
    lines: bool,
    within: Q | None = None,
) -> tuple[Part, ...]:
    """Return the entries of these *amounts* by evening, each in the order they came.

    With *lines*, hands have their lines. *within* narrows down where entries are
    looked for.
    """
    entries = _entries(scope, amounts, within or scope.entries())
    by_evening: dict[int | None, list[Item]] = defaultdict(list)
    evenings: dict[int | None, Evening | None] = {None: None}
    items = items_of(player, scope, entries, lines=lines)
    for (entry, _amount), item in zip(entries, items, strict=True):
        evenings[entry.evening_id] = entry.evening
        by_evening[entry.evening_id].append(item)
    parts = [
        Part(evenings[pk], sum(item.amount for item in of_one), tuple(of_one))
        for pk, of_one in by_evening.items()
    ]
    return tuple(sorted(parts, key=by_date))


def by_date(part: Part) -> tuple[bool, Any, int]:
    """Order parts by date; that without an evening comes last."""
    evening = part.evening
    if evening is None:
        return True, datetime.date.max, 0
    return False, evening.date, evening.pk


def items_of(
    player: Player, scope: SettlementScope, entries: EntryAmounts, *, lines: bool
) -> Iterator[Item]:
    """Yield an item for each of *entries*; with *lines*, hands have their lines."""
    of_hands = _lines(entries) if lines else {}
    others, routes = _others(entries, player), _routes(scope, entries)
    for entry, amount in entries:
        is_payment = entry.kind == Kind.PAYMENT
        yield Item(
            entry.pk,
            entry.kind,
            amount,
            entry.created_at,
            entry.note,
            entry.method,
            entry.version,
            tuple(_shares(entry, player, scope, amount, of_hands)),
            others.get(entry.pk, ()),
            entry.sheet_hand,
            entry.day if is_payment else entry.date,
            entry.counts_for if is_payment else None,
            routes.get(entry.action_id) if entry.action_id else None,
        )


def _entries(
    scope: SettlementScope, amounts: Mapping[UUID, int], within: Q
) -> EntryAmounts:
    """Return the entries of these *amounts*; a carry has the id of its action."""
    found = (
        in_force(Entry.objects.filter(within, club=scope.club))
        .select_related("evening", "version__hand__table", "version__edition", "action")
        .order_by("created_at", "pk")
    )
    entries: dict[UUID, tuple[Entry, int]] = {}
    for entry in found:
        key = entry.action_id if entry.kind == Kind.CARRY else entry.pk
        assert key is not None
        if key in amounts:
            entries.setdefault(key, (entry, amounts[key]))
    return list(entries.values())


def _others(entries: EntryAmounts, player: Player) -> Mapping[UUID, tuple[Player, ...]]:
    """Return the other side of each payment."""
    payments = [entry.pk for entry, _amount in entries if entry.kind == Kind.PAYMENT]
    postings = Posting.objects.filter(entry__in=payments).exclude(player=player)
    others: dict[UUID, list[Player]] = defaultdict(list)
    for posting in postings.select_related("player"):
        others[posting.entry_id].append(posting.player)
    return {entry: tuple(people) for entry, people in others.items()}


def _routes(scope: SettlementScope, entries: EntryAmounts) -> Mapping[UUID, Route]:
    """Return the routes of the carries among *entries*, by action."""
    carried = {
        entry.action_id
        for entry, _amount in entries
        if entry.kind == Kind.CARRY and entry.action_id
    }
    return routes_of(scope.club, scope.currency, carried)


def _lines(entries: EntryAmounts) -> dict[UUID, list[Line]]:
    lines: dict[UUID, list[Line]] = defaultdict(list)
    versions = [entry.version_id for entry, _amount in entries if entry.version_id]
    for line in Line.objects.filter(version__in=versions).order_by("position"):
        lines[line.version_id].append(line)
    return lines


def _shares(
    entry: Entry,
    player: Player,
    scope: SettlementScope,
    amount: int,
    of_hands: Mapping[UUID, Sequence[Line]],
) -> Iterator[Share]:
    """Yield the amount of each line of a hand for *player*; they sum to *amount*."""
    version = entry.version
    if version is None or version.pk not in of_hands:
        return
    lines = of_hands[version.pk]
    stake = entry.evening.per_point if scope.in_money and entry.evening else 1
    seat = version.players.index(player.pk)
    exact = {
        place: gains[seat] * version.multiplier * stake
        for place, gains in enumerate(_gains(version, lines))
    }
    whole = apportion(exact, amount)
    yield from (Share(line, whole[place]) for place, line in enumerate(lines))


def _gains(version: Version, lines: Sequence[Line]) -> Iterator[tuple[int, ...]]:
    """Yield the points of each line by seat, without the multiplier of the hand."""
    sides, seats = _sides(version), len(version.players)
    for line in lines:
        gains = sides.pay(line.points) if sides else (0,) * seats
        if line.personal and line.player_id is not None:
            holder = version.players.index(line.player_id)
            gains = tuple(map(add, gains, pay_one(holder, line.personal, seats)))
        yield gains


def _sides(version: Version) -> Sides | None:
    """Return the sides of a hand; None when nobody declared."""
    record, seats = version.record, version.players
    if record.get("declarer") is None:
        return None
    partner = record.get("partner")
    return Sides(
        seats.index(record["declarer"]),
        None if partner is None else seats.index(partner),
        len(seats),
    )
