"""Rows that nothing of ours can have written, as SQLite lets others write them.

It takes text for a number, and any text for an id, a date or JSON. PostgreSQL refuses
all of that by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db import connection, models

MOST = 100
"""So many rows of a table are named; more of a kind tell no more."""
KINDS = (
    (models.UUIDField, "typeof({0}) = 'text' AND length({0}) = 32", "an id"),
    (models.JSONField, "json_valid({0})", "JSON"),
    (models.DateTimeField, "datetime({0}) IS NOT NULL", "a time"),
    (models.DateField, "date({0}) IS NOT NULL", "a date"),
    ((models.CharField, models.TextField), "typeof({0}) = 'text'", "text"),
    (
        (models.IntegerField, models.BooleanField),
        "typeof({0}) = 'integer'",
        "a whole number",
    ),
)
"""Fields, the SQL that holds of what they may keep, and what that is called."""


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
    checks = dict(_checks(model))
    table, key = model._meta.db_table, model._meta.pk
    assert key is not None
    cases = " ".join(
        f"WHEN {column} IS NOT NULL AND NOT COALESCE({check}, 0) THEN '{column}'"
        for column, (check, _what) in checks.items()
    )
    sql = f"""SELECT * FROM (
        SELECT quote({key.column}), CASE {cases} END AS wrong FROM {table}
    ) WHERE wrong IS NOT NULL LIMIT {MOST}"""
    for row, column in _fetched(sql):
        yield f"{table}, row {row}: {column} is not {checks[column][1]}."


def _checks(model: type[models.Model]) -> Iterator[tuple[str, tuple[str, str]]]:
    for field in model._meta.concrete_fields:
        kept = field.target_field if isinstance(field, models.ForeignKey) else field
        column = str(field.column)
        for kinds, check, what in KINDS:
            if isinstance(kept, kinds):
                yield column, (check.format(f'"{column}"'), what)
                break


def _fetched(sql: str) -> Iterable[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, None)
        found: list[tuple[str, ...]] = cursor.fetchall()
    return found
