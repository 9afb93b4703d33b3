"""An empty installation gets its first user, and nobody else's gets anything."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from ledger.models import Club, Member

pytestmark = pytest.mark.django_db


def test_the_first_user_has_no_password():
    call_command("first_start", "--no-demo", "--owner", "ilona")

    user = User.objects.get()
    assert (user.username, user.has_usable_password()) == ("ilona", False)
    assert not Club.objects.exists()


def test_the_demo_club_belongs_to_the_first_user():
    call_command("first_start")

    owners = Member.objects.filter(user__username="owner").values_list(
        "role", flat=True
    )
    assert set(owners) == {"owner"}


def test_a_second_start_changes_nothing():
    User.objects.create_user("somebody")

    call_command("first_start")

    assert User.objects.count() == 1
    assert not Club.objects.exists()
