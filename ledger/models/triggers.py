"""Triggers: installs the guards on SQLite and PostgreSQL, and finds missing ones.

A migration that adds or changes a guarded table removes all triggers first and installs
them all behind it; of several such only the last installs. `audit` reports those that
are missing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager

from django.db.backends.base.base import BaseDatabaseWrapper

from ledger.models import strict_triggers
from ledger.models.guards import GUARDS, NEVER_EMPTIED, Guard


def install(connection: BaseDatabaseWrapper) -> None:
    """Create the trigger of every guard whose table exists, replacing present ones."""
    remove(connection)
    tables = set(connection.introspection.table_names())
    _run(connection, _create_all(connection, tables))


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop all triggers of the ledger."""
    _run(connection, _drop_all(connection))


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Remove the triggers for this block: for tests, and for emptying tables."""
    remove(connection)
    try:
        yield
    finally:
        install(connection)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of triggers that the database lacks, or has disabled."""
    present = _present(connection, " AND tgenabled = 'O'")
    return [name for name in names(connection) if name not in present]


def names(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of the triggers that the database is to have."""
    if connection.vendor == "postgresql":
        more = [f"{table}_no_truncate" for table in NEVER_EMPTIED]
    else:
        more = []
    return [*(guard.name for guard in _guards(connection)), *more]


def _guards(connection: BaseDatabaseWrapper) -> Iterator[Guard]:
    # SQLite runs the latest trigger first: of several messages, the most telling one.
    if connection.vendor == "sqlite":
        yield from strict_triggers.guards()
    yield from GUARDS


def _present(connection: BaseDatabaseWrapper, only: str = "") -> list[str]:
    sql = r"""SELECT name FROM sqlite_master
        WHERE type = 'trigger' AND name LIKE 'ledger\_%' ESCAPE '\'"""
    if connection.vendor == "postgresql":
        sql = rf"""SELECT tgname FROM pg_trigger
            WHERE NOT tgisinternal AND tgname LIKE 'ledger\_%'{only}"""
    with connection.cursor() as cursor:
        cursor.execute(sql, None)
        return [name for (name,) in cursor.fetchall()]


def _create_all(
    connection: BaseDatabaseWrapper, tables: Container[str]
) -> Iterator[str]:
    guards = [guard for guard in _guards(connection) if guard.table in tables]
    if connection.vendor == "postgresql":
        for guard in guards:
            yield from _create_on_postgresql(guard)
        for table in NEVER_EMPTIED:
            if table in tables:
                yield from _refuse_truncate(table)
    else:
        for guard in guards:
            yield _create_on_sqlite(guard)


def _drop_all(connection: BaseDatabaseWrapper) -> Iterator[str]:
    for name in _present(connection):
        if connection.vendor == "postgresql":  # the trigger goes with its function
            yield f"DROP FUNCTION IF EXISTS {name}() CASCADE"
        else:
            yield f"DROP TRIGGER IF EXISTS {name}"


def _create_on_sqlite(guard: Guard) -> str:
    return f"""CREATE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table}
    WHEN {guard.when} BEGIN SELECT RAISE(ABORT, '{guard.message}'); END"""


def _create_on_postgresql(guard: Guard) -> Iterator[str]:
    # The error is an integrity error, as of a constraint. Sequential scans are off: a
    # connection caches the plan of a function, and one made while the tables were small
    # would read them whole for each row when they are large.
    row = "OLD" if guard.event == "DELETE" else "NEW"
    yield f"""CREATE OR REPLACE FUNCTION {guard.name}() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off AS $$
    BEGIN
        IF {guard.when} THEN
            RAISE EXCEPTION '{guard.message}'
            USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN {row};
    END $$"""
    yield f"""CREATE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table}
    FOR EACH ROW EXECUTE FUNCTION {guard.name}()"""


def _refuse_truncate(table: str) -> Iterator[str]:
    name = f"{table}_no_truncate"
    yield f"""CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the journal is never emptied'
        USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
    yield f"""CREATE TRIGGER {name} BEFORE TRUNCATE ON {table}
    EXECUTE FUNCTION {name}()"""


def _run(connection: BaseDatabaseWrapper, statements: Iterator[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, None)  # with parameters % would be a placeholder
