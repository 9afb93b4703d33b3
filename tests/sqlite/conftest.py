"""Fixtures: a SQLite file of its own, and this thread's connection to it."""

from __future__ import annotations

import pytest
from django.db import ConnectionHandler, connections

from ledger import settings
from tests.support.sqlite_file import PATIENCE, hang_up, make


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "db.sqlite3"
    make(path)
    return path


@pytest.fixture
def connect(file, django_db_blocker):
    """Return a function that gives this thread's connection to the file."""
    database = settings._database(f"sqlite:///{file}")
    database["OPTIONS"] = database["OPTIONS"] | {"timeout": PATIENCE}
    databases = {"default": {}, "apart": database}
    connections.settings["apart"] = ConnectionHandler(databases).settings["apart"]
    with django_db_blocker.unblock():
        yield lambda: connections["apart"]
        hang_up()
    del connections.settings["apart"]
