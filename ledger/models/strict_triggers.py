"""Guards for SQLite alone: types, lengths and keys that PostgreSQL checks by itself.

SQLite accepts text for a number, any text for an id or a date, and text of any length;
INSERT OR REPLACE deletes the rows that have its keys. The guards are derived from the
models.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db import models
from django.db.models.constraints import UniqueConstraint

from ledger.models.guards import Guard

DAY = "date(substr({0}, 1, 10), '+0 days') = substr({0}, 1, 10)"
"""SQL that holds of a date of the calendar; SQLite reads 31 February as 3 March."""
KINDS = (
    (
        models.UUIDField,
        "typeof({0}) = 'text' AND length({0}) = 32 AND {0} NOT GLOB '*[^0-9a-f]*'",
        "an id",
    ),
    (models.JSONField, "json_valid({0})", "JSON"),
    (models.DateTimeField, f"{DAY} AND datetime({{0}}) IS NOT NULL", "a time"),
    (models.DateField, f"{DAY} AND length({{0}}) = 10", "a date"),
    (models.CharField, "typeof({0}) = 'text' AND length({0}) <= {1}", "text"),
    (models.TextField, "typeof({0}) = 'text'", "text"),
    (
        (models.IntegerField, models.BooleanField),
        "typeof({0}) = 'integer'",
        "a whole number",
    ),
)
"""Fields, the SQL that holds of their values, and what these are called."""

SAME_ROW = {
    "ledger_player_once_in_any_case": (
        "earlier.club_id = NEW.club_id AND LOWER(earlier.name) = LOWER(NEW.name)"
    ),
    "ledger_player_one_pot": (
        "earlier.club_id = NEW.club_id AND earlier.kind = 'pot' AND NEW.kind = 'pot'"
    ),
    "ledger_hand_number_once_at_table": (
        "earlier.table_id = NEW.table_id AND earlier.number = NEW.number"
        " AND NOT earlier.voided AND NOT NEW.voided"
    ),
    "ledger_digest_once_per_season": (
        "earlier.season_id = NEW.season_id AND earlier.number = NEW.number"
        " AND earlier.variant = NEW.variant"
        " AND earlier.first IS NULL AND NEW.first IS NULL"
    ),
}
"""When two rows are the same by constraints that are more than a list of columns."""


def guards() -> Iterator[Guard]:
    """Yield the guards of every table of the ledger."""
    for model in apps.get_app_config("ledger").get_models():
        yield from _of_its_kind(model)
        yield from _not_written_over(model)


def checks(model: type[models.Model]) -> Iterator[tuple[str, str, str]]:
    """Yield columns, the SQL that holds of their values, and what these are called.

    In the SQL, {row} stands for what names the row.
    """
    for field in model._meta.concrete_fields:
        target = field.target_field if isinstance(field, models.ForeignKey) else field
        for kinds, check, what in KINDS:
            if isinstance(target, kinds):
                column = f'{{row}}"{field.column}"'
                yield str(field.column), check.format(column, field.max_length), what
                break


def _of_its_kind(model: type[models.Model]) -> Iterator[Guard]:
    table = model._meta.db_table
    for event, changed in (
        ("INSERT", 'NEW."{0}" IS NOT NULL'),
        ("UPDATE", 'NEW."{0}" IS NOT NULL AND NEW."{0}" IS NOT OLD."{0}"'),
    ):
        violations = (
            f"{changed.format(column)} AND NOT COALESCE({check.format(row='NEW.')}, 0)"
            for column, check, _what in checks(model)
        )
        name = f"{table}_{event.lower()}_of_its_kind"
        message = "a value is too long, or not of the kind of its column"
        yield Guard(name, table, event, " OR ".join(violations), message)


def _not_written_over(model: type[models.Model]) -> Iterator[Guard]:
    """Refuse a row whose primary key, unique columns or rowid another one has."""
    table, message = (
        model._meta.db_table,
        "UNIQUE: a row with this key is there already",
    )
    existing = [_exists(table, same) for same in _keys(model)]
    yield Guard(f"{table}_once", table, "INSERT", " OR ".join(existing), message)
    changed = " OR ".join(
        f"NEW.{key} IS NOT OLD.{key}" for key in ("rowid", _primary(model))
    )
    others = (
        _exists(table, f"earlier.rowid <> NEW.rowid AND {s}") for s in _unique(model)
    )
    when = " OR ".join([changed, *others])
    yield Guard(f"{table}_stays", table, "UPDATE", when, message)


def _exists(table: str, same: str) -> str:
    return f"EXISTS (SELECT 1 FROM {table} earlier WHERE {same})"


def _primary(model: type[models.Model]) -> str:
    key = model._meta.pk
    assert key is not None
    return str(key.column)


def _keys(model: type[models.Model]) -> Iterator[str]:
    """Yield when the *earlier* row and the NEW one are the same."""
    for key in dict.fromkeys(("rowid", _primary(model))):
        yield _alike(key)
    yield from _unique(model)


def _unique(model: type[models.Model]) -> Iterator[str]:
    for field in model._meta.concrete_fields:
        if field.unique and not field.primary_key:
            yield _alike(str(field.column))
    for constraint in model._meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            fields = [model._meta.get_field(name) for name in constraint.fields]
            plain = _alike(*(str(field.column) for field in fields))  # type: ignore[union-attr]
            yield SAME_ROW.get(constraint.name, plain)


def _alike(*columns: str) -> str:
    return " AND ".join(f"earlier.{column} = NEW.{column}" for column in columns)
