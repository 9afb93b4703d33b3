"""Every name that somebody types is tidied, and refused where nothing is to be read."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from ledger.models import Club, Evening, Player, Season, Token
from ledger.text.names import tidy

UNREADABLE = ["…", "—", "\u3164", "\u2800", "\u115f\u1160", "♥", "\u0301", "\u200d"]
HIDDEN = "\u202eKa\u2066ti\u2069\u200b\u3164\u200d N.\ufeff"
SEEN = "Kati N."


@pytest.fixture
def ways(as_, owner, club, evening_form, table):
    """Return, by what is named, a function that sends a name and the name kept last."""
    browser = as_(owner)

    def form(path, field, model, **more):
        def send(name):
            answer = browser.post(path, {field: name, "id": uuid4(), **more})
            return answer.status_code, last(model)

        return send

    def season(path, field, model):
        def send(name):
            Season.objects.update(closed_at=timezone.now())  # else none may begin
            return form(path, field, model)(name)

        return send

    return {
        "club": form("/clubs/new/", "name", Club, language="hu"),
        "player": form(
            reverse("players", args=[club.pk]), "name", Player, action="add"
        ),
        "season": season(reverse("season_new", args=[club.pk]), "name", Season),
        "token": form(reverse("tokens"), "name", Token),
        "evening": form(
            reverse("evening_new", args=[club.pk]), "name", Evening, **evening_form
        ),
        "guest": form(
            reverse("seats", args=[table.pk]),
            "name",
            Player,
            do="join",
            where=f"after-{club.players.first().pk}",
        ),
    }


@pytest.fixture
def evening_form(people):
    return {
        "date": "2026-11-20",
        "variant": "taroki",
        "currency": "",
        "player": [p.pk for p in people[:4]],
        "order": [p.pk for p in people],
        "dealer": people[0].pk,
    }


def last(model):
    return model.objects.order_by("-pk").values_list("name", flat=True).first()


NAMED = ["club", "player", "season", "token", "evening", "guest"]


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("name", UNREADABLE, ids=ascii)
def test_a_name_without_a_letter_is_refused(ways, named, name):
    before = [Club, Player, Season, Token, Evening]
    counts = [model.objects.count() for model in before]

    status, _last = ways[named](name)

    assert status == 422
    assert [model.objects.count() for model in before] == counts


@pytest.mark.parametrize("named", NAMED)
def test_what_nobody_sees_is_left_out_of_a_name(ways, named):
    _status, kept = ways[named](HIDDEN)

    assert kept == SEEN


@pytest.mark.parametrize("name", UNREADABLE, ids=ascii)
def test_a_short_form_needs_a_letter_too(as_, owner, club, people, name):
    path = reverse("players", args=[club.pk])
    browser = as_(owner)

    answer = browser.post(
        path,
        {
            "action": "save",
            "player": people[0].pk,
            "its-name": people[0].name,
            "its-nickname": name,
        },
    )

    assert answer.status_code == (422 if tidy(name) else 302)
    people[0].refresh_from_db()
    assert people[0].nickname == ""


def test_the_operator_names_nobody_without_a_letter(admin_client, people):
    path = reverse("admin:ledger_player_change", args=[people[0].pk])

    refused = admin_client.post(path, {"name": "\u3164", "nickname": "…"})

    assert list(refused.context["adminform"].form.errors) == ["name", "nickname"]


@pytest.mark.parametrize(
    "name",
    ["می\u200cخواهم", "👩\u200d👧 Ewa", "Ő. Béla", "2027", "श्री"],
)
def test_a_name_that_can_be_read_stays_as_it_is(name):
    assert tidy(name) == name


def test_who_comes_on_the_slip_needs_a_letter(as_, owner, table, people):
    path = reverse("slip", args=[table.pk])
    sent = {"sit": "on", "id": uuid4(), "newcomer": "…", "leaves": people[0].pk}

    answer = as_(owner).post(path, sent)

    assert answer.status_code == 422
    assert not Player.objects.filter(name="…").exists()


def test_a_sheet_names_nobody_and_no_evening_without_a_letter(upload, choose):
    sheet = upload(
        "Date;Evening;…;Ewa;Ola;Iza\n2025-03-01;—;5;5;-5;-5\n", mode="points"
    )

    page = choose(sheet)

    said = [problem.sentence for problem in page.context["problems"]]
    assert "Enter a name with a letter or a digit." in said
