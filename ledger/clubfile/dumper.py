"""Dump a club as JSON, a batch of evenings in memory at a time.

The caller reads in one snapshot (see ledger/snapshot.py).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from django.db import models
from django.db.models.functions import Cast

from ledger.clubfile.layout import CLUB, EVENINGS, FORMAT, FilePart
from ledger.clubfile.names import Names
from ledger.models import Club, Table, User

BATCH = 10
"""Evenings read together."""

to_json = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode

Rows = dict[Any, list[dict[str, Any]]]
"""Objects by the primary key of the row they are nested in."""


def dump(club: Club) -> Iterator[bytes]:
    """Yield the file of *club*, one line a player, season, evening …"""
    names = Names()
    names.of[User] = dict(User.objects.values_list("pk", "username"))
    head = {
        key: _rows(part, part.within, [club.pk], names)[club.pk]
        for key, part in CLUB.parts.items()
        if part is not EVENINGS
    }
    yield f'{{"kontra":{FORMAT},\n'.encode()
    yield f'"club":{to_json(_club(club, names))},\n'.encode()
    for key, rows in head.items():
        lines = ",\n".join(map(to_json, rows))
        yield f'"{key}":[\n{lines}\n],\n'.encode()
    yield b'"evenings":[\n'
    mark = ""
    for evening in _evenings(club, names):
        yield f"{mark}{to_json(evening)}".encode()
        mark = ",\n"
    yield b"\n]}\n"


def _club(club: Club, names: Names) -> dict[str, Any]:
    row = {field.key: getattr(club, field.column) for field in CLUB.fields}
    _convert(CLUB, [row], names)
    return row


def _evenings(club: Club, names: Names) -> Iterator[dict[str, Any]]:
    every = club.evenings.order_by("pk").values_list("pk", flat=True).iterator()
    while some := list(islice(every, BATCH)):
        yield from _rows(EVENINGS, "pk", some, names)[club.pk]


def _rows(
    part: FilePart,
    path: str,
    of: Collection[Any],
    names: Names,
    above: Mapping[str, Any] | None = None,
) -> Rows:
    """Return the rows of *part* whose *path* leads to one of *of*, with nested rows.

    *above* are the conditions on the rows they are nested in.
    """
    inherited = {f"{part.within}__{key}": at for key, at in (above or {}).items()}
    which = {**part.where, **inherited}
    found = part.model.objects.filter(**which, **{f"{path}__in": of})
    keys = [field.key for field in part.fields]
    columns = [_column(part, c) for c in ("pk", part.within, *part.columns)]
    rows: Rows = defaultdict(list)
    all: list[tuple[Any, dict[str, Any]]] = []
    for pk, within, *values in (
        found.order_by(*part.order).values_list(*columns).iterator()
    ):
        row: dict[str, Any] = {"id": len(all) + 1} if part.numbered else {}
        row.update(zip(keys, values, strict=False))
        if part.numbered or part.model is Table:
            names.of[part.model][pk] = row["id" if part.numbered else "number"]
        all.append((pk, row))
        rows[within].append(row)
    for key, inner in part.parts.items():
        step = inner.within if path == "pk" else f"{inner.within}__{path}"
        below = _rows(inner, step, of, names, which)
        for pk, row in all:
            row[key] = below.get(pk, [])
    _convert(part, [row for _pk, row in all], names)
    return rows


def _column(part: FilePart, name: str) -> Any:
    """Return the column; UUIDs as text, which saves an object for each."""
    field = part.model._meta.pk if name == "pk" else part.model._meta.get_field(name)
    target = field.target_field if field.is_relation else field
    is_id = isinstance(target, models.UUIDField)
    return Cast(field.attname, models.TextField()) if is_id else field.attname


def _convert(part: FilePart, rows: list[dict[str, Any]], names: Names) -> None:
    """Convert the *rows* from values of the database to those of the file."""
    for field in part.fields:
        key, convert = field.key, field.dump
        if convert is not None:
            for row in rows:
                if row[key] is not None:
                    row[key] = convert(row[key], names)
