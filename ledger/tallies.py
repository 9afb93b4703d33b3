"""Tallies: the points and money of an evening by player, and what they come from.

Every function takes a constant number of queries.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from ledger.models import (
    Action,
    Club,
    Entry,
    Evening,
    Hand,
    Player,
    Posting,
    Seat,
    Table,
    Version,
    reentered_id,
)
from ledger.table.deals import mayor_of

WON = (Entry.Kind.HAND, Entry.Kind.SHEET)
"""Entries of play at the table: hands, and what an old sheet lists."""
PLAYED = (*WON, Entry.Kind.ADJUSTMENT)
TALLIED = (*PLAYED, Entry.Kind.ROUNDING)
OF_THE_GAME = Q(entry__kind__in=TALLIED) | Q(entry__reverses__kind__in=PLAYED)
"""Postings that make up a tally: payments settle it and are none of it."""
ADJUSTING = Q(entry__kind=Entry.Kind.ADJUSTMENT) | Q(
    entry__reverses__kind=Entry.Kind.ADJUSTMENT
)
HANDS = Q(entry__kind=Entry.Kind.HAND) | Q(entry__sheet_hand__isnull=False)
"""Postings of a single hand; an old sheet may list only the sum of all."""
RECORDING_UNDONE = Action.objects.filter(undoes=OuterRef("pk"), undone_by=None)
"""The action that undid the recording of a hand, which then was never played."""
WON_BY_PLAYER = (
    Posting.objects.filter(OF_THE_GAME)
    .values_list("player")
    .annotate(Sum("points"), Sum("money"))
    .order_by()
)
ALL_BY_PLAYER = WON_BY_PLAYER.annotate(
    hands=Count("pk", filter=HANDS & Q(entry__reversal=None)),
    adjusted=Sum("points", filter=ADJUSTING, default=0),
    adjusted_money=Sum("money", filter=ADJUSTING, default=0),
    sheets=Count("pk", filter=Q(entry__reversal=None, entry__kind=Entry.Kind.SHEET)),
)


@dataclass(frozen=True, slots=True)
class TallyRow:
    player: Player
    points: int = 0
    money: int = 0
    hands: int = 0
    """Hands played that count: 0 is not having played, not being even."""
    adjusted: int = 0
    """The share of *points* that comes from adjustments."""
    adjusted_money: int = 0


@dataclass(frozen=True, slots=True)
class ListedHand:
    """A hand as the table page lists it, with points and money by player id.

    Who sits out is in neither.
    """

    version: Version
    gains: Mapping[int, int]
    money: Mapping[int, int]

    @property
    def voided(self) -> bool:
        return self.version.hand.voided


def tally(evening: Evening) -> list[TallyRow]:
    """Return the points and money of everybody who ever sat here, in seat order.

    Then come those with an adjustment or an old sheet only, and those who sat here by
    a change since undone.
    """
    sums, in_sheets = _sums(evening)
    people = _seated(evening)
    seated = {player.pk for player in people}
    scored = {pk for pk, amounts in sums.items() if any(amounts)}
    if absent := (scored | in_sheets) - seated:
        people += Player.objects.filter(pk__in=absent).order_by("pk")
    return [TallyRow(player, *sums.get(player.pk, ())) for player in people]


def won_by(evening: Evening) -> dict[int, tuple[int, int]]:
    """Return the points and money of *evening* by player id."""
    return {
        player: (points, money)
        for player, points, money in WON_BY_PLAYER.filter(entry__evening=evening)
    }


def hands_of(
    table: Table, *, with_voided: bool = False, limit: int | None = None
) -> list[ListedHand]:
    """Return the latest version of each hand of *table*, the latest hand first.

    A voided hand comes behind the hand that has its number now. It is not listed
    where its recording was undone.
    """
    versions = _latest_versions(_hands(table, with_voided, limit))
    if not versions:
        return []
    gains: dict[UUID, dict[int, int]] = {}
    money: dict[UUID, dict[int, int]] = {}
    # At another stake a hand is entered again, by the action that changed it.
    for version, player, points, worth in (
        Posting.objects.filter(
            entry__version__hand__table=table,
            entry__version__hand__number__gte=versions[-1].hand.number,
        )
        .values_list("entry__version", "player", "points", "money")
        .order_by(F("entry__action__number").asc(nulls_first=True))
    ):
        gains.setdefault(version, {})[player] = points
        money.setdefault(version, {})[player] = worth
    return [ListedHand(v, gains.get(v.pk, {}), money.get(v.pk, {})) for v in versions]


def players_of(table: Table, *, limit: int) -> set[int]:
    """Return who played the latest hands of *table*, also the voided ones."""
    players: dict[UUID, list[int]] = {}
    for hand, ids in _newest_first(_hands(table, True, limit)).values_list(
        "hand", "players"
    ):
        players.setdefault(hand, ids)
    return {player for ids in players.values() for player in ids}


MAYOR_WITHIN = 10
"""Evenings in which somebody has probably lost the XXI; else all are searched."""


def mayor(club: Club) -> Player | None:
    """Return the Mayor: who lost the XXI last, in whichever evening."""
    latest = club.evenings.not_removed().order_by("-date")
    last = list(latest.values_list("pk", "date")[: MAYOR_WITHIN + 1])
    before = last[MAYOR_WITHIN][1] if len(last) > MAYOR_WITHIN else date.min
    late = [pk for pk, day in last if day > before]
    return mayor_of(hand__table__evening__in=late) or mayor_of(xxi_lost_by__club=club)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An adjustment: points and money by player id, without a hand.

    A new stake enters it again: *action* made the first entry, *entry* is the last.
    """

    action: UUID
    entry: Entry
    gains: Mapping[int, tuple[int, int]]
    cancelled: bool


def adjustments(evening: Evening) -> list[Adjustment]:
    """Return the adjustments of *evening* in the order they were made."""
    made_by = Action.objects.filter(pk=OuterRef("pk")).values("number")
    entries = (
        Entry.objects.filter(evening=evening, kind=Entry.Kind.ADJUSTMENT)
        .select_related("created_by", "reversal")
        .prefetch_related("postings")
        .annotate(made=Subquery(made_by))
        .order_by(F("made").asc(nulls_last=True), "created_at", "pk")
    )
    by_id = {entry.pk: entry for entry in entries}
    later = {new.pk for entry in by_id.values() if (new := _restaked(entry, by_id))}
    return [
        _adjustment(entry, by_id) for entry in by_id.values() if entry.pk not in later
    ]


def _adjustment(first: Entry, by_id: Mapping[UUID, Entry]) -> Adjustment:
    entry = first
    while new := _restaked(entry, by_id):
        entry = new
    gains = {p.player_id: (p.points, p.money) for p in entry.postings.all()}
    return Adjustment(first.pk, entry, gains, hasattr(entry, "reversal"))


def _restaked(entry: Entry, by_id: Mapping[UUID, Entry]) -> Entry | None:
    """Return the entry that replaced *entry* at a new stake."""
    reversal = getattr(entry, "reversal", None)
    return by_id.get(reentered_id(reversal.action_id, entry.pk)) if reversal else None


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """An entry from an old sheet: of one hand, or of a whole evening."""

    entry: Entry
    gains: Mapping[int, int]
    """Points by player id."""


def sheet_entries(evening: Evening) -> list[SheetEntry]:
    """Return the entries in force from old sheets of *evening*, in order of hands."""
    entries = (
        Entry.objects.filter(evening=evening, kind=Entry.Kind.SHEET, reversal=None)
        .prefetch_related("postings")
        .order_by("sheet_hand", "created_at", "pk")
    )
    return [
        SheetEntry(entry, {p.player_id: p.points for p in entry.postings.all()})
        for entry in entries
    ]


def sheet_hands(evenings: Collection[int]) -> Mapping[int, int]:
    """Return the number of hands from old sheets, by evening."""
    listed = Entry.objects.filter(
        evening__in=evenings, sheet_hand__isnull=False, reversal=None
    )
    counted = listed.order_by().values_list("evening")
    return dict(counted.annotate(Count("pk")))


def is_reverted(evening: Evening) -> bool:
    """Tell whether the import that brought *evening* was reverted."""
    made_by = evening.imported_id
    return bool(made_by) and Action.objects.filter(undoes=made_by).exists()


def long_open(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return those of *evenings* that are open for more than a day."""
    yesterday = timezone.now() - timedelta(hours=24)
    return evenings.filter(closed_at=None, opened_at__lt=yesterday)


WonSums = dict[int, tuple[int, int, int, int, int]]


def _sums(evening: Evening) -> tuple[WonSums, set[int]]:
    """Return the sums of a tally by player, and who is in old sheets."""
    sums: WonSums = {}
    in_sheets = set()
    for player, *amounts, sheets in ALL_BY_PLAYER.filter(entry__evening=evening):
        sums[player] = tuple(amounts)
        if sheets:
            in_sheets.add(player)
    return sums, in_sheets


def _seated(evening: Evening) -> list[Player]:
    seats = (
        Seat.objects.filter(lineup__table__evening=evening)
        .select_related("player")
        .order_by("lineup__table__number", "-lineup__from_hand", "position")
    )
    return list(dict.fromkeys(seat.player for seat in seats))


def _hands(table: Table, with_voided: bool, limit: int | None) -> QuerySet[Hand]:
    hands = Hand.objects.filter(table=table)
    if with_voided:
        hands = hands.filter(~Exists(RECORDING_UNDONE) | Q(voided=False))
    else:
        hands = hands.filter(voided=False)
    if limit is None:
        return hands
    last = hands.order_by("-number").values("number")[limit - 1 : limit]
    return hands.filter(number__gte=Coalesce(Subquery(last), 0))


def _latest_versions(hands: QuerySet[Hand]) -> list[Version]:
    by_hand: dict[UUID, Version] = {}
    for version in _newest_first(hands).select_related("hand", "edition"):
        by_hand.setdefault(version.hand_id, version)
    return list(by_hand.values())


def _newest_first(hands: QuerySet[Hand]) -> QuerySet[Version]:
    """Return the versions of *hands*, latest hand first, of each the latest first."""
    versions = Version.objects.filter(hand__in=hands)
    return versions.order_by(
        "-hand__number", "hand__voided", "-hand__played_at", "-number"
    )
