"""Old sheets as text: encodings, separators, headings, as spreadsheets write them."""

from __future__ import annotations

import csv
import io

import pytest
from django.conf import settings

from ledger.exports.csv import writer
from ledger.exports.csv.writer import Style
from ledger.imports import bounds, files, text
from ledger.imports.files import Unreadable
from tests.imports.test_apply import POINTS, POINTS_SUMS, points

FOUR = ("Ania", "Bartek", "Celina", "Darek")
WON = {"Ania": 3, "Bartek": 3, "Celina": -3, "Darek": -3}


def given(name):
    return (settings.BASE_DIR / "fixtures/sheets" / name).read_bytes()


def grid(data, **choices):
    data = data.encode() if isinstance(data, str) else data
    return files.grid_of(files.content_of("old.csv", data), choices)


@pytest.mark.django_db
@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("name", ["sep-line.csv", "title-rows.csv", "utf-16.txt"])
def test_what_spreadsheets_write_is_imported_as_it_is(club, upload, apply_sheet, name):
    sheet = upload(given(name), mode="totals")

    apply_sheet(sheet)

    assert points(club) == WON


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_text_is_read_with_and_without_its_mark(encoding):
    written = "Dátum\tŐri\tŻółw\r\n2024-01-05\t3\t-3\r\n"

    read = grid(written.encode(encoding))

    assert read.headings.cells == ("Dátum", "Őri", "Żółw")
    assert [row.cells for row in read.rows] == [("2024-01-05", "3", "-3")]


@pytest.mark.parametrize(
    ("line", "mark"),
    [("sep=|", "|"), ('"sep=,"', ","), ("SEP=\t", "\t"), ("sep=;;;;", ";")],
)
def test_the_line_that_tells_the_separator_is_obeyed_and_no_row(line, mark):
    table = [["Date", "Hand; no", "Ania"], ["5.1.2024, 20:12", "1", "3"]]
    out = io.StringIO()
    csv.writer(out, delimiter=mark).writerows(table)

    read = grid(f"{line}\r\n{out.getvalue()}")

    assert [(row.number, *row.cells) for row in (read.headings, *read.rows)] == [
        (1, *table[0]),
        (2, *table[1]),
    ]


@pytest.mark.parametrize(
    "above",
    [
        "",
        "Club Friday\nSeason 2024\n\n",
        "Season;2024\n",
        "Club Friday, season 2024\n",
        "Total;;12;-12\n",
        "Sent by;Ania\n05.01.2024\n",
    ],
)
def test_rows_above_the_headings_are_skipped(above):
    below = "Date;Hand;Ania;Bartek\n05.01.2024, 20:12;1;3;-3\n"

    read = grid(above + below)

    assert read.headings.cells == ("Date", "Hand", "Ania", "Bartek")
    assert read.headings.number == above.count("\n") + 1
    assert [row.cells for row in read.rows] == [("05.01.2024, 20:12", "1", "3", "-3")]


@pytest.mark.django_db
@pytest.mark.usefixtures("people")
def test_the_row_of_the_headings_is_chosen_and_choices_about_rows_are_dropped(
    club, upload, choose, apply_sheet
):
    data = "Friday;our;club;of;cards\n;;;;\nDate;Ania;Bartek;Celina;Darek\n"
    sheet = upload(data + "05.01.2024;3;3;-3;-3\n", mode="totals")

    page = choose(sheet, without=["3"])
    skipped = choose(upload(given("title-rows.csv")))
    apply_sheet(sheet, heading="3")

    assert [(head.number, head.cells) for head in page.context["headings"]] == [
        (1, "Friday · our · club · of · cards"),
        (3, "Date · Ania · Bartek · Celina · Darek"),
    ]
    assert "The headings are in row 4: what is above it is left out." in skipped.text
    assert points(club) == WON


@pytest.mark.django_db
@pytest.mark.usefixtures("people")
def test_a_separator_that_was_taken_wrongly_is_chosen_otherwise(
    club, upload, apply_sheet
):
    data = "Club, of Kozy; Friday\n"
    data += "\n".join(line.replace(";", ",") for line in POINTS.splitlines())

    apply_sheet(upload(data), separator=",")

    assert points(club) == POINTS_SUMS


@pytest.mark.django_db
def test_a_separator_with_which_nothing_can_be_read_is_asked_for_again(upload, choose):
    sheet = upload('"Date";"A, B"\n"5.1.2024";"1, 2"\n')

    page = choose(sheet, separator=",")

    assert page.context["unreadable"]
    assert page.context["options"].separators == text.SEPARATORS


@pytest.mark.parametrize(
    "data",
    [
        "a;" * 2_000_000,
        "a;b\n" + '"' * 4_000_000,
        'a;b\n"' + "x" * 4_000_000 + '"',
        "a;b\n" + '""\n' * 1_000_000 + "1;2",
    ],
    ids=["columns", "quotes", "a long cell", "empty rows"],
)
def test_a_text_without_bound_is_refused(data):
    with pytest.raises(Unreadable):
        grid(data)


def test_empty_rows_at_the_end_are_none():
    read = grid("a;b\n1;2\n" + ";;;\n" * bounds.MOST_ROWS * 2)

    assert len(read.rows) == 1


def test_a_file_of_ours_is_read_as_it_was_written():
    names = ("Ania,=1+1", "=2", "Bartek;'x", "Kozy, +2", "'-1", "a,'=b")
    rows = [["Date", *names], ["2024-01-05", *names]]

    read = grid(b"".join(writer.encode(rows, Style("semicolon"))), separator=";")

    assert read.headings.cells == ("Date", *names)
    assert read.rows[0].cells == ("2024-01-05", *names)
