"""The tables of the hands that count, and of the lines they were scored by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import scoring
from ledger.exports.csv.export_scope import ExportScope, of, when
from ledger.exports.csv.seats import minute
from ledger.exports.csv.writer import Cell, Row
from ledger.models import Edition, Evening, Line, Player, Posting, Version
from ledger.models.journal import key
from ledger.text import messages
from ledger.text.hands import name_of, summary

Names = Mapping[str, str]
"""Of the items of a variant, by id."""


def hands(reach: ExportScope) -> Iterator[Row]:
    """A row a hand, with a column of points for everybody who played any."""
    people = reach.people
    played = _played(reach)
    yield (
        *when(),
        *(_("Table"), _("Hand"), _("Time"), _("Dealer")),
        *(pgettext("kind", "Game"), _("Contract")),
        *(_("Sides"), _("Kontra"), _("Multiplier")),
        *(player.name for player in played),
    )
    editions = reach.club.editions.in_bulk()
    for batch in reach.batches():
        points = _points(batch)
        for hand in _live(batch, editions):
            said, won = summary(hand, people), points[hand.key]
            yield (
                *(*of(batch[hand.evening]), hand.table, hand.number),
                *(minute(hand.time), name_of(people, hand.dealer), hand.game),
                *(said.title, said.sides, said.contra_word, hand.multiplier),
                *(won.get(player.pk) for player in played),
            )


def lines(reach: ExportScope) -> Iterator[Row]:
    """A row a line: what it was for, on which side, what came of it."""
    yield (
        *when(),
        *(_("Table"), _("Hand"), pgettext("kind", "Game")),
        *(_("Line"), _("Item"), _("Side")),
        *(_("Player"), _("Announced"), _("Made"), _("Kontra"), _("Multiplier")),
        *(_("Worth"), _("Points"), _("Personal points")),
    )
    names = {pk: player.name for pk, player in reach.people.items()}
    sides = {"declarer": _("declarer"), "defenders": _("defenders"), "": ""}
    items = cache(_items)
    editions = reach.club.editions.in_bulk()
    for batch in reach.batches():
        rows = _lines(batch)
        for hand in _live(batch, editions):
            known = items(hand.edition.variant)
            first = *of(batch[hand.evening]), hand.table, hand.number, hand.game
            for position, item, side, player, *cells in rows[hand.key]:
                whose = sides.get(side, side), names.get(player)
                what = position + 1, _named(item, known), *whose
                yield (*first, *what, *map(_flag, cells))


@dataclass(frozen=True, slots=True)
class Recorded:
    """A hand that counts, with what is told of it here."""

    edition: Edition
    game: str
    key: str
    """Of its version."""
    evening: int
    table: int
    number: int
    time: datetime
    dealer: int
    multiplier: int
    record: Mapping[str, Any]


def _live(
    batch: Mapping[int, Evening], editions: Mapping[int, Edition]
) -> Iterator[Recorded]:
    """Yield the hands that count, in the order of play."""
    found = Version.objects.live().filter(hand__table__evening__in=batch)
    games = {pk: messages.game(edition.variant) for pk, edition in editions.items()}
    rows: Iterable[tuple[Any, ...]] = found.order_by(
        *("hand__table__evening__date", "hand__table__evening"),
        *("hand__table__number", "hand__number"),
    ).values_list(
        *(key("pk"), "hand__table__evening", "hand__table__number", "hand__number"),
        *("recorded_at", "dealer", "multiplier", "record", "edition"),
    )
    for *hand, edition in rows:
        yield Recorded(editions[edition], games[edition], *hand)


def _played(reach: ExportScope) -> Sequence[Player]:
    moved = Posting.objects.filter(reach.entries, entry__kind="hand")
    ids = set(moved.values_list("player", flat=True).distinct())
    return [player for pk, player in reach.people.items() if pk in ids]


def _points(batch: Mapping[int, Evening]) -> Mapping[str, Mapping[int, int]]:
    points: dict[str, dict[int, int]] = defaultdict(dict)
    for version, player, won in Posting.objects.filter(
        entry__evening__in=batch, entry__kind="hand", entry__reversal=None
    ).values_list(key("entry__version_id"), "player", "points"):
        points[version][player] = won
    return points


def _lines(batch: Mapping[int, Evening]) -> Mapping[str, list[tuple[Any, ...]]]:
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    found = Line.objects.filter(version__hand__table__evening__in=batch)
    for version, *row in found.order_by("position").values_list(
        *(key("version_id"), "position", "item", "side", "player", "announced"),
        *("made", "contra", "factor", "base", "points", "personal"),
    ):
        rows[version].append(tuple(row))
    return rows


def _items(variant: str) -> Names:
    """Return what each item of the game is called."""
    game = scoring.get_variant(variant)
    declared: list[Any] = [*game.contracts, *game.bonuses, *game.endings]
    declared += [game.holdings] if game.holdings else []
    return {item.id: messages.say(scoring.Text(item.name)) for item in declared}


def _named(item: str, names: Names) -> str:
    """Return what *item* is called; the number of a holding stands behind its id."""
    if item in names:
        return names[item]
    holding, _mark, number = item.rpartition("_")
    return f"{names.get(holding, holding)}, {number}"


def _flag(cell: Any) -> Cell:
    return int(cell) if isinstance(cell, bool) else cell
