"""JSON Schema of the club file, derived from its layout and fields."""

from __future__ import annotations

from typing import Any

from ledger.clubfile.layout import CLUB, FORMAT, FilePart

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DESCRIPTION = """A whole club, as Kontra saves and loads it. The keys stand in this
order, the evenings last, so that they can be read one after another. Money is in the
smallest units of its currency; points and money are what a player gains, and sum to 0
in each entry. What was corrected is there twice, and between the two an entry that
reverses the first. Numbers of players, seasons and editions hold in this file only;
ids everywhere. What follows from all this, statistics for one, is not in it."""


def schema() -> dict[str, Any]:
    """Return the schema, as in club.schema.json."""
    below = {key: _list(part) for key, part in CLUB.parts.items()}
    return {
        "$schema": DIALECT,
        "title": "A club of Kontra",
        "description": " ".join(DESCRIPTION.split()),
        "type": "object",
        "properties": {
            "kontra": {"const": FORMAT, "description": "The format of the file."},
            "club": _object(CLUB, {}),
            **below,
        },
        "required": ["kontra", "club", *below],
        "additionalProperties": False,
    }


def _list(part: FilePart) -> dict[str, Any]:
    below = {key: _list(inner) for key, inner in part.parts.items()}
    return {"type": "array", "items": _object(part, below)}


def _object(part: FilePart, below: dict[str, Any]) -> dict[str, Any]:
    number = {"id": {"type": "integer", "minimum": 1}} if part.numbered else {}
    fields = {field.key: field.schema for field in part.fields}
    optional = {field.key for field in part.fields if field.default is not None}
    return {
        "title": part.model.__name__,
        "type": "object",
        "properties": number | fields | below,
        "required": [key for key in number | fields | below if key not in optional],
        "additionalProperties": False,
    }
