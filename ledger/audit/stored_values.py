"""Audit of stored values on SQLite: types of columns, and foreign keys.

SQLite lets any program write a text into a column of numbers, or a reference to no row.
Triggers refuse both (see models/strict_triggers.py) while they are installed.
PostgreSQL refuses them itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db import connection, models

from ledger.models import strict_triggers

MOST = 100
"""Rows reported for each table."""


def differences() -> Iterator[str]:
    """Yield a sentence for each value of a wrong type and each dangling reference."""
    if connection.vendor != "sqlite":
        return
    for model in apps.get_app_config("ledger").get_models():
        yield from _wrong_types(model)
    for table, row, parent, _key in _fetch("PRAGMA foreign_key_check"):
        if table.startswith("ledger_"):
            yield f"{table}, row {row}: what it names in {parent} is missing."


def _wrong_types(model: type[models.Model]) -> Iterator[str]:
    """Yield the rows of *model* with a value that its column does not admit."""
    table, key = model._meta.db_table, model._meta.pk
    assert key is not None
    checks = {
        column: (sql, what) for column, sql, what in strict_triggers.checks(model)
    }
    cases = " ".join(
        f"WHEN {column} IS NOT NULL AND NOT COALESCE({sql.format(row='')}, 0) "
        f"THEN '{column}'"
        for column, (sql, _what) in checks.items()
    )
    sql = f"""SELECT * FROM (
        SELECT quote({key.column}), CASE {cases} END AS wrong FROM {table}
    ) WHERE wrong IS NOT NULL LIMIT {MOST}"""
    for row, column in _fetch(sql):
        yield f"{table}, row {row}: {column} is not {checks[column][1]}."


def _fetch(sql: str) -> Iterable[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, None)
        rows: list[tuple[str, ...]] = cursor.fetchall()
    return rows
