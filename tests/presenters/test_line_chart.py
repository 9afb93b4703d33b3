"""Plots: round steps, lines that begin at 0, names that do not lie on each other."""

from __future__ import annotations

import doctest
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.presenters import line_chart
from ledger.presenters.line_chart import Series, curves, round_steps, spread


def plotted(*values, across=None, labels=()):
    series = [Series(f"P{n}", f"P{n}", each) for n, each in enumerate(values)]
    return curves(series, across or range(1, len(values[0]) + 1), labels)


def test_the_examples_are_true():
    assert doctest.testmod(line_chart).failed == 0


@pytest.mark.parametrize(
    ("low", "high", "steps"),
    [
        (-213, 133, [-200, -100, 0, 100]),
        (0, 1, [0, 1]),
        (-46, 45, [-40, -20, 0, 20, 40]),
        (0, 1234, [0, 500, 1000]),
        (-90000, 0, [-80000, -60000, -40000, -20000, 0]),
    ],
)
def test_steps_are_round(low, high, steps):
    assert round_steps(low, high) == steps


def test_a_line_begins_at_0_and_ends_where_its_total_is():
    plot = plotted([10, 20], [-10, -20])

    assert [line.path for line in plot.lines] == [
        "M36 132 159 72 282 12",
        "M36 132 159 192 282 252",
    ]
    assert [line.kind for line in plot.lines] == ["first", "last"]
    assert [(step.value, step.at) for step in plot.steps] == [
        (-20, 252),
        (-10, 192),
        (0, 132),
        (10, 72),
        (20, 12),
    ]


def test_the_table_behind_a_plot_has_its_figures():
    plot = plotted([10, 20], [-10, -20])

    assert [(row.label, row.values) for row in plot.rows] == [
        ("1", (10, -10)),
        ("2", (20, -20)),
    ]
    assert plot.places == "159 282"


def test_by_date_a_pause_is_a_long_way():
    """Report 124; the second day is over the end of the year (report 121)."""
    plot = plotted([1, 2, 3], across=[30, 33, 39], labels=["30 XII", "2 I", "8 I"])

    first, second, third = plot.at
    assert (third - second) == pytest.approx(2 * (second - first), abs=0.2)


@pytest.mark.parametrize("values", [[], [0], [5], [0, 0, 0]])
def test_little_or_nothing_can_be_drawn(values):
    """Report 121: no hand, one hand, nothing won or lost."""
    plot = plotted(values)

    assert len(plot.lines) == 1
    assert len(plot.rows) == len(values)
    assert "nan" not in plot.lines[0].path


def test_nobody_can_be_drawn():
    assert curves([], []).lines == ()


def test_many_points_are_thinned_to_what_a_phone_shows():
    plot = plotted(list(range(1000)))

    assert plot.thinned
    assert len(plot.rows) == line_chart.POINTS
    assert (plot.rows[0].label, plot.rows[-1].label) == ("1", "1,000")


def test_lines_between_first_and_last_are_broken_differently():
    plot = plotted([3], [1], [2], [0])

    assert [line.kind for line in plot.lines] == ["first", "dash0", "dash1", "last"]


def test_a_line_begins_at_0_just_before_its_first_hand():
    plot = plotted([10, 10, 20], [None, -10, -20])

    assert plot.lines[1].path == "M118 132 200 192 282 252"
    assert [row.values for row in plot.rows] == [(10, None), (10, -10), (20, -20)]


def test_hands_are_marked_at_round_numbers():
    plot = plotted([0] * 3, across=[20, 41, 63])

    labels = [mark.label for mark in plot.marks]
    assert labels == ["10", "20", "30", "40", "50", "63"]
    assert plot.marks[1].at == pytest.approx(20 + 262 * 20 / 63, abs=0.1)


def test_labels_below_have_room():
    days = [f"{n} XII 2026" for n in range(40)]
    plot = plotted([1] * 40, across=range(700, 740), labels=days)

    for left, right in pairwise(plot.marks):
        assert right.at - left.at >= len(left.label) * line_chart.LETTER
    assert plot.marks[-1].label == "39 XII 2026"


ends = st.lists(st.floats(line_chart.TOP, line_chart.BOTTOM), max_size=10)


@given(ends)
def test_names_stay_inside_and_never_touch(ends):
    places = spread(ends)

    assert all(line_chart.TOP - 1 <= place <= line_chart.BOTTOM + 1 for place in places)
    assert all(b - a >= line_chart.APART - 0.2 for a, b in pairwise(sorted(places)))


@given(ends)
def test_names_stand_in_the_order_of_the_ends(ends):
    places = spread(ends)

    for (a, at), (b, beside) in pairwise(sorted(zip(ends, places, strict=True))):
        assert a == b or at < beside


def test_two_that_end_together_part_half_each():
    assert spread([100, 100]) == [91, 109]


def test_bars_are_as_long_as_their_share():
    assert line_chart.shares([40, 10, 0]) == [100, 25, 0]


def test_strong_figures_are_warmer():
    warmth = [line_chart.heat(n, 36) for n in (36, 18, 17, 0, -17, -18)]

    assert warmth == ["up2", "up2", "up1", "", "down1", "down2"]
