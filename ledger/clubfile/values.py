"""Plain values of the file, parsed and dumped; a parser raises `WrongValue`."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import UUID

from ledger.clubfile.errors import WrongValue

MOST_INTEGER = 2**31 - 1
"""The largest integer of a database column."""


def whole_number(value: Any, least: int, most: int) -> int:
    if type(value) is not int:
        raise WrongValue(f"is no whole number: {value!r}")
    if not least <= value <= most:
        raise WrongValue(f"is {value}, not between {least} and {most}")
    return value


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongValue(f"is neither true nor false: {value!r}")
    return value


def array(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise WrongValue(f"is no list: {value!r}")
    return value


def parse_id(value: Any) -> UUID:
    try:
        return UUID(value)
    except (ValueError, TypeError, AttributeError):
        raise WrongValue(f"is no id: {value!r}") from None


def dump_id(id: str) -> str:
    """Return a UUID with hyphens; SQLite returns it as text without."""
    if len(id) == 32:
        return f"{id[:8]}-{id[8:12]}-{id[12:16]}-{id[16:20]}-{id[20:]}"
    return id


def parse_date(value: Any) -> datetime.date:
    try:
        return datetime.date.fromisoformat(value)
    except (ValueError, TypeError):
        raise WrongValue(f"is no date: {value!r}") from None


def parse_time(value: Any) -> datetime.datetime:
    try:
        time = datetime.datetime.fromisoformat(value)
    except (ValueError, TypeError):
        raise WrongValue(f"is no time: {value!r}") from None
    if time.tzinfo is None:
        raise WrongValue(f"is a time without a zone: {value!r}")
    return time.astimezone(datetime.UTC)


def dump_time(time: datetime.datetime) -> str:
    utc = time.astimezone(datetime.UTC)
    return utc.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def sorted_keys(value: Any) -> Any:
    """Return *value* with the keys of all objects sorted."""
    # PostgreSQL's jsonb has an order of its own; the file must not depend on it.
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [sorted_keys(inner) for inner in value]
    return value
