"""Audit of entries: each balanced, between players of the club, reversed exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger import tallies
from ledger.audit.findings import located, readable
from ledger.models import Club, Entry, Player, Posting

Gains = Mapping[int, tuple[int, int]]
"""Points and minor units of money by player."""

MONEY = (
    *(Entry.Kind.PAYMENT, Entry.Kind.FEE, Entry.Kind.PRIZE, Entry.Kind.CARRY),
    Entry.Kind.ROUNDING,
)


@dataclass(frozen=True, slots=True)
class EntryGroup:
    """The entries of an evening, or those of a club outside its evenings."""

    where: str
    entries: Sequence[Entry]
    gains: Mapping[UUID, Gains]
    """By entry."""

    @classmethod
    def read(cls, where: str, **values: object) -> EntryGroup:
        """Return the entries whose columns have these *values*, and their postings."""
        gains: dict[UUID, dict[int, tuple[int, int]]] = defaultdict(dict)
        postings = Posting.objects.filter(
            **{f"entry__{column}": value for column, value in values.items()}
        )
        rows = postings.values_list("entry", "player", "points", "money")
        for entry, player, points, money in rows:
            gains[entry][player] = points, money
        return cls(where, list(Entry.objects.filter(**values)), gains)

    def gains_of(self, entry: Entry) -> Gains:
        return self.gains.get(entry.pk, {})

    def live(self, *kinds: Entry.Kind) -> list[Entry]:
        """Return the entries of these kinds that are not reversed."""
        reversed = {entry.reverses_id for entry in self.entries}
        return [e for e in self.entries if e.kind in kinds and e.pk not in reversed]

    def by_version(self) -> Mapping[UUID, list[Entry]]:
        """Return all entries of hands, by the version they post."""
        posted: dict[UUID, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            if entry.version_id:
                posted[entry.version_id].append(entry)
        return posted

    def live_by_version(self) -> dict[UUID, list[Entry]]:
        """Return the entries of hands that are not reversed, by version."""
        live: dict[UUID, list[Entry]] = defaultdict(list)
        for entry in self.live(Entry.Kind.HAND):
            assert entry.version_id is not None
            live[entry.version_id].append(entry)
        return live

    def adjustments(self) -> Iterator[Gains]:
        """Yield the gains of adjustments and of their reversals."""
        adjusting = {e.pk for e in self.entries if e.kind == Entry.Kind.ADJUSTMENT}
        for entry in self.entries:
            if entry.pk in adjusting or entry.reverses_id in adjusting:
                yield self.gains_of(entry)


@dataclass(frozen=True, slots=True)
class EntryAudit:
    """Check of a club's entries, which adds up the balances on its way."""

    players: Collection[int]
    pots: Collection[int]
    balances: dict[str, Counter[int]]
    """By currency ("" for points) and player."""
    checked: Counter[str]

    @classmethod
    def of(cls, club: Club, checked: Counter[str]) -> EntryAudit:
        kinds = Player.objects.filter(club=club).values_list("pk", "kind")
        kind_of = dict(kinds)
        pots = {pk for pk, kind in kind_of.items() if kind == Player.Kind.POT}
        return cls(kind_of.keys(), pots, defaultdict(Counter), checked)

    def differences(self, group: EntryGroup) -> Iterator[str]:
        by_id = {entry.pk: entry for entry in group.entries}
        for entry in group.entries:
            self.checked["entries"] += 1
            self.checked["postings"] += len(group.gains_of(entry))
            reverses = by_id.get(entry.reverses_id) if entry.reverses_id else None
            where = f"{group.where}, {entry}"
            check = self._entry(entry, group, reverses)
            yield from readable(where, located(where, check))

    def _entry(
        self, entry: Entry, group: EntryGroup, reverses: Entry | None
    ) -> Iterator[str]:
        gains = group.gains_of(entry)
        yield from self._unbalanced(gains)
        if reverses and gains != _opposite(group.gains_of(reverses)):
            yield "doesn't give back exactly what its entry moved."
        yield from _misplaced(entry, gains, self.pots)
        for player, (points, money) in gains.items():
            self.balances[entry.currency][player] += money if entry.currency else points

    def _unbalanced(self, gains: Gains) -> Iterator[str]:
        points = sum(points for points, _money in gains.values())
        money = sum(money for _points, money in gains.values())
        if points or money:
            yield f"sums to {points:+d} points and {money:+d} in money, not to 0."
        if not gains:
            yield "posts nothing."
        if strangers := sorted(gains.keys() - set(self.players)):
            yield f"posts to players of another club: {strangers}."


def _opposite(gains: Gains) -> Gains:
    return {player: (-points, -money) for player, (points, money) in gains.items()}


def _misplaced(entry: Entry, gains: Gains, pots: Collection[int]) -> Iterator[str]:
    """Yield wrong units, players or directions for the kind of *entry*."""
    amounts = {player: points + money for player, (points, money) in gains.items()}
    if entry.kind in MONEY and any(
        points if entry.currency else money for points, money in gains.values()
    ):
        yield "moves points and money at once."
    if entry.kind in (Entry.Kind.PAYMENT, Entry.Kind.PRIZE) and len(amounts) != 2:
        yield f"is between {len(amounts)} players, not two."
    if entry.kind in (Entry.Kind.FEE, Entry.Kind.PRIZE):
        sign = 1 if entry.kind == Entry.Kind.FEE else -1
        if any(sign * (a if pk in pots else -a) <= 0 for pk, a in amounts.items()):
            yield "doesn't go the right way between the players and the pot."
    if entry.kind in tallies.WON and amounts.keys() & set(pots):
        yield "lets the pot play."


def points_of(gains: Gains) -> dict[int, int]:
    return {player: points for player, (points, _money) in gains.items()}


def gains_differ(found: Gains, due: Gains) -> str:
    """Return the sentence that lists the players with other gains than due."""
    parts = [
        f"{player}: {found.get(player)} instead of {due.get(player)}"
        for player in sorted(found.keys() | due.keys())
        if found.get(player) != due.get(player)
    ]
    return f"posts other points and money than it scores, to player {'; '.join(parts)}."
