"""Limits of wrong passwords: they stop only the network that tries."""

from __future__ import annotations

import time
from contextlib import ExitStack

import pytest
import time_machine
from django.db import connection
from django.test import Client

from ledger.models import User
from ledger.security import sign_in_limits, sign_in_links

PASSWORD = "two of spades"
HERE, ELSEWHERE = "192.0.2.7", "198.51.100.9"
MINUTE = 60


@pytest.fixture
def ania(db):
    return User.objects.create_user("ania", password=PASSWORD)


def tried(name, password="wrong", address=HERE):
    form = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post("/sign-in/", form)


def kept():
    """Return how many rows each table has that signing in could write."""
    tables = ("kontra_counts", "axes_accessattempt", "axes_accessfailurelog")
    with connection.cursor() as cursor:
        return [
            cursor.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
        ]


@pytest.mark.parametrize("field", ["username", "password"])
def test_what_is_too_long_is_refused_and_not_kept(field, db):
    form = {"username": "ania", "password": "wrong"} | {field: "x" * 20_000}

    answer = Client().post("/sign-in/", form)

    assert answer.status_code == 422
    assert kept() == [0, 0, 0]


@pytest.mark.parametrize("name", ["a" * 151, "a" * 255, "ł" * 300, "a\0b"])
def test_no_name_is_a_fault(name, db):
    assert tried(name).status_code == 422


def test_who_waits_leaves_no_more_rows(ania):
    for _again in range(sign_in_limits.NAME_LIMIT.free):
        tried("ania")
    before = kept()

    answers = {tried("ania").status_code for _again in range(20)}

    assert answers == {429}
    assert kept() == before == [2, 0, 0]


def test_a_stranger_elsewhere_does_not_lock_the_owner_out(ania):
    for _again in range(sign_in_limits.NAME_LIMIT.free):
        tried("ania", address=ELSEWHERE)

    assert tried("ania", PASSWORD, ELSEWHERE).status_code == 429
    assert tried("ania", PASSWORD, HERE).status_code == 302


def test_many_names_from_one_place_are_stopped_and_a_link_still_gets_in(ania):
    free = sign_in_limits.ADDRESS_LIMIT.free
    answers = [tried(f"name {n}").status_code for n in range(free + 10)]

    by_password = tried("ania", PASSWORD)
    by_link = Client(REMOTE_ADDR=HERE).post(sign_in_links.link_path(ania))

    assert answers == [422] * (free - 1) + [429] * 11
    assert by_password.status_code == 429
    assert by_link.headers["Location"] == "/"


def test_a_household_has_one_count_for_all_its_addresses(ania):
    for number in range(sign_in_limits.NAME_LIMIT.free):
        tried("ania", address=f"2001:db8::{number}")

    assert tried("ania", PASSWORD, "2001:db8::ffff").status_code == 429
    assert tried("ania", PASSWORD, "2001:db8:0:1::1").status_code == 302


def test_the_wait_doubles_and_the_page_says_how_long_it_is(ania):
    waits = []
    with time_machine.travel(time.time(), tick=False) as clock:
        for _again in range(sign_in_limits.NAME_LIMIT.free - 1):
            tried("ania")
        for _again in range(3):
            answer = tried("ania")
            waits.append(int(answer["Retry-After"]))
            clock.shift(waits[-1])
        last = tried("ania")
        clock.shift(int(last["Retry-After"]) - 1)
        too_early = tried("ania", PASSWORD)
        clock.shift(1)
        in_time = tried("ania", PASSWORD)

    assert waits == [MINUTE, 2 * MINUTE, 4 * MINUTE]
    assert "Try again in 8 minutes" in last.content.decode()
    assert "a sign-in link" in last.content.decode()
    assert (too_early.status_code, in_time.status_code) == (429, 302)


def test_a_right_password_makes_the_tries_before_it_good(ania):
    for _again in range(sign_in_limits.NAME_LIMIT.free - 1):
        tried("ania")
    tried("ania", PASSWORD)

    assert [tried("ania").status_code for _again in range(4)] == [422] * 4


def test_nothing_of_a_day_before_counts(ania):
    with time_machine.travel(time.time() - sign_in_limits.DAY - 1):
        for _again in range(sign_in_limits.NAME_LIMIT.free + 1):
            tried("ania")

    assert tried("ania", PASSWORD).status_code == 302
    assert tried("bartek").status_code == 422
    assert kept() == [2, 0, 0]


def test_passwords_are_looked_at_one_after_the_other_and_few_wait(ania):
    with ExitStack() as line:
        for _place in range(sign_in_limits.MOST_WAITING):
            line.callback(sign_in_limits._waiting.release)
            sign_in_limits._waiting.acquire()
        crowded = tried("ania", PASSWORD)

    assert crowded.status_code == 503
    assert "a sign-in link" in crowded.content.decode()
    assert tried("ania", PASSWORD).status_code == 302
