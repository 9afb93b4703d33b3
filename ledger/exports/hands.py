"""The tables of the hands that count, and of the lines they were scored by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

import scoring
from ledger import words
from ledger.exports.cells import Cell, Row
from ledger.exports.reach import Reach, of, when
from ledger.exports.sittings import minute
from ledger.models import Edition, Evening, Line, Player, Posting, Version
from ledger.told import name_of, told

Names = Mapping[str, str]
"""Of the items of a variant, by id."""


def hands(reach: Reach) -> Iterator[Row]:
    """A row a hand, with a column of points for everybody who played any."""
    people = reach.people
    played = _played(reach)
    yield (
        *when(),
        *(_("Table"), _("Hand"), _("Time"), _("Dealer"), _("Game"), _("Contract")),
        *(_("Sides"), _("Contra"), _("Times")),
        *(player.name for player in played),
    )
    for batch in reach.batches():
        found = list(_live(batch))
        points = _points(batch)
        games = {edition: _game(edition) for edition in {v.edition for v in found}}
        for version in found:
            said, won = told(version, people), points[version.pk]
            evening = batch[version.hand.table.evening_id]
            yield (
                *of(evening),
                *(version.hand.table.number, version.hand.number),
                *(minute(version.recorded_at), name_of(people, version.dealer_id)),
                *(games[version.edition], said.title, said.sides, said.contra_word),
                version.multiplier,
                *(won.get(player.pk) for player in played),
            )


def lines(reach: Reach) -> Iterator[Row]:
    """A row a line: what it was for, on which side, what came of it."""
    yield (
        *when(),
        *(_("Table"), _("Hand"), _("Game"), _("Line"), _("What"), _("Side")),
        *(_("Player"), _("Announced"), _("Made"), _("Contra"), _("Times")),
        *(_("Worth"), _("Points"), _("Points by himself")),
    )
    names = {pk: player.name for pk, player in reach.people.items()}
    sides = {"declarer": _("declarer"), "defenders": _("defenders"), "": ""}
    items = cache(_items)
    for batch in reach.batches():
        rows = _lines(batch)
        for version in _live(batch):
            hand = version.hand
            game, item_names = items(version.edition.variant)
            first = *of(batch[hand.table.evening_id]), hand.table.number, hand.number
            for position, item, side, player, *cells in rows[version.pk]:
                what = _named(item, item_names)
                whose = sides.get(side, side), names.get(player)
                yield (*first, game, position + 1, what, *whose, *map(_flag, cells))


def _live(batch: Mapping[int, Evening]) -> QuerySet[Version]:
    """Return the hands that count, in the order of play."""
    found = Version.objects.live().filter(hand__table__evening__in=batch)
    return found.select_related("hand__table", "edition").order_by(
        "hand__table__evening__date",
        "hand__table__evening",
        "hand__table__number",
        "hand__number",
    )


def _played(reach: Reach) -> Sequence[Player]:
    moved = Posting.objects.filter(reach.entries, entry__kind="hand")
    ids = set(moved.values_list("player", flat=True).distinct())
    return [player for pk, player in reach.people.items() if pk in ids]


def _points(batch: Mapping[int, Evening]) -> Mapping[UUID, Mapping[int, int]]:
    points: dict[Any, dict[int, int]] = defaultdict(dict)
    for version, player, won in Posting.objects.filter(
        entry__evening__in=batch, entry__kind="hand", entry__reversal=None
    ).values_list("entry__version", "player", "points"):
        points[version][player] = won
    return points


def _lines(batch: Mapping[int, Evening]) -> Mapping[UUID, list[tuple[Any, ...]]]:
    rows: dict[UUID, list[tuple[Any, ...]]] = defaultdict(list)
    found = Line.objects.filter(version__hand__table__evening__in=batch)
    for version, *row in found.order_by("position").values_list(
        *("version", "position", "item", "side", "player", "announced", "made"),
        *("contra", "factor", "base", "points", "personal"),
    ):
        rows[version].append(tuple(row))
    return rows


def _game(edition: Edition) -> str:
    return words.say(scoring.Text(scoring.get_variant(edition.variant).name))


def _items(variant: str) -> tuple[str, Names]:
    """Return what the game and each of its items is called."""
    game = scoring.get_variant(variant)
    declared: list[Any] = [*game.contracts, *game.bonuses, *game.endings]
    declared += [game.holdings] if game.holdings else []
    items = {item.id: words.say(scoring.Text(item.name)) for item in declared}
    return words.say(scoring.Text(game.name)), items


def _named(item: str, names: Names) -> str:
    """Return what *item* is called; the number of a holding stands behind its id."""
    if item in names:
        return names[item]
    holding, _mark, number = item.rpartition("_")
    return f"{names.get(holding, holding)}, {number}"


def _flag(cell: Any) -> Cell:
    return int(cell) if isinstance(cell, bool) else cell
