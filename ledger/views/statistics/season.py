"""A season: who stands where, how it came to that, and with whom it goes well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from ledger import statistics
from ledger.access import Request, season_of
from ledger.models import Club, Player
from ledger.statistics import Ranked, Statistics, rating
from ledger.statistics.ranking import By
from ledger.statistics.rating import Strength
from ledger.templatetags.figures import average
from ledger.templatetags.kontra import roman
from ledger.text.amounts import plain, signed
from ledger.views.money.scope_params import ScopeChoice
from ledger.views.statistics import cross_table
from ledger.views.statistics.filters import Looked, looked
from ledger.views.statistics.running_chart import Drawn, drawn


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A row of the ranking; *value* is what it is ranked by."""

    place: int | None
    player: Player
    words: str
    value: Fraction | int


@login_required
@require_safe
def season(request: Request, pk: int) -> HttpResponse:
    season = season_of(request, pk)
    at = looked(season.club, request.GET, season)
    found = statistics.read(at.scope)
    by = _by(request.GET.get("by", ""), found)
    across = "date" if request.GET.get("across") == "date" else ""
    ranked = found.ranking(by.by, at.least, by.currency)
    rows = [_standing(row, by) for row in ranked]
    page = {
        "season": season,
        "club": season.club,
        "looked": at,
        "kept": {k: v for k, v in (("by", by.asked), ("across", across)) if v},
        "counted": counted(found),
        "orders": list(_orders(at, by, found, across)),
        "by": by,
        "ranking": rows,
        "sum": sum(row.value for row in rows),
        "rule": _rule(at.least),
        "run": run(found, ranked, by_date=across == "date"),
        "acrosses": list(_acrosses(at, by, across)),
        "together": cross_table.met("with", found.partners()),
        "contracts": cross_table.contracts(found),
        "hands": reverse("hands_behind", args=[season.club_id]),
        "strengths": _strengths(season.club, ranked),
    }
    status = 422 if at.form.errors else 200
    return render(request, "ledger/statistics/season.html", page, status=status)


def _strengths(club: Club, ranked: Sequence[Ranked]) -> list[Strength]:
    """Return how strong those are held to be who have played here."""
    here = {row.player for row in ranked}
    return [one for one in rating.strengths(club) if one.player in here]


@dataclass(frozen=True, slots=True)
class Order:
    """What the ranking is by; money is by its currency."""

    by: By
    currency: str = ""
    several: bool = False
    """Whether it was played for other money too."""

    @property
    def asked(self) -> str:
        return "" if self.by == "total" else self.currency or self.by

    @property
    def words(self) -> str:
        named = {"total": _("total"), "average": _("per hand"), "money": _("money")}
        return self.currency if self.several else named[self.by]


def _by(asked: str, found: Statistics) -> Order:
    known = {order.asked: order for order in _known(found)}
    return known.get(asked, known[""])


def _known(found: Statistics) -> list[Order]:
    several = len(found.currencies) > 1
    money = [Order("money", code, several) for code in found.currencies]
    return [Order("total"), Order("average"), *money]


def _orders(
    at: Looked, by: Order, found: Statistics, across: str
) -> Iterator[ScopeChoice]:
    for order in _known(found):
        query = at.asks(by=order.asked, across=across)
        yield ScopeChoice(order.words, query, order == by)


def _acrosses(at: Looked, by: Order, across: str) -> Iterator[ScopeChoice]:
    for asked, words in (("", _("by hands")), ("date", _("by date"))):
        query = at.asks(by=by.asked, across=asked)
        yield ScopeChoice(words, query, asked == across)


def _standing(row: Ranked, by: Order) -> RankedPlayer:
    values: dict[By, Fraction | int] = {
        "total": row.points,
        "average": row.average or 0,
        "money": row.money.get(by.currency, 0),
    }
    told = " · ".join(_told(row, by))
    return RankedPlayer(row.place, row.player, told, values[by.by])


def _told(row: Ranked, by: Order) -> Iterator[str]:
    """Yield what else is to be said of somebody, beside what he is ranked by."""
    hands = ngettext("{hands} hand", "{hands} hands", row.hands)
    yield hands.format(hands=plain(row.hands))
    if by.by != "total":
        yield _("total {points}").format(points=signed(row.points))
    if by.by != "average" and row.average is not None:
        yield _("{average} per hand").format(average=average(row.average))
    if row.adjusted:
        yield _("adjusted {points}").format(points=signed(row.adjusted))


def _rule(least: int) -> str:
    """Return how equals, guests, leavers and absences are ranked, in a sentence."""
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


def counted(found: Statistics) -> str:
    """Return how much was played: “14 evenings, 352 hands”."""
    evenings = ngettext("{evenings} evening", "{evenings} evenings", found.evenings)
    hands = ngettext("{hands} hand", "{hands} hands", found.hands)
    return ", ".join(
        (
            evenings.format(evenings=plain(found.evenings)),
            hands.format(hands=plain(found.hands)),
        )
    )


def run(
    found: Statistics, ranked: Sequence[Ranked], *, by_date: bool = False
) -> Drawn | None:
    """Return the running totals of those *ranked*, by hands or by date (report 124).

    Where only totals of evenings are known there are no hands to go by.
    """
    curve = found.curve()
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
        found.evenings,
    )
    return drawn(
        totals,
        [p.date.toordinal() if by_date else p.hands for p in curve.points],
        _days([point.date for point in curve.points]) if by_date else (),
        head=_("Evening") if by_date else _("Hands"),
        what=what.format(evenings=found.evenings),
        thinned=curve.thinned,
    )


def _days(dates: Sequence[date]) -> list[str]:
    """Return “20 XI” for each day, with the year where there is more than one."""
    several = dates[0].year < dates[-1].year
    return [
        f"{day.day} {roman(day.month)}" + (f" {day.year}" if several else "")
        for day in dates
    ]
