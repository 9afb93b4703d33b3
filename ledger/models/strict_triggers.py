"""What PostgreSQL refuses by its types and keys, and SQLite only by guards.

SQLite takes text for a number, any text for an id or a date, and a text of any length;
and INSERT OR REPLACE deletes without a word what stands in its way. These guards follow
from the models, and hold whatever program it is that writes.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db import models
from django.db.models.constraints import UniqueConstraint

from ledger.models.triggers import Guard

DAY = "date(substr({0}, 1, 10), '+0 days') = substr({0}, 1, 10)"
"""One of the calendar, in full: SQLite makes a March of the 31st of February."""
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
"""Fields, the SQL that holds of what they may keep, and what that is called."""

SAME = {
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
"""When two rows are the same by a constraint that is more than some columns."""


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
        kept = field.target_field if isinstance(field, models.ForeignKey) else field
        for kinds, check, what in KINDS:
            if isinstance(kept, kinds):
                column = f'{{row}}"{field.column}"'
                yield str(field.column), check.format(column, field.max_length), what
                break


def _of_its_kind(model: type[models.Model]) -> Iterator[Guard]:
    table = model._meta.db_table
    for event, changed in (
        ("INSERT", 'NEW."{0}" IS NOT NULL'),
        ("UPDATE", 'NEW."{0}" IS NOT NULL AND NEW."{0}" IS NOT OLD."{0}"'),
    ):
        wrong = (
            f"{changed.format(column)} AND NOT COALESCE({check.format(row='NEW.')}, 0)"
            for column, check, _what in checks(model)
        )
        name = f"{table}_{event.lower()}_of_its_kind"
        says = "a value is too long, or not of the kind of its column"
        yield Guard(name, table, event, " OR ".join(wrong), says)


def _not_written_over(model: type[models.Model]) -> Iterator[Guard]:
    """Refuse what is there already, also by the number that SQLite gives each row."""
    table, says = model._meta.db_table, "UNIQUE: a row with this key is there already"
    there = [_there(table, same) for same in _keys(model)]
    yield Guard(f"{table}_once", table, "INSERT", " OR ".join(there), says)
    moved = " OR ".join(
        f"NEW.{key} IS NOT OLD.{key}" for key in ("rowid", _primary(model))
    )
    others = (
        _there(table, f"earlier.rowid <> NEW.rowid AND {s}") for s in _unique(model)
    )
    when = " OR ".join([moved, *others])
    yield Guard(f"{table}_stays", table, "UPDATE", when, says)


def _there(table: str, same: str) -> str:
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
            yield SAME.get(constraint.name, plain)


def _alike(*columns: str) -> str:
    return " AND ".join(f"earlier.{column} = NEW.{column}" for column in columns)
