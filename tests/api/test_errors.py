"""What goes wrong under /api/ is told to programs, in the reader's language."""

from __future__ import annotations

import pytest
from django.test import Client

from ledger.api.pagination import Pages

PROBLEM = "application/problem+json"
POLISH = {"Accept-Language": "pl"}


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
