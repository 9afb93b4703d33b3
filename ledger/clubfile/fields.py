"""How each value of the ledger is spelled in the file of a club, and read back.

A file knows nothing of the database's numbers: players, seasons and tariffs have
numbers of the file, users their names, tables the number they have in their evening.
Hands, versions, entries and actions keep the ids they have everywhere.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias
from uuid import UUID

from django.db import models
from django.utils import timezone

import scoring
from ledger.models import (
    Action,
    Edition,
    OldSheet,
    Player,
    Season,
    Table,
    User,
    Version,
)
from ledger.text.amounts import PARTS

Schema = dict[str, Any]
Column: TypeAlias = "models.Field[Any, Any]"


class WrongValue(ValueError):
    """What is wrong with a file, and where in it: `evenings[3].entries[0]`."""

    def __init__(self, says: str, place: str = "") -> None:
        super().__init__(says, place)
        self.says, self.place = says, place

    def __str__(self) -> str:
        return f"{self.place}: {self.says}" if self.place else self.says

    def within(self, place: str) -> WrongValue:
        if self.place:
            return self
        return type(self)(self.says, place)


@dataclass
class Names:
    """What the file calls things, by what the database calls them; or the reverse."""

    of: dict[type[models.Model], dict[Any, Any]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    later: set[UUID] = field(default_factory=set)
    """Actions that are named, and not there yet."""

    def find(self, model: type[models.Model], name: Any) -> Any:
        try:
            return self.of[model][name]
        except (KeyError, TypeError):
            raise WrongValue(f"there is no {model._meta.model_name} {name!r}") from None

    def player(self, name: Any) -> Any:
        return self.find(Player, _whole(name, 1, MOST))

    def holder(self, name: Any) -> Any:
        """Return the player whose number is a key, and so a text."""
        if not (isinstance(name, str) and name.isdecimal() and len(name) < 10):
            raise WrongValue(f"there is no player {name!r}")
        return self.find(Player, int(name))


Spell = Callable[[Any, Names], Any]


@dataclass(frozen=True, slots=True)
class Spelling:
    """A field of a model: its key in the file, what goes out, and what comes in."""

    key: str
    column: str
    schema: Schema
    told: Spell | None
    """None where the value goes out as it is."""
    heard: Spell
    default: Callable[[], Any] | None = None
    """What it is where the file doesn't say; None where it must."""

    def read(self, row: Mapping[str, Any], names: Names) -> Any:
        """Return what the *row* of a file says here."""
        if self.key in row:
            return self.heard(row[self.key], names)
        if self.default is None:
            raise WrongValue("is missing")
        return self.default()


def spelling(column: Column) -> Spelling:
    """Return how *column* is spelled."""
    schema, told, heard = _of(column)
    default = None
    if column.null or (column.has_default() and column.default is not timezone.now):
        default = column.get_default
    if column.null:
        schema = {"anyOf": [schema, {"type": "null"}]}
    return Spelling(
        column.name, column.attname, schema, told, _or_null(heard, column), default
    )


def _or_null(heard: Spell, column: Column) -> Spell:
    def read(value: Any, names: Names) -> Any:
        if value is None:
            if column.null:
                return None
            raise WrongValue("is empty")
        return heard(value, names)

    return read


def _of(column: Column) -> tuple[Schema, Spell | None, Spell]:
    if (column.model, column.name) in IN_JSON:
        return IN_JSON[column.model, column.name]
    match column:
        case models.ForeignKey():
            return _reference(column.related_model)
        case models.UUIDField():
            return ID, _id_told, lambda said, names: _id(said)
        case models.BooleanField():
            return {"type": "boolean"}, None, lambda said, names: _flag(said)
        case models.DateTimeField():
            return TIME, lambda time, names: _utc(time), lambda said, names: _time(said)
        case models.DateField():
            return DAY, lambda day, names: day.isoformat(), lambda s, names: _day(s)
        case models.IntegerField():
            return _number(*RANGES[column.get_internal_type()])
        case models.CharField():
            return _text(column)
        case models.JSONField():
            return {}, lambda value, names: _sorted(value), lambda said, names: said
    raise TypeError(f"no spelling for {column!r}")


ID = {"type": "string", "format": "uuid"}
TIME = {"type": "string", "format": "date-time"}
DAY = {"type": "string", "format": "date"}
MOST = 2**31 - 1
RANGES = {
    "PositiveSmallIntegerField": (0, 2**15 - 1),
    "PositiveIntegerField": (0, MOST),
    "BigIntegerField": (-(2**63), 2**63 - 1),
}
PLAYER = {"type": "integer", "minimum": 1, "description": "The number of a player."}
BY_NAME = {"type": "string", "maxLength": 150, "description": "The name of a user."}


def _reference(model: Any) -> tuple[Schema, Spell, Spell]:
    if model is User:
        return BY_NAME, _told(User), lambda said, names: names.find(User, said)
    if model is Action:
        return ID, _id_told, _action
    if isinstance(model._meta.pk, models.UUIDField):
        heard = lambda said, names: names.find(model, _id(said))  # noqa: E731
        return ID, _id_told, heard
    called = f"The number of a {model._meta.model_name}."
    schema = {"type": "integer", "minimum": 1, "description": called}
    number = lambda said, names: names.find(model, _whole(said, 1, MOST))  # noqa: E731
    return schema, _told(model), number


def _told(model: type[models.Model]) -> Spell:
    return lambda pk, names: names.of[model][pk]


def _action(said: Any, names: Names) -> UUID:
    """An entry can be of an action of another evening, which may come later."""
    id = _id(said)
    if id not in names.of[Action]:
        names.later.add(id)
    return id


def _id_told(id: str, names: Names) -> str:
    """The database spells ids as text, some with marks and some without."""
    if len(id) == 32:
        return f"{id[:8]}-{id[8:12]}-{id[12:16]}-{id[16:20]}-{id[20:]}"
    return id


def _number(least: int, most: int) -> tuple[Schema, None, Spell]:
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return schema, None, lambda said, names: _whole(said, least, most)


def _text(column: models.CharField[Any, Any]) -> tuple[Schema, None, Spell]:
    most = column.max_length or 0
    schema: Schema = {"type": "string", "maxLength": most}
    known = [value for value, _label in column.flatchoices]
    if known:
        schema = {"enum": known}
    elif not column.blank:
        schema["minLength"] = 1

    def heard(said: Any, names: Names) -> str:
        if not isinstance(said, str):
            raise WrongValue(f"is no text: {said!r}")
        if len(said) > most or (not said and not column.blank):
            raise WrongValue(f"is not 1 to {most} characters long")
        if "\0" in said or (known and said not in known):
            raise WrongValue(f"is {said!r}, which is not known here")
        return said

    return schema, None, heard


def _whole(said: Any, least: int, most: int) -> int:
    if type(said) is not int:
        raise WrongValue(f"is no whole number: {said!r}")
    if not least <= said <= most:
        raise WrongValue(f"is {said}, not between {least} and {most}")
    return said


def _flag(said: Any) -> bool:
    if not isinstance(said, bool):
        raise WrongValue(f"is neither true nor false: {said!r}")
    return said


def _id(said: Any) -> UUID:
    try:
        return UUID(said)
    except (ValueError, TypeError, AttributeError):
        raise WrongValue(f"is no id: {said!r}") from None


def _day(said: Any) -> datetime.date:
    try:
        return datetime.date.fromisoformat(said)
    except (ValueError, TypeError):
        raise WrongValue(f"is no date: {said!r}") from None


def _utc(time: datetime.datetime) -> str:
    utc = time.astimezone(datetime.UTC)
    return utc.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _time(said: Any) -> datetime.datetime:
    try:
        time = datetime.datetime.fromisoformat(said)
    except (ValueError, TypeError):
        raise WrongValue(f"is no time: {said!r}") from None
    if time.tzinfo is None:
        raise WrongValue(f"is a time without a zone: {said!r}")
    return time.astimezone(datetime.UTC)


# What is JSON in the database too


def _sorted(value: Any) -> Any:
    """Return *value* with its keys in order, which PostgreSQL does not keep."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(inner) for inner in value]
    return value


def _record_told(record: Mapping[str, Any], names: Names) -> Any:
    number = names.of[Player]
    told = scoring.renamed(record, number.get, key=lambda pk: number[int(pk)])
    return _sorted(told)


def _record_heard(said: Any, names: Names) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise WrongValue("is no record of a hand")
    try:
        return scoring.renamed(said, names.player, key=names.holder)
    except (TypeError, AttributeError, KeyError):
        raise WrongValue("is no record of a hand") from None


def _prints_heard(said: Any, names: Names) -> list[str]:
    prints: list[str] = []
    for one in _list(said):
        if not (isinstance(one, str) and len(one) <= 64):
            raise WrongValue("is no digest")
        prints.append(one)
    return prints


def _people_told(players: list[int], names: Names) -> list[int]:
    return [names.of[Player][pk] for pk in players]


def _people_heard(said: Any, names: Names) -> list[int]:
    return [names.player(number) for number in _list(said)]


def _seating_told(seating: Mapping[str, Any], names: Names) -> Any:
    tables = {names.of[Table][int(pk)]: kept for pk, kept in seating.items()}
    return {
        str(number): [
            [
                from_hand,
                names.of[Player][dealer] if dealer else None,
                [[names.of[Player][player], rests] for player, rests in seats],
            ]
            for from_hand, dealer, seats in tables[number]
        ]
        for number in sorted(tables)
    }


def _seating_heard(said: Any, names: Names) -> dict[str, Any]:
    try:
        return {
            str(names.find(Table, int(number))): [
                [
                    _whole(from_hand, 0, MOST),
                    None if dealer is None else names.player(dealer),
                    [[names.player(player), _flag(rests)] for player, rests in seats],
                ]
                for from_hand, dealer, seats in kept
            ]
            for number, kept in said.items()
        }
    except (TypeError, AttributeError, KeyError):
        raise WrongValue("are no seats of a table") from None
    except ValueError as wrong:
        raise (
            wrong if isinstance(wrong, WrongValue) else WrongValue("are no seats")
        ) from None


def _amended_told(kept: Mapping[str, Any], names: Names) -> Any:
    told = dict(kept)
    for key, model in (("season", Season), ("edition", Edition)):
        if key in told:
            told[key] = names.of[model][told[key]]
    if "tables" in told:
        told["tables"] = {
            str(names.of[Table][int(pk)]): names.of[Edition][edition]
            for pk, edition in told["tables"].items()
        }
    return _sorted(told)


def _amended_heard(said: Any, names: Names) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise WrongValue("is no object")
    if unknown := sorted(said.keys() - AMENDED["properties"].keys()):
        raise WrongValue(f"has {unknown[0]!r}, which is not known here")
    return {key: _amended_value(key, said[key], names) for key in said}


def _amended_value(key: str, said: Any, names: Names) -> Any:
    match key:
        case "season":
            return names.find(Season, _whole(said, 1, MOST))
        case "edition":
            return names.find(Edition, _whole(said, 1, MOST))
        case "tables" if isinstance(said, dict) and all(map(str.isdecimal, said)):
            return {
                str(names.find(Table, int(number))): names.find(Edition, edition)
                for number, edition in said.items()
            }
        case "removed":
            return _flag(said)
        case "stake":
            return _stake_heard(said)
        case "date":
            return _day(said).isoformat()
        case _ if isinstance(said, str) and len(said) <= LETTERS.get(key, 0):
            return said
    raise WrongValue(f"is no {key}: {said!r}")


def _stake_heard(said: Any) -> int | str:
    if not isinstance(said, str):
        return _whole(said, 0, MOST)
    number, _bar, parts = said.partition("/")
    try:
        stake = Fraction(int(number), int(parts))
    except (ValueError, ZeroDivisionError):
        raise WrongValue(f"is no stake: {said!r}") from None
    if str(stake) != said or stake.denominator not in PARTS:
        raise WrongValue(f"is no stake: {said!r}")
    _whole(stake.numerator, 1, MOST)
    return said


def _list(said: Any) -> list[Any]:
    if not isinstance(said, list):
        raise WrongValue(f"is no list: {said!r}")
    return said


PEOPLE = {"type": "array", "items": PLAYER}
PRINTS = {
    "type": "array",
    "items": {"type": "string", "maxLength": 64},
    "description": "What tells each sheet again; of older files there is the digest.",
}
SEAT = {"type": "array", "prefixItems": [PLAYER, {"type": "boolean"}]}
SEATS = {"type": "array", "items": SEAT}
DEALER = {"anyOf": [PLAYER, {"type": "null"}]}
SITTING = {"type": "array", "prefixItems": [{"type": "integer"}, DEALER, SEATS]}
SEATING = {
    "type": "object",
    "description": "By the number of a table, its line-ups: from which hand, the "
    "dealer if he was chosen, and the seats in order, each with whether he rests.",
    "additionalProperties": {"type": "array", "items": SITTING},
}
LETTERS = {"name": 80, "language": 8, "currency": 3}
"""How long these are at most."""
EDITION = {"type": "integer", "minimum": 1, "description": "The number of an edition."}
AMENDED: Schema = {
    "type": "object",
    "description": "What was corrected of an evening or of the club, as it was then.",
    "properties": {
        **{key: {"type": "string", "maxLength": most} for key, most in LETTERS.items()},
        "date": DAY,
        "season": {"type": "integer", "minimum": 1},
        "stake": {
            "type": ["integer", "string"],
            "description": "In the smallest units; in text where a point is worth a "
            "fraction of one.",
            "minimum": 0,
            "maximum": MOST,
            "pattern": r"^[1-9]\d*/[1-9]\d*$",
        },
        "edition": EDITION,
        "tables": {
            "type": "object",
            "description": "By the number of a table, its edition.",
            "additionalProperties": EDITION,
        },
        "removed": {"type": "boolean"},
    },
    "additionalProperties": False,
}
RECORD = {"type": "object", "description": "The hand as it was entered."}
RULES = {"type": "object", "description": "Options that differ from the game's own."}
SEATED = SEATING, _seating_told, _seating_heard
AS_AMENDED = AMENDED, _amended_told, _amended_heard
IN_JSON: dict[tuple[Any, str], tuple[Schema, Spell | None, Spell]] = {
    (Version, "record"): (RECORD, _record_told, _record_heard),
    (Version, "players"): (PEOPLE, _people_told, _people_heard),
    (Version, "resting"): (PEOPLE, _people_told, _people_heard),
    (OldSheet, "players_made"): (PEOPLE, _people_told, _people_heard),
    (OldSheet, "fingerprints"): (PRINTS, None, _prints_heard),
    (Action, "seating_before"): SEATED,
    (Action, "seating_after"): SEATED,
    (Action, "before"): AS_AMENDED,
    (Action, "after"): AS_AMENDED,
}
