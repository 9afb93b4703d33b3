"""A token signs its maker in, is shown once, and leaves no trace of itself."""

from __future__ import annotations

import logging
from datetime import timedelta
from hashlib import sha256

import pytest
from django.core import serializers
from django.utils import timezone
from rest_framework.test import APIClient

from ledger.models import Token, User
from tests.api.conftest import client_of


@pytest.fixture
def made(club, owner):
    return Token.make(owner, "scoreboard")


def ask(secret, scheme="Bearer", path="/api/clubs/"):
    return APIClient().get(path, headers={"Authorization": f"{scheme} {secret}"})


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Token"])
def test_a_token_signs_its_maker_in(made, club, scheme):
    answer = ask(made[1], scheme)

    assert answer.status_code == 200
    assert [c["name"] for c in answer.json()["results"]] == ["Kozy"]


def test_a_token_writes_without_a_csrf_token(made, club):
    client = APIClient(enforce_csrf_checks=True)

    answer = client.post(
        f"/api/clubs/{club.pk}/players/",
        {"name": "Nowa"},
        headers={"Authorization": f"Bearer {made[1]}"},
    )

    assert answer.status_code == 201


def test_a_token_opens_no_page(made, club):
    assert ask(made[1], path=f"/clubs/{club.pk}/").status_code == 302


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Bearer kontra_wrong",
        "Bearer a b",
        "Bearer \xff\xfe",
        "Bearer \x00",
        "Token %s",
    ],
)
def test_a_wrong_token_is_refused_in_one_sentence(made, header):
    answer = APIClient().get("/api/clubs/", headers={"Authorization": header})

    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert (
        answer.json()["detail"]
        == "This token is unknown or has been revoked: make a new one."
    )


def test_a_session_does_not_help_a_wrong_token(as_owner):
    answer = as_owner.get("/api/clubs/", headers={"Authorization": "Bearer wrong"})

    assert answer.status_code == 401


def test_the_digest_of_a_token_is_no_token(made):
    assert ask(made[0].digest).status_code == 401


def test_a_revoked_token_is_refused(made):
    made[0].revoke()

    assert ask(made[1]).status_code == 401


def test_the_token_of_somebody_who_left_is_refused(made, owner):
    User.objects.filter(pk=owner.pk).update(is_active=False)

    assert ask(made[1]).status_code == 401


def test_the_database_keeps_a_digest_and_nothing_else_of_it(made):
    token, secret = made

    kept = serializers.serialize("json", Token.objects.all())

    assert sha256(secret.encode()).hexdigest() == token.digest
    assert token.digest in kept
    assert secret not in kept
    assert secret.removeprefix("kontra_") not in kept


def test_a_token_is_never_logged(made, caplog):
    caplog.set_level(logging.DEBUG)

    ask(made[1], path="/api/hands/00000000-0000-0000-0000-000000000000/")
    ask(made[1] + "x")

    assert caplog.records
    assert made[1] not in caplog.text


def test_tokens_are_long_and_different(owner):
    secrets = {Token.make(owner, "one")[1] for _ in range(20)}

    assert len(secrets) == 20
    assert min(len(secret) for secret in secrets) >= 43 + len("kontra_")


def test_the_last_use_is_noted_by_the_minute(made, time_machine):
    token, secret = made
    now = timezone.now().replace(microsecond=0)
    time_machine.move_to(now, tick=False)
    seen = []

    for step in (0, 30, 90):
        time_machine.move_to(now + timedelta(seconds=step), tick=False)
        ask(secret)
        token.refresh_from_db()
        seen.append((token.last_used - now).seconds)

    assert seen == [0, 0, 90]


# The page


def test_a_token_is_made_and_shown_once(as_member):
    made = as_member.post("/tokens/", {"name": " my  script "}, format="multipart")
    again = as_member.get("/tokens/")

    token = Token.objects.get()
    secret = made.context["secret"]
    assert (token.name, token.user.username) == ("my script", "player")
    assert secret in made.content.decode()
    assert "no-store" in made["Cache-Control"]
    assert ask(secret).status_code == 200
    assert "my script" in again.content.decode()
    assert secret not in again.content.decode()


def test_a_token_without_a_name_is_not_made(as_member):
    answer = as_member.post("/tokens/", {"name": " "}, format="multipart")

    assert answer.status_code == 422
    assert not Token.objects.exists()


def test_a_token_is_revoked_on_the_page(as_owner, made):
    answer = as_owner.post("/tokens/", {"revoke": made[0].pk}, format="multipart")

    assert answer.status_code == 302
    assert ask(made[1]).status_code == 401
    assert "scoreboard" not in as_owner.get("/tokens/").content.decode()


@pytest.mark.parametrize("asked", ["own", "0", "x", "9" * 5000, "²"])
def test_only_ones_own_token_is_revoked(as_member, made, asked):
    asked = made[0].pk if asked == "own" else asked

    answer = as_member.post("/tokens/", {"revoke": asked}, format="multipart")

    assert answer.status_code == 404
    assert ask(made[1]).status_code == 200


def test_the_page_shows_nobody_elses_tokens(as_member, made):
    assert "scoreboard" not in as_member.get("/tokens/").content.decode()


def test_the_page_asks_to_sign_in(signed_out):
    assert signed_out.get("/tokens/")["Location"] == "/sign-in/?next=/tokens/"


def test_the_page_needs_get_or_post(as_member):
    assert as_member.delete("/tokens/").status_code == 405


def test_a_form_from_elsewhere_makes_no_token(owner):
    client = client_of(owner)
    client.handler.enforce_csrf_checks = True

    answer = client.post("/tokens/", {"name": "x"}, format="multipart")

    assert answer.status_code == 403
    assert not Token.objects.exists()
