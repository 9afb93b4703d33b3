"""Sheets as card clubs lay them out: imported right, or asked about first."""

from __future__ import annotations

import pytest

from tests.support.sheet_reviews import (
    final_points,
    fixture_sheet,
    open_questions,
    review_of,
    with_choices,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("people")]

DAY = {"": "2024-05-03"}


def opened(club, name, **more):
    """Return a sheet without dates, played on a day, by new people where need be."""
    review = review_of(club, fixture_sheet(name), name=name, days=DAY, **more)
    people = {one.key: "new" for one in review.plan.names.unmatched}
    return with_choices(review, people=people)


def test_running_totals_with_the_value_of_the_hand_and_marks_behind_it(club):
    review = opened(club, "club-running-value.csv")

    assert review.meanings == [*["score"] * 4, "", ""]
    assert set(open_questions(review)) == {"running"}

    review = with_choices(review, {"running": "evening"})

    assert review.is_ready
    assert final_points(review) == {"A": 8, "B": 6, "C": 2, "D": -16}


def test_a_workbook_of_formulas_in_which_who_sits_out_keeps_the_total(club):
    review = opened(club, "club-formulas.xlsx")

    assert review.meanings == ["hand", *["score"] * 5, "", "", ""]

    review = with_choices(review, {"running": "evening"})

    assert review.is_ready
    assert final_points(review) == {
        "Ania": 6,
        "Bartek": 14,
        "Celina": -9,
        "Darek": 2,
        "Ewa": -13,
    }
    assert [len(row.gains) for row in review.plan.evenings[0].rows] == [4] * 5


def test_running_totals_from_nought_on_with_kinds_and_prices(club):
    review = opened(club, "club-running-kinds.csv")

    assert review.meanings == ["", "", "", "", *["score"] * 4, ""]

    review = with_choices(review, {"running": "evening"})

    assert review.is_ready
    assert final_points(review) == {
        "Ania": 80,
        "Bartek": -60,
        "Celina": 80,
        "Darek": -100,
    }


def test_points_under_headings_that_carry_the_totals(club):
    review = opened(club, "club-base.csv")

    assert review.is_ready
    assert final_points(review) == {
        "Ania (102)": 2,
        "Bartek (106)": 6,
        "Celina (99)": -1,
        "Darek (98)": -2,
        "Ewa (95)": -5,
    }


def test_running_totals_with_gaps_for_who_sits_out(club):
    review = opened(club, "club-running-rests.csv")

    assert review.left_out_headings == ["Points"]

    review = with_choices(review, {"running": "evening"})

    assert review.is_ready
    assert final_points(review) == {
        "Ania": -2,
        "Bartek": 14,
        "Celina": -3,
        "Darek": 1,
        "Ewa": -10,
    }
