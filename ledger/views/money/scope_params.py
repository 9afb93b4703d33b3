"""Scope parameters: a settlement scope in the address of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import Http404
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from ledger import settlement
from ledger.models import Club, Evening, Season
from ledger.settlement import SettlementScope
from ledger.text.dates import is_likely
from ledger.text.parsing import whole_number

Address = Mapping[str, str]
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class ScopeParams:
    """A scope, and the fields of an address or a form that lead to it again."""

    scope: SettlementScope
    fields: Mapping[str, str]

    @property
    def query(self) -> str:
        return urlencode(self.fields)

    @property
    def words(self) -> str:
        return self.scope.title


@dataclass(frozen=True)
class ScopeChoice:
    """A chip with the query of its link."""

    words: str
    query: str
    chosen: bool


def from_address(club: Club, address: Address) -> ScopeParams:
    """Return the scope in *address*; an empty one is everything.

    A day that was typed takes precedence over the evening or season of the page.
    """
    if day := _day(address):
        currency = _currency(club, address)
        fields = {"until": day.isoformat(), "currency": currency}
        return ScopeParams(SettlementScope.up_to(club, day, currency), fields)
    if address.get("evening"):
        evenings = club.evenings.not_removed().filter(
            pk=whole_number(address["evening"]) or 0
        )
        evening = _first_or_404(evenings.select_related("season"))
        scope = SettlementScope(club, evening.currency, evening=evening)
        return ScopeParams(scope, {"evening": str(evening.pk)})
    currency = _currency(club, address)
    if address.get("season"):
        season = _first_or_404(
            club.seasons.filter(pk=whole_number(address["season"]) or 0)
        )
        return _of_season(season, club, currency)
    return _everything(club, currency)


def of_evening(evening: Evening) -> ScopeParams:
    return ScopeParams(
        SettlementScope.of_evening(evening), {"evening": str(evening.pk)}
    )


def of_everything(scope: SettlementScope) -> ScopeParams:
    return ScopeParams(scope, {"currency": scope.currency})


def choices(params: ScopeParams, seasons: Iterable[Season]) -> Iterator[ScopeChoice]:
    """Yield the chips of the scopes that can be settled."""
    club, currency = params.scope.club, params.scope.currency
    offered = [_everything(club, currency)]
    offered += [_of_season(season, club, currency) for season in seasons]
    if params.scope.evening or params.scope.until:
        offered.insert(0, params)
    for one in offered:
        yield ScopeChoice(one.words, one.query, one.scope == params.scope)


def currencies(params: ScopeParams) -> Iterator[ScopeChoice]:
    """Yield the chips of the currencies of the club, where there are several.

    Each says whether something is open in it.
    """
    if params.scope.evening or len(used := params.scope.currencies) < 2:
        return
    open_ = settlement.open_currencies(params.scope)
    for code in used:
        query = urlencode({**params.fields, "currency": code})
        words = code or _("points")
        if code in open_:
            words = _("{currency}: open").format(currency=words)
        yield ScopeChoice(words, query, code == params.scope.currency)


def _of_season(season: Season, club: Club, currency: str) -> ScopeParams:
    scope = replace(SettlementScope.of_season(season, currency), club=club)
    return ScopeParams(scope, {"season": str(season.pk), "currency": currency})


def _everything(club: Club, currency: str) -> ScopeParams:
    return of_everything(SettlementScope.everything(club, currency))


def _currency(club: Club, address: Address) -> str:
    """Return the currency in *address*, else that of the last evening."""
    code = address.get("currency")
    if code is not None and (
        code == "" or code in SettlementScope.everything(club, code).currencies
    ):
        return code
    latest = club.evenings.not_removed().order_by("-date", "-pk")
    last = latest.values_list("currency", flat=True)
    return last.first() or ""


def _day(address: Address) -> date | None:
    try:
        day = parse_date(address.get("until", ""))
    except ValueError:
        return None
    return day if day and is_likely(day) else None


def _first_or_404(rows: QuerySet[M]) -> M:
    row = rows.first()
    if row is None:
        raise Http404
    return row
