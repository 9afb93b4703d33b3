"""Order entries so that the database's triggers accept each insert.

The triggers allow one live entry a hand, and money only in the currency that its
evening is played for. So reversed entries come first, each followed by its reversal,
and live ones last. The order of events is in their times alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger import journal
from ledger.clubfile.errors import WrongValue
from ledger.models import Entry, Evening, Posting


@dataclass(frozen=True, slots=True)
class OrderedEntry:
    """An entry of the file with its postings, and its place there."""

    entry: Entry
    postings: Sequence[Posting]
    place: str


def check_balance(one: OrderedEntry) -> None:
    """Raise `WrongValue` when the postings don't sum to zero."""
    points = sum(posting.points for posting in one.postings)
    money = sum(posting.money for posting in one.postings)
    if points or money:
        message = (
            f"the postings sum to {points:+d} points and {money:+d} in money, not 0"
        )
        raise WrongValue(message, one.place)


def write_entries(
    entries: Sequence[OrderedEntry],
    evening: Evening | None,
    hand_of: Mapping[UUID, UUID],
) -> None:
    """Write the entries of an evening, or outside; *hand_of* maps versions to hands."""
    used = dict.fromkeys(one.entry.currency for one in entries)
    if evening is None or [*used] == [evening.currency]:
        _write(entries, hand_of)
        return
    used.pop(evening.currency, None)
    # The evening's own currency comes last and is left in place.
    for currency in (*used, evening.currency):
        stake = evening.stake if currency == evening.currency else int(currency != "")
        now = Evening.objects.filter(pk=evening.pk)
        now.update(currency=currency, stake=stake)
        _write([one for one in entries if one.entry.currency == currency], hand_of)


def _write(entries: Sequence[OrderedEntry], hand_of: Mapping[UUID, UUID]) -> None:
    for group in _rounds(entries, hand_of):
        journal.copy_entries(
            (one.entry for one in group), (p for one in group for p in one.postings)
        )


def _rounds(
    entries: Sequence[OrderedEntry], hand_of: Mapping[UUID, UUID]
) -> Iterator[list[OrderedEntry]]:
    """Yield entries, then their reversals, then the next entries of the same hands."""
    reversed = {one.entry.reverses_id for one in entries}
    first = [one for one in entries if one.entry.reverses_id is None]
    first.sort(key=lambda one: one.entry.pk not in reversed)  # live ones last
    before: Counter[UUID] = Counter()
    rounds: dict[int, list[OrderedEntry]] = {}
    round_of: dict[UUID, int] = {}
    for one in first:
        hand = hand_of.get(one.entry.version_id) if one.entry.version_id else None
        number = before[hand] if hand else 0
        if hand:
            before[hand] += 1
        rounds.setdefault(number, []).append(one)
        round_of[one.entry.pk] = number
    for number in range(max(rounds, default=-1) + 1):
        yield rounds[number]
        yield [
            one
            for one in entries
            if one.entry.reverses_id and round_of[one.entry.reverses_id] == number
        ]
