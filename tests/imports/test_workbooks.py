"""Old sheets in workbooks: combined or one by one, dates, formulas without a value."""

from __future__ import annotations

import datetime
from io import BytesIO

import openpyxl
import pytest
import xlsxwriter
from django.urls import reverse

from ledger.imports.apply import next_of
from ledger.models import Evening, OldSheet
from tests.imports.test_apply import points
from tests.support.fixtures import squeezed

pytestmark = pytest.mark.django_db

FOUR = ("Ania", "Bartek", "Celina", "Darek")
FIFTH, TWELFTH = datetime.date(2024, 1, 5), datetime.date(2024, 1, 12)


def saved(book):
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def workbook(**sheets):
    """Return a calculated workbook of the rows of *sheets*."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    book.calculation.fullCalcOnLoad = False
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    return saved(book)


def evening(day, *won, head=FOUR):
    """Return the sheet of two hands; in the second who is named first loses."""
    return [["Date", "Hand", *head], [day, 1, *won], [day, 2, -6, 2, 2, 2]]


def upload_book(upload, data):
    return upload(data, name="old.xlsx")


def ticks(page):
    return [confirmation.id for confirmation in page.context["review"].confirmations]


BOOK = {
    "First": evening(FIFTH, 3, 3, -3, -3),
    "Second": evening(TWELFTH, 1, -1, 1, -1),
}


@pytest.mark.usefixtures("people")
def test_all_sheets_are_imported_in_one_go(club, upload, apply_sheet):
    sheet = upload_book(upload, workbook(**BOOK))

    apply_sheet(sheet, sheet="*")

    dates = Evening.objects.order_by("date").values_list("date", flat=True)
    assert list(dates) == [FIFTH, TWELFTH]
    assert points(club) == {"Ania": -8, "Bartek": 6, "Celina": 2}
    assert len(sheet.fingerprints) == 2


@pytest.mark.usefixtures("people")
def test_sheets_are_imported_one_after_the_other_of_one_file(
    club, upload, choose, apply_sheet, as_, owner
):
    first = upload_book(upload, workbook(**BOOK, Third=evening(TWELFTH, 1, 1, -1, -1)))
    action = apply_sheet(first, sheet="First")
    page = as_(owner).get(reverse("import_sheet", args=[action.pk]))
    second = page.context["other_sheets"]

    assert ticks(choose(second, sheet="Second")) == []
    apply_sheet(second, sheet="Second")
    third = OldSheet.objects.get(pk=next_of(second.pk))
    apply_sheet(third, tick=["same_days"])

    assert not OldSheet.objects.waiting().exists()
    assert points(club) == {"Ania": -13, "Bartek": 9, "Celina": 3, "Darek": 1}


@pytest.mark.usefixtures("people")
def test_a_sheet_is_known_again_in_whatever_file_it_comes(upload, choose, apply_sheet):
    one = workbook(Only=BOOK["First"])
    apply_sheet(upload_book(upload, workbook(**BOOK)), sheet="*")

    page = choose(upload_book(upload, one))

    assert ticks(page) == ["again", "same_days"]


@pytest.mark.usefixtures("people")
def test_of_a_workbook_that_grew_the_new_sheets_are_proposed(
    club, upload, choose, apply_sheet
):
    apply_sheet(upload_book(upload, workbook(**BOOK)), sheet="*")
    day = datetime.date(2024, 1, 19)
    grown = upload_book(upload, workbook(**BOOK, Third=evening(day, 1, 1, -1, -1)))

    page = choose(grown, sheet="*")

    assert page.context["review"].grid.sheets == ("Third",)
    assert page.context["sheets_left"] == ["First", "Second"]
    assert ticks(page) == []

    page = choose(grown, sheets=["First", "Third"])

    assert page.context["review"].grid.sheets == ("First", "Third")
    assert ticks(page) == ["again", "same_days"]


@pytest.mark.usefixtures("people")
def test_a_file_of_before_is_known_by_its_digest_and_the_title_of_its_sheet(
    upload, choose, apply_sheet
):
    data = workbook(**BOOK)
    apply_sheet(upload_book(upload, data), sheet="First")
    OldSheet.objects.waiting().delete()
    OldSheet.objects.update(fingerprints=[])
    sheet = upload_book(upload, data)

    pages = [choose(sheet, sheet=title) for title in ("Second", "First")]

    assert list(map(ticks, pages)) == [[], ["again", "same_days"]]


@pytest.mark.usefixtures("people")
def test_columns_come_in_any_order_and_not_everybody_comes_every_time(
    club, upload, apply_sheet
):
    other = ("Bartek", "Ewa", "Celina", "Ania")
    book = workbook(
        First=BOOK["First"], Second=evening(TWELFTH, 2, 2, -2, -2, head=other)
    )

    apply_sheet(upload_book(upload, book), sheet="*")

    won = {"Ania": -3, "Bartek": 1, "Ewa": 4, "Celina": -1, "Darek": -1}
    assert points(club) == won


@pytest.mark.usefixtures("people")
def test_a_sheet_with_other_headings_is_named_and_waits_for_its_turn(
    upload, choose, apply_sheet
):
    notes = [["What", "Who"], ["Beer", "Ania"], ["Cards", "Bartek"]]
    sheet = upload_book(upload, workbook(**BOOK, Notes=notes))

    asked = choose(sheet).context["options"]
    page = choose(sheet, sheet="*")
    apply_sheet(sheet)

    assert asked.sheets == ("First", "Second", "Notes")
    assert asked.together == ("First", "Second")
    assert page.context["sheets_left"] == ["Notes"]
    assert "Left for later: Notes." in page.text
    assert OldSheet.objects.get(pk=next_of(sheet.pk)).name == "old.xlsx"


@pytest.mark.usefixtures("people")
def test_a_row_is_left_out_of_the_sheet_that_it_stands_in(
    club, upload, choose, apply_sheet
):
    wrong = evening(TWELFTH, 1, -1, 1, -1)
    wrong[1][2] = 5
    sheet = upload_book(upload, workbook(First=BOOK["First"], Second=wrong))

    page = choose(sheet, sheet="*")
    (problem,) = page.context["problems"]
    apply_sheet(sheet, without=[problem.key])

    assert (problem.sheet, problem.row, problem.key) == ("Second", 2, "Second!2")
    assert "Second: Row 2, Points" in squeezed(page.text)
    assert points(club) == {"Ania": -9, "Bartek": 7, "Celina": 1, "Darek": 1}


@pytest.mark.usefixtures("people")
def test_two_sheets_of_one_day_are_two_times_as_many_hands(club, upload, apply_sheet):
    book = workbook(
        First=[["Date", "Evening", *FOUR], [FIFTH, "Friday", 3, 3, -3, -3]],
        Second=[["Date", "Evening", *FOUR], [FIFTH, "Friday", 1, -1, 1, -1]],
    )

    apply_sheet(upload_book(upload, book), sheet="*")

    assert points(club) == {"Ania": 4, "Bartek": 2, "Celina": -2, "Darek": -4}
    assert Evening.objects.get().entries.count() == 2


def test_a_time_behind_a_date_is_kept_and_midnight_is_none(upload, choose):
    hour = datetime.datetime(2024, 5, 3, 19, 31)
    rows = [
        ["Date", "Time", "A", "B"],
        [hour, datetime.time(19, 31), 1, -1],
        [hour.replace(second=2), datetime.time(0, 30, 5), 1, -1],
        [hour.replace(hour=0, minute=0), datetime.timedelta(hours=25), 1, -1],
    ]

    page = choose(upload_book(upload, workbook(Only=rows)))

    assert [row.cells[:2] for row in page.context["review"].grid.rows] == [
        ("2024-05-03 19:31", "19:31"),
        ("2024-05-03 19:31:02", "00:30:05"),
        ("2024-05-03", "25:00"),
    ]


def with_formulas(write):
    """Return a workbook of xlsxwriter, which calculates nothing."""
    file = BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate([["Date", *FOUR, "Sum"], ["2024-01-05"]]):
            sheet.write_row(row, 0, cells)
        write(sheet)
    return file.getvalue()


def never_calculated():
    def write(sheet):
        for column in "BCDE":
            sheet.write_formula(f"{column}2", "=1-1")

    return with_formulas(write)


def partly_calculated():
    book = openpyxl.Workbook()
    book.calculation.fullCalcOnLoad = False
    for row in (["Date", *FOUR], [FIFTH, 3, 3, -3, "=-B2-C2-D2"]):
        book.active.append(row)
    return saved(book)


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("data", "first"),
    [
        (never_calculated(), "Row 2, Ania; Row 2, Bartek"),
        (partly_calculated(), "Row 2, Darek"),
    ],
    ids=["all", "one"],
)
def test_a_formula_without_a_value_is_a_problem_and_not_read_as_nothing(
    upload, choose, data, first
):
    sheet = upload(data, name="old.xlsx", mode="totals")
    choice = {f"column-{n}": "score" for n in range(1, 5)}

    page = choose(sheet, **choice)

    (wrong,) = [line for line in page.context["review"].problems if "formula" in line]
    assert wrong.startswith(first)
    assert "open it in a spreadsheet, save it, and upload it again" in wrong
    assert not page.context["review"].is_ready


@pytest.mark.usefixtures("people")
def test_a_formula_without_a_value_in_a_column_that_is_left_out_is_confirmed(
    club, upload, choose, apply_sheet
):
    def write(sheet):
        sheet.write_row(1, 1, [3, 3, -3, -3])
        sheet.write_formula("F2", "=SUM(B2:E2)")

    sheet = upload(with_formulas(write), name="old.xlsx", mode="totals")

    page = choose(sheet, **{"column-5": ""})
    apply_sheet(sheet, **{"column-5": ""}, tick=["bare"])

    assert [
        confirmation.id for confirmation in page.context["review"].confirmations
    ] == ["bare"]
    assert "Sum" in page.context["review"].confirmations[0].sentence
    assert points(club) == {"Ania": 3, "Bartek": 3, "Celina": -3, "Darek": -3}


@pytest.mark.usefixtures("people")
def test_home_counts_the_hands_of_old_sheets(upload, apply_sheet, as_, owner):
    apply_sheet(upload_book(upload, workbook(**BOOK)), sheet="*")

    page = as_(owner).get(reverse("home"))

    assert [link.hands for link in page.context["earlier"]] == [2, 2]
