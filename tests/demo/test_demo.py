"""Demo clubs: created once, with an evening each, and clean in the audit."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from ledger.models import Club, Evening, Hand, User

pytestmark = pytest.mark.django_db


def test_three_clubs_with_an_evening_each():
    call_command("demo")

    assert list(Club.objects.order_by("pk").values_list("name", "language")) == [
        ("Kozy", "pl"),
        ("Szegedi Tarokk Kör", "hu"),
        ("Café Ritter", "de"),
    ]
    assert [
        evening.closed_at is None for evening in Evening.objects.order_by("pk")
    ] == [
        False,
        False,
        True,
    ]
    assert Hand.objects.count() == 74
    assert not User.objects.get().has_usable_password()
    call_command("audit")


def test_the_first_user_owns_them():
    user = User.objects.create_user("ilona", password="secret")

    call_command("demo")

    assert user.memberships.count() == 3


def test_a_user_can_be_named():
    call_command("demo", owner="ilona")

    assert User.objects.get().username == "ilona"


def test_a_ledger_with_a_club_is_left_alone(club):
    with pytest.raises(CommandError, match="clubs already"):
        call_command("demo")

    assert Club.objects.get() == club
