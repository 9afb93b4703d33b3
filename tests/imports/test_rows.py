"""Rows of points and dates: counted as they are meant, or asked about."""

from __future__ import annotations

import datetime

import pytest

from ledger.imports import files
from ledger.imports.grid import Grid, GridRow
from ledger.imports.review import Review
from ledger.models import Evening
from tests.imports.test_apply import points
from tests.support.sheet_reviews import (
    final_points,
    fixture_sheet,
    open_questions,
    review_of,
    unsaved_sheet,
    with_choices,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("people")]

RUNNING = {"Ania": -4, "Bartek": 36, "Celina": -32}
APART = {"Ania": 30, "Bartek": 58, "Celina": -46, "Darek": -42}
SUMS = {"Ania": 172, "Bartek": 180, "Celina": 60, "Darek": -412}
DOUBLED = {name: 2 * points for name, points in SUMS.items()}


def evenings(review):
    return [
        (str(evening.date), evening.name, evening.hands)
        for evening in review.plan.evenings
    ]


def reasons(review):
    return [question.reason for question in review.questions]


def only(review):
    """Return the only question that is open."""
    (found,) = (question for question in review.questions if question.is_open)
    return found


# Running totals


def test_rows_that_are_no_payments_but_differ_by_some_are_asked_about(club):
    review = review_of(club, fixture_sheet("running.csv"))

    assert open_questions(review) == {"running": {"apart": APART, "evening": RUNNING}}
    assert reasons(review) == [
        "7 rows are not possible results of a hand. The differences "
        "between neighbouring rows are. Choose how the rows are meant."
    ]
    assert not review.is_ready
    assert final_points(with_choices(review, {"running": "evening"})) == RUNNING
    assert with_choices(review, {"running": "evening"}).is_ready
    assert final_points(with_choices(review, {"running": "apart"})) == APART


def test_rows_are_asked_about_where_both_they_and_their_differences_can_be_hands(club):
    review = review_of(
        club, "Date,Ania,Bartek,Celina,Darek\n5.1.2024,3,3,-3,-3\n,5,5,-5,-5"
    )

    assert open_questions(review) == {
        "running": {
            "apart": {"Ania": 8, "Bartek": 8, "Celina": -8, "Darek": -8},
            "evening": {"Ania": 5, "Bartek": 5, "Celina": -5, "Darek": -5},
        }
    }


SEASON = """\
Date,Ania,Bartek,Celina,Darek,Ewa
5.1.2024,3,3,-3,-3,
,1,5,-1,-5,
12.1.2024,7,5,-3,-7,-2
,7,11,-9,-1,-8
"""
"""Five at the table on the 12th: who sits out keeps the total."""


def test_totals_that_run_on_from_evening_to_evening_are_distinguished_from_those_of_one(
    club,
):
    review = review_of(club, SEASON)
    said = open_questions(review)["running"]

    review = with_choices(review, {"running": "throughout"})

    assert "evening" not in said
    assert final_points(review) == {
        "Ania": 7,
        "Bartek": 11,
        "Celina": -9,
        "Darek": -1,
        "Ewa": -8,
    }
    name = review.plan.names.name
    assert [
        {name(who): won for who, won in row.gains.items()}
        for row in review.plan.evenings[1].rows
    ] == [
        {"Ania": 6, "Celina": -2, "Darek": -2, "Ewa": -2},
        {"Bartek": 6, "Celina": -6, "Darek": 6, "Ewa": -6},
    ]


TOTALS = """\
Date,Ania,Bartek,Celina,Darek
5.1.2024,10,-4,-6,0
12.1.2024,14,2,-13,-3
19.1.2024,22,-5,-11,-6
26.1.2024,19,4,-20,-3
2.2.2024,27,8,-26,-9
"""


def test_totals_of_evenings_that_run_on_are_asked_about(club):
    review = review_of(club, TOTALS, mode="totals")

    assert open_questions(review)["running"]["throughout"] == {
        "Ania": 27,
        "Bartek": 8,
        "Celina": -26,
        "Darek": -9,
    }
    assert with_choices(review, {"running": "throughout"}).is_ready


def test_points_that_are_hands_and_cannot_run_on_are_not_asked_about(club):
    rows = "3,3,-3,-3\n,-6,2,2,2\n,4,-4,4,-4\n,-2,-2,-2,6"

    review = review_of(club, f"Date,Ania,Bartek,Celina,Darek\n5.1.2024,{rows}")

    assert review.questions == []
    assert review.is_ready


def test_totals_that_run_on_across_totals_of_the_evening_are_counted_once(club):
    rows = fixture_sheet("running.csv").decode().splitlines()
    rows.insert(6, "Subtotal,-2,10,-10,2")
    rows.append("Total,-4,36,-32,0")

    review = with_choices(review_of(club, "\n".join(rows)), {"running": "evening"})

    assert final_points(review) == RUNNING
    assert review.is_ready


# Totals


def test_a_total_that_is_named_and_equal_is_left_out_and_said(club):
    review = review_of(club, fixture_sheet("total-row.csv"))

    assert review.is_ready
    assert final_points(review) == SUMS
    assert reasons(review) == [
        "Row 6 is labelled “Total”, and it is the sum of other rows."
    ]
    assert final_points(with_choices(review, {"row-6": "in"})) == DOUBLED


@pytest.mark.parametrize(
    "name",
    ["Sum", "Summe:", "SUMA", "razem", "Összesen", "Gesamt", "Σ", "∑", "Total 5"],
)
@pytest.mark.parametrize("column", [0, 1, 6])
def test_a_total_is_found_by_its_name_in_any_cell(club, name, column):
    rows = (
        fixture_sheet("total-row.csv")
        .decode()
        .replace("Darek", "Darek;Note")
        .split("\n")
    )
    cells = ["", "", "172", "180", "60", "-412", ""]
    cells[column] = name
    rows[5] = ";".join(cells)

    assert final_points(review_of(club, "\n".join(rows))) == SUMS


def test_a_named_total_that_is_no_sum_is_asked_about_with_the_difference(club):
    data = fixture_sheet("total-row.csv").decode().replace("172;180", "170;182")

    review = review_of(club, data)

    assert only(review).reason == (
        "Row 6 is labelled “Total”, but it is not the sum of other rows. "
        "It differs by: Ania −2, Bartek +2."
    )
    assert final_points(with_choices(review, {"row-6": "out"})) == SUMS


def test_an_unnamed_row_that_is_the_sum_of_those_above_is_asked_about(club):
    review = review_of(club, fixture_sheet("total-row-unlabelled.csv"))

    total = {"Ania": 2, "Bartek": 6, "Celina": 2, "Darek": -10}
    twice = {name: 2 * points for name, points in total.items()}
    assert open_questions(review) == {"row-4": {"out": total, "in": twice}}
    assert final_points(with_choices(review, {"row-4": "out"})) == total
    assert final_points(with_choices(review, {"row-4": "in"})) == twice


SUBTOTALS = """\
Date,Ania,Bartek,Celina,Darek
5.1.2024,6,-6,6,-6
,-4,12,-4,-4
,2,6,2,-10
12.1.2024,3,3,-3,-3
,3,3,-3,-3
19.1.2024,-2,6,-2,-2
,-6,-6,6,6
,-8,0,4,4
,-3,9,3,-9
"""
"""Each evening ends with its total, the second of one hand; the last row is of all."""


def test_totals_of_evenings_and_one_of_them_all_are_asked_about_together(club):
    review = review_of(club, SUBTOTALS)
    (id,) = open_questions(review)

    assert "Rows 4, 6, 9, 10 are the sums of other rows" in only(review).reason
    assert open_questions(review)[id]["out"] == {
        "Ania": -3,
        "Bartek": 9,
        "Celina": 3,
        "Darek": -9,
    }

    one_by_one = with_choices(review, {id: "each"})
    singles = {f"row-{row}": "out" for row in (4, 6, 9, 10)}

    assert set(open_questions(one_by_one)) == set(singles)
    assert evenings(with_choices(one_by_one, singles | {"row-6": "in"}))[1][2] == 2


def test_a_total_may_stand_above_its_rows(club):
    rows = fixture_sheet("total-row.csv").decode().splitlines()
    rows[1:1] = [rows.pop().replace(";Total", "05.01.2024;Total")]

    assert final_points(review_of(club, "\n".join(rows))) == SUMS


def test_what_is_kept_as_a_hand_counts_in_the_totals_below_it(club):
    rows = "2,2,-2,-2\n,3,3,-3,-3\n,5,5,-5,-5\n,10,10,-10,-10"
    review = review_of(club, f"Date,Ania,Bartek,Celina,Darek\n5.1.2024,{rows}")

    review = with_choices(review, {"running": "apart", "row-4": "in"})

    assert set(open_questions(review)) == {"row-5"}


# Dates


def test_the_date_of_a_sheet_without_dates_is_given_once(
    club, upload, choose, apply_sheet
):
    kept = upload(fixture_sheet("no-date.csv"))

    page = choose(kept)

    assert page.context["review"].problems == ["Say when it was played."]
    assert 'type="date"' in page.text

    apply_sheet(kept, **{"title-0": "", "day-0": "2024-05-03"})

    assert Evening.objects.get().date == datetime.date(2024, 5, 3)
    assert points(club) == {"Ania": -3, "Bartek": 5, "Celina": -1, "Darek": -1}


def test_hands_after_midnight_stay_with_their_evening(club):
    review = review_of(club, fixture_sheet("date-times.csv"))

    assert review.is_ready
    assert evenings(review) == [("2026-04-06", "Monday tarock", 3)]
    assert final_points(review) == {"Ania": -2, "Bartek": 4, "Darek": -2}


LATE = """\
Date,Ania,Bartek,Celina,Darek
2026-04-07T{hour}:30:00Z,1,-1,1,-1
2026-04-06T21:12:00Z,3,3,-3,-3
2026-04-06T20:12:00Z,-6,2,2,2
"""
"""The newest at the top."""


@pytest.mark.parametrize(
    ("hour", "hands", "questions"),
    [("00", [3], 0), ("06", [2, 1], 1), ("20", [2, 1], 0)],
)
def test_what_was_played_hours_after_midnight_is_asked_about(
    club, hour, hands, questions
):
    review = review_of(club, LATE.format(hour=hour))

    assert [evening.hands for evening in review.plan.evenings] == hands
    assert len(review.questions) == questions
    assert [row.row for row in review.plan.evenings[0].rows][-2:] != [3, 4]
    assert review.is_ready is not questions
    if questions:
        assert (
            evenings(with_choices(review, {"midnight-2026-04-07-06-30": "stay"}))[0][2]
            == 3
        )


def test_a_time_may_stand_in_a_column_of_its_own(club):
    head = "Date,Time,Ania,Bartek,Celina,Darek"

    review = review_of(
        club, f"{head}\n6.4.2026,23:50,3,3,-3,-3\n7.4.2026,0:30,-6,2,2,2"
    )

    assert evenings(review) == [("2026-04-06", "Monday tarock", 2)]


def test_a_name_that_is_left_empty_on_the_same_day_is_that_of_the_row_above(club):
    head = "Date,Evening,Ania,Bartek,Celina,Darek"

    review = review_of(club, f"{head}\n6.4.2026,Easter,3,3,-3,-3\n6.4.2026,,-6,2,2,2")

    assert evenings(review) == [("2026-04-06", "Easter", 2)]


def test_each_sheet_without_dates_is_an_evening_called_by_its_title(club, monkeypatch):
    cells = [("3", "3", "-3", "-3"), ("-6", "2", "2", "2")]
    titles = ("3.5.2024", "Whitsun")
    rows = [GridRow(n, cells[n - 2], titles[n - 2]) for n in (2, 3)]
    grid = Grid(GridRow(1, ("Ania", "Bartek", "Celina", "Darek")), tuple(rows))
    monkeypatch.setattr(files, "grid_of", lambda content, choices: grid)
    review = Review.of(unsaved_sheet(club, "x"))

    assert review.plan.undated == ("Whitsun",)
    assert evenings(with_choices(review, days={"Whitsun": "2024-05-20"})) == [
        ("2024-05-03", "3.5.2024", 1),
        ("2024-05-20", "Whitsun", 1),
    ]


# Columns


HANDS = [("3,3,-3,-3", 3), ("-6,2,2,2", 2), ("4,-4,4,-4", 4)]


@pytest.mark.parametrize("names", ["Ania,Bartek,Celina,Darek", "Anna,Bea,Cili,Dóra"])
@pytest.mark.parametrize(
    ("round", "check", "value"),
    [
        ("Round", "Check", "Points of the hand"),
        ("Runde", "Kontrolle", "Wert"),
        ("Foo", "Bar", "Baz"),
    ],
)
def test_figures_that_are_no_players_are_not_proposed_as_one(
    club, names, round, check, value
):
    rows = [f"{n},5.1.2024,{hand},0,{won}" for n, (hand, won) in enumerate(HANDS, 1)]
    data = "\n".join([f"{round},Date,{names},{check},{value}", *rows])

    review = with_choices(review_of(club, data), people={})

    assert review.meanings == ["", "date", *["score"] * 4, "", ""]
    assert review.left_out_headings == [round, check, value]
    assert review.plan.problems == []


def test_which_column_is_no_players_is_asked_where_it_is_not_certain(
    club, upload, choose, apply_sheet
):
    kept = upload("Date,Q,B,C,D,P\n5.1.2024,3,3,-3,-3,3")
    page = choose(kept)
    (question,) = page.context["review"].questions

    assert [reading.label for reading in question.interpretations] == [
        "“Q” is no player",
        "“B” is no player",
        "“P” is no player",
    ]
    assert not page.context["review"].is_ready

    apply_sheet(kept, **{"ask:columns": "column-5", "all_new": "yes"})

    assert points(club) == {"Q": 3, "B": 3, "C": -3, "D": -3}


# The page


def test_a_question_is_answered_on_the_page_and_can_be_answered_anew(
    club, upload, choose, apply_sheet
):
    kept = upload(fixture_sheet("running.csv"))

    page = choose(kept)
    answered = choose(kept, **{"ask:running": "apart"})
    apply_sheet(kept, **{"ask:running": "evening"})

    assert "7 rows are not possible results of a hand." in page.text
    assert "What changes" not in page.text  # by which of the readings?
    assert "What changes" in answered.text
    assert [row[1] for row in page.context["questions"][0].rows] == [
        [30, -4],
        [58, 36],
        [-46, -32],
        [-42, 0],
    ]
    assert points(club) == RUNNING


@pytest.mark.parametrize(
    "posted",
    [
        {"ask:running": "\0", "ask:\0": "in", "ask:row-2": "no way"},
        {"ask:columns": "column-999-1", "day-0": "x" * 999, "title-0": "\0"},
        {"ask:midnight-2": "stay", "ask:running": "throughout"},
    ],
)
def test_whatever_is_answered_is_no_fault_of_ours(upload, choose, posted):
    page = choose(upload(fixture_sheet("running.csv")), **posted)

    assert page.status_code == 200
