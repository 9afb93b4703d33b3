"""Club statistics page: records, contracts, bonuses, seats, tempo, Mayors, rating."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from ledger import statistics
from ledger.access import Request, club_of, is_owner, owner_only
from ledger.models import Evening
from ledger.presenters import line_chart
from ledger.statistics import (
    Figure,
    FigureRow,
    Record,
    Shows,
    Statistics,
    rating,
    rating_store,
)
from ledger.views.decorators import signed_in_action, signed_in_page
from ledger.views.statistics.filters import filters_of
from ledger.views.statistics.season import count_label


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart."""

    row: FigureRow
    name: str
    all: int
    """Length of the bar in percent of the longest."""
    hit: int
    """Length of the part that succeeded."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart of one figure."""

    figure: Figure
    rows: Sequence[Bar]

    @property
    def averages(self) -> bool:
        return self.figure.shows is Shows.ALL


@dataclass(frozen=True, slots=True)
class FigureRecords:
    """The best records of a figure, each with its evening."""

    figure: Figure
    records: Sequence[tuple[Record, Evening]]


@signed_in_page
def club(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk)
    filters = filters_of(club, request.GET)
    report = statistics.read(filters.hand_filter)
    page = {
        "club": club,
        "filters": filters,
        "counted": count_label(report),
        "records": list(_records_by_figure(report.records())),
        "contracts": bars("contracts", report.contracts(), report),
        "bonuses": report.bonuses(),
        "several": report.several_games,
        "announced": statistics.FIGURES["club_announced"],
        "silent": statistics.FIGURES["club_silent"],
        "seats": bars("seats", report.seats(), report),
        "tempo": report.tempo(),
        "mayors": report.mayors(),
        "hands": reverse("hands_behind", args=[pk]),
        "strengths": rating.strengths(club),
        "is_owner": is_owner(club),
    }
    status = 422 if filters.form.errors else 200
    return render(request, "ledger/statistics/statistics.html", page, status=status)


@signed_in_action
def rate(request: Request, pk: int) -> HttpResponse:
    """Switch the club's rating on or off."""
    club = club_of(request, pk, write=True)
    owner_only(club)
    rating_store.switch(club, on=request.POST.get("rating") == "on")
    return redirect(reverse("statistics", args=[pk]) + "#rating")


def _records_by_figure(records: Sequence[Record]) -> Iterator[FigureRecords]:
    evenings = Evening.objects.in_bulk({record.evening for record in records})
    for figure, some in groupby(records, key=lambda record: record.figure):
        yield FigureRecords(
            figure, [(record, evenings[record.evening]) for record in some]
        )


def bars(figure: str, rows: Sequence[FigureRow], report: Statistics) -> Bars:
    """Return *rows* with the lengths of their bars."""
    lengths = line_chart.shares([row.count for row in rows])
    return Bars(
        statistics.FIGURES[figure],
        [
            Bar(
                row,
                row.called(several=report.several_games),
                length,
                round(length * row.hits / row.count) if row.count else 0,
            )
            for row, length in zip(rows, lengths, strict=True)
        ],
    )
