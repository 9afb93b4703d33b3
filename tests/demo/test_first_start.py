"""First start: a user for an empty installation, nothing for any other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection

from ledger.models import Club, Member, User
from ledger.security.file_modes import DATABASE_SUFFIXES

ROOT = Path(__file__).parent.parent.parent

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


def test_what_lay_open_to_others_is_taken_from_them(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"
    kept = [tmp_path / "data" / "jobs", tmp_path / "data" / "jobs" / "result"]
    kept[0].mkdir(0o755, parents=True)
    kept[1].write_text("a book")
    for path in [*kept, settings.DATA_DIR]:
        path.chmod(0o755)
    files = []
    if connection.vendor == "sqlite":
        ends = [
            Path(f"{connection.settings_dict['NAME']}{end}")
            for end in DATABASE_SUFFIXES
        ]
        files = [path for path in ends if path.exists()]
        files[0].chmod(0o644)
    User.objects.create_user("somebody")

    call_command("first_start")

    modes = [oct(path.stat().st_mode & 0o777) for path in [settings.DATA_DIR, *kept]]
    assert modes == ["0o700", "0o700", "0o700"]
    assert {path.stat().st_mode & 0o077 for path in files} <= {0}


@pytest.mark.parametrize("entry", ["manage", "ledger.wsgi", "ledger.asgi"])
def test_what_is_written_is_for_nobody_else_by_whatever_door(entry, tmp_path):
    made = f"""
import os, {entry}
os.environ["DJANGO_SETTINGS_MODULE"] = "ledger.settings"
import django; django.setup()
from django.contrib.sessions.models import Session
from django.core.management import call_command
call_command("migrate", "auth", verbosity=0)
os.mkdir("{tmp_path}/data/exports")
open("{tmp_path}/data/exports/book.xlsx", "w").close()
"""

    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", made],
        env=without_database() | {"DATA_DIR": str(tmp_path / "data")},
        cwd=ROOT,
        check=True,
        umask=0o022,
    )

    found = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert {"db.sqlite3", "secret_key"} < {path.name for path in found}
    assert [path for path in found if path.stat().st_mode & 0o077] == []


def without_database():
    """Return the environment, with SQLite in the folder of data."""
    kept = os.environ.items()
    return {name: value for name, value in kept if name != "DATABASE_URL"}


def test_a_second_start_changes_nothing():
    User.objects.create_user("somebody")

    call_command("first_start")

    assert User.objects.count() == 1
    assert not Club.objects.exists()


def test_a_start_forgets_who_was_signed_in_too_long_ago(client):
    client.force_login(User.objects.create_user("somebody"))
    Session.objects.update(expire_date="2026-01-01T00:00Z")

    call_command("first_start")

    assert not Session.objects.exists()
