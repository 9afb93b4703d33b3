"""Rows that nothing of ours can have written, as SQLite lets others write them.

Guards of our own refuse it (see models/strict_triggers.py), as long as they are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db import connection, models

from ledger.models import strict_triggers

MOST = 100
"""So many rows of a table are named; more of a kind tell no more."""


def differences() -> Iterator[str]:
    """Yield a sentence for each value and each reference that cannot be."""
    if connection.vendor != "sqlite":
        return
    for model in apps.get_app_config("ledger").get_models():
        yield from _unlike(model)
    for table, row, parent, _key in _fetched("PRAGMA foreign_key_check"):
        if table.startswith("ledger_"):
            yield f"{table}, row {row}: what it names in {parent} is missing."


def _unlike(model: type[models.Model]) -> Iterator[str]:
    """Yield the rows of *model* with a value that is not of its column's kind."""
    table, key = model._meta.db_table, model._meta.pk
    assert key is not None
    kinds = {column: (sql, what) for column, sql, what in strict_triggers.checks(model)}
    cases = " ".join(
        f"WHEN {column} IS NOT NULL AND NOT COALESCE({sql.format(row='')}, 0) "
        f"THEN '{column}'"
        for column, (sql, _what) in kinds.items()
    )
    sql = f"""SELECT * FROM (
        SELECT quote({key.column}), CASE {cases} END AS wrong FROM {table}
    ) WHERE wrong IS NOT NULL LIMIT {MOST}"""
    for row, column in _fetched(sql):
        yield f"{table}, row {row}: {column} is not {kinds[column][1]}."


def _fetched(sql: str) -> Iterable[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, None)
        found: list[tuple[str, ...]] = cursor.fetchall()
    return found
