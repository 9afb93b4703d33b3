"""Settlement scope: the evening, season or club that is settled as one.

Every entry belongs to one evening, to one season, or to the club. A scope is one of
these with all that it covers: a season covers its evenings, the club covers everything.
A payment in a wider scope first carries the open balances of the narrower ones to it
(see ledger/journal), so that no debt can be settled twice.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import formats
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from ledger.models import Club, Entry, Evening, Posting, Season

Kind = Entry.Kind
MONEY_ENTRIES = (Kind.PAYMENT, Kind.FEE, Kind.PRIZE, Kind.CARRY)
"""Kinds of entries that move money without a hand."""
CLUB_KINDS = (*MONEY_ENTRIES, Kind.ADJUSTMENT, Kind.REVERSAL)
"""Kinds of entries that can belong to no evening; an index leads to each kind."""
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
"""One step in the index for each currency: DISTINCT reads every entry of the club."""


@dataclass(frozen=True)
class SettlementScope:
    """What is settled together, of one club and one currency, "" for points.

    >>> SettlementScope.everything(Club(name="Kozy"), "PLN").in_money
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
    def title(self) -> str:
        """The name of the scope, in the active language."""
        if self.evening:
            return self.evening.name
        if self.season:
            return _("Season {season}").format(season=self.season.name)
        if self.until:
            return _("Up to {day}").format(day=formats.date_format(self.until))
        return _("Everything")

    @property
    def in_money(self) -> bool:
        return self.currency != ""

    @property
    def unit(self) -> str:
        """The column of a posting that counts here: money in minor units, or points."""
        return "money" if self.in_money else "points"

    @property
    def action_fields(self) -> dict[str, Any]:
        """The evening, season and club of an action in this scope: one of the three."""
        if self.evening or self.season:
            return {"evening": self.evening, "season": self.season, "club": None}
        return {"evening": None, "season": None, "club": self.club}

    @cached_property
    def postings(self) -> QuerySet[Posting]:
        """The postings of the scope and of all that it covers."""
        return Posting.objects.filter(
            self.entries("entry__"), entry__currency=self.currency
        )

    @property
    def own_postings(self) -> QuerySet[Posting]:
        """The postings of the scope itself, without those of what it covers."""
        own = self.own_entries("entry__")
        return Posting.objects.filter(own, entry__currency=self.currency)

    @cached_property
    def currencies(self) -> list[str]:
        """The currencies of the club's entries, "" for points."""
        with connection.cursor() as cursor:
            cursor.execute(CURRENCIES, [self.club.pk, self.club.pk])
            return [currency for (currency,) in cursor.fetchall()]

    def in_currency(self, currency: str) -> SettlementScope:
        """Return the same scope in another currency."""
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
        """Return a filter for the entries of the scope and of all that it covers.

        *path* leads to the entries.
        """
        if self.evening:
            return Q(**{f"{path}evening": self.evening})
        if self.season:
            own = Entry.objects.filter(season=self.season).values("pk")
            within = Entry.objects.filter(evening__season=self.season).values("pk")
            return Q(**{f"{path}pk__in": own.union(within, all=True)})
        # Only a club-wide scope filters by club: beside a season it costs a full scan.
        everything = Q(**{f"{path}club": self.club})
        if self.until:
            within_ = Q(**{f"{path}evening__date__lte": self.until})
            outside = {f"{path}evening": None, f"{path}date__lte": self.until}
            return everything & (within_ | Q(**outside))
        return everything

    def own_entries(self, path: str = "") -> Q:
        """Return a filter for the entries of the scope itself; *path* leads to them."""
        if self.evening:
            return Q(**{f"{path}evening": self.evening})
        if self.season:
            return Q(**{f"{path}season": self.season})
        own = {"club": self.club, "evening": None, "season": None}
        kinds = {f"{path}kind__in": CLUB_KINDS}
        return Q(**{f"{path}{name}": value for name, value in own.items()}, **kinds)
