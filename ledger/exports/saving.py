"""A whole club as one JSON document, which any Kontra can load.

Whoever reads it does so in one moment of the ledger. Only some evenings are in memory
at a time. The same club is the same file, to the byte, wherever it is kept.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from django.contrib.auth.models import User

from ledger.exports.parts import CLUB, EVENINGS, FORMAT, Part
from ledger.exports.spelling import Names
from ledger.models import Club, Table

AT_ONCE = 25
"""Evenings that are read together."""

SPELL = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode

Rows = dict[Any, list[dict[str, Any]]]
"""By what they stand within."""


def saved(club: Club) -> Iterator[bytes]:
    """Yield the file of *club*, a line for each player, season, evening …"""
    names = Names()
    names.of[User] = dict(User.objects.values_list("pk", "username"))
    head = {
        key: _rows(part, part.within, [club.pk], names)[club.pk]
        for key, part in CLUB.parts.items()
        if part is not EVENINGS
    }
    yield f'{{"kontra":{FORMAT},\n'.encode()
    yield f'"club":{SPELL(_club(club, names))},\n'.encode()
    for key, rows in head.items():
        lines = ",\n".join(map(SPELL, rows))
        yield f'"{key}":[\n{lines}\n],\n'.encode()
    yield b'"evenings":[\n'
    mark = ""
    for evening in _evenings(club, names):
        yield f"{mark}{SPELL(evening)}".encode()
        mark = ",\n"
    yield b"\n]}\n"


def _club(club: Club, names: Names) -> dict[str, Any]:
    row = {spelled.key: getattr(club, spelled.column) for spelled in CLUB.fields}
    return _told(CLUB, row, names)


def _evenings(club: Club, names: Names) -> Iterator[dict[str, Any]]:
    every = club.evenings.order_by("pk").values_list("pk", flat=True).iterator()
    while some := list(islice(every, AT_ONCE)):
        yield from _rows(EVENINGS, "pk", some, names)[club.pk]


def _rows(part: Part, path: str, of: Collection[Any], names: Names) -> Rows:
    """Return the rows of *part*; its *path* leads to one of *of*."""
    found = part.model.objects.filter(part.where, **{f"{path}__in": of})
    columns = [spelled.column for spelled in part.fields]
    rows: Rows = defaultdict(list)
    told: list[tuple[Any, dict[str, Any]]] = []
    for pk, within, *values in (
        found.order_by(*part.order).values_list("pk", part.within, *columns).iterator()
    ):
        number = {"id": len(told) + 1} if part.numbered else {}
        row = number | dict(zip((f.key for f in part.fields), values, strict=True))
        if part.numbered or part.model is Table:
            names.of[part.model][pk] = row["id" if part.numbered else "number"]
        told.append((pk, row))
        rows[within].append(row)
    for key, inner in part.parts.items():
        step = inner.within if path == "pk" else f"{inner.within}__{path}"
        below = _rows(inner, step, of, names)
        for pk, row in told:
            row[key] = below.get(pk, [])
    for _pk, row in told:
        _told(part, row, names)
    return rows


def _told(part: Part, row: dict[str, Any], names: Names) -> dict[str, Any]:
    """Let the file's names stand in *row* instead of the database's."""
    for spelled in part.fields:
        if spelled.told and (value := row[spelled.key]) is not None:
            row[spelled.key] = spelled.told(value, names)
    return row
