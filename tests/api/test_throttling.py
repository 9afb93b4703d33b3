"""All workers count together: strangers by address, who is signed in by account."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, connections
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from ledger.models import Token
from ledger.security import rate_counters

PROBLEM = "application/problem+json"


@pytest.fixture
def few(monkeypatch):
    rates = {"anon": "3/min", "user": "6/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)


def test_wrong_tokens_are_counted_before_one_is_looked_up(
    few, club, django_assert_num_queries
):
    wrong = {"Authorization": "Bearer kontra_wrong"}
    refused = [APIClient().get("/api/clubs/", headers=wrong) for _ in range(3)]

    with django_assert_num_queries(1):  # of the count
        stopped = APIClient().get("/api/clubs/", headers=wrong)

    assert [answer.status_code for answer in refused] == [401] * 3
    assert (stopped.status_code, stopped["Content-Type"]) == (429, PROBLEM)
    assert 0 < int(stopped["Retry-After"]) <= 60


def test_who_signs_in_with_nothing_is_counted(few, club):
    answers = [APIClient().get("/api/clubs/") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]


def test_an_address_is_not_changed_by_a_made_up_header(few, club):
    answers = [
        APIClient().get("/api/clubs/", headers={"X-Forwarded-For": f"10.0.0.{n}"})
        for n in range(4)
    ]

    assert answers[-1].status_code == 429


def test_who_is_over_the_limit_only_reads(few, club):
    answers = [APIClient().get("/api/clubs/").status_code for _ in range(8)]

    with connection.cursor() as cursor:
        cursor.execute("SELECT number FROM kontra_counts")
        kept = cursor.fetchall()

    assert answers == [401] * 3 + [429] * 5
    assert kept == [(3,)]


def test_what_a_worker_counted_another_knows(few, club, transactional_db):
    for _ in range(3):
        APIClient().get("/api/clubs/")
    with ThreadPoolExecutor(1) as worker:
        other = worker.submit(_asked_anew).result()

    assert other == 429


def _asked_anew():
    """Ask as another worker does: with a connection of its own."""
    try:
        return APIClient().get("/api/clubs/").status_code
    finally:
        connections.close_all()


def test_who_is_signed_in_is_not_counted_with_strangers(few, club, owner, as_owner):
    secret = Token.make(owner, "scoreboard")[1]
    token = {"Authorization": f"Bearer {secret}"}

    by_token = [APIClient().get("/api/clubs/", headers=token) for _ in range(3)]
    by_session = [as_owner.get("/api/clubs/") for _ in range(3)]

    assert {answer.status_code for answer in by_token + by_session} == {200}


def test_who_asks_too_often_is_told_when_to_come_back(few, as_member):
    answers = [as_member.get("/api/variants/taroki/") for _ in range(8)]

    assert [answer.status_code for answer in answers] == [200] * 6 + [429] * 2
    assert answers[-1]["Content-Type"] == PROBLEM
    assert 0 < int(answers[-1]["Retry-After"]) <= 60


def test_an_account_is_counted_once_for_its_sessions_and_tokens(few, owner, as_owner):
    token = {"Authorization": f"Bearer {Token.make(owner, 'scoreboard')[1]}"}
    by_token = [APIClient().get("/api/clubs/", headers=token) for _ in range(4)]
    by_session = [as_owner.get("/api/clubs/") for _ in range(4)]

    answers = [answer.status_code for answer in by_token + by_session]

    assert answers == [200] * 6 + [429] * 2


def test_accounts_are_counted_each_by_itself(few, as_owner, as_member):
    for _ in range(7):
        as_owner.get("/api/clubs/")

    assert as_member.get("/api/clubs/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_workers_that_are_asked_at_once_count_every_request(few, club, owner):
    token = {"Authorization": f"Bearer {Token.make(owner, 'scoreboard')[1]}"}

    def worker(_number):
        try:
            return [
                APIClient().get("/api/variants/taroki/", headers=token).status_code
                for _ in range(4)
            ]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as workers:
        answers = [code for codes in workers.map(worker, range(3)) for code in codes]

    assert sorted(answers) == [200] * 6 + [429] * 6


def test_who_is_signed_in_reads_on_where_nothing_can_be_counted(
    few, as_member, monkeypatch, caplog
):
    def full(*args, **kwargs):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(rate_counters, "increment", full)

    assert as_member.get("/api/clubs/").status_code == 200
    assert "was not counted" in caplog.text
