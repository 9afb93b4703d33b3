"""CSV files of live hands and of the lines of their scores."""

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
from ledger.exports.csv.export_scope import ExportScope, evening_cells, evening_headings
from ledger.exports.csv.seats import format_minute
from ledger.exports.csv.writer import Cell, Row
from ledger.models import Edition, Evening, Line, Player, Posting, Version
from ledger.models.journal import id_text
from ledger.text import messages
from ledger.text.hands import name_of, summary

Names = Mapping[str, str]
"""Names of the items of a variant, by id."""


def hands(scope: ExportScope) -> Iterator[Row]:
    """Yield a row a hand, with a column of points for everybody who played."""
    people = scope.people
    played = _players(scope)
    yield (
        *evening_headings(),
        *(_("Table"), _("Hand"), _("Time"), _("Dealer")),
        *(pgettext("kind", "Game"), _("Contract")),
        *(_("Sides"), _("Kontra"), _("Multiplier")),
        *(player.name for player in played),
    )
    editions = scope.club.editions.in_bulk()
    for batch in scope.batches():
        points = _points(batch)
        for hand in _live_hands(batch, editions):
            words, won = summary(hand, people), points[hand.key]
            yield (
                *(*evening_cells(batch[hand.evening]), hand.table, hand.number),
                *(format_minute(hand.time), name_of(people, hand.dealer), hand.game),
                *(words.title, words.sides, words.contra_word, hand.multiplier),
                *(won.get(player.pk) for player in played),
            )


def lines(scope: ExportScope) -> Iterator[Row]:
    """Yield a row a line of a score: item, side, points."""
    yield (
        *evening_headings(),
        *(_("Table"), _("Hand"), pgettext("kind", "Game")),
        *(_("Line"), _("Item"), _("Side")),
        *(_("Player"), _("Announced"), _("Made"), _("Kontra"), _("Multiplier")),
        *(_("Worth"), _("Points"), _("Personal points")),
    )
    names = {pk: player.name for pk, player in scope.people.items()}
    sides = {"declarer": _("declarer"), "defenders": _("defenders"), "": ""}
    items = cache(_items)
    editions = scope.club.editions.in_bulk()
    for batch in scope.batches():
        rows = _lines(batch)
        for hand in _live_hands(batch, editions):
            known = items(hand.edition.variant)
            first = (
                *evening_cells(batch[hand.evening]),
                hand.table,
                hand.number,
                hand.game,
            )
            for position, item, side, player, *cells in rows[hand.key]:
                whose = sides.get(side, side), names.get(player)
                what = position + 1, _item_label(item, known), *whose
                yield (*first, *what, *map(_flag_as_int, cells))


@dataclass(frozen=True, slots=True)
class LiveHand:
    """A live hand with the columns of its latest version."""

    edition: Edition
    game: str
    key: str
    """Primary key of its version, as text."""
    evening: int
    table: int
    number: int
    time: datetime
    dealer: int
    multiplier: int
    record: Mapping[str, Any]


def _live_hands(
    batch: Mapping[int, Evening], editions: Mapping[int, Edition]
) -> Iterator[LiveHand]:
    """Yield the live hands of the batch, in order of play."""
    found = Version.objects.in_force().filter(hand__table__evening__in=batch)
    games = {pk: messages.game(edition.variant) for pk, edition in editions.items()}
    rows: Iterable[tuple[Any, ...]] = found.order_by(
        *("hand__table__evening__date", "hand__table__evening"),
        *("hand__table__number", "hand__number"),
    ).values_list(
        *(id_text("pk"), "hand__table__evening", "hand__table__number", "hand__number"),
        *("recorded_at", "dealer", "multiplier", "record", "edition"),
    )
    for *hand, edition in rows:
        yield LiveHand(editions[edition], games[edition], *hand)


def _players(scope: ExportScope) -> Sequence[Player]:
    postings = Posting.objects.filter(scope.entries, entry__kind="hand")
    ids = set(postings.values_list("player", flat=True).distinct())
    return [player for pk, player in scope.people.items() if pk in ids]


def _points(batch: Mapping[int, Evening]) -> Mapping[str, Mapping[int, int]]:
    points: dict[str, dict[int, int]] = defaultdict(dict)
    for version, player, won in Posting.objects.filter(
        entry__evening__in=batch, entry__kind="hand", entry__reversal=None
    ).values_list(id_text("entry__version_id"), "player", "points"):
        points[version][player] = won
    return points


def _lines(batch: Mapping[int, Evening]) -> Mapping[str, list[tuple[Any, ...]]]:
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    found = Line.objects.filter(version__hand__table__evening__in=batch)
    for version, *row in found.order_by("position").values_list(
        *(id_text("version_id"), "position", "item", "side", "player", "announced"),
        *("made", "contra", "factor", "base", "points", "personal"),
    ):
        rows[version].append(tuple(row))
    return rows


def _items(variant: str) -> Names:
    """Return the names of all items of the variant."""
    game = scoring.get_variant(variant)
    declared: list[Any] = [*game.contracts, *game.bonuses, *game.endings]
    declared += [game.holdings] if game.holdings else []
    return {item.id: messages.say(scoring.Text(item.name)) for item in declared}


def _item_label(item: str, names: Names) -> str:
    """Return the name of *item*; the id of a holding ends in its number."""
    if item in names:
        return names[item]
    holding, _mark, number = item.rpartition("_")
    return f"{names.get(holding, holding)}, {number}"


def _flag_as_int(cell: Any) -> Cell:
    return int(cell) if isinstance(cell, bool) else cell
