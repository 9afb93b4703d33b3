"""A small database with a row of everything, stored as of some migration.

    KONTRA_KEEP=1 .venv/bin/pytest tests/models/test_upgrades.py

plays one with the program of today and keeps it in fixtures/upgrades/, by the name of
the last migration: the rows of every table, and what pages showed of them. Make one for
a release, and leave it alone afterwards: each is brought up to date by the tests.
"""

from __future__ import annotations

import json
from pathlib import Path

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import Client

from ledger import journal, settlement, statistics, tallies
from ledger.demo import evening_files
from ledger.models import Club, Evening, User
from ledger.security import sign_in_links
from tests.support.creations import CREATIONS, World, id_of_blank, post

FOLDER = Path(__file__).parents[2] / "fixtures" / "upgrades"
EVENINGS = FOLDER.parent / "evenings"
HANDS = 10
"""Hands of each evening."""

DONE = (
    *("slip", "correct", "reseat", "reorder", "swap_sides", "undo", "restore"),
    *("seats", "seats and leave", "table_new", "adjust", "adjust and cancel"),
    *("undo_correction", "club_settings", "evening_correct", "evening_remove"),
    *("settle alone", "take_back", "evening_pay"),
    *("pot each", "pot together", "pot fine", "pot prize", "settle by carrying over"),
    *("reopen", "share", "tokens", "season_close", "imports", "import_sheet"),
)
"""Ways of tests/support/creations.py, in an order in which each can be gone."""


# Made


def create_state():
    """Fill an empty database: the demo's clubs, and one in which all was done."""
    owner = User.objects.create_user(
        "ania",
        "ania@kontra.example",
        display_name="Ania Kos",
        language="pl",
        theme=User.Theme.DARK,
    )
    for name, language, file in evening_files.CLUBS:
        told = json.loads((EVENINGS / file).read_text())
        club = journal.found_club(name, owner=owner, language=language)
        evening = evening_files.record_evening(
            club, told | {"hands": told["hands"][:HANDS]}, owner
        )
        if name != evening_files.CLUBS[-1][0]:
            journal.close_evening(evening, by=owner)
    world, client = World(owner), Client()
    client.force_login(owner, backend=sign_in_links.BACKEND)
    for name in DONE:
        _go(CREATIONS[name], name, world, client)


def _go(way, name, world, client):
    way.before(world)
    address, before = way.at(world), way.count()
    sent = way.sent(world) | {"id": id_of_blank(client, way, address)}
    answer = post(client, address, sent)
    assert way.count() > before, (name, answer.status_code)


# Rows


def rows():
    """Return what each table holds: the names of its columns, then their values."""
    models = apps.get_app_config("ledger").get_models()
    return {model.__name__: _table(model) for model in models}


def _table(model):
    fields = model._meta.concrete_fields
    things = model._base_manager.order_by("pk")
    columns = [field.attname for field in fields]
    return [columns, *([_value(f, thing) for f in fields] for thing in things)]


def _value(field, thing):
    """Return a value as JSON has it: an id, a time or a file as text."""
    value = field.value_from_object(thing)
    plain = isinstance(value, bool | int | str | list | dict | None)
    return value if plain else field.value_to_string(thing)


@transaction.atomic
def load(models, kept):
    """Write *kept* rows by *models*, which know the tables as they are now."""
    for model in models:
        columns, *values = kept[model.__name__]
        known = {field.attname: field for field in model._meta.concrete_fields}
        fields = [known[column] for column in columns]
        model._base_manager.bulk_create(
            model(
                **{f.attname: f.to_python(v) for f, v in zip(fields, row, strict=True)}
            )
            for row in values
        )
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(sql)


# What pages show


def shown():
    """Return who won each evening, who is owed what, and every figure."""
    clubs = Club.objects.order_by("pk")
    tallies = {str(one.pk): _tally(one) for one in Evening.objects.order_by("pk")}
    return {
        "tallies": tallies,
        "balances": {str(club.pk): _balances(club) for club in clubs},
        "figures": {str(club.pk): _figures(club) for club in clubs},
    }


def _tally(evening):
    tally = tallies.tally(evening)
    return [[row.player.name, row.points, row.money, row.hands] for row in tally]


def _balances(club):
    return {
        scope.currency: [[one.player.name, one.amount] for one in balances]
        for scope, balances in settlement.open_balances(club)
    }


def _figures(club):
    """Return what each figure counts for each player: count, hits and points."""
    found = {}
    read = statistics.read(statistics.HandFilter(club))
    for figure in statistics.FIGURES:
        for player in read.people:
            of_player = read.rows(figure, player)
            told = [[row.about, row.count, row.hits, row.points] for row in of_player]
            if told:
                found.setdefault(figure, {})[str(player)] = told
    return found


# Files


def spelled(kept):
    """Return JSON with a row on each line."""
    tables = {name: _listed(table) for name, table in kept["rows"].items()}
    told = {name: _named(things) for name, things in kept["shown"].items()}
    return _braced({"rows": _braced(tables), "shown": _braced(told)}) + "\n"


def _listed(table):
    return "[\n" + ",\n".join(map(_dumped, table)) + "\n]"


def _named(things):
    return _braced({name: _dumped(thing) for name, thing in things.items()})


def _braced(spelled):
    inside = (f"{_dumped(name)}: {thing}" for name, thing in spelled.items())
    return "{\n" + ",\n".join(inside) + "\n}"


def _dumped(thing):
    return json.dumps(thing, ensure_ascii=False, separators=(",", ":"))
