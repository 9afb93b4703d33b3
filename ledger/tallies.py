"""Who stands where: sums over postings, in a constant number of queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from uuid import UUID

from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
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
    Season,
    Seat,
    Table,
    Version,
    again,
)
from ledger.table.deals import mayor_of

WON = (Entry.Kind.HAND, Entry.Kind.SHEET)
"""What was won at the table, told hand by hand or as an old sheet tells it."""
PLAYED = (*WON, Entry.Kind.ADJUSTMENT)
TALLIED = (*PLAYED, Entry.Kind.ROUNDING)
OF_THE_GAME = Q(entry__kind__in=TALLIED) | Q(entry__reverses__kind__in=PLAYED)
"""What makes up a tally: a payment settles it and changes no game."""
ADJUSTING = Q(entry__kind=Entry.Kind.ADJUSTMENT) | Q(
    entry__reverses__kind=Entry.Kind.ADJUSTMENT
)
HANDS = Q(entry__kind=Entry.Kind.HAND) | Q(entry__sheet_hand__isnull=False)
"""Postings of a single hand; an old sheet may tell only what all came to."""
UNDONE = Action.objects.filter(undoes=OuterRef("pk"), undone_by=None)
"""What undid the recording of a hand, which then was as if never played."""
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
    """Hands played that count; 0 means that he hasn't played, not that he is even."""
    adjusted: int = 0
    """Points, among the *points*, that no hand has moved."""
    adjusted_money: int = 0


@dataclass(frozen=True, slots=True)
class Balance:
    player: Player
    points: int = 0
    money: Mapping[str, int] = field(default_factory=dict)
    """Minor units by currency, payments included."""


@dataclass(frozen=True, slots=True)
class ListedHand:
    """A hand as the table page lists it: *payments* by player id, resting ones not."""

    version: Version
    payments: Mapping[int, int]
    money: Mapping[int, int]

    @property
    def voided(self) -> bool:
        return self.version.hand.voided


def tally(evening: Evening) -> list[TallyRow]:
    """Return everybody who ever sat tonight, in seat order, with what he has won.

    Then come those who were adjusted only, stand in old sheets, or sat here by a
    change since undone.
    """
    sums, in_sheets = _sums(evening)
    people = _seated(evening)
    seated = {player.pk for player in people}
    moved = {pk for pk, moved in sums.items() if any(moved)}
    if absent := (moved | in_sheets) - seated:
        people += Player.objects.filter(pk__in=absent).order_by("pk")
    return [TallyRow(player, *sums.get(player.pk, ())) for player in people]


def won_by(evening: Evening) -> dict[int, tuple[int, int]]:
    """Return the points and money of everybody who won or lost tonight, by id."""
    return {
        player: (points, money)
        for player, points, money in WON_BY_PLAYER.filter(entry__evening=evening)
    }


def balances(club: Club, season: Season | None = None) -> list[Balance]:
    """Return every player of *club* by name, the retired too, with all that is open.

    The pot, where there is one, comes last.
    """
    entries = Q(entry__club=club)
    if season is not None:
        entries &= Q(entry__evening__season=season) | Q(entry__season=season)
    points: dict[int, int] = {}
    money: dict[int, dict[str, int]] = {}
    for player, currency, won, worth in (
        Posting.objects.filter(entries)
        .values_list("player", "entry__currency")
        .annotate(Sum("points"), Sum("money"))
    ):
        points[player] = points.get(player, 0) + won
        if currency:
            money.setdefault(player, {})[currency] = worth
    return [
        Balance(player, points.get(player.pk, 0), money.get(player.pk, {}))
        for player in club.players.order_by("kind", "name")
    ]


def hands_of(
    table: Table, *, with_voided: bool = False, limit: int | None = None
) -> list[ListedHand]:
    """Return the hands of *table*, latest first, each as it was last entered.

    One that was taken back comes behind the hand that has its number now; it is not
    listed when it was undone right away.
    """
    versions = _latest(_hands(table, with_voided, limit))
    if not versions:
        return []
    payments: dict[UUID, dict[int, int]] = {}
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
        payments.setdefault(version, {})[player] = points
        money.setdefault(version, {})[player] = worth
    return [
        ListedHand(v, payments.get(v.pk, {}), money.get(v.pk, {})) for v in versions
    ]


def players_of(table: Table, *, limit: int) -> set[int]:
    """Return who played the hands that `hands_of` returns, taken back ones too."""
    players: dict[UUID, list[int]] = {}
    for hand, ids in _in_order(_hands(table, True, limit)).values_list(
        "hand", "players"
    ):
        players.setdefault(hand, ids)
    return {player for ids in players.values() for player in ids}


LATE = 10
"""Evenings in which somebody will have lost the XXI: else all are looked through."""


def mayor(club: Club) -> Player | None:
    """Return who lost the XXI last, in whichever evening."""
    latest = club.evenings.there().order_by("-date")
    last = list(latest.values_list("pk", "date")[: LATE + 1])
    before = last[LATE][1] if len(last) > LATE else date.min
    late = [pk for pk, day in last if day > before]
    return mayor_of(hand__table__evening__in=late) or mayor_of(xxi_lost_by__club=club)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Something that moved points or money without a hand; *gains* by player id.

    At another stake it was entered again: *entry* is the last, *action* made the first.
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
    known = {entry.pk: entry for entry in entries}
    later = {became.pk for e in known.values() if (became := _again(e, known))}
    return [
        _adjustment(entry, known) for entry in known.values() if entry.pk not in later
    ]


def _adjustment(first: Entry, known: Mapping[UUID, Entry]) -> Adjustment:
    entry = first
    while became := _again(entry, known):
        entry = became
    gains = {p.player_id: (p.points, p.money) for p in entry.postings.all()}
    return Adjustment(first.pk, entry, gains, hasattr(entry, "reversal"))


def _again(entry: Entry, known: Mapping[UUID, Entry]) -> Entry | None:
    """Return what *entry* became when the stake was changed, if it was."""
    back = getattr(entry, "reversal", None)
    return known.get(again(back.action_id, entry.pk)) if back else None


@dataclass(frozen=True, slots=True)
class Copied:
    """What an old sheet tells: of one hand, or of a whole evening."""

    entry: Entry
    gains: Mapping[int, int]
    """Points by player id."""


def copied(evening: Evening) -> list[Copied]:
    """Return what counts of the old sheets of *evening*, in the order of its hands."""
    entries = (
        Entry.objects.filter(evening=evening, kind=Entry.Kind.SHEET, reversal=None)
        .prefetch_related("postings")
        .order_by("sheet_hand", "created_at", "pk")
    )
    return [
        Copied(entry, {p.player_id: p.points for p in entry.postings.all()})
        for entry in entries
    ]


def sheet_hands(evenings: Collection[int]) -> Mapping[int, int]:
    """Return how many hands the old sheets of *evenings* tell, by evening."""
    told = Entry.objects.filter(
        evening__in=evenings, sheet_hand__isnull=False, reversal=None
    )
    counted = told.order_by().values_list("evening")
    return dict(counted.annotate(Count("pk")))


def taken_back(evening: Evening) -> bool:
    """Tell whether what brought *evening* in was taken back."""
    made_by = evening.imported_id
    return bool(made_by) and Action.objects.filter(undoes=made_by).exists()


def long_open(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return those of *evenings* that nobody closed for more than a day."""
    yesterday = timezone.now() - timedelta(hours=24)
    return evenings.filter(closed_at=None, opened_at__lt=yesterday)


WonSums = dict[int, tuple[int, int, int, int, int]]


def _sums(evening: Evening) -> tuple[WonSums, set[int]]:
    """Return what everybody won by player, and who stands in old sheets."""
    sums: WonSums = {}
    in_sheets = set()
    for player, *moved, sheets in ALL_BY_PLAYER.filter(entry__evening=evening):
        sums[player] = tuple(moved)
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
        hands = hands.filter(~Exists(UNDONE) | Q(voided=False))
    else:
        hands = hands.filter(voided=False)
    if limit is None:
        return hands
    last = hands.order_by("-number").values("number")[limit - 1 : limit]
    return hands.filter(number__gte=Coalesce(Subquery(last), 0))


def _latest(hands: QuerySet[Hand]) -> list[Version]:
    by_hand: dict[UUID, Version] = {}
    for version in _in_order(hands).select_related("hand", "edition"):
        by_hand.setdefault(version.hand_id, version)
    return list(by_hand.values())


def _in_order(hands: QuerySet[Hand]) -> QuerySet[Version]:
    """Return the versions of *hands*, latest hand first, of each the latest first."""
    versions = Version.objects.filter(hand__in=hands)
    return versions.order_by(
        "-hand__number", "hand__voided", "-hand__played_at", "-number"
    )
