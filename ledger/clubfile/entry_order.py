"""The order in which the entries of a book can be written under the guards.

A hand has one entry that counts at a time, and money of another currency is only
there while the evening is played for it. So what was reversed goes in and out again
first, and what counts goes in last. When things were done is in their times alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger import journal
from ledger.clubfile.fields import WrongValue
from ledger.models import Entry, Evening, Posting


@dataclass(frozen=True, slots=True)
class OrderedEntry:
    """An entry of the file with its postings, and where they stand there."""

    entry: Entry
    postings: Sequence[Posting]
    place: str


def check(entered: OrderedEntry) -> None:
    """Raise `Wrong` when the postings don't sum to zero."""
    points = sum(posting.points for posting in entered.postings)
    money = sum(posting.money for posting in entered.postings)
    if points or money:
        says = f"the postings sum to {points:+d} points and {money:+d} in money, not 0"
        raise WrongValue(says, entered.place)


def enter(
    book: Sequence[OrderedEntry], evening: Evening | None, hand_of: Mapping[UUID, UUID]
) -> None:
    """Write the entries of a book; *hand_of* finds the hand of a version."""
    used = dict.fromkeys(one.entry.currency for one in book)
    if evening is None or [*used] == [evening.currency]:
        _write(book, hand_of)
        return
    used.pop(evening.currency, None)
    for currency in (*used, evening.currency):  # last the one it is played for now
        stake = evening.stake if currency == evening.currency else int(currency != "")
        now = Evening.objects.filter(pk=evening.pk)
        now.update(currency=currency, stake=stake)
        _write([one for one in book if one.entry.currency == currency], hand_of)


def _write(book: Sequence[OrderedEntry], hand_of: Mapping[UUID, UUID]) -> None:
    for group in _rounds(book, hand_of):
        journal.copy_entries(
            (one.entry for one in group), (p for one in group for p in one.postings)
        )


def _rounds(
    book: Sequence[OrderedEntry], hand_of: Mapping[UUID, UUID]
) -> Iterator[list[OrderedEntry]]:
    """Yield entries, then what reverses them, then the next ones of the same hands."""
    undone = {one.entry.reverses_id for one in book}
    first = [one for one in book if one.entry.reverses_id is None]
    first.sort(key=lambda one: one.entry.pk not in undone)  # what counts goes in last
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
            for one in book
            if one.entry.reverses_id and round_of[one.entry.reverses_id] == number
        ]
