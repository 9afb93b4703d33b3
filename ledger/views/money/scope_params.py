"""What is settled together, as an address says it."""

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
    """A scope, and what the page has to send along to mean it again."""

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
    """A chip: where it leads, and whether it is chosen."""

    words: str
    query: str
    chosen: bool


def asked(club: Club, address: Address) -> ScopeParams:
    """Return what *address* asks for; without anything it is everything.

    A day that was typed goes before the evening or season of the page.
    """
    if day := _day(address):
        currency = _currency(club, address)
        fields = {"until": day.isoformat(), "currency": currency}
        return ScopeParams(SettlementScope.up_to(club, day, currency), fields)
    if address.get("evening"):
        evenings = club.evenings.there().filter(
            pk=whole_number(address["evening"]) or 0
        )
        evening = _found(evenings.select_related("season"))
        scope = SettlementScope(club, evening.currency, evening=evening)
        return ScopeParams(scope, {"evening": str(evening.pk)})
    currency = _currency(club, address)
    if address.get("season"):
        season = _found(club.seasons.filter(pk=whole_number(address["season"]) or 0))
        return _of_season(season, club, currency)
    return _everything(club, currency)


def of_evening(evening: Evening) -> ScopeParams:
    return ScopeParams(
        SettlementScope.of_evening(evening), {"evening": str(evening.pk)}
    )


def of_everything(scope: SettlementScope) -> ScopeParams:
    return ScopeParams(scope, {"currency": scope.currency})


def choices(at: ScopeParams, seasons: Iterable[Season]) -> Iterator[ScopeChoice]:
    """Yield the chips of what can be settled together."""
    club, currency = at.scope.club, at.scope.currency
    offered = [_everything(club, currency)]
    offered += [_of_season(season, club, currency) for season in seasons]
    if at.scope.evening or at.scope.until:
        offered.insert(0, at)
    for one in offered:
        yield ScopeChoice(one.words, one.query, one.scope == at.scope)


def currencies(at: ScopeParams) -> Iterator[ScopeChoice]:
    """Yield the chips of what was played for, where that is more than one thing.

    It is said of each whether something is open in it.
    """
    if at.scope.evening or len(used := at.scope.currencies) < 2:
        return
    open_ = settlement.open_currencies(at.scope)
    for code in used:
        query = urlencode({**at.fields, "currency": code})
        words = code or _("points")
        if code in open_:
            words = _("{currency}: open").format(currency=words)
        yield ScopeChoice(words, query, code == at.scope.currency)


def _of_season(season: Season, club: Club, currency: str) -> ScopeParams:
    scope = replace(SettlementScope.of_season(season, currency), club=club)
    return ScopeParams(scope, {"season": str(season.pk), "currency": currency})


def _everything(club: Club, currency: str) -> ScopeParams:
    return of_everything(SettlementScope.everything(club, currency))


def _currency(club: Club, address: Address) -> str:
    """Return what is asked for, else what the last evening was played for."""
    said = address.get("currency")
    if said is not None and (
        said == "" or said in SettlementScope.everything(club, said).currencies
    ):
        return said
    latest = club.evenings.there().order_by("-date", "-pk")
    last = latest.values_list("currency", flat=True)
    return last.first() or ""


def _day(address: Address) -> date | None:
    try:
        day = parse_date(address.get("until", ""))
    except ValueError:
        return None
    return day if day and is_likely(day) else None


def _found(things: QuerySet[M]) -> M:
    thing = things.first()
    if thing is None:
        raise Http404
    return thing
