"""Migrations go back and forth over a ledger with hands in it, and lose none."""

from __future__ import annotations

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from ledger import amending, guards, standings
from ledger.amended import Amendment
from ledger.models import Action, Evening, Player

pytestmark = pytest.mark.django_db(transaction=True)


def names():
    """Return our migrations in their order."""
    loader = MigrationLoader(None)
    (last,) = loader.graph.leaf_nodes("ledger")
    plan = loader.graph.forwards_plan(last)
    return [name for app, name in plan if app == "ledger"]


def tallies():
    return [standings.tally(evening) for evening in Evening.objects.order_by("pk")]


@pytest.fixture
def forward_again():
    """However a test ends, the next one finds the whole schema."""
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.usefixtures("forward_again")
def test_back_to_the_first_migration_and_forward_again_keeps_every_hand():
    call_command("demo", stdout=StringIO())
    before = tallies()
    first, *later = names()

    for name in [*reversed(later[:-1]), first, *later]:
        call_command("migrate", "ledger", name, verbosity=0)

    assert len(before) == 3
    assert tallies() == before
    assert guards.missing(connection) == []
    call_command("audit", stdout=StringIO())


@pytest.mark.usefixtures("forward_again")
def test_a_changed_stake_is_told_by_name_and_before_that_by_its_place(table, owner):
    asked = Amendment(currency="EUR", stake=5)
    action = amending.amend(table.evening, asked, id=uuid4(), by=owner)
    amending.undo(action, id=uuid4(), by=owner)
    told = Action.objects.order_by("number").values_list("kind", "before", "after")
    kept, before = list(told), names()[names().index("0016_corrections") - 1]

    call_command("migrate", "ledger", before, verbosity=0)
    old = MigrationLoader(connection).project_state(("ledger", before)).apps
    rows = old.get_model("ledger", "Action").objects.order_by("number")
    in_place = list(rows.values_list("kind", "stake_before", "stake_after"))
    call_command("migrate", verbosity=0)

    pln, eur = ["PLN", 20], ["EUR", 5]
    assert in_place == [("restake", pln, eur), ("undo", eur, pln)]
    assert list(told.all()) == kept
    assert guards.missing(connection) == []


@pytest.mark.usefixtures("forward_again")
def test_back_to_nothing_and_forward_again_is_an_empty_ledger():
    call_command("demo", stdout=StringIO())

    call_command("migrate", "ledger", "zero", verbosity=0)
    tables = connection.introspection.table_names()
    call_command("migrate", verbosity=0)

    assert [name for name in tables if name.startswith("ledger_")] == []
    assert not Evening.objects.exists()
    assert guards.missing(connection) == []
    call_command("demo", stdout=StringIO())
    call_command("audit", stdout=StringIO())


@pytest.mark.usefixtures("forward_again")
def test_players_whose_names_differ_in_case_alone_are_told_apart():
    call_command("migrate", "ledger", "0013_kept_evenings", verbosity=0)
    state = MigrationExecutor(connection).loader.project_state(
        ("ledger", "0013_kept_evenings")
    )
    club = state.apps.get_model("ledger", "Club").objects.create(name="Kozy")
    players = state.apps.get_model("ledger", "Player").objects
    for name in ("Ania", "ANIA", "ania", "ania \N{MIDDLE DOT}", "x" * 60, "X" * 60):
        players.create(club=club, name=name)

    call_command("migrate", "ledger", verbosity=0)

    names = Player.objects.order_by("pk").values_list("name", flat=True)
    assert list(names) == [
        "Ania",
        "ANIA \N{MIDDLE DOT}",
        "ania \N{MIDDLE DOT} \N{MIDDLE DOT}",
        "ania \N{MIDDLE DOT} \N{MIDDLE DOT} \N{MIDDLE DOT}",
        "x" * 60,
        "X" * 58 + " \N{MIDDLE DOT}",
    ]
