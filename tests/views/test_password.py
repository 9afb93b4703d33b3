"""A password is changed by who knows it, and set by who has none."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import User
from ledger.security import sign_in_limits, sign_in_links

OLD, NEW = "two of spades", "Grzybobranie 7"
PATH = "/account/password/"


@pytest.fixture
def ania(db):
    return User.objects.create_user("ania", password=OLD)


@pytest.fixture
def phone(ania):
    """Return a function that signs Ania in on another phone."""

    def signed_in():
        client = Client()
        client.post("/sign-in/", {"username": "ania", "password": OLD})
        return client

    return signed_in


def form(old=OLD, new=NEW, again=None):
    return {"old_password": old, "new_password1": new, "new_password2": again or new}


def test_the_new_password_signs_in_and_the_old_one_does_not(phone):
    answer = phone().post(PATH, form())

    sent = [{"username": "ania", "password": password} for password in (OLD, NEW)]
    assert answer.headers["Location"] == "/"
    assert [Client().post("/sign-in/", one).status_code for one in sent] == [422, 302]


def test_this_session_stays_and_the_others_end(phone):
    here, elsewhere = phone(), phone()

    here.post(PATH, form())

    assert "The password has been saved." in here.get("/").text
    assert elsewhere.get("/").headers["Location"] == "/sign-in/?next=/"


def test_who_came_by_a_link_sets_one_without_an_old_one(client, owner):
    client.post(sign_in_links.link_path(owner))
    asked = client.get(PATH).text

    answer = client.post(PATH, {"new_password1": NEW, "new_password2": NEW})

    owner.refresh_from_db()
    assert "old_password" not in asked
    assert answer.status_code == 302
    assert owner.check_password(NEW)
    assert "old_password" in client.get(PATH).text


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        (form(old="wrong"), "old_password"),
        (form(old=""), "old_password"),
        (form(new="12345678901"), "new_password2"),
        (form(new="password1"), "new_password2"),
        (form(again="Grzybobranie 8"), "new_password2"),
        (form(new="ż" * 1025), "new_password1"),
    ],
)
def test_what_is_no_change_is_refused_beside_its_field(phone, ania, sent, field):
    answer = phone().post(PATH, sent)

    ania.refresh_from_db()
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert ania.check_password(OLD)
    assert 'value="wrong"' not in answer.text


def test_wrong_passwords_are_counted_as_at_the_door(phone):
    client = phone()
    wrong = [
        client.post(PATH, form(old="wrong")).status_code
        for _again in range(sign_in_limits.NAME_LIMIT.free)
    ]

    assert wrong == [422] * (sign_in_limits.NAME_LIMIT.free - 1) + [429]
    assert client.post(PATH, form()).status_code == 429


def test_passwords_are_looked_at_one_after_the_other(phone):
    client = phone()
    with ExitStack() as line:
        for _place in range(sign_in_limits.MOST_WAITING):
            line.callback(sign_in_limits._waiting.release)
            sign_in_limits._waiting.acquire()
        crowded = client.post(PATH, form())

    assert crowded.status_code == 503
    assert client.post(PATH, form()).status_code == 302


def test_it_is_linked_where_one_signs_out_and_for_who_is_signed_in(as_, owner):
    assert Client().get(PATH).headers["Location"] == f"/sign-in/?next={PATH}"

    home = as_(owner).get("/").text

    assert f'href="{reverse("password")}"' in home
    assert as_(owner).put(PATH).status_code == 405
