"""A name that a program sends is tidied, and refused where nothing is to be read."""

from __future__ import annotations

import pytest


@pytest.fixture
def evening(people):
    ids = [player.pk for player in people[:4]]
    return {"date": "2026-11-20", "variant": "taroki", "seats": ids, "dealer": ids[3]}


@pytest.mark.parametrize("name", ["…", "\u3164", "\u2800", "♥"], ids=ascii)
def test_a_name_without_a_letter_is_refused(as_owner, club, evening, name):
    player = as_owner.post(f"/api/clubs/{club.pk}/players/", {"name": name})
    started = as_owner.post(
        f"/api/clubs/{club.pk}/evenings/", {"name": name, **evening}
    )

    assert [player.status_code, started.status_code] == [422, 422]
    fields = [answer.json()["problems"][0]["field"] for answer in (player, started)]
    assert fields == ["name", "name"]


def test_what_nobody_sees_is_left_out_of_a_name(as_owner, club, evening):
    name = "\u202eKa\u2066ti\u200b\u200d N.\ufeff"

    player = as_owner.post(f"/api/clubs/{club.pk}/players/", {"name": name})
    started = as_owner.post(
        f"/api/clubs/{club.pk}/evenings/", {"name": name, **evening}
    )

    assert [player.json()["name"], started.json()["name"]] == ["Kati N.", "Kati N."]
