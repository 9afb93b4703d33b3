"""Address of the client behind proxies: nobody can forge it."""

from __future__ import annotations

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from ledger.serving.gunicorn import forwarded_allow_ips
from ledger.serving.proxies import client_address

HERE = ["127.0.0.1", "::1"]
PROXY, ANIA, MADE_UP = "127.0.0.1", "192.0.2.7", "10.6.6.6"


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "whose"),
    [
        (PROXY, ANIA, HERE, ANIA),
        (PROXY, f"{MADE_UP}, {ANIA}", HERE, ANIA),
        (PROXY, f"garbage, , {ANIA}", HERE, ANIA),
        (PROXY, f"{ANIA}, 10.0.0.2", [*HERE, "10.0.0.0/8"], ANIA),
        (PROXY, f"{ANIA},::1", HERE, ANIA),
        ("::ffff:127.0.0.1", f"::ffff:{ANIA}", HERE, ANIA),
        (PROXY, " 2001:DB8::7 ", HERE, "2001:db8::7"),
        (PROXY, f"{ANIA}, unknown", HERE, PROXY),
        (PROXY, f"{ANIA}:4711", HERE, PROXY),
        (PROXY, "", HERE, PROXY),
        (PROXY, PROXY, HERE, PROXY),
        (PROXY, ANIA, [], PROXY),
        (ANIA, MADE_UP, HERE, ANIA),
        (ANIA, f"{MADE_UP}, {PROXY}", HERE, ANIA),
        ("", ANIA, HERE, ""),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy_is_the_clients(
    peer, forwarded, trusted, whose
):
    assert client_address(peer, forwarded, trusted) == whose


@given(st.text(st.characters(max_codepoint=255), max_size=40))
def test_whatever_is_made_up_in_front_is_ignored(made_up):
    assert client_address(PROXY, f"{made_up}, {ANIA}", HERE) == ANIA
    assert client_address(ANIA, made_up, HERE) == ANIA


@pytest.mark.django_db
def test_two_behind_one_proxy_are_told_apart_at_the_door(settings):
    settings.TRUSTED_PROXIES = HERE
    form = {"username": "ania", "password": "wrong"}

    def tried(address):
        through = {"X-Forwarded-For": f"{MADE_UP}, {address}"}
        return Client().post("/sign-in/", form, headers=through).status_code

    stranger = [tried("198.51.100.9") for _again in range(6)]

    assert stranger == [422] * 4 + [429] * 2
    assert tried(ANIA) == 422


def test_without_encryption_no_proxy_is_trusted_and_the_server_agrees(settings):
    assert settings.TRUSTED_PROXIES == []
    assert forwarded_allow_ips == ""
