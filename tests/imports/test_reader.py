"""Reader of workbooks: a process of its own, within bounds."""

from __future__ import annotations

import fcntl
import json
import resource
import subprocess
import sys
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from ledger.imports import bounds, files, pending, reader, reader_process
from ledger.imports.bounds import SheetRefused
from ledger.imports.files import Unreadable
from ledger.journal import found_club
from ledger.models import OldSheet
from tests.imports.test_apply import POINTS
from tests.imports.test_workbooks import BOOK, workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
ONE = '<row r="1"><c r="A1"><v>1</v></c></row>'


def hostile(*rows, begins="", more=(), calculated=""):
    """Return a workbook of sheets with *rows*, as no spreadsheet would write it."""
    ids = range(1, len(rows) + 1)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET}"/></Types>',
        "_rels/.rels": relations({1: ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        + "".join(f'<sheet name="S{i}" sheetId="{i}" r:id="r{i}"/>' for i in ids)
        + f"</sheets>{calculated}</workbook>",
        "xl/_rels/workbook.xml.rels": relations(
            {i: ("worksheet", f"sheet{i}.xml") for i in ids}
        ),
    }
    for i, text in zip(ids, rows, strict=True):
        data = f'<worksheet xmlns="{MAIN}"><sheetData>{text}</sheetData></worksheet>'
        parts[f"xl/sheet{i}.xml"] = begins + data
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, text in [*parts.items(), *more]:
            archive.writestr(name, text)
    return file.getvalue()


def relations(targets):
    return (
        f'<Relationships xmlns="{PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="r{i}" Type="{OFFICE}/{kind}" Target="{target}"/>'
            for i, (kind, target) in targets.items()
        )
        + "</Relationships>"
    )


def far(cell):
    return f'{ONE}<row r="1048576">{cell}</row>'


LAUGHS = "<!DOCTYPE x [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {b} '{f'&{a};' * 10}'>"
    for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
LONG = '<c t="inlineStr"><is><t>' + "x" * 400 + "</t></is></c>"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (hostile(far('<c r="A1048576"><v>1</v></c>')), bounds.ROWS),
        (hostile(far('<c r="A1048576"><f>1</f></c>')), bounds.ROWS),
        (hostile('<row r="1">' + "<c/>" * 20_000 + "</row>"), bounds.TOO_MUCH),
        (hostile("<row><c/></row>" * 500_001), bounds.TOO_MUCH),
        (hostile("<row/>" * 500_001), bounds.TOO_MUCH),
        (hostile("<z/>" * 250_001), bounds.TOO_MUCH),
        (hostile("<c>" * 200 + "</c>" * 200), bounds.TOO_MUCH),
        (hostile('<row r="1"><c r="BI1"><v>1</v></c></row>'), bounds.COLUMNS),
        (hostile('<row r="1"><c r="XFD1"><v>1</v></c></row>'), bounds.COLUMNS),
        (hostile('<row r="x"><c><v>1</v></c></row>'), bounds.DAMAGED),
        (hostile(ONE + ONE), bounds.DAMAGED),
        (hostile('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'), bounds.DAMAGED),
        (hostile(*[ONE] * 401), bounds.TOO_MUCH),
        (hostile(*[ONE.replace('r="1"', 'r="20000"')] * 6), bounds.TOO_MUCH),
        (hostile(f"<row>{LONG * 60}</row>" * 200), bounds.TOO_MUCH),
        (hostile(ONE, begins=f"{LAUGHS}]>"), bounds.DAMAGED),
        (hostile(ONE, more=[(str(n), "") for n in range(2_001)]), bounds.TOO_MUCH),
        (hostile(ONE, more=[("a.png", b"\0" * 41 * 2**20)]), bounds.TOO_MUCH),
    ],
    ids=[
        *("far", "far formula", "wide", "cells", "rows", "elements", "deep"),
        *(
            "column 61",
            "last column",
            "no row",
            "row twice",
            "no text",
            "sheets",
            "rows in all",
        ),
        *("letters", "laughs", "parts", "unpacked"),
    ],
)
def test_a_workbook_without_bound_is_refused(data, why):
    with pytest.raises(SheetRefused) as refused:
        reader.sheets(data)

    assert refused.value.reason == why


def test_what_is_far_below_and_empty_costs_nothing():
    data = hostile(*[far('<c r="A1048576" s="0"/>')] * 100)

    sheets = reader.sheets(data)

    assert [len(sheet.table) for sheet in sheets] == [1] * 100


@pytest.mark.parametrize(
    ("said", "bare"),
    [("", {}), ('calcId="191029"', {}), ('fullCalcOnLoad="1"', {1: [0]})],
    ids=["nothing", "as spreadsheets do", "never calculated"],
)
def test_a_formula_with_a_value_is_calculated_unless_the_workbook_denies_it(said, bare):
    row = '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>'

    (sheet,) = reader.sheets(hostile(row, calculated=f"<calcPr {said}/>"))

    assert sheet.bare == bare


def test_the_reader_has_limits_and_knows_nothing_of_ours():
    tells = (
        "import json, os, resource, sys, ledger.imports.reader as reader;"
        "sys.stdin = type('', (), {'buffer': __import__('io').BytesIO(b'')});"
        "reader.main(); print();"
        "print(json.dumps([sorted(os.environ), 'django' in sys.modules,"
        "[resource.getrlimit(limit) for limit in reader.LIMITS]]))"
    )

    said = subprocess.run(
        [sys.executable, "-c", tells],
        cwd=settings.BASE_DIR,
        env=reader_process.ENVIRONMENT,
        capture_output=True,
        check=True,
    ).stdout.splitlines()

    environment, knows_django, limits = json.loads(said[1])
    assert json.loads(said[0]) == {"refused": bounds.DAMAGED, "row": 0}
    assert not {"SECRET_KEY", "DATABASE_URL", "DATA_DIR"} & set(environment)
    assert not knows_django
    assert limits == [[most, most] for most in reader.LIMITS.values()]
    assert resource.getrlimit(resource.RLIMIT_AS) != tuple(limits[1])


@pytest.mark.parametrize(
    "reads",
    [
        "b'x' * 2**31",
        "[open('/dev/zero') for _ in range(99)]",
        "sys.stdout.write('x' * 2**26)",
        "1 / 0",
    ],
    ids=["memory", "files", "output", "a fault of ours"],
)
def test_a_reader_that_takes_too_much_is_stopped_and_said_so(monkeypatch, reads):
    program = (
        "import sys, ledger.imports.reader as reader\n"
        f"reader.sheets = lambda data: {reads}\n"
        "reader.main()"
    )
    monkeypatch.setattr(reader_process, "COMMAND", [sys.executable, "-c", program])

    with pytest.raises(Unreadable, match="holds too much"):
        files.content_of("old.xlsx", workbook(**BOOK))


def test_a_reader_that_does_not_end_is_killed(monkeypatch):
    program = "import time; time.sleep(600)"
    monkeypatch.setattr(reader_process, "COMMAND", [sys.executable, "-c", program])
    monkeypatch.setattr(reader_process, "TIMEOUT", 0.2)

    with pytest.raises(SheetRefused):
        reader_process.read_sheets(b"")


def test_few_are_read_at_once_and_others_are_refused(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    data = workbook(**BOOK)
    files.content_of("old.xlsx", data)
    places = [
        (tmp_path / f"readers/{n}").open("w") for n in range(reader_process.READERS)
    ]
    for place in places:
        fcntl.flock(place, fcntl.LOCK_EX)

    with pytest.raises(Unreadable, match="send it again"):
        files.content_of("old.xlsx", data)
    places[0].close()

    assert files.content_of("old.xlsx", data)
    places[1].close()


@pytest.mark.django_db
def test_a_person_has_room_for_few_sheets_in_all_clubs(club, owner, monkeypatch):
    monkeypatch.setattr(pending, "MOST_SHEETS", 3)
    monkeypatch.setattr(pending, "MOST_BYTES", 100)
    other = found_club("Other", owner=owner)
    sizes = {1: 10, 2: 60, 3: 20, 4: 20, 5: 70}
    for number, size in sizes.items():
        OldSheet.objects.create(
            id=f"{number:032}",
            club=(club, other)[number % 2],
            name=str(number),
            content=b"x" * size,
            uploaded_by=owner,
            uploaded_at=timezone.now(),
        )

    pending.drop_expired(club, owner)

    kept = OldSheet.objects.order_by("name").values_list("name", flat=True)
    assert list(kept) == ["4", "5"]


@pytest.mark.django_db
def test_who_uploads_lets_the_old_sheets_of_all_clubs_be_forgotten(
    owner, upload, as_, club
):
    other = found_club("Other", owner=owner)
    sheet = upload(POINTS)
    past = timezone.now() - timezone.timedelta(days=2)
    OldSheet.objects.update(club=other, uploaded_at=past)

    new = upload(POINTS)

    assert list(OldSheet.objects.all()) == [new]
    assert as_(owner).get(reverse("import_sheet", args=[sheet.pk])).status_code == 404
