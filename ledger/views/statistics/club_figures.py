"""A club's figures: records, contracts, bonuses, seats, how fast, and the hat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from ledger import statistics
from ledger.access import Request, club_of, is_owner, owner_only
from ledger.models import Evening
from ledger.presenters import line_chart
from ledger.statistics import Figure, FigureRow, Record, Shows, Statistics, rating
from ledger.views.statistics.filters import looked
from ledger.views.statistics.season import counted


@dataclass(frozen=True, slots=True)
class Bar:
    row: FigureRow
    name: str
    all: int
    """How long the bar is, the longest 100; and how much of it succeeded."""
    hit: int


@dataclass(frozen=True, slots=True)
class Bars:
    figure: Figure
    rows: Sequence[Bar]

    @property
    def averages(self) -> bool:
        return self.figure.shows is Shows.ALL


@dataclass(frozen=True, slots=True)
class FigureKind:
    """The best few of a kind, each with the evening that it was at."""

    figure: Figure
    records: Sequence[tuple[Record, Evening]]


@login_required
@require_safe
def club(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk)
    at = looked(club, request.GET)
    found = statistics.read(at.scope)
    page = {
        "club": club,
        "looked": at,
        "counted": counted(found),
        "kinds": list(_kinds(found.records())),
        "contracts": bars("contracts", found.contracts(), found),
        "bonuses": found.bonuses(),
        "several": found.several_games,
        "announced": statistics.FIGURES["club_announced"],
        "silent": statistics.FIGURES["club_silent"],
        "seats": bars("seats", found.seats(), found),
        "tempo": found.tempo(),
        "mayors": found.mayors(),
        "hands": reverse("hands_behind", args=[pk]),
        "strengths": rating.strengths(club),
        "is_owner": is_owner(club),
    }
    status = 422 if at.form.errors else 200
    return render(request, "ledger/statistics/statistics.html", page, status=status)


@login_required
@require_POST
def rate(request: Request, pk: int) -> HttpResponse:
    """Let the club have a rating, or have it no longer."""
    club = club_of(request, pk, write=True)
    owner_only(club)
    rating.turn(club, on=request.POST.get("rating") == "on")
    return redirect(reverse("statistics", args=[pk]) + "#rating")


def _kinds(records: Sequence[Record]) -> Iterator[FigureKind]:
    evenings = Evening.objects.in_bulk({record.evening for record in records})
    for figure, some in groupby(records, key=lambda record: record.figure):
        yield FigureKind(
            figure, [(record, evenings[record.evening]) for record in some]
        )


def bars(figure: str, rows: Sequence[FigureRow], found: Statistics) -> Bars:
    """Return *rows* with the length of their bars, and of what of them succeeded."""
    lengths = line_chart.shares([row.count for row in rows])
    return Bars(
        statistics.FIGURES[figure],
        [
            Bar(
                row,
                row.called(several=found.several_games),
                length,
                round(length * row.hits / row.count) if row.count else 0,
            )
            for row, length in zip(rows, lengths, strict=True)
        ],
    )
