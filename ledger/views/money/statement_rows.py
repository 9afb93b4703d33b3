"""Statement rows: the parts of a statement in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.utils import formats
from django.utils.translation import gettext as _

import scoring
from ledger.models import Entry, Evening, Version
from ledger.settlement import Item, Part, paid_words
from ledger.text import messages
from ledger.text.hands import People, name_of, summary


@dataclass(frozen=True)
class LineRow:
    """A line of a hand, with the rule that it follows."""

    name: str
    why: str
    amount: int


@dataclass(frozen=True)
class ItemRow:
    """An entry: a hand with its lines, or money that moved without one."""

    words: str
    amount: int
    note: str = ""
    hand: UUID | None = None
    number: int = 0
    times: int = 1
    lines: tuple[LineRow, ...] = ()
    when: str = ""
    day: date | None = None


@dataclass(frozen=True)
class PartRows:
    evening: Evening | None
    amount: int
    items: tuple[ItemRow, ...]
    earlier: int | None = None

    @classmethod
    def of(cls, part: Part, people: People) -> PartRows:
        items = tuple(item_rows(part, people))
        return cls(part.evening, part.amount, items, part.earlier)


def item_rows(part: Part, people: People) -> Iterator[ItemRow]:
    for item in part.items:
        if item.version is not None:
            yield _hand(item, item.version, people)
        else:
            yield ItemRow(
                _words(item, part.evening),
                item.amount,
                item.note,
                when=_when(item, part),
                day=item.day,
            )


def _hand(item: Item, version: Version, people: People) -> ItemRow:
    hand = summary(version, people)
    return ItemRow(
        " · ".join(filter(None, (hand.title, hand.sides))),
        item.amount,
        hand=version.hand_id,
        number=version.hand.number,
        times=version.multiplier,
        lines=tuple(_lines(item, version, people)),
    )


def _lines(item: Item, version: Version, people: People) -> Iterator[LineRow]:
    if not item.lines:
        return
    tariff = version.edition.tariff
    parsed = scoring.parse(tariff, version.players, version.record)
    names = [name_of(people, pk) for pk in version.players]
    lines = scoring.score(tariff, parsed).lines
    for share, line in zip(item.lines, lines, strict=True):
        name, why = messages.say(line.name, names), messages.say(line.why, names)
        yield LineRow(name, why, share.amount)


def _when(item: Item, part: Part) -> str:
    """Return the day of a payment; of anything else outside of evenings, its day."""
    if item.kind == Entry.Kind.PAYMENT:
        return paid_words(item.day, item.counts_for)
    if part.evening is None and item.day is not None:
        return formats.date_format(item.day)
    return ""


def _words(item: Item, evening: Evening | None) -> str:
    """Return what an entry without a hand is, as seen from *evening*."""
    words = str(Entry.Kind(item.kind).label)
    if item.route:
        words = item.route.words(evening)
    if item.kind == Entry.Kind.PAYMENT and item.others:
        names = ", ".join(player.name for player in item.others)
        message = _("Paid to {name}") if item.amount > 0 else _("Received from {name}")
        words = message.format(name=names)
    if item.sheet_hand:
        words = _("From an old sheet, hand {number}").format(number=item.sheet_hand)
    how = messages.how(item.method) if item.kind == Entry.Kind.PAYMENT else ""
    return f"{words} ({how})" if how else words
