"""Sheets as card clubs lay them out: brought in right, or asked about first."""

from __future__ import annotations

import pytest

from tests.support.sheets import again, asked, ends, fixture, looked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("people")]

DAY = {"": "2024-05-03"}


def opened(club, name, **more):
    """Return a sheet without dates, played on a day, by new people where need be."""
    look = looked(club, fixture(name), name=name, days=DAY, **more)
    people = {one.key: "new" for one in look.plan.people.written}
    return again(look, people=people)


def test_running_totals_with_the_value_of_the_hand_and_marks_behind_it(club):
    look = opened(club, "club-running-value.csv")

    assert look.meanings == [*["score"] * 4, "", ""]
    assert set(asked(look)) == {"running"}

    look = again(look, {"running": "evening"})

    assert look.ready
    assert ends(look) == {"A": 8, "B": 6, "C": 2, "D": -16}


def test_a_workbook_of_formulas_in_which_who_sits_out_keeps_the_total(club):
    look = opened(club, "club-formulas.xlsx")

    assert look.meanings == ["hand", *["score"] * 5, "", "", ""]

    look = again(look, {"running": "evening"})

    assert look.ready
    assert ends(look) == {"Ania": 6, "Bartek": 14, "Celina": -9, "Darek": 2, "Ewa": -13}
    assert [len(told.gains) for told in look.plan.nights[0].told] == [4] * 5


def test_running_totals_from_nought_on_with_kinds_and_prices(club):
    look = opened(club, "club-running-kinds.csv")

    assert look.meanings == ["", "", "", "", *["score"] * 4, ""]

    look = again(look, {"running": "evening"})

    assert look.ready
    assert ends(look) == {"Ania": 80, "Bartek": -60, "Celina": 80, "Darek": -100}


def test_points_under_headings_that_carry_the_totals(club):
    look = opened(club, "club-base.csv")

    assert look.ready
    assert ends(look) == {
        "Ania (102)": 2,
        "Bartek (106)": 6,
        "Celina (99)": -1,
        "Darek (98)": -2,
        "Ewa (95)": -5,
    }


def test_running_totals_with_gaps_for_who_sits_out(club):
    look = opened(club, "club-running-rests.csv")

    assert look.left_out == ["Points"]

    look = again(look, {"running": "evening"})

    assert look.ready
    assert ends(look) == {
        "Ania": -2,
        "Bartek": 14,
        "Celina": -3,
        "Darek": 1,
        "Ewa": -10,
    }
