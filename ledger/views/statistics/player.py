"""A player: every figure with its definition, and a way to the hands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from ledger import statistics
from ledger.access import Request, club_of
from ledger.models import Player
from ledger.settlement import planning
from ledger.statistics import About, Figure, FigureGroup, FigureRow, Statistics
from ledger.views.statistics.filters import Looked, looked
from ledger.views.statistics.season import run

FEW = 8


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A row as the page shows it: None is what says nothing of its figure."""

    name: str
    href: str
    count: int | None
    success: Fraction | None
    points: int | None
    average: Fraction | None


@dataclass(frozen=True, slots=True)
class Lines:
    figure: Figure
    lines: Sequence[FigureLine]

    @property
    def headed(self) -> bool:
        """Whether its rows are named by what they are about, not by the figure."""
        return self.figure.about is not About.NOTHING


@dataclass(frozen=True, slots=True)
class Card:
    """The figures under one heading, and which columns they need."""

    title: str
    figures: Sequence[Lines]
    hits: str
    points: bool
    averages: bool

    @property
    def alone(self) -> Figure | None:
        """The one figure that all rows are of, which the heading names already."""
        only = self.figures[0] if len(self.figures) == 1 else None
        return only.figure if only and only.headed else None

    @property
    def open(self) -> bool:
        """Whether it is short enough not to be folded."""
        return sum(len(figure.lines) for figure in self.figures) <= FEW


@login_required
@require_safe
def player(request: Request, pk: int, player: int) -> HttpResponse:
    club = club_of(request, pk)
    who = get_object_or_404(club.players.people(), pk=player)
    at = looked(club, request.GET)
    found = statistics.read(at.scope)
    mine = [row for row in found.ranked if row.player == who]
    page = {
        "club": club,
        "player": who,
        "looked": at,
        "cards": [_card(group, who, found, at) for group in found.player(who)],
        "ranked": mine[0] if mine else None,
        "run": run(found, mine),
        "purse": planning.purse(who, club).items(),
        "mayors": found.mayors(who),
    }
    status = 422 if at.form.errors else 200
    return render(request, "ledger/statistics/player.html", page, status=status)


def _card(group: FigureGroup, player: Player, found: Statistics, at: Looked) -> Card:
    figures = [
        Lines(figure, [_line(row, player, found, at) for row in rows])
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


def _line(row: FigureRow, player: Player, found: Statistics, at: Looked) -> FigureLine:
    name = row.called(several=found.several_games)
    return FigureLine(name, _href(row, player, at), *row.cells)


def _href(row: FigureRow, player: Player, at: Looked) -> str:
    """Return where the hands are that *row* counts."""
    asked: dict[str, str | int] = {"figure": row.figure.id, "player": player.pk}
    if row.about:
        asked["about"] = row.about
    path = reverse("hands_behind", args=[at.scope.club.pk])
    return f"{path}?{urlencode(asked)}{at.also}"
