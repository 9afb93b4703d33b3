"""What is settled together, and every entry of it.

Every entry stands in one book: of an evening, of a season, or of the club. A scope is
one book with all that it covers: a season covers its evenings, the club everything.
Who pays in a wider scope first has what its narrower books hold open carried to the
wider one (see ledger/journal/payments.py), so that no debt can be settled twice.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet, Sum
from django.utils import formats
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from ledger.models import Club, Entry, Evening, Player, Posting, Season
from scoring.settlement import Transfer, hand_transfers, transfers

Sums = dict[int, int]
"""By player id: minor units, or points where no money is played for."""
Pairs = Mapping[tuple[int, int], int]
"""What one player pays another."""
CURRENCIES = """
    WITH RECURSIVE used (currency) AS (
        SELECT MIN(currency) FROM ledger_entry WHERE club_id = %s
        UNION ALL
        SELECT (
            SELECT MIN(currency) FROM ledger_entry
            WHERE club_id = %s AND currency > used.currency
        )
        FROM used WHERE used.currency IS NOT NULL
    )
    SELECT currency FROM used WHERE currency IS NOT NULL
"""
"""A step in the index for each: DISTINCT would read every entry of the club."""


@dataclass(frozen=True)
class SettlementScope:
    """What is settled together, of one club and one currency, "" for points.

    >>> Scope.everything(Club(name="Kozy"), "PLN").in_money
    True
    """

    club: Club
    currency: str
    evening: Evening | None = None
    season: Season | None = None
    until: datetime.date | None = None

    @classmethod
    def of_evening(cls, evening: Evening) -> SettlementScope:
        return cls(evening.club, evening.currency, evening=evening)

    @classmethod
    def of_season(cls, season: Season, currency: str) -> SettlementScope:
        return cls(season.club, currency, season=season)

    @classmethod
    def up_to(cls, club: Club, day: datetime.date, currency: str) -> SettlementScope:
        return cls(club, currency, until=day)

    @classmethod
    def everything(cls, club: Club, currency: str) -> SettlementScope:
        return cls(club, currency)

    @property
    def in_money(self) -> bool:
        return self.currency != ""

    @property
    def unit(self) -> str:
        """Return the column of a posting that counts here."""
        return "money" if self.in_money else "points"

    @property
    def book(self) -> dict[str, Any]:
        """Return which evening, season or club an action in this scope belongs to."""
        if self.evening or self.season:
            return {"evening": self.evening, "season": self.season, "club": None}
        return {"evening": None, "season": None, "club": self.club}

    @cached_property
    def postings(self) -> QuerySet[Posting]:
        return Posting.objects.filter(
            self.entries("entry__"), entry__currency=self.currency
        )

    @cached_property
    def currencies(self) -> list[str]:
        """Return what the club has entries in, "" when it plays for points."""
        with connection.cursor() as cursor:
            cursor.execute(CURRENCIES, [self.club.pk, self.club.pk])
            return [currency for (currency,) in cursor.fetchall()]

    def in_currency(self, currency: str) -> SettlementScope:
        """Return the same in another currency."""
        other = replace(self, currency=currency)
        vars(other)["currencies"] = self.currencies  # the club's are the same
        return other

    @property
    def has_only_currency(self) -> bool:
        """Whether postings of the club can be summed without their entries.

        Entries without a currency move no money.
        """
        others = {*self.currencies} - {self.currency}
        return not (others - {""} if self.in_money else others)

    def entries(self, path: str = "") -> Q:
        """Return which entries belong here; *path* leads to them.

        Only where the whole club does is it named: else every entry of it is looked at.
        """
        if self.evening:
            return Q(**{f"{path}evening": self.evening})
        if self.season:
            own = Entry.objects.filter(season=self.season).values("pk")
            within = Entry.objects.filter(evening__season=self.season).values("pk")
            return Q(**{f"{path}pk__in": own.union(within, all=True)})
        everything = Q(**{f"{path}club": self.club})
        if self.until:
            within_ = Q(**{f"{path}evening__date__lte": self.until})
            outside = {f"{path}evening": None, f"{path}date__lte": self.until}
            return everything & (within_ | Q(**outside))
        return everything


def sums(scope: SettlementScope) -> Sums:
    """Return the balance of everybody who moved anything here; they sum to 0."""
    postings = scope.postings
    if scope.book["club"] and not scope.until and scope.has_only_currency:
        people = Player.objects.filter(club=scope.club)
        postings = Posting.objects.filter(player__in=people)  # a join sorts them all
    return dict(postings.values_list("player").annotate(Sum(scope.unit)).order_by())


def by_book(scope: SettlementScope) -> dict[tuple[int | None, int | None], Sums]:
    """Return the balances apart, by evening and season of the book they stand in."""
    books: dict[tuple[int | None, int | None], Sums] = defaultdict(dict)
    rows = scope.postings.values_list("entry__evening", "entry__season", "player")
    for evening, season, player, amount in rows.annotate(Sum(scope.unit)).order_by():
        books[evening, season][player] = amount
    return books


@dataclass(frozen=True, slots=True)
class ScopeEntry:
    """An entry that counts, and what everybody gained by it."""

    id: UUID
    kind: str
    gains: Mapping[int, int]
    seats: Sequence[int] = ()
    """The players of a hand, from forehand on."""
    evening: int | None = None

    def handed(self) -> list[Transfer[int]]:
        """Return who owes whom for it."""
        if not self.seats:
            return transfers(self.gains)
        by_seat = hand_transfers([self.gains[player] for player in self.seats])
        return [
            Transfer(self.seats[one.payer], self.seats[one.payee], one.amount)
            for one in by_seat
        ]


def entries_in(
    scope: SettlementScope, among: Collection[UUID] | None = None
) -> Iterator[ScopeEntry]:
    """Yield the entries of *scope* that count; what was carried within it does not.

    What was rounded in an evening comes as one, called by the first entry.

    With *among*, those of its entries alone; reversals have to be among them.
    """
    postings = scope.postings
    if among is not None:
        postings = Posting.objects.filter(entry__in=among)
    found = postings.values_list(
        *("entry", "entry__kind", "entry__reverses", "entry__action"),
        *("entry__version__players", "entry__evening", "player", scope.unit),
    ).order_by("entry__created_at", "entry", "player")
    rows = list(found)
    taken_back = {reverses for _entry, _kind, reverses, *_more in rows}
    entries: dict[UUID, ScopeEntry] = {}
    actions: dict[UUID, UUID] = {}
    rounded: dict[int, ScopeEntry] = {}
    for entry, kind, reverses, action, seats, evening, player, amount in rows:
        if reverses or entry in taken_back:
            continue
        if kind == Entry.Kind.CARRY:
            actions[entry] = action
        if kind == Entry.Kind.ROUNDING:
            one = rounded.setdefault(evening, ScopeEntry(entry, kind, {}, (), evening))
            assert isinstance(one.gains, dict)
            one.gains[player] = one.gains.get(player, 0) + amount
            continue
        one = entries.setdefault(
            entry, ScopeEntry(entry, kind, {}, seats or (), evening)
        )
        assert isinstance(one.gains, dict)
        one.gains[player] = amount
    carried: dict[UUID, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for entry in actions.keys() & entries.keys():
        for player, amount in entries.pop(entry).gains.items():
            carried[actions[entry]][player] += amount
    yield from entries.values()
    yield from (one for one in rounded.values() if any(one.gains.values()))
    for action, gains in carried.items():
        if any(gains.values()):
            yield ScopeEntry(action, Entry.Kind.CARRY, gains)


def live(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return those of *entries* that count.

    Reversals are told by their kind: by what they reverse all would be read.
    """
    return entries.filter(reversal=None).exclude(kind=Entry.Kind.REVERSAL)


def title(scope: SettlementScope) -> str:
    """Return what *scope* is called, in the active language."""
    if scope.evening:
        return scope.evening.name
    if scope.season:
        return _("Season {season}").format(season=scope.season.name)
    if scope.until:
        return _("Up to {day}").format(day=formats.date_format(scope.until))
    return _("Everything")
