"""Home, sign-in, language: what everybody meets first."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import User
from ledger.security import sign_in_links


def test_home_asks_who_is_not_signed_in(client, db):
    response = client.get("/")

    assert response.headers["Location"] == "/sign-in/?next=/"


def test_home_offers_a_club_to_who_has_none(as_, stranger):
    page = as_(stranger).get("/").content.decode()

    assert "Create your club" in page
    assert "New evening" not in page


def test_home_goes_on_with_the_next_hand(as_, owner, table, record):
    record(table)

    page = as_(owner).get("/").content.decode()

    assert "Continue: hand 2" in page
    assert reverse("table", args=[table.pk]) in page


def test_home_offers_a_member_no_evening_to_start(as_, member, table):
    page = as_(member).get("/").content.decode()

    assert "New evening" not in page
    assert "Go on" not in page
    assert reverse("table", args=[table.pk]) in page


def test_home_shows_nobody_elses_evening(as_, stranger, table):
    page = as_(stranger).get("/").content.decode()

    assert "Friday" not in page


def test_home_rejects_post(as_, owner):
    assert as_(owner).post("/").status_code == 405


def test_home_asks_the_database_the_same_number_of_times(
    as_, owner, table, record, lay, django_assert_num_queries
):
    client = as_(owner)
    with django_assert_num_queries(7):
        client.get("/")
    for other in (lay(), lay(5), table, table):
        record(other)

    with django_assert_num_queries(7):
        client.get("/")


def test_a_password_signs_in(client, db):
    User.objects.create_user("ania", password="two of spades")

    response = client.post(
        "/sign-in/",
        {"username": "ania", "password": "two of spades", "next": "/clubs/new/"},
    )

    assert response.headers["Location"] == "/clubs/new/"
    assert "_auth_user_id" in client.session


def test_a_wrong_password_keeps_the_name(client, db):
    response = client.post("/sign-in/", {"username": "ania", "password": "no"})

    assert response.status_code == 422
    assert 'value="ania"' in response.content.decode()


def test_sign_in_leads_to_no_other_site(client, db):
    User.objects.create_user("ania", password="two of spades")

    response = client.post(
        "/sign-in/",
        {"username": "ania", "password": "two of spades", "next": "//evil.example/"},
    )

    assert response.headers["Location"] == "/"


def test_five_wrong_passwords_lock_the_name_with_a_page_that_says_so(client, db):
    User.objects.create_user("ania", password="two of spades")
    for _again in range(5):
        response = client.post("/sign-in/", {"username": "ania", "password": "no"})

    assert response.status_code == 429
    assert "Wait a little" in response.content.decode()


def test_looking_at_a_link_does_not_use_it_up(client, owner):
    path = sign_in_links.link_path(owner)

    first, second = client.get(path), client.get(path)

    assert [first.status_code, second.status_code] == [200, 200]
    assert "_auth_user_id" not in client.session


def test_a_link_signs_in_once(client, owner):
    path = sign_in_links.link_path(owner)

    first = client.post(path)
    client.logout()
    second = client.post(path)

    assert first.headers["Location"] == "/"
    assert second.status_code == 410
    assert "no longer works" in second.content.decode()


@pytest.mark.parametrize("path", ["/sign-in/x/y/", "/sign-in/MQ/abc-def/"])
def test_a_made_up_link_is_told_so(client, db, path):
    assert client.get(path).status_code == 410


def test_signing_out_needs_a_post(as_, owner):
    client = as_(owner)

    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert "_auth_user_id" not in client.session


def test_the_language_is_remembered(client, db):
    response = client.post("/language/", {"language": "pl", "next": "/sign-in/?a=1"})

    assert response.headers["Location"] == "/sign-in/?a=1"
    assert '<html lang="pl"' in client.get("/sign-in/").content.decode()


@pytest.mark.parametrize("code", ["", "xx", "fr", "../etc"])
def test_an_unknown_language_changes_nothing(client, db, code):
    response = client.post("/language/", {"language": code, "next": "//evil.example"})

    assert response.headers["Location"] == "/"
    assert not response.cookies


def test_light_and_dark_are_remembered_without_a_script(client, db):
    client.post("/light/", {"theme": "light", "next": "/sign-in/"})

    assert 'data-theme="light"' in client.get("/sign-in/").content.decode()


@pytest.mark.parametrize("by_link", [True, False])
def test_another_phone_takes_over_the_language_and_the_theme(as_, owner, by_link):
    owner.set_password("two of spades")
    owner.save()
    as_(owner).post("/language/", {"language": "hu"})
    as_(owner).post("/light/", {"theme": "dark"})
    phone = Client()

    if by_link:
        phone.post(sign_in_links.link_path(owner))
    else:
        phone.post("/sign-in/", {"username": "owner", "password": "two of spades"})

    assert '<html lang="hu" data-theme="dark">' in phone.get("/").text


def test_who_has_chosen_nothing_keeps_what_the_phone_has(owner):
    phone = Client()
    phone.post("/language/", {"language": "pl"})
    phone.post("/light/", {"theme": "light"})

    phone.post(sign_in_links.link_path(owner))

    owner.refresh_from_db()
    assert '<html lang="pl" data-theme="light">' in phone.get("/").text
    assert (owner.language, owner.theme) == ("", "")


def test_an_unknown_page_is_told_in_our_hand(client, db):
    response = client.get("/nowhere/")

    assert response.status_code == 404
    assert "Page not found" in response.content.decode()


def test_a_stale_form_is_told_in_our_hand(db, owner):
    client = Client(enforce_csrf_checks=True)

    response = client.post("/sign-in/", {"username": "a", "password": "b"})

    assert response.status_code == 403
    assert "This page is too old" in response.content.decode()


def test_no_page_has_inline_script_or_style(as_, owner, table):
    client = as_(owner)
    for path in ("/", reverse("table", args=[table.pk]), "/clubs/new/"):
        page = client.get(path).content.decode()

        assert "style=" not in page
        assert "<script>" not in page
        assert (
            "default-src 'self'" in client.get(path).headers["Content-Security-Policy"]
        )
