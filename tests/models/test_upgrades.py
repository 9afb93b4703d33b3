"""A database of any state that was released becomes one of today, and loses nothing."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from ledger import journal
from ledger.audit import Audit
from ledger.models import User, triggers
from tests.support import upgrade_state

pytestmark = pytest.mark.django_db(transaction=True)

STATES = sorted(path.stem for path in upgrade_state.FOLDER.glob("*.json"))
MOST = 300_000
"""Bytes of a state: it is read by people too."""


@contextmanager
def at(migration):
    """Yield the models of an empty database at *migration*; go on to the latest."""
    call_command("migrate", "ledger", "zero", verbosity=0)
    try:
        call_command("migrate", "ledger", migration, verbosity=0)
        found = MigrationLoader(connection).project_state(("ledger", migration))
        yield list(found.apps.get_app_config("ledger").get_models())
    finally:
        call_command("migrate", verbosity=0)


@pytest.mark.parametrize("migration", STATES)
def test_what_was_kept_comes_through_every_migration(migration):
    kept = json.loads((upgrade_state.FOLDER / f"{migration}.json").read_text())

    with at(migration) as models, triggers.lifted(connection):  # as of a dump
        upgrade_state.load(models, kept["rows"])

    assert among(upgrade_state.shown(), kept["shown"]) == kept["shown"]
    assert list(Audit().differences()) == []
    assert triggers.missing(connection) == []
    journal.found_club("Zamość", owner=User.objects.create_user("zosia"))


def among(shown, kept):
    """Return what is *shown* without the figures that were not there yet."""
    figures = {
        club: {figure: all_of[figure] for figure in kept["figures"][club]}
        for club, all_of in shown["figures"].items()
    }
    return shown | {"figures": figures}


def test_a_state_of_today_has_everything_and_is_small():
    upgrade_state.create_state()
    kept = {"rows": upgrade_state.rows(), "shown": upgrade_state.shown()}
    text = upgrade_state.spelled(kept)
    if "KONTRA_KEEP" in os.environ:
        (upgrade_state.FOLDER / f"{latest()}.json").write_text(text)

    assert json.loads(text) == kept
    assert [name for name, (_columns, *rows) in kept["rows"].items() if not rows] == []
    assert len(text.encode()) < MOST


def latest():
    done = MigrationRecorder(connection).applied_migrations()
    return max(name for app, name in done if app == "ledger")
