"""The database keeps a closed evening, a closed season and the log of actions by
itself: every test here goes round the ORM."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection

from ledger import journal
from ledger.models import Action, Evening, Step, guards
from tests.models.test_triggers import refused, run


@pytest.fixture
def played(table, record, owner):
    """A table with a hand, in an evening that is closed."""
    record(table)
    journal.close_evening(table.evening, by=owner)
    return table


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_hand SET number = 2",
        "DELETE FROM ledger_hand",
        "UPDATE ledger_table SET number = 2",
        "DELETE FROM ledger_table",
        "UPDATE ledger_lineup SET from_hand = 2",
        "DELETE FROM ledger_lineup",
        "UPDATE ledger_seat SET resting = NOT resting",
        "DELETE FROM ledger_seat",
        "UPDATE ledger_evening SET name = 'x'",
        "DELETE FROM ledger_evening",
    ],
)
def test_nothing_of_a_closed_evening_is_changed_or_deleted(played, statement):
    with refused("closed: an owner of the club may reopen it"):
        run(statement)


def test_a_hand_does_not_leave_a_closed_evening(played, lay):
    with refused("closed"):
        run(f"UPDATE ledger_hand SET table_id = {lay().pk}")


def test_no_line_is_added_in_a_closed_evening(played):
    columns = "item, kind, side, announced, contra, factor, base, points, personal"

    with refused("closed|already written"):
        run(
            f"INSERT INTO ledger_line (version_id, position, {columns})"
            f" SELECT version_id, 99, {columns} FROM ledger_line"
        )


def test_no_action_is_added_in_a_closed_evening(played):
    with refused("closed"):
        copy("ledger_action", "kind = 'record'", id=f"'{uuid4().hex}'", number="99")


def test_no_step_is_added_in_a_closed_evening(played):
    close = Action.objects.get(kind="close")

    with refused("closed"):
        run(
            "INSERT INTO ledger_step (action_id, hand_id, after_number)"
            f" SELECT '{close.pk.hex}', hand_id, 1 FROM ledger_step"
        )


def copy(table, where="1 = 1", **changes):
    """Insert a row of *table* once more, with *changes* in SQL."""
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, table)
    columns = [c.name for c in described if c.name != "id" or "id" in changes]
    values = ", ".join(changes.get(name, name) for name in columns)
    names = ", ".join(columns)
    run(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE {where}")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_action SET reason = 'x'",
        "DELETE FROM ledger_action",
        "UPDATE ledger_step SET after_number = 2",
        "DELETE FROM ledger_step",
    ],
)
def test_the_log_stays_as_it_was_written(table, record, statement):
    record(table)

    with refused("stays as it was written"):
        run(statement)


def test_an_action_is_undone_once(table, record, owner):
    record(table)
    journal.undo(journal.UndoStack.of(table).undo, id=uuid4(), by=owner)

    with pytest.raises(IntegrityError, match=r"(?i)unique"):
        copy("ledger_action", "kind = 'undo'", id=f"'{uuid4().hex}'", number="99")
    assert Step.objects.count() == 2


def test_no_evening_begins_in_a_closed_season(table, club, owner):
    evening = table.evening
    season = club.seasons.get()
    journal.close_season(season, by=owner)

    with refused("the season is closed"):
        copy("ledger_evening")
    other = club.seasons.create(name="next", starts="2027-01-01")
    run(f"UPDATE ledger_evening SET season_id = {other.pk}")
    with refused("the season is closed"):
        run(f"UPDATE ledger_evening SET season_id = {season.pk}")
    assert Evening.objects.get(pk=evening.pk).season == other


def test_no_evening_of_a_closed_season_is_reopened(played, club, owner):
    journal.close_season(club.seasons.get(), by=owner)

    with refused("the season is closed"):
        run("UPDATE ledger_evening SET closed_at = NULL")


def test_every_table_of_an_evening_is_guarded_when_it_is_closed():
    """A new table of an evening needs a guard, or a reason to be missing here."""
    guarded = {g.table for g in guards.GUARDS if g.name.endswith("_while_open")}

    assert guarded >= {
        f"ledger_{name}"
        for name in (
            *("hand", "version", "line", "entry", "action", "step"),
            *("lineup", "seat", "table", "evening"),
        )
    }
