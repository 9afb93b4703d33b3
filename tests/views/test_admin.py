"""The admin finds everything, at any size, and leaves the journal alone."""

from __future__ import annotations

import time
from uuid import uuid4

import pytest
import time_machine
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ledger import journal
from ledger.models import Club, Entry, Hand, Member, Player, Season, ShareLink, User

MODELS = list(apps.get_app_config("ledger").get_models())
EDITED = {User, Club, Member, Player, Season}
"""What the operator may put right; all the rest is written by the journal."""


@pytest.fixture
def staff(admin_client, table, record, undo, owner):
    """The operator, and a club with a row of everything."""
    record(table)
    record(table)
    undo(table)
    ShareLink.make(table.evening, by=owner)
    journal.make_token(owner, "scoreboard", id=uuid4())
    journal.close_evening(table.evening, by=owner)
    return admin_client


def address(model, what, *args):
    return reverse(f"admin:ledger_{model._meta.model_name}_{what}", args=args)


def test_every_model_is_there():
    assert set(MODELS) - set(admin.site._registry) == set()


def test_every_list_counts_only_the_first_pages(staff):
    """And asks nothing a row: that would fail any test."""
    counts = {}
    for model in MODELS:
        with CaptureQueriesContext(connection) as asked:
            page = staff.get(address(model, "changelist"))
        assert page.status_code == 200
        said = [query["sql"] for query in asked]
        counts[model] = [sql for sql in said if "SELECT COUNT(*)" in sql]

    assert {len(some) for some in counts.values()} == {1}
    assert [some for some in counts.values() if "LIMIT 10000" not in some[0]] == []


@pytest.mark.parametrize("word", ["o", "7", "0123abcd-", "Ania Bartek", "'%\u2212"])
def test_every_list_can_be_searched_for_anything(staff, word):
    pages = [staff.get(address(model, "changelist"), {"q": word}) for model in MODELS]

    assert all(admin.site._registry[model].search_fields for model in MODELS)
    assert {page.status_code for page in pages} == {200}


def test_what_was_written_can_be_read_and_not_changed(staff):
    """Not on its page, not by an action of the list, not by an address typed in."""
    changeable = []
    for model in set(MODELS) - EDITED:
        rows = list(model.objects.order_by("pk").values_list("pk", flat=True))
        delete = {"action": "delete_selected", "_selected_action": rows, "post": "yes"}
        answers = [
            staff.get(address(model, "add")),
            staff.post(address(model, "add"), {}),
            *(staff.post(address(model, "change", pk), {}) for pk in rows[:2]),
            *(staff.post(address(model, "delete", pk), delete) for pk in rows[:2]),
        ]
        staff.post(address(model, "changelist"), delete)
        pages = [staff.get(address(model, "change", pk)) for pk in rows[:2]]
        left = list(model.objects.order_by("pk").values_list("pk", flat=True))
        changed = {answer.status_code for answer in answers} != {403}
        if changed or left != rows or any(page.status_code != 200 for page in pages):
            changeable.append(model)

    assert changeable == []


def test_a_row_of_everything_was_there(staff):
    empty = [model.__name__ for model in MODELS if not model.objects.exists()]

    assert empty == ["OldSheet"]


@pytest.mark.parametrize("model", [Hand, Entry])
def test_a_row_is_found_by_its_id(staff, model):
    wanted, other = model.objects.values_list("pk", flat=True)[:2]

    page = staff.get(address(model, "changelist"), {"q": str(wanted)}).content.decode()

    assert str(wanted) in page
    assert str(other) not in page


def test_a_person_is_added_and_called_by_a_name_of_his_own(staff):
    added = {"username": "ania", "usable_password": "false"}
    staff.post(address(User, "add"), added)
    ania = User.objects.get(username="ania")
    page = staff.get(address(User, "change", ania.pk))
    filled = page.context["adminform"].form.initial

    staff.post(
        address(User, "change", ania.pk),
        {"username": "ania", "display_name": "Ania Kos", "is_active": "on"}
        | {"date_joined_0": "2026-01-01", "date_joined_1": "12:00"},
    )

    ania.refresh_from_db()
    assert "first_name" not in filled
    assert (ania.get_full_name(), ania.has_usable_password()) == ("Ania Kos", False)


def test_a_club_is_not_renamed_behind_its_history(staff, club):
    url = reverse("admin:ledger_club_change", args=[club.pk])

    made = {"created_at_0": "2026-01-01", "created_at_1": "12:00"}
    staff.post(url, {"name": "Other", "language": "hu", "method": "pot", **made})

    club.refresh_from_db()
    assert (club.name, club.language, club.method) == ("Kozy", "pl", "pot")


def test_a_player_can_be_renamed_but_not_taken_to_another_club(staff, people, owner):
    other = Club.objects.create(name="Elsewhere")
    url = address(Player, "change", people[0].pk)

    staff.post(url, {"club": other.pk, "name": "Anna", "nickname": ""})

    people[0].refresh_from_db()
    assert people[0].name == "Anna"
    assert people[0].club_id != other.pk


def test_who_has_played_cannot_be_deleted(staff, people):
    url = address(Player, "changelist")

    staff.post(
        url,
        {
            "action": "delete_selected",
            "_selected_action": [people[0].pk],
            "post": "yes",
        },
    )

    assert Player.objects.filter(pk=people[0].pk).exists()


def test_the_one_door_is_that_of_everybody(client, db):
    answer = client.get(reverse("admin:index"), follow=True)

    assert answer.redirect_chain[-1][0] == "/sign-in/?next=%2Fadmin%2F"


def test_an_operator_who_came_half_a_day_ago_is_asked_again(client, db):
    operator = User.objects.create_superuser("operator", password="right")
    with time_machine.travel(time.time() - 13 * 60 * 60):
        client.force_login(operator)

    answers = [client.get(path) for path in (reverse("admin:index"), reverse("home"))]
    client.force_login(operator)
    again = client.get(reverse("admin:index"))

    assert [answer.status_code for answer in answers] == [302, 200]
    assert again.status_code == 200


@pytest.mark.parametrize("who", ["owner", "member"])
def test_nobody_of_a_club_comes_in(who, request, as_):
    user = request.getfixturevalue(who)

    answer = as_(user).get(reverse("admin:index"))

    assert answer.status_code == 302
