"""Files for spreadsheets say what the pages say, and come back unchanged."""

from __future__ import annotations

import csv
import datetime
import io
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from ledger import journal, settlement
from ledger.exports.csv import writer
from ledger.exports.csv.writer import Style
from ledger.settlement import SettlementScope
from ledger.table import changes
from tests.support.fixtures import won

HOSTILE = (
    *("Gosia Łoś", "Őry Ödön", 'the "Pagát"', "one; two", "one, two", "two\r\nlines"),
    *("=1+1", "+48", "-7", "@home", "\tx", "\rx", "'s Heren", "''", "", "＝1", " x "),
)


@pytest.mark.parametrize("separator", writer.SEPARATORS)
def test_texts_come_back_unchanged_and_no_spreadsheet_calculates_them(separator):
    """Reports 115 and 117."""
    style = Style(separator=separator)

    file = b"".join(writer.encode([HOSTILE, HOSTILE[::-1]], style)).decode()

    assert list(writer.read(file, separator)) == [list(HOSTILE), list(HOSTILE[::-1])]
    bare = csv.reader(io.StringIO(file[1:], newline=""), delimiter=style_of(style))
    assert not [cell for row in bare for cell in row if cell.startswith(FORMULA)]


FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def style_of(style):
    return writer.SEPARATORS[style.separator]


@pytest.mark.parametrize("separator", writer.SEPARATORS)
@pytest.mark.parametrize("other", writer.SEPARATORS)
def test_no_cell_becomes_a_formula_with_whatever_separator_a_file_is_opened(
    separator, other
):
    marks = (",", ";", "\t", "\n", "\r\n", ',"', ';"', ";''")
    texts = [f"Ania{m}{f}1+1" for m in marks for f in ("=", "+", "-", "@", "＝")]
    file = b"".join(writer.encode([texts, *zip(texts)], Style(separator)))

    opened = csv.reader(
        io.StringIO(file.decode()[1:], newline=""), delimiter=writer.SEPARATORS[other]
    )

    formulas = tuple("=+-@＝")
    assert not [c for row in opened for c in row if c.startswith(formulas)]


@given(st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=4))
def test_any_text_comes_back_unchanged(texts):
    file = b"".join(writer.encode([texts], Style("semicolon"))).decode()

    assert list(writer.read(file, "semicolon")) == [texts]


def test_numbers_stay_numbers():
    """Report 116: with the separator and the mark that are asked for."""
    row = [-3, True, None, Decimal("-0.60"), "-3"]

    file = b"".join(writer.encode([row], Style("semicolon", "comma"))).decode()

    assert file == "\ufeff-3;1;;-0,60;'-3\r\n"


@pytest.fixture
def ledger(table, lay, record, correct, people, owner, scorer):
    """Two evenings: four hands, of which one is corrected and one taken back, then an
    adjustment, table money and a payment; and a hand for points only.

    By the hands that count Ania and Celina have +3 twice, then sides are swapped.
    """
    evening = table.evening
    hands = [record(table).hand for _hand in range(4)]
    correct(table, changes.SwapSides(hands[1]))
    journal.reverse_hand(hands[2], id=uuid4(), by=owner)
    ania, bartek, celina, darek = people[:4]
    journal.adjust(
        evening, {ania: 2, bartek: -2}, reason="=misdeal", id=uuid4(), by=owner
    )
    scope = SettlementScope.of_evening(evening)
    each = dict.fromkeys((ania, bartek, celina, darek), 50)
    journal.fee(scope, each, reason="table; coffee", id=uuid4(), by=owner)
    journal.pay(scope, bartek, ania, 40, id=uuid4(), by=scorer, method="transfer")
    record(lay(currency="", stake=0, variant="paskievics"), won(people[:4], "three"))
    return evening


@pytest.fixture
def fetch(as_, member, club):
    """Return a function that returns the rows of a table, each by its headings."""

    def fetched(table, separator="comma", decimal="point", season=""):
        query = f"?{table=!s}&{separator=!s}&{decimal=!s}&{season=!s}"
        answer = as_(member).get(reverse("table_csv", args=[club.pk]) + query)
        text = b"".join(answer.streaming_content).decode()
        assert text.startswith("\ufeff")
        head, *rows = writer.read(text, separator)
        return [dict(zip(head, row, strict=True)) for row in rows]

    return fetched


def balances(club, currency):
    found = settlement.balances_of(SettlementScope.everything(club, currency))
    return {balance.player.name: balance.amount for balance in found}


def test_all_balances_follow_from_the_postings(ledger, fetch, club):
    """Report 119."""
    money, points = Counter(), Counter()

    for row in fetch("postings", "semicolon", "comma"):
        if row["Currency"]:
            money[row["Player"]] += Decimal(row["Money"].replace(",", "."))
        else:
            points[row["Player"]] += int(row["Points"])

    due = balances(club, "PLN")
    assert {name: int(worth * 100) for name, worth in money.items()} == due
    assert any(due.values())
    assert dict(points) == balances(club, "")
    assert sum(money.values()) == sum(points.values()) == 0


def test_the_players_have_their_hands_points_and_what_is_open(ledger, fetch, club):
    rows = {row["Player"]: row for row in fetch("players")}

    assert rows["Ania"]["Hands"] == "4"
    assert rows["Ewa"]["Hands"] == "0"
    assert [row["Type"] for row in rows.values()] == ["Player"] * 6 + ["Pot"]
    for name, minor in balances(club, "PLN").items():
        assert Decimal(rows[name]["Open in PLN"]) * 100 == minor
    for name, gain in balances(club, "").items():
        assert int(rows[name]["Open in points"]) == gain
    assert sum(int(row["Points of the game"]) for row in rows.values()) == 0


def test_a_hand_is_a_row_with_what_each_has_won(ledger, fetch):
    rows = fetch("hands")

    assert [row["Hand"] for row in rows] == ["1", "2", "3", "1"]
    assert [row["Game"] for row in rows][-2:] == ["Taroki", "Paskievics"]
    first, swapped = rows[0], rows[1]
    assert (first["Contract"], first["Sides"], first["Dealer"]) == (
        *("3", "Ania + Celina", "Darek"),
    )
    assert [first[name] for name in ("Ania", "Bartek", "Celina", "Darek")] == [
        *("3", "-3", "3", "-3"),
    ]
    assert [int(swapped[name]) for name in ("Ania", "Bartek", "Celina", "Darek")] == [
        *(3, -3, 3, -3),
    ]
    assert "Ewa" not in first


def test_each_line_says_what_it_was_for(ledger, fetch):
    rows = fetch("lines")

    assert len(rows) == 4
    first = rows[0]
    assert (first["Game"], first["Item"], first["Side"]) == ("Taroki", "3", "declarer")
    assert (first["Made"], first["Announced"], first["Points"]) == ("1", "0", "3")


def test_evenings_and_who_sat_where(ledger, fetch):
    evenings, seats = fetch("evenings"), fetch("seats")

    assert [row["Hands"] for row in evenings] == ["3", "1"]
    assert [row["A point"] for row in evenings] == ["0.20", ""]
    assert [row["Player"] for row in seats[:4]] == ["Ania", "Bartek", "Celina", "Darek"]
    assert [row["Dealer"] for row in seats[:4]] == ["Darek"] * 4


def test_what_no_hand_has_moved_is_a_table_too(ledger, fetch):
    rows = fetch("payments", "tab")

    kinds = list(dict.fromkeys(row["Type"] for row in rows))
    assert kinds == ["Adjustment", "Fee or fine", "Payment"]
    assert rows[0]["Note"] == "=misdeal"
    assert rows[-1]["How"] == "bank transfer"
    assert rows[-1]["Entered by"] == "scorer"
    moved = {row["Player"]: row["Money"] for row in rows if row["Type"] == "Payment"}
    assert moved == {"Ania": "-0.40", "Bartek": "0.40"}


def test_a_season_has_its_own(ledger, fetch, club):
    (season,) = club.seasons.all()
    later = club.seasons.create(name="2027", starts=datetime.date(2027, 1, 1))

    assert len(fetch("hands", season=season.pk)) == 4
    assert fetch("hands", season=later.pk) == []
    assert fetch("postings", season=later.pk) == []


def test_the_file_of_an_evening_is_in_the_readers_language(as_, owner, ledger):
    client = as_(owner)
    client.post("/language/", {"language": "hu"})

    answer = client.get(reverse("hands_csv", args=[ledger.pk]))

    text = b"".join(answer.streaming_content).decode()
    assert text.split("\r\n")[1].endswith("3;-3;3;-3")
    name = quote("2026-11-20 Friday.csv", safe=" ")
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize("typed", ["", "table=users", "table=hands&separator=pipe"])
def test_what_is_no_table_is_refused_beside_the_field(as_, member, club, typed):
    answer = as_(member).get(reverse("table_csv", args=[club.pk]) + f"?{typed}")

    assert answer.status_code == 422
    assert 'class="error"' in answer.text


def test_only_members_have_files(as_, member, stranger, club):
    paths = [reverse(name, args=[club.pk]) for name in ("club_files", "table_csv")]

    assert [as_(stranger).get(path).status_code for path in paths] == [404, 404]
    assert as_(member).get(paths[0]).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_file_shows_one_moment_while_it_is_sent(
    as_, member, club, table, record, monkeypatch
):
    monkeypatch.setattr(writer, "CHUNK", 1)
    record(table)
    path = reverse("table_csv", args=[club.pk])
    answer = as_(member).get(
        path + "?table=postings&separator=comma&decimal=point&season="
    )
    chunks = iter(answer.streaming_content)

    sent = [next(chunks), next(chunks)]
    with ThreadPoolExecutor(1) as phone:
        phone.submit(elsewhere, lambda: record(table)).result()
    sent += chunks
    answer.close()

    assert len(list(writer.read(b"".join(sent).decode()))) == 1 + 4
    assert table.hands.count() == 2


def elsewhere(call):
    try:
        call()
    finally:
        connection.close()
