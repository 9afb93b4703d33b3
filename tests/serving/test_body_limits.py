"""Limits of request bodies: refused unread, except for files of owners."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from ledger.imports import bounds
from ledger.views.files import imports

FORM, UPLOAD = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
HUGE = 256 * 2**20


class Unread:
    """A body of which nothing may be read."""

    def read(self, *_size):
        raise AssertionError("the body was read")

    readline = read


@pytest.fixture
def send(client):
    """Return a function that posts a body of a *length* that is only said."""
    client.handler.enforce_csrf_checks = True
    client.cookies["csrftoken"] = "x" * 32

    def sent(path, length=HUGE, kind=FORM, **headers):
        said = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind}
        return client.request(
            REQUEST_METHOD="POST",
            PATH_INFO=path,
            **{"wsgi.input": Unread()},
            **said | headers,
        )

    return sent


@pytest.mark.parametrize("kind", [FORM, UPLOAD])
@pytest.mark.parametrize(
    "path", ["/sign-in/", "/language/", "/", "/nothing/", "/admin/"]
)
def test_a_stranger_sends_no_large_form(path, kind, send, db):
    answer = send(path, kind=kind)

    assert answer.status_code == 413
    assert "send less at once" in answer.content.decode()


@pytest.mark.parametrize("path", ["/api/clubs/", "/api/tables/1/hands/"])
def test_a_program_is_told_so_in_json(path, send, db):
    answer = send(path, 2**16 + 1, "application/json")

    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:kontra:too-large"
    assert answer.json()["status"] == answer.status_code == 413


@pytest.mark.parametrize("path", ["/sign-in/", "/api/clubs/"])
def test_who_does_not_say_the_length_is_asked_for_it(path, send, db):
    answer = send(path, 0, HTTP_TRANSFER_ENCODING="chunked")

    assert answer.status_code == 411
    assert "Content-Length" in answer.content.decode()


def test_only_an_owner_sends_a_sheet(send, client, club, owner, member, stranger):
    path = reverse("imports", args=[club.pk])
    told = {"nobody": send(path, bounds.MOST_BYTES, UPLOAD)}
    for user in (stranger, member):
        client.force_login(user)
        told[user.username] = send(path, bounds.MOST_BYTES, UPLOAD)

    assert told["nobody"]["Location"] == f"/sign-in/?next={path}"
    assert told["stranger"].status_code == told["member"].status_code == 413


def test_an_owner_sends_a_sheet_and_not_a_film(send, client, club, owner):
    path = reverse("imports", args=[club.pk])
    client.force_login(owner)

    with pytest.raises(AssertionError, match="the body was read"):
        send(path, bounds.MOST_BYTES + 1, UPLOAD)
    assert send(path, imports.MOST_REQUEST_BYTES + 1, UPLOAD).status_code == 413


def test_a_form_of_a_thousand_fields_is_one_too_many(db):
    form = {f"field-{number}": "x" for number in range(1001)}

    assert Client().post("/sign-in/", form).status_code == 400
