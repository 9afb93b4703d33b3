"""Imports applied and reverted: hands, points and totals of hand-made files."""

from __future__ import annotations

import datetime
from io import BytesIO, StringIO
from uuid import uuid4

import openpyxl
import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone, translation

import scoring
from ledger import journal, settlement, statistics, tallies
from ledger.imports import templates
from ledger.imports.columns import Mode
from ledger.models import Evening, OldSheet, Player
from ledger.settlement import SettlementScope
from ledger.table import changes
from tests.support.club_balances import club_balances

pytestmark = pytest.mark.django_db

FOUR = ("Ania", "Bartek", "Celina", "Darek")


def points(club):
    """Return what everybody has, by name; nought is left out."""
    return {b.player.name: b.points for b in club_balances(club) if b.points}


def audit():
    call_command("audit", stdout=StringIO())


POINTS = """Datum;Spiel;Ania;Bartek;Celina;Darek;Ewa
5.1.2024;1;6;-6;6;-6;
5.1.2024;2;-4;12;-4;-4;–
12. 1. 2024;1;;−3;1;1;1
"""
POINTS_SUMS = {"Ania": 2, "Bartek": 3, "Celina": 3, "Darek": -9, "Ewa": 1}


@pytest.mark.usefixtures("people")
def test_points_of_each_hand_are_imported_counted_and_reverted(
    club, owner, upload, apply_sheet, as_
):
    action = apply_sheet(upload(POINTS))

    first, second = Evening.objects.order_by("date")
    assert (first.date, second.date) == (
        datetime.date(2024, 1, 5),
        datetime.date(2024, 1, 12),
    )
    assert first.closed_at
    assert first.season.name == "Earlier"
    assert journal.current_season(club).name != "Earlier"
    assert points(club) == POINTS_SUMS
    assert {
        row.player.name: (row.points, row.money, row.hands)
        for row in tallies.tally(first)
    } == {
        "Ania": (2, 40, 2),
        "Bartek": (6, 120, 2),
        "Celina": (2, 40, 2),
        "Darek": (-10, -200, 2),
    }
    found = statistics.read(statistics.HandFilter(club))
    assert {r.player.name: (r.points, r.hands) for r in found.ranking()} == {
        "Bartek": (3, 3),
        "Celina": (3, 3),
        "Ania": (2, 2),
        "Ewa": (1, 1),
        "Darek": (-9, 3),
    }
    audit()
    ania = Player.objects.get(name="Ania")
    url = reverse("statement", args=[club.pk, ania.pk])
    told = as_(owner).get(url, {"evening": first.pk}).content.decode()
    assert "From an old sheet, hand 2" in told

    as_(owner).post(
        reverse("import_sheet", args=[action.pk]), {"revert": "", "id": str(uuid4())}
    )

    assert points(club) == {}
    assert not Evening.objects.shown().exists()
    assert all(evening.closed_at for evening in Evening.objects.all())
    assert settlement.sums_of(SettlementScope.everything(club, "PLN")) == dict.fromkeys(
        Player.objects.filter(postings__isnull=False).values_list("pk", flat=True), 0
    )
    assert statistics.read(statistics.HandFilter(club)).hands == 0
    audit()


@pytest.mark.usefixtures("people")
def test_totals_of_evenings_count_without_hands(club, upload, apply_sheet):
    sheet = upload(
        "date\tevening\tplayer\tpoints\n"
        "2024-01-05\tEpiphany\tAnia\t1 200\n"
        "\t\tBartek\t-1 200\n"
        "\t\tCelina\t0\n"
        "2024-02-02\t\tAnia\t-5\n"
        "\t\tDarek\t5\n",
        mode="totals",
    )

    apply_sheet(sheet)

    evening = Evening.objects.get(name="Epiphany")
    assert [(r.player.name, r.points, r.hands) for r in tallies.tally(evening)] == [
        ("Ania", 1200, 0),
        ("Bartek", -1200, 0),
        ("Celina", 0, 0),
    ]
    assert points(club) == {"Ania": 1195, "Bartek": -1200, "Darek": 5}
    assert statistics.read(statistics.HandFilter(club)).hands == 0
    audit()


def test_a_season_of_totals_alone_is_drawn_by_date(
    club, upload, apply_sheet, as_, owner
):
    apply_sheet(
        upload("Date;A;B\n5.1.2024;5;-5\n12.1.2024;1;-1\n", "totals"), all_new="yes"
    )
    season = club.seasons.get(name="Earlier")
    player = club.players.get(name="A")

    pages = [
        as_(owner).get(url)
        for url in (
            reverse("season", args=[season.pk]),
            reverse("player", args=[club.pk, player.pk]),
        )
    ]

    for page in pages:
        rows = page.context["run"].plot.rows
        assert [row.label for row in rows] == ["5 I", "12 I"]


HANDS = """\
date,table,hand,seat 1,seat 2,seat 3,seat 4,dealer,contract,declarer,partner,\
card points,contra,bonuses,declared trumps,ending,Ania,Bartek
2024-01-05,1,1,Ania,Bartek,Celina,Darek,Darek,3,Ania,Celina,41,1,"trul+",,,8,-8
,,2,,,,,,2,Bartek,alone,30,,"pagat_ultimo! Darek 2 -",,,-6,18
,,3,,,,,,,,,,,,,passed,,
,,4,,,,,,4,darek,-,36,,,Bartek 2,,-3,-3
"""
"""Hand 1: 3 ×2 for the kontra, and a silent trul of 2, from one opponent each.
Hand 2: 2 lost alone, to three; the pagat, 2 ×4, is paid to him by three.
Hand 4: 4 won alone, less 1 for two taroks in the other side's hand, by three."""
HANDS_SUMS = {"Ania": -1, "Bartek": 7, "Celina": -1, "Darek": -5}


@pytest.mark.usefixtures("people")
def test_whole_hands_are_scored_by_the_rules_as_if_they_were_recorded(
    club, upload, apply_sheet, as_, owner
):
    sheet = upload(HANDS, mode="hands")
    darek = {"who:darek": str(Player.objects.get(name="Darek").pk)}

    action = apply_sheet(sheet, **darek)

    assert points(club) == HANDS_SUMS
    table = Evening.objects.get().tables.get()
    rows = tallies.hands_of(table)
    assert [(r.version.hand.number, r.version.dealer.name) for r in rows] == [
        (4, "Celina"),
        (3, "Bartek"),
        (2, "Ania"),
        (1, "Darek"),
    ]
    assert rows[0].version.record == {
        "ending": "played",
        "contract": "4",
        "declarer": int(darek["who:darek"]),
        "card_points": 36,
        "holdings": {str(Player.objects.get(name="Bartek").pk): "2"},
    }
    assert statistics.read(statistics.HandFilter(club)).hands == 3
    audit()

    revert = {"revert": "", "id": str(uuid4())}
    as_(owner).post(reverse("import_sheet", args=[action.pk]), revert)

    assert points(club) == {}
    assert statistics.read(statistics.HandFilter(club)).hands == 0
    audit()


@pytest.mark.usefixtures("people")
def test_a_row_that_is_left_out_and_a_date_with_two_readings_are_chosen(
    club, upload, apply_sheet
):
    head = POINTS.splitlines()[0]
    sheet = upload(f"{head}\n3/4/2024;1;6;-6;6;-6;\nSum;;6;-6;6;-6;\n")

    apply_sheet(sheet, dates="mdy", without="3")

    assert Evening.objects.get().date == datetime.date(2024, 3, 4)
    assert points(club) == {"Ania": 6, "Bartek": -6, "Celina": 6, "Darek": -6}


@pytest.mark.usefixtures("people")
def test_a_workbook_keeps_its_dates_and_figures_and_its_sheets_are_asked_for(
    club, upload, choose, apply_sheet
):
    book = openpyxl.Workbook()
    book.active.title = "Points"
    for row in [
        ["Date", "Evening", *FOUR],
        [datetime.datetime(2024, 5, 3), "Third of May", 12.0, -12, None, 0],
    ]:
        book.active.append(row)
    book.create_sheet("Notes").append(["nothing"])
    file = BytesIO()
    book.save(file)

    sheet = upload(file.getvalue(), mode="totals", name="old.xlsx")
    asked = choose(sheet).context["options"]
    apply_sheet(sheet, sheet="Points")

    assert asked.sheets == ("Points", "Notes")
    evening = Evening.objects.get()
    assert (evening.name, evening.date) == ("Third of May", datetime.date(2024, 5, 3))
    assert points(club) == {"Ania": 12, "Bartek": -12}


@pytest.mark.usefixtures("people")
def test_two_taps_import_a_sheet_once_and_the_same_file_is_asked_about(
    club, upload, choose, apply_sheet
):
    first = upload(POINTS)
    apply_sheet(first)
    choose(first, apply="yes")
    bring_again = upload(POINTS)

    page = choose(bring_again)

    assert points(club) == POINTS_SUMS
    assert [
        confirmation.id for confirmation in page.context["review"].confirmations
    ] == [
        "again",
        "same_days",
    ]
    assert not page.context["review"].is_ready

    apply_sheet(bring_again, tick=["again", "same_days"])

    assert points(club) == {name: 2 * won for name, won in POINTS_SUMS.items()}


@pytest.mark.usefixtures("people")
def test_a_sheet_on_which_somebody_has_built_is_not_reverted(
    club, owner, upload, apply_sheet, as_
):
    action = apply_sheet(upload(POINTS))
    ania, bartek = Player.objects.filter(name__in=FOUR[:2]).order_by("name")
    evening = Evening.objects.earliest("date")
    paid = journal.pay(
        SettlementScope.of_evening(evening), bartek, ania, 40, id=uuid4(), by=owner
    )
    url = reverse("import_sheet", args=[action.pk])

    refused = as_(owner).post(url, {"revert": "", "id": str(uuid4())})
    journal.undo(paid, id=uuid4(), by=owner)
    taken = as_(owner).post(url, {"revert": "", "id": str(uuid4())})

    assert refused.status_code == 422
    assert refused.context["problems"] == [
        f"Since then something was recorded in {evening.name}: take that back first."
    ]
    assert taken.status_code == 302
    assert points(club) == {}
    audit()


@pytest.mark.usefixtures("people")
def test_a_correction_that_was_undone_does_not_keep_a_sheet_from_being_reverted(
    club, owner, upload, apply_sheet, as_, correct, undo
):
    darek = Player.objects.get(name="Darek").pk
    action = apply_sheet(upload(HANDS, mode="hands"), **{"who:darek": str(darek)})
    evening = Evening.objects.get()
    journal.reopen_evening(evening, by=owner, reason="hand 1")
    table = evening.tables.select_related("edition", "evening__club").get()
    hand = table.hands.get(number=1)
    url, revert = reverse("import_sheet", args=[action.pk]), {"revert": ""}

    correct(table, changes.SwapSides(hand))
    refused = as_(owner).post(url, revert | {"id": str(uuid4())})
    undo(table)
    taken = as_(owner).post(url, revert | {"id": str(uuid4())})

    assert [refused.status_code, taken.status_code] == [422, 302]
    assert points(club) == {}
    audit()


def test_what_came_with_a_loaded_club_is_reverted_without_its_file(
    club, upload, apply_sheet, as_, owner
):
    action = apply_sheet(upload(POINTS), all_new="yes")
    OldSheet.objects.all().delete()

    listed = as_(owner).get(reverse("imports", args=[club.pk]))
    revert = {"revert": "", "id": str(uuid4())}
    as_(owner).post(reverse("import_sheet", args=[action.pk]), revert)

    assert list(listed.context["imported"]) == [action]
    assert points(club) == {}


def test_who_came_by_a_sheet_goes_with_it(club, upload, apply_sheet, as_, owner):
    action = apply_sheet(upload(POINTS), all_new="yes")

    revert = {"revert": "", "id": str(uuid4())}
    as_(owner).post(reverse("import_sheet", args=[action.pk]), revert)

    assert set(club.players.values_list("retired", flat=True)) == {True}


def test_an_evening_belongs_to_the_season_that_had_begun(club, upload, apply_sheet):
    club.seasons.update(starts=datetime.date(2024, 1, 10))

    apply_sheet(upload(POINTS), all_new="yes")

    first, second = Evening.objects.order_by("date")
    assert [first.season.name, second.season.name] == ["Earlier", str(2026)]
    assert first.season.starts == first.date
    assert second.season.closed_at is None


@pytest.mark.parametrize("language", ["en", "pl", "hu", "de"])
@pytest.mark.parametrize("mode", list(Mode))
def test_the_sheet_to_fill_in_can_be_imported_as_it_is(
    club, upload, apply_sheet, language, mode
):
    with translation.override(language):
        data = templates.xlsx(mode, "taroki")

    apply_sheet(upload(data, mode=mode.value, name="old.xlsx"), all_new="yes")

    assert (
        Evening.objects.count()
        == len({row[0] for row in templates.rows(mode, "taroki")}) - 1
    )
    audit()


@pytest.mark.parametrize("game", list(scoring.VARIANTS))
def test_every_game_has_a_sheet_to_fill_in(as_, owner, club, upload, apply_sheet, game):
    url = reverse("import_example", args=[club.pk, "hands", "csv"])
    data = as_(owner).get(url, {"game": game}).content

    apply_sheet(upload(data, mode="hands", variant=game), all_new="yes")

    table = Evening.objects.get().tables.get()
    assert table.edition.variant == game
    assert table.hands.count() == 2


@pytest.mark.usefixtures("people")
def test_a_large_sheet_is_imported_by_a_job(club, upload, choose, monkeypatch):
    monkeypatch.setattr("ledger.views.files.import_sheet.MOST_ROWS_AT_ONCE", 2)
    sheet = upload(POINTS)
    choose(sheet)

    page = choose(sheet, apply="yes")

    assert page.context["action"].pk == sheet.pk
    assert points(club) == POINTS_SUMS


def test_what_nobody_confirmed_is_forgotten_after_a_day(upload):
    old = upload(POINTS)
    OldSheet.objects.update(uploaded_at=timezone.now() - datetime.timedelta(hours=25))

    new = upload(POINTS)

    assert list(OldSheet.objects.all()) == [new]
    assert old != new
