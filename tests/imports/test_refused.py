"""Problems of old sheets, beside their rows, and questions about names and letters."""

from __future__ import annotations

import datetime
from io import BytesIO
from uuid import uuid4
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from openpyxl.styles import Font

from ledger.models import OldSheet, Player
from tests.imports.test_apply import HANDS, POINTS, points

pytestmark = pytest.mark.django_db

FOUR = ("Ania", "Bartek", "Celina", "Darek")


def workbook(rows, bold=1):
    book, file = openpyxl.Workbook(), BytesIO()
    for row in rows:
        book.active.append(row)
    book.active.cell(bold, 1).font = Font(bold=True)
    book.save(file)
    return file.getvalue()


def locked(data):
    """Mark every file of an archive as one that needs a password."""
    for begins, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        parts = data.split(begins)
        at = flags - len(begins)
        data = begins.join(
            [parts[0], *(p[:at] + bytes([p[at] | 1]) + p[at + 1 :] for p in parts[1:])]
        )
    return data


def zipped(files):
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return file.getvalue()


def problems(page):
    return [
        (problem.row, problem.column, problem.sentence)
        for problem in page.context.get("problems", ())
    ]


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("was", "now", "wrong"),
    [
        ("41,1", "41,2", (2, "Ania", "By the rules Ania wins 14, not 8.")),
        (
            "trul+",
            "tril+",
            (2, "bonuses", "“tril+” does not begin with a bonus of this game."),
        ),
        (
            "! Darek 2 -",
            "! 2 -",
            (3, "bonuses", "“pagat_ultimo! 2 -”: write who announced it."),
        ),
        (",3,Ania", ",5,Ania", (2, "contract", "“5” is not one of: 1, 2, 3, 4.")),
        (",,4,,", ",,5,,", (5, "hand", "Hand 4 comes next at this table, not 5.")),
        (
            "Darek,Darek",
            "Darek,Ewa",
            (2, "dealer", "The dealer must sit at the table."),
        ),
        (
            "Celina,Darek,Darek",
            "Ania,Darek,Darek",
            (2, "seat 1", "Four to six different people must sit at the table."),
        ),
        (
            "Ania,Celina,41",
            "Ania,Ania,41",
            (
                2,
                "partner",
                "Leave the partner empty when the declarer plays alone.",
            ),
        ),
        (
            "Bartek 2",
            "2 Bartek",
            (
                5,
                "declared trumps",
                "“2 Bartek”: write a player and the number of trumps declared.",
            ),
        ),
    ],
)
def test_what_is_wrong_with_a_hand_stands_beside_its_row(
    upload, choose, was, now, wrong
):
    assert HANDS.count(was) == 1

    page = choose(upload(HANDS.replace(was, now), mode="hands"))

    assert wrong in problems(page)
    assert not page.context["review"].is_ready


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (
            "5.1.2024;1;6;-6;6;-5;",
            (2, "Points", "The points are 1 too many: they must add up to 0."),
        ),
        (
            "5.1.2024;1;6;-6;6;-8;",
            (2, "Points", "The points are 2 too few: they must add up to 0."),
        ),
        (
            "5.1.2024;1;6;-6;6;-6;0",
            (
                2,
                "Points",
                "5 have points, but 4 play a hand: leave the cell empty for whoever "
                "sat out, and write 0 for whoever won nothing.",
            ),
        ),
        ("5.1.2024;1;6;-6;6,5;-6,5;", (2, "Celina", "“6,5” is not a whole number.")),
        ("5.1.2024;1;six;-6;6;-6;", (2, "Ania", "“six” is not a number.")),
        (
            "5.1.2024;1;1000001;-6;6;-6;",
            (2, "Ania", "1000001 is too much: check the number."),
        ),
        (
            "5.1.2024;1;1.234;-1.234;0;0;",
            (
                2,
                "Ania",
                "“1.234” could be 1234 or 1.234: write it without the separator.",
            ),
        ),
        ("31.2.2024;1;6;-6;6;-6;", (2, "Datum", "“31.2.2024” is not a date.")),
        ("Razem;;6;-6;6;-6;", (2, "Datum", "“Razem” is not a date.")),
        (
            "5.1.2424;1;6;-6;6;-6;",
            (2, "Datum", "5.1.2424 is too far in the past or in the future."),
        ),
        (
            "3/4/2024;1;6;-6;6;-6;",
            (2, "Datum", "“3/4/2024” can be read in two ways: choose one."),
        ),
        (";1;6;-6;6;-6;", (2, "Datum", "The date is missing.")),
        ("5.1.2024;;6;-6;6;-6;", (2, "Spiel", "The number of the hand is missing.")),
    ],
)
def test_what_is_wrong_with_points_stands_beside_their_row(upload, choose, row, wrong):
    head = POINTS.splitlines()[0]

    page = choose(upload(f"{head}\n{row}\n"))

    assert wrong in problems(page)
    assert not page.context["review"].is_ready


@pytest.mark.usefixtures("people")
def test_marks_that_nobody_sees_make_no_other_player(upload, choose):
    head = "Date;Hand;\u200bAnia;Bar\xadtek;\u202eCelina;Darek\ufeff"

    page = choose(upload(f"{head}\n5.1.2024;1;1;-1;1;-1\n"))

    assert page.context["plan"].names.unmatched == ()


@pytest.mark.usefixtures("people")
def test_nobody_is_taken_for_somebody_else_without_being_asked(
    club, upload, choose, apply_sheet
):
    Player.objects.filter(name="Bartek").update(nickname="Bart")
    sheet = upload("Date;Hand;ANIA;Bart;Żółw;Őri\n5.1.2024;1;1;2;-3;0\n")
    ania = Player.objects.get(name="Ania")

    page = choose(sheet)

    asked = page.context["plan"].names.unresolved
    assert [(one.name, one.similar) for one in asked] == [
        ("ANIA", (ania.pk,)),
        ("Żółw", ()),
        ("Őri", ()),
    ]
    assert not page.context["review"].is_ready

    apply_sheet(sheet, **{"who:ania": str(ania.pk), "all_new": "yes"})

    assert points(club) == {"Ania": 1, "Bartek": 2, "Żółw": -3}
    assert Player.objects.get(name="Őri").postings.count() == 1


def test_letters_of_old_files_are_asked_for_where_they_are_not_sure(
    club, upload, choose, apply_sheet
):
    sheet = upload("Dátum;Sorszám;Ő;Ű;Á;Í\n2024.01.05;1;1;-1;1;-1\n".encode("cp1250"))

    asked = choose(sheet).context["options"]
    apply_sheet(sheet, encoding="cp1250", all_new="yes")

    assert asked.encodings == {
        "cp1250": "Dátum;Sorszám;Ő;Ű;Á;Í",
        "cp1252": "Dátum;Sorszám;Õ;Û;Á;Í",
    }
    assert points(club) == {"Ő": 1, "Ű": -1, "Á": 1, "Í": -1}


@pytest.mark.parametrize(
    ("data", "name", "wrong"),
    [
        (b"", "old.csv", "The submitted file is empty."),
        (b"Date;Ania\n", "old.csv", "The sheet needs a row of headings"),
        (b"\xd0\xcf\x11\xe0 old", "old.xls", "Save the sheet as XLSX or CSV first."),
        (b"PK\x03\x04 broken", "old.xlsx", "This XLSX file is damaged"),
        (locked(workbook([["Date"]])), "old.xlsx", "This XLSX file is damaged"),
        (zipped({"[Content_Types].xml": "<x/>"}), "old.xlsx", "is damaged"),
        (b"\x81\x90 in no encoding", "old.csv", "neither an XLSX nor a CSV file."),
        (b"\0\0\0\0", "old.csv", "This is neither an XLSX nor a CSV file."),
        (b'Date;"Ania\n5.1.2024;6\n', "old.csv", "A quotation mark is opened"),
        (b"a;b\n" + b"1;2\n" * 20_001, "old.csv", "more than 20000 rows"),
        (b"a;" * 70 + b"a\n1\n", "old.csv", "more than 60 columns"),
        (b"a;b\n" + b"x" * 501, "old.csv", "Row 2: a cell is too long."),
        (b"x" * (4 * 2**20 + 1), "old.csv", "larger than 4 MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(
    as_, owner, club, data, name, wrong
):
    sent = {"id": str(uuid4()), "mode": "points", "variant": "taroki"}
    file = SimpleUploadedFile(name, data)

    page = as_(owner).post(reverse("imports", args=[club.pk]), sent | {"file": file})

    assert page.status_code == 422
    assert wrong in page.context["form"].errors["file"][0]
    assert not OldSheet.objects.exists()


def test_a_cell_that_was_emptied_far_below_is_no_row(upload, choose):
    rows = [["Date", "A", "B"], ["5.1.2024", 1, -1]]
    data = workbook(rows, bold=30_000)

    page = choose(upload(data, mode="totals", name="old.xlsx"))

    assert page.context["plan"].rows == 1


def test_only_the_ends_of_lines_end_a_row(upload, choose):
    page = choose(upload("Date;A\u2028B;C\x0b\r5.1.2024;1;-1\r"), mode="totals")

    assert page.context["review"].grid.headings.cells == ("Date", "A\u2028B", "C")


def test_a_sheet_has_an_id_of_its_own(as_, owner, club, table, record):
    record(table)
    id = table.evening.actions.get().pk
    sent = {"id": str(id), "mode": "points", "variant": "taroki"}
    file = SimpleUploadedFile("old.csv", POINTS.encode())

    page = as_(owner).post(reverse("imports", args=[club.pk]), sent | {"file": file})

    assert page.status_code == 422
    assert "This id is used elsewhere" in page.text
    assert not OldSheet.objects.exists()


def test_a_workbook_that_unpacks_to_more_than_there_is_room_for_is_refused(
    as_, owner, club
):
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/worksheets/sheet1.xml", b"0" * (41 * 2**20))
    sent = {"id": str(uuid4()), "mode": "points", "variant": "taroki"}
    sent["file"] = SimpleUploadedFile("old.xlsx", file.getvalue())

    page = as_(owner).post(reverse("imports", args=[club.pk]), sent)

    assert "holds too much" in page.context["form"].errors["file"][0]


def test_a_closed_season_takes_nothing_more(club, upload, choose):
    club.seasons.update(starts=datetime.date(2024, 1, 1), closed_at=timezone.now())

    page = choose(upload(POINTS), all_new="yes")

    (season,) = club.seasons.all()
    closed = f"The season {season.name} is closed: it has to be reopened first."
    assert closed in page.context["review"].problems


def test_only_owners_import_sheets(club, upload, as_, scorer, member, stranger):
    sheet = upload(POINTS)
    urls = [
        reverse("imports", args=[club.pk]),
        reverse("import_sheet", args=[sheet.pk]),
    ]

    answers = [
        [as_(who).get(url).status_code for url in urls]
        for who in (scorer, member, stranger)
    ]

    assert answers == [[403, 403], [403, 403], [404, 404]]


@pytest.mark.parametrize(
    "posted",
    [
        {"season": "\0", "sheet": "\0", "who:\0": "new", "who:x": "\0"},
        {"column-0": "score", "column-1": "nothing", "without": ["x", "9" * 30]},
        {"dates": "x", "encoding": "utf-16", "separator": "|", "tick": "x"},
        {"who:ania": "9" * 40, "apply": "yes"},
    ],
)
def test_whatever_is_posted_is_no_fault_of_ours(upload, choose, posted):
    page = choose(upload(POINTS), **posted)

    assert page.status_code in (200, 422)


def test_what_proves_unreadable_later_is_not_imported(upload, choose):
    sheet = upload('Dátum;Sorszám;Ő;Ű;Á;Í\n"2024-01-05;1\n'.encode("cp1250"))
    choose(sheet, encoding="cp1250")

    page = choose(sheet, encoding="cp1250", apply="yes")

    assert page.status_code == 422
    assert "A quotation mark is opened" in page.context["unreadable"]
