"""Season page: ranking, running totals, cross tables of partners and contracts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger import statistics
from ledger.access import Request, season_of
from ledger.models import Club, Player
from ledger.statistics import Ranked, Statistics, rating
from ledger.statistics.ranking import By
from ledger.statistics.rating import Strength
from ledger.text.amounts import plain, signed
from ledger.text.markup import average
from ledger.views.decorators import signed_in_page
from ledger.views.money.scope_params import ScopeChoice
from ledger.views.statistics import cross_table
from ledger.views.statistics.filters import Filters, filters_of
from ledger.views.statistics.running_chart import RunningChart, running_chart
from scoring import roman


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A row of the ranking; *value* is the total, average or money it is ranked by."""

    place: int | None
    player: Player
    words: str
    value: Fraction | int


@signed_in_page
def season(request: Request, pk: int) -> HttpResponse:
    season = season_of(request, pk)
    filters = filters_of(season.club, request.GET, season)
    report = statistics.read(filters.hand_filter)
    by = _order(request.GET.get("by", ""), report)
    across = "date" if request.GET.get("across") == "date" else ""
    ranked = report.ranking(by.by, filters.least, by.currency)
    rows = [_ranked_player(row, by) for row in ranked]
    page = {
        "season": season,
        "club": season.club,
        "filters": filters,
        "other_params": {k: v for k, v in (("by", by.param), ("across", across)) if v},
        "counted": count_label(report),
        "orders": list(_order_choices(filters, by, report, across)),
        "by": by,
        "ranking": rows,
        "sum": sum(row.value for row in rows),
        "rule": _rule(filters.least),
        "run": totals_chart(report, ranked, by_date=across == "date"),
        "axes": list(_axes(filters, by, across)),
        "together": cross_table.players_table("with", report.partners()),
        "contracts": cross_table.contracts_table(report),
        "hands": reverse("hands_behind", args=[season.club_id]),
        "strengths": _strengths(season.club, ranked),
    }
    status = 422 if filters.form.errors else 200
    return render(request, "ledger/statistics/season.html", page, status=status)


def _strengths(club: Club, ranked: Sequence[Ranked]) -> list[Strength]:
    """Return the strengths of the players in the ranking."""
    here = {row.player for row in ranked}
    return [one for one in rating.strengths(club) if one.player in here]


@dataclass(frozen=True, slots=True)
class RankingOrder:
    """Order of the ranking: by total, average, or money in one currency."""

    by: By
    currency: str = ""
    several: bool = False
    """True when there is money in other currencies too."""

    @property
    def param(self) -> str:
        """Return the value of the parameter "by"."""
        return "" if self.by == "total" else self.currency or self.by

    @property
    def words(self) -> str:
        named = {"total": _("total"), "average": _("per hand"), "money": _("money")}
        return self.currency if self.several else named[self.by]


def _order(param: str, report: Statistics) -> RankingOrder:
    orders = {order.param: order for order in _orders(report)}
    return orders.get(param, orders[""])


def _orders(report: Statistics) -> list[RankingOrder]:
    several = len(report.currencies) > 1
    money = [RankingOrder("money", code, several) for code in report.currencies]
    return [RankingOrder("total"), RankingOrder("average"), *money]


def _order_choices(
    filters: Filters, by: RankingOrder, report: Statistics, across: str
) -> Iterator[ScopeChoice]:
    for order in _orders(report):
        query = filters.query_with(by=order.param, across=across)
        yield ScopeChoice(order.words, query, order == by)


def _axes(filters: Filters, by: RankingOrder, across: str) -> Iterator[ScopeChoice]:
    for param, words in (("", _("by hands")), ("date", _("by date"))):
        query = filters.query_with(by=by.param, across=param)
        yield ScopeChoice(words, query, param == across)


def _ranked_player(row: Ranked, by: RankingOrder) -> RankedPlayer:
    values: dict[By, Fraction | int] = {
        "total": row.points,
        "average": row.average or 0,
        "money": row.money.get(by.currency, 0),
    }
    details = " · ".join(_details(row, by))
    return RankedPlayer(row.place, row.player, details, values[by.by])


def _details(row: Ranked, by: RankingOrder) -> Iterator[str]:
    """Yield the other numbers of a player, beside the one he is ranked by."""
    hands = ngettext("{hands} hand", "{hands} hands", row.hands)
    yield hands.format(hands=plain(row.hands))
    if by.by != "total":
        yield _("total {points}").format(points=signed(row.points))
    if by.by != "average" and row.average is not None:
        yield _("{average} per hand").format(average=average(row.average))
    if row.adjusted:
        yield _("adjusted {points}").format(points=signed(row.adjusted))


def _rule(least: int) -> str:
    """Return the rule of the ranking in words."""
    rule = _(
        "Players with equal scores share a place, in alphabetical order. Guests and "
        "retired players are ranked like everybody else. A missed evening does not "
        "count as 0."
    )
    if not least:
        return rule
    few = ngettext(
        "Players with fewer than {hands} hand are listed below, without a place.",
        "Players with fewer than {hands} hands are listed below, without a place.",
        least,
    )
    return f"{rule} {few.format(hands=least)}"


def count_label(report: Statistics) -> str:
    """Return “14 evenings, 352 hands”."""
    evenings = ngettext("{evenings} evening", "{evenings} evenings", report.evenings)
    hands = ngettext("{hands} hand", "{hands} hands", report.hands)
    return ", ".join(
        (
            evenings.format(evenings=plain(report.evenings)),
            hands.format(hands=plain(report.hands)),
        )
    )


def totals_chart(
    report: Statistics, ranked: Sequence[Ranked], *, by_date: bool = False
) -> RunningChart | None:
    """Return the chart of the *ranked* players' totals, by hands or by date.

    Evenings of old sheets have totals without hands; a chart of them alone is by date.
    """
    curve = report.curve()
    if not curve.points:
        return None
    by_date = by_date or not curve.points[-1].hands
    totals = [
        (row.player, curve.series[row.player.pk])
        for row in ranked
        if row.player.pk in curve.series
    ]
    what = ngettext(
        "Points after {evenings} evening",
        "Points after {evenings} evenings",
        report.evenings,
    )
    return running_chart(
        totals,
        [p.date.toordinal() if by_date else p.hands for p in curve.points],
        _days([point.date for point in curve.points]) if by_date else (),
        head=_("Evening") if by_date else _("Hands"),
        what=what.format(evenings=report.evenings),
        thinned=curve.thinned,
    )


def _days(dates: Sequence[date]) -> list[str]:
    """Return “20 XI” for each day, with the year where there is more than one."""
    several = dates[0].year < dates[-1].year
    return [
        f"{day.day} {roman(day.month)}" + (f" {day.year}" if several else "")
        for day in dates
    ]
