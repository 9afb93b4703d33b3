"""Data of the season workbook: sums in memory; hands and postings are streamed.

The streams are in `hand_rows` and `posting_rows`.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from django.db.models import Count, Max, Min, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger import statistics
from ledger.models import (
    Entry,
    Evening,
    Hand,
    Player,
    Posting,
    Season,
)
from ledger.statistics import HandFilter, Ranked, Statistics
from ledger.tallies import TALLIED, WON

BATCH = 20
"""Evenings whose hands are read together, and are in memory together."""


@dataclass(frozen=True, slots=True)
class EveningRow:
    """An evening with its games, hands, and times of the first and last one."""

    evening: Evening
    games: tuple[str, ...]
    """Ids of variants."""
    hands: int = 0
    began: datetime.datetime | None = None
    ended: datetime.datetime | None = None


class PostingSum(NamedTuple):
    """Sum of a player's postings of one kind and currency, at one evening or outside.

    A reversal counts under the kind of the entry it reverses.
    """

    player: int
    evening: int | None
    currency: str
    kind: str
    points: int
    money: int
    live: int
    """Number of postings that are not reversed."""


@dataclass(frozen=True)
class SeasonData:
    """A season with its statistics and sums of postings."""

    season: Season
    figures: Statistics
    evenings: Sequence[EveningRow]
    people: Mapping[int, Player]
    """All players of the club by id, the pot too."""
    sums: Sequence[PostingSum]
    hand_counts: Mapping[int, int]
    """Hands by player id, those of old sheets too."""
    hand_count: int
    """Hands of the season, those of old sheets too."""
    posting_count: int
    made_at: datetime.datetime = field(default_factory=timezone.now)

    @cached_property
    def ranking(self) -> list[Ranked]:
        return self.figures.ranking()

    @property
    def players(self) -> list[Player]:
        """Return the players of the ranking, the best first."""
        return [one.player for one in self.ranking]

    @cached_property
    def currencies(self) -> list[str]:
        """Return the codes of all currencies of its postings."""
        return sorted({m.currency for m in self.sums} - {""})

    def points(self, player: int, *kinds: str) -> int:
        mine = (m.points for m in self.sums if m.player == player and m.kind in kinds)
        return sum(mine)

    def money(self, player: int, currency: str, *kinds: str) -> int:
        return sum(
            m.money
            for m in self.sums
            if m.player == player and m.currency == currency and m.kind in kinds
        )

    def by_evening(self, currency: str) -> dict[int, dict[int, int]]:
        """Return the gains of each player at each evening: money, or points for "".

        Players without a part in an evening are missing there.
        """
        won: dict[int, dict[int, int]] = defaultdict(dict)
        for one in self.sums:
            if one.evening is None or one.kind not in TALLIED or not one.live:
                continue
            if currency in ("", one.currency):
                here = won[one.evening]
                amount = one.money if currency else one.points
                here[one.player] = here.get(one.player, 0) + amount
        return won

    def name(self, player: int) -> str:
        known = self.people[player]
        return _("Pot") if known.is_pot else known.name

    def place(self, evening: int | None) -> tuple[datetime.date | None, str]:
        """Return day and name of an evening, or of the season for entries outside."""
        if evening is None:
            return None, _("Season {season}").format(season=self.season.name)
        return self._evenings[evening].date, self._evenings[evening].name

    def batches(self) -> Iterator[dict[int, Evening]]:
        """Yield the evenings by id, `BATCH` at a time."""
        left = iter(self.evenings)
        while some := list(islice(left, BATCH)):
            yield {row.evening.pk: row.evening for row in some}

    @cached_property
    def _evenings(self) -> dict[int, Evening]:
        return {row.evening.pk: row.evening for row in self.evenings}


def hand_count(season: Season) -> int:
    """Return the number of hands of the season, those of old sheets too."""
    won = Entry.objects.filter(evening__season=season, kind__in=WON, reversal=None)
    return won.count()


def read(season: Season) -> SeasonData:
    """Return the data of *season*, in a constant number of queries."""
    won = Posting.objects.filter(
        _of_shown_evenings(season), entry__kind__in=WON, entry__reversal=None
    )
    rows = won.values_list("player").annotate(Count("pk")).order_by()
    return SeasonData(
        season=season,
        figures=statistics.read(HandFilter(season.club, season=season)),
        evenings=list(_evening_rows(season)),
        people=season.club.players.in_bulk(),
        sums=list(_sums_of(season)),
        hand_counts=dict(rows.values_list("player", "pk__count")),
        hand_count=won.aggregate(hands=Count("entry", distinct=True))["hands"],
        posting_count=Posting.objects.filter(_of_season(season)).count(),
    )


def _of_shown_evenings(season: Season) -> Q:
    """Return the condition for postings of evenings not removed or reverted."""
    return Q(
        entry__evening__season=season,
        entry__evening__removed=False,
        entry__evening__imported__undone_by=None,
    )


def _of_season(season: Season) -> Q:
    return _of_shown_evenings(season) | Q(entry__season=season)


def _sums_of(season: Season) -> Iterator[PostingSum]:
    live = Q(entry__reversal=None, entry__reverses=None)
    rows = (
        Posting.objects.filter(_of_season(season))
        .annotate(kind=Coalesce("entry__reverses__kind", "entry__kind"))
        .values_list("player", "entry__evening", "entry__currency", "kind")
        .annotate(Sum("points"), Sum("money"), live=Count("pk", filter=live))
        .order_by()
    )
    for row in rows:
        yield PostingSum(*row)


def _evening_rows(season: Season) -> Iterator[EveningRow]:
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
