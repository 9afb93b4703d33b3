"""Fields that are JSON in the database, with references by names of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import scoring
from ledger.clubfile.errors import WrongValue
from ledger.clubfile.names import Names
from ledger.clubfile.values import (
    MOST_INTEGER,
    array,
    boolean,
    parse_date,
    sorted_keys,
    whole_number,
)
from ledger.models import Action, Edition, OldSheet, Player, Season, Table, Version
from ledger.text.amounts import PARTS

Schema = dict[str, Any]
Convert = Callable[[Any, Names], Any]


# Records of hands


def _dump_record(record: Mapping[str, Any], names: Names) -> Any:
    number = names.of[Player]
    renamed = scoring.renamed(record, number.get, key=lambda pk: number[int(pk)])
    return sorted_keys(renamed)


def _load_record(value: Any, names: Names) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WrongValue("is no record of a hand")
    try:
        return scoring.renamed(value, names.player, key=names.player_of_key)
    except (TypeError, AttributeError, KeyError):
        raise WrongValue("is no record of a hand") from None


# Lists


def _dump_players(players: list[int], names: Names) -> list[int]:
    return [names.of[Player][pk] for pk in players]


def _load_players(value: Any, names: Names) -> list[int]:
    return [names.player(number) for number in array(value)]


def _load_fingerprints(value: Any, names: Names) -> list[str]:
    fingerprints: list[str] = []
    for one in array(value):
        if not (isinstance(one, str) and len(one) <= 64):
            raise WrongValue("is no digest")
        fingerprints.append(one)
    return fingerprints


# Line-ups in an action: by table, from which hand, dealer, seats


def _dump_line_ups(line_ups: Mapping[str, Any], names: Names) -> Any:
    tables = {names.of[Table][int(pk)]: rows for pk, rows in line_ups.items()}
    return {
        str(number): [
            [
                from_hand,
                names.of[Player][dealer] if dealer else None,
                [[names.of[Player][player], on_break] for player, on_break in seats],
            ]
            for from_hand, dealer, seats in tables[number]
        ]
        for number in sorted(tables)
    }


def _load_line_ups(value: Any, names: Names) -> dict[str, Any]:
    try:
        return {
            str(names.find(Table, int(number))): [
                [
                    whole_number(from_hand, 0, MOST_INTEGER),
                    None if dealer is None else names.player(dealer),
                    [
                        [names.player(player), boolean(on_break)]
                        for player, on_break in seats
                    ],
                ]
                for from_hand, dealer, seats in rows
            ]
            for number, rows in value.items()
        }
    except (TypeError, AttributeError, KeyError):
        raise WrongValue("are no seats of a table") from None
    except ValueError as wrong:
        raise (
            wrong if isinstance(wrong, WrongValue) else WrongValue("are no seats")
        ) from None


# Values of an evening or the club before and after an amendment


def _dump_amended(values: Mapping[str, Any], names: Names) -> Any:
    dumped = dict(values)
    for key, model in (("season", Season), ("edition", Edition)):
        if key in dumped:
            dumped[key] = names.of[model][dumped[key]]
    if "tables" in dumped:
        dumped["tables"] = {
            str(names.of[Table][int(pk)]): names.of[Edition][edition]
            for pk, edition in dumped["tables"].items()
        }
    return sorted_keys(dumped)


def _load_amended(value: Any, names: Names) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WrongValue("is no object")
    if unknown := sorted(value.keys() - AMENDED["properties"].keys()):
        raise WrongValue(f"has {unknown[0]!r}, which is not known here")
    return {key: _load_amended_value(key, value[key], names) for key in value}


def _load_amended_value(key: str, value: Any, names: Names) -> Any:
    match key:
        case "season":
            return names.find(Season, whole_number(value, 1, MOST_INTEGER))
        case "edition":
            return names.find(Edition, whole_number(value, 1, MOST_INTEGER))
        case "tables" if isinstance(value, dict) and all(map(str.isdecimal, value)):
            return {
                str(names.find(Table, int(number))): names.find(Edition, edition)
                for number, edition in value.items()
            }
        case "removed":
            return boolean(value)
        case "stake":
            return _load_stake(value)
        case "date":
            return parse_date(value).isoformat()
        case _ if isinstance(value, str) and len(value) <= MOST_LETTERS.get(key, 0):
            return value
    raise WrongValue(f"is no {key}: {value!r}")


def _load_stake(value: Any) -> int | str:
    """Check a stake: minor units, or a fraction of one as text."""
    if not isinstance(value, str):
        return whole_number(value, 0, MOST_INTEGER)
    number, _bar, parts = value.partition("/")
    try:
        stake = Fraction(int(number), int(parts))
    except (ValueError, ZeroDivisionError):
        raise WrongValue(f"is no stake: {value!r}") from None
    if str(stake) != value or stake.denominator not in PARTS:
        raise WrongValue(f"is no stake: {value!r}")
    whole_number(stake.numerator, 1, MOST_INTEGER)
    return value


# Schemas

DATE = {"type": "string", "format": "date"}
PLAYER = {"type": "integer", "minimum": 1, "description": "The number of a player."}
PLAYERS = {"type": "array", "items": PLAYER}
FINGERPRINTS = {
    "type": "array",
    "items": {"type": "string", "maxLength": 64},
    "description": "What tells each sheet again; of older files there is the digest.",
}
SEAT = {"type": "array", "prefixItems": [PLAYER, {"type": "boolean"}]}
SEATS = {"type": "array", "items": SEAT}
DEALER = {"anyOf": [PLAYER, {"type": "null"}]}
LINE_UP = {"type": "array", "prefixItems": [{"type": "integer"}, DEALER, SEATS]}
LINE_UPS = {
    "type": "object",
    "description": "By the number of a table, its line-ups: from which hand, the "
    "dealer if he was chosen, and the seats in order, each with whether he rests.",
    "additionalProperties": {"type": "array", "items": LINE_UP},
}
MOST_LETTERS = {"name": 80, "language": 8, "currency": 3}
EDITION = {"type": "integer", "minimum": 1, "description": "The number of an edition."}
AMENDED: Schema = {
    "type": "object",
    "description": "What was corrected of an evening or of the club, as it was then.",
    "properties": {
        **{
            key: {"type": "string", "maxLength": most}
            for key, most in MOST_LETTERS.items()
        },
        "date": DATE,
        "season": {"type": "integer", "minimum": 1},
        "stake": {
            "type": ["integer", "string"],
            "description": "In the smallest units; in text where a point is worth a "
            "fraction of one.",
            "minimum": 0,
            "maximum": MOST_INTEGER,
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

_line_ups = LINE_UPS, _dump_line_ups, _load_line_ups
_amended = AMENDED, _dump_amended, _load_amended
_players = PLAYERS, _dump_players, _load_players
JSON_FIELDS: dict[tuple[Any, str], tuple[Schema, Convert | None, Convert]] = {
    (Version, "record"): (RECORD, _dump_record, _load_record),
    (Version, "players"): _players,
    (Version, "resting"): _players,
    (OldSheet, "players_made"): _players,
    (OldSheet, "fingerprints"): (FINGERPRINTS, None, _load_fingerprints),
    (Action, "seating_before"): _line_ups,
    (Action, "seating_after"): _line_ups,
    (Action, "before"): _amended,
    (Action, "after"): _amended,
}
"""Schema, dump and load by model and field; other JSON is dumped as it is."""
