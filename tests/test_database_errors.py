"""Database errors: a full or read-only disk gets a page with what was typed."""

from __future__ import annotations

import gc
import html
import logging
import re
import resource
import sqlite3
import warnings
from contextlib import contextmanager
from io import StringIO
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.urls import reverse
from django.utils import translation

from ledger import database_errors, tallies
from ledger.models import Hand, Player

pytestmark = pytest.mark.django_db(transaction=True)

SQLITE = connection.vendor == "sqlite"
FILL_UP = """
CREATE FUNCTION fill_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER fill_up BEFORE INSERT ON ledger_entry EXECUTE FUNCTION fill_up()
"""
STATES = {
    "full": (
        ["VACUUM", "PRAGMA max_page_count = 1"],  # no page more than there are
        ["PRAGMA max_page_count = 1073741823"],
    )
    if SQLITE
    else ([FILL_UP], ["DROP FUNCTION fill_up CASCADE"]),
    "read-only": (["PRAGMA query_only = 1"], ["PRAGMA query_only = 0"])
    if SQLITE
    else (
        ["SET default_transaction_read_only = on"],
        ["SET default_transaction_read_only = off"],
    ),
}
"""How a database gets there, and back."""


@contextmanager
def disk(state):
    there, back = STATES[state]
    with connection.cursor() as cursor:
        for statement in there:
            cursor.execute(statement)
        try:
            yield
        finally:
            for statement in back:
                cursor.execute(statement)


@pytest.fixture
def phone(as_, scorer):
    """The scorer's browser: it sees the page that a server shows for an error."""
    client = as_(scorer)
    client.raise_request_exception = False
    return client


@pytest.fixture
def path(table):
    return reverse("slip", args=[table.pk])


@pytest.fixture
def slip(people):
    """Return a function that fills in a slip: forehand and the next win contract 3."""

    def filled(number=1):
        return {
            "id": str(uuid4()),
            "number": str(number),
            "ending": "played",
            "contract": "3",
            "declarer": str(people[0].pk),
            "partner": str(people[1].pk),
            "won": "1",
            "override": "on",
            "trul-silent": "declarer",
        }

    return filled


def until_refused(send, most=100):
    """Return the ids that were saved and the first answer that saved nothing."""
    saved = []
    for number in range(1, most):
        id, answer = send(number)
        if answer.status_code not in (201, 302):
            return saved, answer
        saved.append(UUID(id))
    raise AssertionError(f"{most} hands found room on a full disk")


@pytest.mark.parametrize(
    ("state", "status", "title"),
    [
        ("full", 507, "The disk is full"),
        ("read-only", 503, "Nothing can be saved now"),
    ],
)
def test_what_cannot_be_saved_is_kept_on_a_page_and_sent_again(
    state, status, title, phone, path, slip, table
):
    slip, sent = slip(), []

    def send(number):
        sent.append(slip | {"id": str(uuid4()), "number": str(number)})
        return sent[-1]["id"], phone.post(path, sent[-1])

    with disk(state):
        saved, answer = until_refused(send)

    page = answer.content.decode()
    assert (answer.status_code, title in page) == (status, True)
    assert set(Hand.objects.values_list("pk", flat=True)) == set(saved)
    assert kept(page) == sent[-1]
    again = phone.post(action(page), kept(page))
    assert again.url.endswith(f"?saved={sent[-1]['id']}")
    assert len(tallies.hands_of(table)) == len(saved) + 1
    call_command("audit", stdout=StringIO())


def kept(page):
    fields = re.findall(r'<input type="hidden" name="(.+?)" value="(.*?)">', page)
    skipped = ("csrfmiddlewaretoken", "next")
    return {n: html.unescape(v) for n, v in fields if n not in skipped}


def action(page):
    return re.search(r'<form class="dock" action="(.+?)"', page)[1]


@pytest.mark.parametrize(
    ("state", "code", "status"),
    [("full", "disk-full", 507), ("read-only",) * 2 + (503,)],
)
def test_a_program_is_told_the_same(state, code, status, phone, table, people):
    path = reverse("api_hands", args=[table.pk])
    facts = {
        "contract": "3",
        "declarer": people[0].pk,
        "partner": people[1].pk,
        "card_points": 41,
    }

    def send(number):
        hand = {"id": str(uuid4()), "number": number, "hand": facts}
        return hand["id"], phone.post(path, hand, content_type="application/json")

    with disk(state):
        saved, answer = until_refused(send)

    problem = answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, problem["status"]) == (status, status)
    assert problem["type"] == f"urn:kontra:{code}"
    assert set(Hand.objects.values_list("pk", flat=True)) == set(saved)


def test_a_read_only_ledger_can_be_read(phone, table, record):
    record(table)
    pages = ("home",), ("table", table.pk), ("evening", table.evening_id)

    with disk("read-only"):
        answers = [
            phone.get(reverse(name, args=more)).status_code for name, *more in pages
        ]

    assert answers == [200, 200, 200]


def test_the_page_speaks_the_readers_language(phone, path, slip):
    phone.cookies["django_language"] = "pl"

    with disk("read-only"):
        page = phone.post(path, slip()).content.decode()

    with translation.override("pl"):
        title = translation.gettext(database_errors.READ_ONLY.title)
    assert f"<h1>{title}</h1>" in page
    assert '<html lang="pl"' in page


def test_every_value_of_a_field_is_kept(phone, path, slip):
    with disk("read-only"):
        page = phone.post(path, slip() | {"resting": ['<"', "b"]}).content.decode()

    assert re.findall(r'name="resting" value="(.*?)"', page) == ["&lt;&quot;", "b"]


def test_a_new_player_typed_on_a_full_disk_is_kept(phone, club):
    path = reverse("players", args=[club.pk])
    typed = {"action": "add", "name": "Ágnes <3", "nickname": ""}

    with disk("read-only"):
        answer = phone.post(path, typed)

    assert answer.status_code == 503
    assert kept(answer.content.decode()) == typed
    assert not Player.objects.exists()


def test_a_password_is_not_kept_on_the_page(client, owner):
    owner.set_password("Grzybobranie 7")
    owner.save()
    client.raise_request_exception = False

    with disk("read-only"):
        sent = {"username": owner.username, "password": "Grzybobranie 7"}
        answer = client.post(reverse("sign_in"), sent)

    page = answer.content.decode()
    assert (answer.status_code, "Grzybobranie" in page) == (503, False)
    assert kept(page) == {"username": "owner"}


def test_a_database_that_is_away_gets_a_page_too(phone, table, monkeypatch):
    def away(*_args, **_kwargs):
        raise OperationalError("connection refused") from StandIn(None)

    monkeypatch.setattr(tallies, "tally", away)

    answer = phone.get(reverse("table", args=[table.pk]))

    page = answer.content.decode()
    assert answer.status_code == 503
    assert "The database is not responding" in page
    assert f'href="{reverse("table", args=[table.pk])}"' in page


def test_our_own_faults_stay_our_own(phone, table, monkeypatch):
    monkeypatch.setattr(tallies, "tally", lambda _evening: 1 / 0)

    answer = phone.get(reverse("table", args=[table.pk]))

    assert answer.status_code == 500
    assert "It is our fault" in answer.content.decode()


class StandIn(Exception):
    """What PostgreSQL's driver raises."""

    def __init__(self, sqlstate):
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "known"),
    [
        ("53100", database_errors.FULL),
        ("25006", database_errors.READ_ONLY),
        ("58030", database_errors.BROKEN),
        ("57P03", database_errors.AWAY),
        ("08006", database_errors.AWAY),
        (None, database_errors.AWAY),
        ("40P01", database_errors.BUSY),
        ("42P01", None),
        ("23505", None),
    ],
)
def test_a_state_of_postgresql_has_a_name(state, known):
    error = OperationalError()
    error.__cause__ = StandIn(state)

    assert database_errors.problem_of(error) is known


@pytest.mark.parametrize(
    ("code", "known"),
    [
        (sqlite3.SQLITE_FULL, database_errors.FULL),
        (sqlite3.SQLITE_READONLY_DBMOVED, database_errors.READ_ONLY),
        (sqlite3.SQLITE_IOERR_FSYNC, database_errors.BROKEN),
        (sqlite3.SQLITE_CANTOPEN, database_errors.BROKEN),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, database_errors.BUSY),
        (sqlite3.SQLITE_ERROR, None),
        (sqlite3.SQLITE_CONSTRAINT_TRIGGER, None),
    ],
)
def test_a_code_of_sqlite_has_a_name(code, known):
    error = DatabaseError()
    error.__cause__ = sqlite3.OperationalError()
    error.__cause__.sqlite_errorcode = code

    assert database_errors.problem_of(error) is known


def test_another_error_has_no_name():
    assert database_errors.problem_of(None) is None
    assert database_errors.problem_of(ZeroDivisionError()) is None
    assert database_errors.problem_of(OperationalError()) is None


@contextmanager
def no_room_for_files():
    """Let no file grow: what a book is gathered in finds no room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_book_that_finds_no_room_says_so(phone, table, monkeypatch):
    address = reverse("season_book", args=[table.evening.season_id])
    assert phone.get(address).status_code == 200

    # What is logged would hold what broke, and its open files.
    monkeypatch.setattr(logging.getLogger("django.request"), "disabled", True)

    with no_room_for_files(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # what was gathered till then
        answer = phone.get(address)
        status, page = answer.status_code, answer.content.decode()
        del answer
        gc.collect()

    assert status == 507
    assert "The disk is full" in page
