"""What goes wrong under /api/ is told to programs, in the reader's language."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.db import connection, connections
from django.test import Client
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from ledger.api.pagination import Pages
from ledger.models import Token

PROBLEM = "application/problem+json"
POLISH = {"Accept-Language": "pl"}


@pytest.fixture
def few(monkeypatch):
    rates = {"anon": "3/min", "user": "600/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)


@pytest.mark.parametrize("path", ["/api/", "/api", "/api/nothing/", "/api/clubs/x/"])
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_unknown_path_answers_json(as_owner, path, method):
    answer = getattr(as_owner, method)(path, follow=False)

    assert (answer.status_code, answer["Content-Type"]) == (404, PROBLEM)
    assert answer.json()["type"] == "urn:kontra:not-found"


def test_a_page_that_does_not_exist_is_still_a_page(as_owner):
    assert as_owner.get("/nothing/")["Content-Type"].startswith("text/html")


def test_a_fault_of_ours_answers_json(owner, monkeypatch):
    def broken(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(Pages, "paginate_queryset", broken)
    client = Client(raise_request_exception=False)
    client.force_login(owner)

    answer = client.get("/api/clubs/")

    assert (answer.status_code, answer["Content-Type"]) == (500, PROBLEM)


def test_a_request_for_another_host_answers_json(as_owner):
    answer = as_owner.get("/api/clubs/", headers={"Host": "elsewhere.example"})

    assert (answer.status_code, answer["Content-Type"]) == (400, PROBLEM)


@pytest.mark.parametrize("path", ["/api/nothing/", "/api/clubs/999999/"])
def test_what_is_not_there_is_told_in_the_readers_language(as_owner, path):
    english, polish = (
        as_owner.get(path, headers=headers).json()["detail"] for headers in ({}, POLISH)
    )

    assert "club" in english
    assert "klub" in polish


def test_who_may_not_write_is_told_in_the_readers_language(as_member, club):
    path = f"/api/clubs/{club.pk}/players/"
    english, polish = (
        as_member.post(path, {"name": "Iza"}, headers=headers).json()["detail"]
        for headers in ({}, POLISH)
    )

    assert english == "Only owners and scorers of the club may record anything."
    assert polish not in ("", english)


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
    """Ask as another worker does: with a memory and a connection of its own."""
    try:
        cache.clear()
        return APIClient().get("/api/clubs/").status_code
    finally:
        connections.close_all()


def test_who_is_signed_in_is_not_counted_with_strangers(few, club, owner, as_owner):
    secret = Token.make(owner, "scoreboard")[1]
    token = {"Authorization": f"Bearer {secret}"}

    by_token = [APIClient().get("/api/clubs/", headers=token) for _ in range(5)]
    by_session = [as_owner.get("/api/clubs/") for _ in range(5)]

    assert {answer.status_code for answer in by_token + by_session} == {200}
