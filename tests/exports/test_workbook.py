"""The season book, opened by another library than the one that writes it."""

from __future__ import annotations

import datetime
import io
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

import scoring
from ledger import journal, settlement, statistics, tallies
from ledger.exports import workbook
from ledger.exports.workbook import season_workbook
from ledger.exports.workbook.worksheet import worksheet_name
from ledger.journal.actions import begin
from ledger.journal.writer import post
from ledger.models import Action, Entry, Evening, Player
from ledger.settlement import SettlementScope
from ledger.table.changes import Void
from ledger.views.files import season_workbook as views
from tests.support.club_balances import club_balances
from tests.support.tables import start_table

NASTY = (
    "=1+1",
    "Őry “Ági” & Łucja",
    "@Żofia [dog]: 1/2?",
    "חיים 🂡",
    "-Bartek",
    "Z" * 60,
)
HEAD, FIRST = 2, 3


def opened(season, *, formulas=False):
    file = io.BytesIO()
    workbook.write(season, file)
    return load_workbook(file, data_only=not formulas)


def columns(sheet):
    """Return what a sheet tells below each title, up to the first without one."""
    found = {}
    for title, *told in zip(*sheet.iter_rows(HEAD, values_only=True), strict=True):
        if title is None:
            break
        found[title] = told
    return found


def rows(sheet, *titles):
    told = columns(sheet)
    cells = zip(*(told[title] for title in titles), strict=True)
    return [row for row in cells if any(value is not None for value in row)]


def sums(sheet):
    return dict(zip(columns(sheet), (cell.value for cell in sheet[1]), strict=False))


def old_sheet(evening, by, points):
    """Let an evening have points that only an old sheet tells."""
    action = begin(Action.Kind.IMPORT, id=uuid4(), by=by, club=evening.club)
    entry = Entry(
        id=uuid4(),
        action=action,
        club=evening.club,
        evening=evening,
        kind=Entry.Kind.SHEET,
        currency=evening.currency,
        created_by=by,
    )
    gains = {player.pk: (won, won * evening.stake) for player, won in points.items()}
    post([(entry, gains)])


@pytest.fixture
def season(club):
    return club.seasons.get()


@pytest.fixture
def begun(club, people, owner):
    """Return a function that starts an evening and returns its table."""

    def started(name, day, seats=4, **stake):
        date = datetime.date(2026, 11, day)
        return start_table(club, people[:seats], owner, name=name, date=date, **stake)

    return started


@pytest.fixture
def played(people, owner, season, begun, record, correct):
    """Three evenings: in złoty with all that moves money, in euros, and for points."""
    for player, name in zip(people, NASTY, strict=True):
        player.name = name
        player.save()
    table = begun("=Friday", 20, seats=6, currency="PLN", stake=20)
    for _hand in range(5):
        record(table)
    correct(table, Void(record(table).hand))
    friday = table.evening
    moved = {people[0]: -7, people[5]: 7}
    journal.adjust(friday, moved, reason="=late", id=uuid4(), by=owner)
    scope = SettlementScope.of_evening(friday)
    journal.fee(scope, {people[0]: 1000}, reason="table", id=uuid4(), by=owner)
    row = settlement.plan(scope).rows[0]
    note = {"note": "-half", "method": "transfer"}
    journal.pay(scope, row.payer, row.payee, 105, id=uuid4(), by=owner, **note)
    saturday = begun("Saturday", 21, currency="EUR", stake=10)
    record(saturday)
    journal.close_evening(saturday.evening, by=owner)
    record(begun("Sunday", 22))
    old_sheet(friday, owner, {people[0]: 12, people[1]: -12})
    return season


def test_the_numbers_are_those_of_the_pages(club, played):
    """Report 118: rows of players and of hands, as the pages have them."""
    whole = opened(played)

    titles = ("Place", "Player", "Hands", "Evenings", "Points", "of which adjusted")
    ranked = statistics.read(statistics.HandFilter(club, season=played)).ranking()
    assert rows(whole["Ranking"], *titles) == [
        (r.place, r.player.name, r.hands, r.evenings, r.points, r.adjusted)
        for r in ranked
    ]
    titles = ("Player", "Open, points", "Open, PLN", "Open, EUR")
    assert sorted(rows(whole["Balances"], *titles)) == sorted(
        (
            b.player.name if not b.player.is_pot else "Pot",
            b.points,
            b.money.get("PLN", 0) / 100,
            b.money.get("EUR", 0) / 100,
        )
        for b in club_balances(club, played)
    )
    names = [r.player.name for r in ranked]
    for evening, (_name, *told) in zip(
        Evening.objects.order_by("date"),
        rows(whole["Evenings"], "Evening", *names),
        strict=True,
    ):
        tally = {s.player.name: s.points for s in tallies.tally(evening)}
        assert [points or 0 for points in told] == [tally.get(n, 0) for n in names]


def test_every_sum_over_everybody_is_nothing(played):
    whole = opened(played)

    over_all = {
        "Ranking": ["Points", "of which adjusted", "PLN", "EUR"],
        "Evenings": ["Sum"],
        "Evenings, PLN": ["Sum"],
        "Balances": list(sums(whole["Balances"]))[1:],
        "Fees and prizes": ["Points", "PLN"],
        "Adjustments": ["Points", "PLN"],
        "Hands": ["Sum"],
        "Postings": ["Points", "PLN", "EUR"],
    }
    found = {
        name: [sums(whole[name])[title] for title in titles]
        for name, titles in over_all.items()
    }
    assert found == {name: [0] * len(titles) for name, titles in over_all.items()}


def test_a_sum_is_a_formula_over_what_is_below_it_and_comes_with_its_value(played):
    values, formulas = opened(played), opened(played, formulas=True)

    wrong, summed = [], 0
    for sheet in formulas:
        told = values[sheet.title]
        for cell in sheet[1]:
            if cell.data_type != "f" or cell.number_format == "[h]:mm":
                continue
            column = cell.column_letter
            below = [told[f"{column}{row}"].value for row in range(FIRST, last(told))]
            if f"SUBTOTAL(109,{column}3:{column}{last(told) - 1})" not in cell.value:
                wrong.append((sheet.title, cell.value))
            if told[cell.coordinate].value != pytest.approx(sum(n or 0 for n in below)):
                wrong.append((sheet.title, column))
            summed += 1
    assert wrong == []
    assert summed > 50


def last(sheet):
    """Return the row behind the last that tells something in its second column."""
    row = FIRST + 1
    while sheet.cell(row, 2).value is not None:
        row += 1
    return row


def test_names_are_text_and_numbers_and_days_are_what_they_are(played):
    """Reports 116 and 117."""
    whole = opened(played, formulas=True)

    likely = [
        cell
        for sheet in whole
        for row in sheet.iter_rows(HEAD)
        for cell in row
        if isinstance(cell.value, str) and cell.value[:1] in {"=", "@", "-"}
    ]
    hand = {
        head.value: cell
        for head, cell in zip(whole["Hands"][HEAD], whole["Hands"][FIRST], strict=True)
    }
    assert {cell.data_type for cell in likely} == {"s"}
    assert {cell.value for cell in likely} >= {"=1+1", "=Friday", "=late", "-half"}
    assert hand["Date"].value == datetime.datetime(2026, 11, 20)
    assert isinstance(hand["Time"].value, datetime.datetime)
    assert [hand[title].data_type for title in ("Table", "Hand", "Multiplier")] == [
        "n"
    ] * 3
    assert hand[NASTY[0]].number_format == '+#,##0;"−"#,##0;#,##0'


def test_headers_stay_rows_can_be_filtered_and_pages_fit(played):
    whole = opened(played)

    tables = [sheet for sheet in whole if sheet.title not in {"Cover", "Charts"}]
    assert {sheet.freeze_panes[-1] for sheet in tables} == {"3"}
    assert {sheet.auto_filter.ref[:3] for sheet in tables} == {"A2:"}
    assert {sheet.print_title_rows for sheet in tables} == {"$1:$2"}
    assert {sheet.page_setup.fitToHeight for sheet in tables} == {0}  # what it takes
    for sheet in whole:
        assert sheet.page_setup.orientation == "landscape"
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.oddFooter.center.text == "&P / &N"


def test_a_sheet_of_each_player_tells_his_hands_and_where_he_stood(played):
    whole = opened(played)

    told = rows(whole["=1+1"], "Evening", "Hand", "Points", "Running score")
    points = [row[2] for row in told]
    assert [row[3] for row in told] == [
        sum(points[: place + 1]) for place in range(len(points))
    ]
    assert sum(points) == sums(whole["=1+1"])["Points"]
    assert told[3] == ("=Friday", None, 12, 15)
    assert "@Żofia  dog   1 2" in whole.sheetnames
    assert "Z" * 31 in whole.sheetnames


@pytest.mark.parametrize(
    ("language", "hands", "zloty", "day"),
    [
        ("en", "Hands", '"PLN\xa0"#,##0.00', "d mmm yyyy"),
        ("pl", "Rozdania", '#,##0.00"\xa0zł"', "dd.mm.yyyy"),
        ("hu", "Leosztások", '#,##0.00"\xa0PLN"', "yyyy.mm.dd."),
        ("de", "Spiele", '#,##0.00"\xa0PLN"', "dd.mm.yyyy"),
    ],
)
def test_it_is_in_the_readers_language(
    season, table, record, language, hands, zloty, day
):
    record(table)

    with translation.override(language):
        whole = opened(season)

    assert whole.worksheets[1][FIRST][7].number_format.startswith(f"+{zloty};")
    assert whole[hands].cell(FIRST, 1).number_format == day


def test_a_season_without_a_hand_has_a_book(season):
    whole = opened(season)

    assert "Hands" in whole.sheetnames
    assert rows(whole["Ranking"], "Player") == []
    assert sums(whole["Postings"])["Points"] == 0


def test_an_evening_whose_import_was_taken_back_is_not_told(
    season, begun, record, owner, club
):
    record(begun("Kept", 20))
    gone = begun("Gone", 21).evening
    imported = begin(Action.Kind.IMPORT, id=uuid4(), by=owner, club=club)
    Evening.objects.filter(pk=gone.pk).update(imported=imported)
    begin(Action.Kind.UNDO, id=uuid4(), by=owner, club=club, undoes=imported)

    whole = opened(season)

    assert rows(whole["Evenings"], "Evening") == [("Kept",)]


def test_forty_players_have_forty_columns(club, owner, season, lay, people, record):
    crowd = [Player(club=club, name=f"Player number {n}") for n in range(34)]
    crowd = [*people, *Player.objects.bulk_create(crowd)]
    for first in range(0, 40, 4):
        four = crowd[first : first + 4]
        evening = journal.start_evening(
            club,
            name=f"Evening {first}",
            date=datetime.date(2026, 11, 1 + first // 4),
            edition=journal.edition_of(club, scoring.tariff("taroki", None)),
            seats=four,
            dealer=four[3],
            by=owner,
        )
        record(evening.tables.select_related("edition", "evening__club").get())

    whole = opened(season)

    assert len(columns(whole["Evenings"])) == 8 + 40 + 1
    assert len(whole.sheetnames) == 12 + 40
    assert whole["Evenings"].cell(HEAD, 9).alignment.textRotation == 90
    assert whole["Evenings"].page_setup.fitToWidth == 2
    assert whole["Evenings"].print_title_cols == "$A:$B"
    assert set(columns(whole["Evenings"])["Sum"]) == {0}


@pytest.mark.parametrize(
    ("wanted", "taken", "name"),
    [
        ("Ania", [], "Ania"),
        ("ania", ["ANIA"], "ania 2"),
        ("[a]:*?/\\", [], "a"),
        ("''", [], "–"),
        ("History", [], "History 2"),
        ("x" * 40, ["x" * 31], "x" * 29 + " 2"),
        ("🂡" * 20, [], "🂡" * 15),
    ],
)
def test_a_sheet_gets_a_name_that_it_can_have(wanted, taken, name):
    assert worksheet_name(wanted, {one.casefold() for one in taken}) == name


def test_more_postings_than_rows_are_refused_with_a_sentence(
    season, table, record, monkeypatch
):
    monkeypatch.setattr(season_workbook, "MOST_ROWS", 3)
    record(table)

    with pytest.raises(workbook.TooLong, match="more postings"):
        opened(season)


def test_a_member_downloads_it_and_a_stranger_does_not(
    as_, member, stranger, season, table, record
):
    record(table)
    place = reverse("season_book", args=[season.pk])

    answer = as_(member).get(place)
    file = io.BytesIO(b"".join(answer))

    assert "Hands" in load_workbook(file).sheetnames
    assert answer["Content-Disposition"] == 'attachment; filename="Kozy 2026.xlsx"'
    assert as_(stranger).get(place).status_code == 404
    assert as_(stranger).post(place).status_code == 404


def test_a_long_one_is_made_apart(
    as_, member, season, table, record, monkeypatch, settings, tmp_path
):
    monkeypatch.setattr(views, "MOST_HANDS_AT_ONCE", 0)
    settings.DATA_DIR = tmp_path
    record(table)
    place = reverse("season_book", args=[season.pk])

    page = as_(member).get(place).content.decode()
    job = as_(member).post(place).url
    ready = as_(member).get(job).content.decode()
    file = io.BytesIO(b"".join(as_(member).get(f"{job}file/")))

    assert "The season has 1 hand." in page
    assert "Season book 2026" in ready
    assert "Hands" in load_workbook(file).sheetnames


def test_one_that_does_not_fit_says_so_on_its_page(
    as_, member, season, table, record, monkeypatch, settings, tmp_path
):
    monkeypatch.setattr(season_workbook, "MOST_ROWS", 3)
    settings.DATA_DIR = tmp_path
    record(table)

    job = as_(member).post(reverse("season_book", args=[season.pk])).url

    assert "more postings" in as_(member).get(job).content.decode()
