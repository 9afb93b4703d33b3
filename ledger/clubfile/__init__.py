"""Club file: a whole club as one JSON document, dumped and loaded.

    {"kontra": 1, "club": {…}, "players": […], "members": […], "editions": […],
     "seasons": […], "actions": […], "sheets": […], "entries": […], "evenings": […]}

The keys are in this order, the evenings last, so that both `dump` and `load` have one
batch of evenings in memory. `layout` lists the models and how they nest: a model's
field is a key of its object unless `layout` leaves it out. `fields` and `json_fields`
convert values; `json_schema` derives club.schema.json from the same declarations.

A file knows no primary keys of the database: players, editions and seasons have numbers
of the file, users their names, tables their number within an evening. Hands, versions,
entries and actions keep their UUIDs, so that loading a club twice is refused. The same
club gives the same bytes in every installation. Digests, ratings and pair sums are not
in it; `load` rebuilds them.

`load` writes everything through the database's triggers, in one transaction and in an
order that they accept (`entry_order`), and closes evenings and seasons last. A wrong
file raises `WrongValue` with the place in the file, and nothing is loaded.
"""

from __future__ import annotations

from ledger.clubfile.dumper import dump
from ledger.clubfile.errors import NameTaken, WrongValue
from ledger.clubfile.json_schema import schema
from ledger.clubfile.loader import load

__all__ = ["NameTaken", "WrongValue", "dump", "load", "schema"]
