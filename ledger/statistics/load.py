"""Load played hands and other entries from the journal, in 6 queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from ledger.models import Edition, Entry, Evening, Posting, Table, Version
from ledger.models import Line as Row
from ledger.models.journal import id_text
from ledger.statistics.played_hand import (
    HandPosition,
    OtherEntry,
    PlayedHand,
    ScoredLine,
)

OF_HAND = (
    *("key", "pk", "hand", "hand__table", "hand__table__evening"),
    *("hand__table__number", "hand__number", "hand__played_at"),
    *("edition", "players", "record", "thrown_in", "xxi_lost_by"),
)
COLUMNS = (
    *("item", "kind", "side", "player_id", "announced", "made", "contra", "points"),
)
HANDS = Q(entry__kind=Entry.Kind.HAND, entry__reversal=None)
ADJUSTMENTS = (Entry.Kind.ADJUSTMENT,)
COPIED = (Entry.Kind.SHEET, Entry.Kind.ROUNDING)


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """The live hands of an evening by table, and its other entries."""

    evening: Evening
    tables: Mapping[int, tuple[str, Sequence[PlayedHand]]]
    """By number: id of the variant, and the hands in order of play."""
    other_entries: Sequence[OtherEntry]

    @property
    def hands(self) -> list[PlayedHand]:
        return [hand for _game, some in self.tables.values() for hand in some]


def read(evenings: Collection[Evening]) -> list[PlayedEvening]:
    """Return the hands and other entries of *evenings*, in the order given."""
    if not evenings:
        return []
    pks = [evening.pk for evening in evenings]
    by_pk = {evening.pk: evening for evening in evenings}
    hands = _hands_by_table(pks, by_pk)
    others = _other_entries(pks, by_pk)
    tables: dict[int, dict[int, tuple[str, Sequence[PlayedHand]]]] = defaultdict(dict)
    for evening, pk, number, game in (
        Table.objects.filter(evening__in=pks)
        .order_by("number")
        .values_list("evening", "pk", "number", "edition__variant")
    ):
        tables[evening][number] = game, hands.get(pk, ())
    return [PlayedEvening(e, tables[e.pk], others.get(e.pk, ())) for e in evenings]


def _hands_by_table(
    pks: Sequence[int], by_pk: Mapping[int, Evening]
) -> dict[int, list[PlayedHand]]:
    """Return the live hands by id of the table, in order of play."""
    found = Version.objects.in_force().filter(hand__table__evening__in=pks)
    in_order = found.annotate(key=id_text("pk")).order_by("hand__number")
    versions: list[Any] = list(in_order.values_list(*OF_HAND, named=True))
    editions = Edition.objects.in_bulk({version.edition for version in versions})
    games = {pk: edition.tariff.variant for pk, edition in editions.items()}
    lines = _lines(pks)
    gains = _gains(pks)
    hands: dict[int, list[PlayedHand]] = defaultdict(list)
    for version in versions:
        hand = _played_hand(
            version,
            by_pk[version.hand__table__evening],
            games[version.edition],
            lines.get(version.key, ()),
            gains.get(version.key, {}),
        )
        hands[version.hand__table].append(hand)
    return hands


def _played_hand(
    version: Any,
    evening: Evening,
    game: Any,
    lines: Sequence[ScoredLine],
    gains: Mapping[int, tuple[int, int]],
) -> PlayedHand:
    """Return the hand of *version*, a row of `OF_HAND`."""
    record = version.record
    game_line = next((line for line in lines if line.kind == "contract"), None)
    gave_up = any(line.kind == "ending" for line in lines)
    return PlayedHand(
        id=version.hand,
        version=version.pk,
        place=HandPosition(
            evening.date.isoformat(),
            evening.pk,
            version.hand__table__number,
            version.hand__number,
        ),
        game=game,
        players=tuple(version.players),
        declarer=record.get("declarer"),
        partner=record.get("partner"),
        contract=record.get("contract") or "",
        thrown_in=version.thrown_in,
        gave_up=gave_up,
        won=False if gave_up else game_line and game_line.made,
        gains={player: points for player, (points, _money) in gains.items()},
        money={player: money for player, (_points, money) in gains.items()},
        currency=evening.currency,
        lines=tuple(lines),
        xxi_lost_by=version.xxi_lost_by,
        played_at=version.hand__played_at,
    )


def _lines(pks: Sequence[int]) -> dict[str, list[ScoredLine]]:
    lines: dict[str, list[ScoredLine]] = defaultdict(list)
    rows = Row.objects.filter(version__hand__table__evening__in=pks)
    columns = id_text("version"), *COLUMNS
    for version, *row in rows.order_by("position").values_list(*columns):
        lines[version].append(ScoredLine(*row))
    return lines


def _gains(pks: Sequence[int]) -> dict[str, dict[int, tuple[int, int]]]:
    gains: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    for version, player, points, money in Posting.objects.filter(
        HANDS, entry__evening__in=pks
    ).values_list(id_text("entry__version"), "player", "points", "money"):
        gains[version][player] = points, money
    return gains


def _other_entries(
    pks: Sequence[int], by_pk: Mapping[int, Evening]
) -> dict[int, list[OtherEntry]]:
    """Return old sheets, roundings, adjustments and reversals of adjustments.

    Payments, fees, prizes and carried balances are no part of the game.
    """
    counts = Q(entry__kind__in=ADJUSTMENTS) | Q(entry__reverses__kind__in=ADJUSTMENTS)
    copied = Q(entry__kind__in=COPIED, entry__reversal=None)
    gains: dict[tuple[int, UUID], dict[int, tuple[int, int]]] = defaultdict(dict)
    kinds: dict[UUID, tuple[str, int | None]] = {}
    for pk, entry, kind, hand, player, points, money in (
        Posting.objects.filter(counts | copied, entry__evening__in=pks)
        .order_by("entry__sheet_hand", "entry__created_at", "entry", "player")
        .values_list(
            *("entry__evening", "entry", "entry__kind", "entry__sheet_hand"),
            *("player", "points", "money"),
        )
    ):
        gains[pk, entry][player] = points, money
        kinds[entry] = kind, hand
    others: dict[int, list[OtherEntry]] = defaultdict(list)
    for (pk, entry), gained in gains.items():
        evening, (kind, hand) = by_pk[pk], kinds[entry]
        others[pk].append(
            OtherEntry(
                day=f"{evening.date.isoformat()}/{pk}",
                gains=gained,
                currency=evening.currency,
                is_hand=hand is not None,
                is_adjustment=kind not in COPIED,
                is_rounding=kind == Entry.Kind.ROUNDING,
            )
        )
    return others
