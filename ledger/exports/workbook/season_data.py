"""What the book tells of a season: sums held whole, hands and postings passed by."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger import statistics
from ledger.models import (
    Edition,
    Entry,
    Evening,
    Hand,
    Player,
    Posting,
    Season,
    Version,
)
from ledger.statistics import HandFilter, Ranked, Statistics
from ledger.tallies import TALLIED, WON

Tell = Callable[[int, int], None]
"""Is told how much of the book is done, of how much."""

TOGETHER = 20
"""Evenings whose hands are read at once: so many fit into memory easily."""


@dataclass(frozen=True, slots=True)
class EveningRow:
    """An evening with what is known of its hands; *began* and *ended* by these."""

    evening: Evening
    games: tuple[str, ...]
    """Ids of variants."""
    hands: int = 0
    began: datetime.datetime | None = None
    ended: datetime.datetime | None = None


class MoneyRow(NamedTuple):
    """What one kind of entry moved for somebody, in an evening or outside of all."""

    player: int
    evening: int | None
    currency: str
    kind: str
    points: int
    money: int
    live: int
    """Postings that were not taken back."""


@dataclass(frozen=True)
class HandRow:
    """A season and all its sums."""

    season: Season
    figures: Statistics
    nights: Sequence[EveningRow]
    people: Mapping[int, Player]
    """All that points or money moved for, the pot too."""
    moved: Sequence[MoneyRow]
    rows: Mapping[int, int]
    """How many hands each has to be told of, by player id."""
    row_count: int
    """How many hands there are to tell, those of old sheets too."""
    postings: int
    made_at: datetime.datetime = field(default_factory=timezone.now)

    @cached_property
    def ranking(self) -> list[Ranked]:
        return self.figures.ranking()

    @property
    def players(self) -> list[Player]:
        """Return who played or was adjusted, the best first."""
        return [one.player for one in self.ranking]

    @cached_property
    def currencies(self) -> list[str]:
        """Return what was played or paid for in money."""
        return sorted({m.currency for m in self.moved} - {""})

    def points(self, player: int, *kinds: str) -> int:
        mine = (m.points for m in self.moved if m.player == player and m.kind in kinds)
        return sum(mine)

    def money(self, player: int, currency: str, *kinds: str) -> int:
        return sum(
            m.money
            for m in self.moved
            if m.player == player and m.currency == currency and m.kind in kinds
        )

    def by_evening(self, currency: str) -> dict[int, dict[int, int]]:
        """Return what each player won in each evening: money, or points for "".

        Who had no part in it is missing.
        """
        won: dict[int, dict[int, int]] = defaultdict(dict)
        for moved in self.moved:
            if moved.evening is None or moved.kind not in TALLIED or not moved.live:
                continue
            if currency in ("", moved.currency):
                here = won[moved.evening]
                amount = moved.money if currency else moved.points
                here[moved.player] = here.get(moved.player, 0) + amount
        return won

    def name(self, player: int) -> str:
        known = self.people[player]
        return _("Pot") if known.is_pot else known.name

    def book(self, evening: int | None) -> tuple[datetime.date | None, str]:
        """Return the day and the name of an evening, or of the season as one."""
        if evening is None:
            return None, _("Season {season}").format(season=self.season.name)
        return self._evenings[evening].date, self._evenings[evening].name

    @cached_property
    def _evenings(self) -> dict[int, Evening]:
        return {night.evening.pk: night.evening for night in self.nights}


def hands_in(season: Season) -> int:
    """Return how many hands there are to tell, those of old sheets too."""
    won = Entry.objects.filter(evening__season=season, kind__in=WON, reversal=None)
    return won.count()


def read(season: Season) -> HandRow:
    """Return the season with its sums, in a constant number of queries."""
    moved = list(_moved(season))
    won = Posting.objects.filter(
        _shown(season), entry__kind__in=WON, entry__reversal=None
    )
    rows = won.values_list("player").annotate(Count("pk")).order_by()
    return HandRow(
        season=season,
        figures=statistics.read(HandFilter(season.club, season=season)),
        nights=list(_nights(season)),
        people=season.club.players.in_bulk(),
        moved=moved,
        rows=dict(rows.values_list("player", "pk__count")),
        row_count=won.aggregate(hands=Count("entry", distinct=True))["hands"],
        postings=Posting.objects.filter(_within(season)).count(),
    )


def _shown(season: Season) -> Q:
    """Return which postings are of evenings that were not taken back."""
    return Q(
        entry__evening__season=season,
        entry__evening__removed=False,
        entry__evening__imported__undone_by=None,
    )


def _within(season: Season) -> Q:
    return _shown(season) | Q(entry__season=season)


def _moved(season: Season) -> Iterator[MoneyRow]:
    live = Q(entry__reversal=None, entry__reverses=None)
    rows = (
        Posting.objects.filter(_within(season))
        .annotate(kind=Coalesce("entry__reverses__kind", "entry__kind"))
        .values_list("player", "entry__evening", "entry__currency", "kind")
        .annotate(Sum("points"), Sum("money"), live=Count("pk", filter=live))
        .order_by()
    )
    for row in rows:
        yield MoneyRow(*row)


def _nights(season: Season) -> Iterator[EveningRow]:
    shown = Evening.objects.shown().filter(season=season).order_by("date", "pk")
    games: dict[int, dict[str, None]] = defaultdict(dict)
    for pk, variant in shown.order_by("tables__number").values_list(
        "pk", "tables__edition__variant"
    ):
        games[pk][variant] = None
    live = Hand.objects.filter(table__evening__season=season, voided=False)
    spans = {
        pk: span
        for pk, *span in live.values_list("table__evening").annotate(
            Count("pk"), Min("played_at"), Max("played_at")
        )
    }
    for evening in shown:
        played = tuple(filter(None, games[evening.pk]))
        yield EveningRow(evening, played, *spans.get(evening.pk, ()))


# Hands


class Labels(NamedTuple):
    """A hand that counts, as it was entered last; *gains* by player id.

    Of one from an old sheet, or an evening that only such a sheet tells, nothing is
    known but these.
    """

    evening: Evening
    table: int | None
    number: int | None
    edition: Edition
    record: Mapping[str, Any]
    currency: str
    gains: Mapping[int, tuple[int, int]]
    played_at: datetime.datetime | None = None
    dealer: int | None = None
    multiplier: int | None = None


def hands(played: HandRow) -> Iterator[Labels]:
    """Yield the hands that count by evening, table and number."""
    editions = Edition.objects.filter(club=played.season.club_id).in_bulk()
    for together in _some(played.nights):
        gains = _gains(together)
        found = [*_versions(together, gains, editions), *_sheets(together, gains)]
        found.sort(key=lambda hand: (hand.evening.date, hand.evening.pk))  # and stay so
        yield from found


Gains = dict[UUID, dict[int, tuple[int, int]]]
"""By entry: points and money by player."""


def _versions(
    evenings: Mapping[int, Evening], gains: Gains, editions: Mapping[int, Edition]
) -> Iterator[Labels]:
    found = Version.objects.live().filter(hand__table__evening__in=evenings)
    for (
        evening,
        entry,
        currency,
        edition,
        table,
        number,
        record,
        *rest,
    ) in found.order_by(
        "hand__table__evening__date",
        "hand__table__evening",
        "hand__table__number",
        "hand__number",
    ).values_list(
        *("hand__table__evening", "entries", "entries__currency", "edition"),
        *("hand__table__number", "hand__number", "record"),
        *("hand__played_at", "dealer", "multiplier"),
    ):
        yield Labels(
            *(evenings[evening], table, number, editions[edition], record, currency),
            *(gains[entry], *rest),
        )


def _sheets(evenings: Mapping[int, Evening], gains: Gains) -> Iterator[Labels]:
    found = Entry.objects.filter(
        evening__in=evenings, kind=Entry.Kind.SHEET, reversal=None
    )
    for evening, entry, number, currency in found.order_by(
        "evening", "sheet_hand", "created_at", "pk"
    ).values_list("evening", "pk", "sheet_hand", "currency"):
        at = evenings[evening]
        yield Labels(at, None, number, at.edition, {}, currency, gains[entry])


def _gains(evenings: Mapping[int, Evening]) -> Gains:
    gains: Gains = defaultdict(dict)
    for entry, player, points, money in Posting.objects.filter(
        entry__evening__in=evenings, entry__kind__in=WON, entry__reversal=None
    ).values_list("entry", "player", "points", "money"):
        gains[entry][player] = (points, money)
    return gains


# Postings


class Posted(NamedTuple):
    """One posting, with the entry it belongs to."""

    evening: int | None
    date: datetime.date | None
    at: datetime.datetime
    kind: str
    reversed: str | None
    """What kind of entry this one reverses."""
    table: int | None
    hand: int | None
    player: int
    points: int
    money: int
    currency: str
    method: str
    note: str
    by: str
    paid_on: datetime.date | None

    @property
    def day(self) -> datetime.date:
        """Return the day of a payment."""
        return self.paid_on or timezone.localdate(self.at)

    @property
    def counts_for(self) -> datetime.date | None:
        """Return up to which day it was settled, where that is not the day itself."""
        return None if self.evening or self.date == self.day else self.date


def postings(played: HandRow, *kinds: str) -> Iterator[Posted]:
    """Yield the postings as the entries came, evening by evening, then the others.

    With *kinds*, only those of entries of these that count.
    """
    for together in _some(played.nights):
        yield from _posted(Q(entry__evening__in=together), kinds)
    yield from _posted(Q(entry__season=played.season), kinds)


def _posted(which: Q, kinds: Sequence[str]) -> Iterator[Posted]:
    found: QuerySet[Posting] = Posting.objects.filter(which)
    if kinds:
        found = found.filter(entry__kind__in=kinds, entry__reversal=None)
    hand, undone = "entry__version__hand__", "entry__reverses__version__hand__"
    for row in found.order_by(
        *("entry__evening__date", "entry__evening", "entry__created_at", "entry", "pk")
    ).values_list(
        *("entry__evening", "entry__date", "entry__created_at", "entry__kind"),
        "entry__reverses__kind",
        Coalesce(f"{hand}table__number", f"{undone}table__number"),
        Coalesce(f"{hand}number", f"{undone}number", "entry__sheet_hand"),
        *("player", "points", "money", "entry__currency", "entry__method"),
        *("entry__note", "entry__created_by__username", "entry__paid_on"),
    ):
        yield Posted(*row)


def _some(nights: Sequence[EveningRow]) -> Iterator[dict[int, Evening]]:
    left = iter(nights)
    while some := list(islice(left, TOGETHER)):
        yield {night.evening.pk: night.evening for night in some}
