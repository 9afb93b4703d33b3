"""Fields of the file: for each column of a model its key, schema, dump and load."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

from django.db import models
from django.utils import timezone

from ledger.clubfile.errors import WrongValue
from ledger.clubfile.json_fields import DATE, JSON_FIELDS, Convert, Schema
from ledger.clubfile.names import Names
from ledger.clubfile.values import (
    MOST_INTEGER,
    boolean,
    dump_id,
    dump_time,
    parse_date,
    parse_id,
    parse_time,
    sorted_keys,
    whole_number,
)
from ledger.models import Action, User

Column: TypeAlias = "models.Field[Any, Any]"


@dataclass(frozen=True, slots=True)
class FileField:
    """A field of a model in the file."""

    key: str
    column: str
    schema: Schema
    dump: Convert | None
    """None where the value is dumped as it is."""
    load: Convert
    default: Callable[[], Any] | None = None
    """Value where the key is missing; None for a required key."""

    def read(self, row: Mapping[str, Any], names: Names) -> Any:
        """Return the value in *row* for the column."""
        if self.key in row:
            return self.load(row[self.key], names)
        if self.default is None:
            raise WrongValue("is missing")
        return self.default()


def file_field(column: Column) -> FileField:
    """Return the field of the file for *column*, by its type in Django."""
    schema, dump, load = _conversion(column)
    default = None
    if column.null or (column.has_default() and column.default is not timezone.now):
        default = column.get_default
    if column.null:
        schema = {"anyOf": [schema, {"type": "null"}]}
    return FileField(
        column.name, column.attname, schema, dump, _or_null(load, column), default
    )


def _or_null(load: Convert, column: Column) -> Convert:
    def load_or_null(value: Any, names: Names) -> Any:
        if value is None:
            if column.null:
                return None
            raise WrongValue("is empty")
        return load(value, names)

    return load_or_null


def _conversion(column: Column) -> tuple[Schema, Convert | None, Convert]:
    """Return schema, dump and load of *column*."""
    if (column.model, column.name) in JSON_FIELDS:
        return JSON_FIELDS[column.model, column.name]
    match column:
        case models.ForeignKey():
            return _reference(column.related_model)
        case models.UUIDField():
            return ID, _plain(dump_id), _plain(parse_id)
        case models.BooleanField():
            return {"type": "boolean"}, None, _plain(boolean)
        case models.DateTimeField():
            return TIME, _plain(dump_time), _plain(parse_time)
        case models.DateField():
            return DATE, _plain(datetime.date.isoformat), _plain(parse_date)
        case models.IntegerField():
            return _number(*RANGES[column.get_internal_type()])
        case models.CharField():
            return _text(column)
        case models.JSONField():
            return {}, _plain(sorted_keys), _plain(lambda value: value)
    raise TypeError(f"no spelling for {column!r}")


ID = {"type": "string", "format": "uuid"}
TIME = {"type": "string", "format": "date-time"}
RANGES = {
    "PositiveSmallIntegerField": (0, 2**15 - 1),
    "PositiveIntegerField": (0, MOST_INTEGER),
    "BigIntegerField": (-(2**63), 2**63 - 1),
}
USER_NAME = {"type": "string", "maxLength": 150, "description": "The name of a user."}


def _reference(model: Any) -> tuple[Schema, Convert, Convert]:
    if model is User:
        return USER_NAME, _dump_name(User), _load_name(User, lambda value: value)
    if model is Action:
        return ID, _plain(dump_id), _load_action
    if isinstance(model._meta.pk, models.UUIDField):
        return ID, _plain(dump_id), _load_name(model, parse_id)
    description = f"The number of a {model._meta.model_name}."
    schema = {"type": "integer", "minimum": 1, "description": description}
    number = partial(whole_number, least=1, most=MOST_INTEGER)
    return schema, _dump_name(model), _load_name(model, number)


def _dump_name(model: type[models.Model]) -> Convert:
    return lambda pk, names: names.of[model][pk]


def _load_name(model: Any, parse: Callable[[Any], Any]) -> Convert:
    return lambda value, names: names.find(model, parse(value))


def _plain(convert: Callable[[Any], Any]) -> Convert:
    """Return a conversion that needs no names."""
    return lambda value, names: convert(value)


def _load_action(value: Any, names: Names) -> UUID:
    # An entry can belong to an action of another evening, which may come later.
    id = parse_id(value)
    if id not in names.of[Action]:
        names.missing_actions.add(id)
    return id


def _number(least: int, most: int) -> tuple[Schema, None, Convert]:
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return schema, None, lambda value, names: whole_number(value, least, most)


def _text(column: models.CharField[Any, Any]) -> tuple[Schema, None, Convert]:
    most = column.max_length or 0
    schema: Schema = {"type": "string", "maxLength": most}
    known = [value for value, _label in column.flatchoices]
    if known:
        schema = {"enum": known}
    elif not column.blank:
        schema["minLength"] = 1

    def load(value: Any, names: Names) -> str:
        if not isinstance(value, str):
            raise WrongValue(f"is no text: {value!r}")
        if len(value) > most or (not value and not column.blank):
            raise WrongValue(f"is not 1 to {most} characters long")
        if "\0" in value or (known and value not in known):
            raise WrongValue(f"is {value!r}, which is not known here")
        return value

    return schema, None, load
