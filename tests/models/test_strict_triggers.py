"""No program writes over a row, or a value that its column cannot have."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from ledger.models import Player, strict_triggers, triggers
from tests.audit.test_damage import full  # noqa: F401  # a club with everything
from tests.models.test_triggers import run

JUNK = ("'abc'", "1.5", "x'ff'", f"'{'x' * 5000}'", "'2026-02-31'", "'now'")
"""What no column takes, each beside those that a text may be."""


@pytest.fixture
def guarded(full):  # noqa: F811
    triggers.install(connection)
    return full


def tables():
    return [
        model._meta.db_table for model in apps.get_app_config("ledger").get_models()
    ]


def refused(sql):
    """Whether the database refuses *sql*, and nothing is changed by it."""
    try:
        with transaction.atomic():
            run(sql)
    except DatabaseError:
        return True
    return False


def unique_keys(table):
    """Return the columns of each key of *table*, as SQLite itself knows them."""
    with connection.cursor() as cursor:
        indexes = cursor.execute(f"PRAGMA index_list({table})").fetchall()
        return {
            tuple(
                name
                for (name,) in cursor.execute(
                    "SELECT name FROM pragma_index_info(%s)", [name]
                ).fetchall()
            )
            for _seq, name, unique, *_more in indexes
            if unique
        }


@pytest.mark.parametrize(
    "sql",
    [
        # a posting from its entry
        "INSERT OR REPLACE INTO ledger_posting (id, entry_id, player_id, points, money)"
        " SELECT id, '{new}', player_id, points, money FROM ledger_posting LIMIT 1",
        # an evening, closed or not, that reads otherwise
        "INSERT OR REPLACE INTO ledger_evening SELECT * FROM ledger_evening",
        # a player of another club
        "INSERT OR REPLACE INTO ledger_player (id, club_id, name, nickname, retired,"
        " kind) SELECT id, club_id + 1, name, '', retired, kind FROM ledger_player",
        # what has its key or its hidden number
        "INSERT OR REPLACE INTO ledger_player (club_id, name, nickname, retired, kind)"
        " SELECT club_id, UPPER(name), '', retired, kind FROM ledger_player",
        "INSERT OR REPLACE INTO ledger_hand (rowid, id, table_id, number, voided,"
        " played_at) SELECT rowid, '{new}', table_id, 99, voided, played_at"
        " FROM ledger_hand LIMIT 1",
        "UPDATE OR REPLACE ledger_player SET id = (SELECT MAX(id) FROM ledger_player)",
        "UPDATE OR REPLACE ledger_player SET name = (SELECT MAX(name)"
        " FROM ledger_player WHERE kind = 'person') WHERE name = 'Ania'",
    ],
)
def test_nothing_is_written_over(guarded, sql):
    if connection.vendor != "sqlite":
        return  # PostgreSQL has no such statement

    assert refused(sql.format(new=uuid4().hex))


def test_every_row_of_every_table_stays_where_it_is_written_over(guarded):
    if connection.vendor != "sqlite":
        return
    everything = {name: rows(name) for name in tables()}

    taken = [
        n
        for n in tables()
        if rows(n) and not refused(f"REPLACE INTO {n} SELECT * FROM {n}")
    ]

    assert taken == []
    assert {name: rows(name) for name in tables()} == everything


def rows(name):
    with connection.cursor() as cursor:
        return cursor.execute(f"SELECT rowid, * FROM {name} ORDER BY rowid").fetchall()


def test_every_key_of_every_table_has_a_guard(db):
    """A constraint that is more than columns is spelled in strict.SAME."""
    if connection.vendor != "sqlite":
        return
    for model in apps.get_app_config("ledger").get_models():
        said = [guard.when for guard in strict_triggers._not_written_over(model)]
        for columns in unique_keys(model._meta.db_table):
            for when in said:
                assert all(c is None or c in when for c in columns), (model, columns)
    special = {
        constraint.name
        for model in apps.get_app_config("ledger").get_models()
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
        and (constraint.condition or constraint.expressions)
    }
    assert special == strict_triggers.SAME_ROW.keys()


def columns():
    for model in apps.get_app_config("ledger").get_models():
        for field in model._meta.concrete_fields:
            if not isinstance(field, models.BinaryField | models.JSONField):
                yield model, field


@pytest.mark.parametrize("junk", JUNK)
def test_no_column_takes_what_is_not_of_its_kind(guarded, junk):
    """Both as a row comes and as it is changed, on both databases."""
    taken = []
    for model, field in columns():
        kept = field.target_field if field.is_relation else field
        is_text = isinstance(kept, models.CharField)
        if is_text and junk not in (JUNK[2], JUNK[3]):
            continue
        if connection.vendor != "sqlite" and junk in ("1.5", "x'ff'", "'now'"):
            continue  # it rounds, reads it as text, or as the time that it is
        name, column = model._meta.db_table, field.column
        every = [f.column for f in model._meta.concrete_fields]
        copied = ", ".join(junk if c == column else f'"{c}"' for c in every)
        listed = ", ".join(f'"{c}"' for c in every)
        if not model.objects.exists():
            continue
        for sql in (
            f'UPDATE {name} SET "{column}" = {junk}',
            f"INSERT INTO {name} ({listed}) SELECT {copied} FROM {name} LIMIT 1",
        ):
            if not refused(sql):
                taken.append(sql)

    assert taken == []


def test_foreign_kinds_are_refused_for_their_kind(guarded, people):
    """Not only because the row is there already, or may not be changed."""
    if connection.vendor != "sqlite":
        return
    values = (uuid4().hex, people[0].pk)
    for money in ("'much'", "1.5", "x'ff'"):
        with pytest.raises(DatabaseError, match="of the kind of its column"):
            run(
                "INSERT INTO ledger_posting (entry_id, player_id, points, money)"
                f" VALUES ('{values[0]}', {values[1]}, 0, {money})"
            )
    for change in ("stake = 0.5", "date = 'today'", f"name = '{'x' * 81}'"):
        with pytest.raises(DatabaseError, match=r"of its column|is closed"):
            run(f"UPDATE ledger_evening SET {change}")


def test_a_text_is_as_long_as_its_field_says_on_both_databases(club):
    Player.objects.create(club=club, name="x" * 60)

    with pytest.raises(DatabaseError), transaction.atomic():
        Player.objects.create(club=club, name="y" * 61)
    with pytest.raises(DatabaseError), transaction.atomic():
        club.players.update(nickname="y" * 21)


def test_what_was_too_long_before_can_still_be_changed(club, people):
    """An installation of before may have such a row."""
    if connection.vendor != "sqlite":
        return
    with triggers.lifted(connection):
        club.players.filter(pk=people[0].pk).update(name="x" * 100)

    club.players.filter(pk=people[0].pk).update(retired=True)

    assert club.players.get(pk=people[0].pk).retired
