"""Migrations go back and forth over a ledger with hands in it, and lose none."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from ledger import tallies
from ledger.models import Evening, triggers

pytestmark = pytest.mark.django_db(transaction=True)


def names():
    """Return our migrations in their order."""
    loader = MigrationLoader(None)
    (last,) = loader.graph.leaf_nodes("ledger")
    plan = loader.graph.forwards_plan(last)
    return [name for app, name in plan if app == "ledger"]


def all_tallies():
    return [tallies.tally(evening) for evening in Evening.objects.order_by("pk")]


@pytest.fixture
def forward_again():
    """However a test ends, the next one finds the whole schema."""
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.usefixtures("forward_again")
def test_back_to_the_first_migration_and_forward_again_keeps_every_hand():
    call_command("demo", stdout=StringIO())
    before = all_tallies()
    first, *later = names()

    for name in [*reversed(later[:-1]), first, *later]:
        call_command("migrate", "ledger", name, verbosity=0)

    assert len(before) == 3
    assert all_tallies() == before
    assert triggers.missing(connection) == []
    call_command("audit", stdout=StringIO())


@pytest.mark.usefixtures("forward_again")
def test_back_to_nothing_and_forward_again_is_an_empty_ledger():
    call_command("demo", stdout=StringIO())

    call_command("migrate", "ledger", "zero", verbosity=0)
    tables = connection.introspection.table_names()
    call_command("migrate", verbosity=0)

    assert [name for name in tables if name.startswith("ledger_")] == []
    assert not Evening.objects.exists()
    assert triggers.missing(connection) == []
    call_command("demo", stdout=StringIO())
    call_command("audit", stdout=StringIO())
