"""Player page: every figure with its definition and a link to its hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode

from ledger import settlement, statistics
from ledger.access import Request, club_of
from ledger.models import Player
from ledger.statistics import About, Figure, FigureGroup, FigureRow, Statistics
from ledger.views.decorators import signed_in_page
from ledger.views.statistics.filters import Filters, filters_of
from ledger.views.statistics.season import totals_chart

FEW = 8
"""Rows of a card that starts unfolded."""


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A row of a figure; None for columns that the figure does not show."""

    name: str
    href: str
    count: int | None
    success: Fraction | None
    points: int | None
    average: Fraction | None


@dataclass(frozen=True, slots=True)
class FigureLines:
    """The rows of one figure."""

    figure: Figure
    lines: Sequence[FigureLine]

    @property
    def headed(self) -> bool:
        """Tell whether rows are labelled by their subject instead of the figure."""
        return self.figure.about is not About.NOTHING


@dataclass(frozen=True, slots=True)
class Card:
    """The figures under one heading, and the columns they have."""

    title: str
    figures: Sequence[FigureLines]
    hits: str
    points: bool
    averages: bool

    @property
    def alone(self) -> Figure | None:
        """Return the only figure of the card, which its heading names already."""
        only = self.figures[0] if len(self.figures) == 1 else None
        return only.figure if only and only.headed else None

    @property
    def open(self) -> bool:
        """Tell whether the card is short enough to start unfolded."""
        return sum(len(figure.lines) for figure in self.figures) <= FEW


@signed_in_page
def player(request: Request, pk: int, player: int) -> HttpResponse:
    club = club_of(request, pk)
    who = get_object_or_404(club.players.people(), pk=player)
    filters = filters_of(club, request.GET)
    report = statistics.read(filters.hand_filter)
    mine = [row for row in report.ranked if row.player == who]
    page = {
        "club": club,
        "player": who,
        "filters": filters,
        "cards": [_card(group, who, report, filters) for group in report.player(who)],
        "ranked": mine[0] if mine else None,
        "run": totals_chart(report, mine),
        "purse": settlement.owed_by_currency(who, club).items(),
        "mayors": report.mayors(who),
    }
    status = 422 if filters.form.errors else 200
    return render(request, "ledger/statistics/player.html", page, status=status)


def _card(
    group: FigureGroup, player: Player, report: Statistics, filters: Filters
) -> Card:
    figures = [
        FigureLines(figure, [_line(row, player, report, filters) for row in rows])
        for figure, rows in groupby(group.rows, key=lambda row: row.figure)
    ]
    lines = [line for figure in figures for line in figure.lines]
    return Card(
        group.title,
        figures,
        hits=next((str(row.figure.hits) for row in group.rows if row.figure.hits), ""),
        points=any(line.points is not None for line in lines),
        averages=any(line.average is not None for line in lines),
    )


def _line(
    row: FigureRow, player: Player, report: Statistics, filters: Filters
) -> FigureLine:
    name = row.called(several=report.several_games)
    return FigureLine(name, _href(row, player, filters), *row.cells)


def _href(row: FigureRow, player: Player, filters: Filters) -> str:
    """Return the address of the drill-down to the hands of *row*."""
    params: dict[str, str | int] = {"figure": row.figure.id, "player": player.pk}
    if row.about:
        params["about"] = row.about
    path = reverse("hands_behind", args=[filters.hand_filter.club.pk])
    return f"{path}?{urlencode(params)}{filters.and_query}"
