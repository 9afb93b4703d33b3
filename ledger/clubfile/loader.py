"""Load a club file: all of it through the database's triggers, or nothing.

One evening at a time is in memory. Evenings and seasons are closed after everything in
them is written, so that the triggers check every row as if it were recorded now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any
from uuid import UUID

import ijson
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q, UUIDField
from ijson.common import ObjectBuilder

import scoring
from ledger import journal, statistics
from ledger.clubfile import entry_order
from ledger.clubfile.entry_order import OrderedEntry
from ledger.clubfile.errors import NameTaken, WrongValue
from ledger.clubfile.layout import CLUB, EVENINGS, FORMAT, FilePart
from ledger.clubfile.names import Names
from ledger.models import (
    Action,
    Club,
    Edition,
    Entry,
    Evening,
    Hand,
    Season,
    Table,
    User,
    Version,
)

Row = Mapping[str, Any]
Placed = tuple[Any, Any, str]
"""An object of the file, the instance it is nested in, and its place in the file."""
Progress = Callable[[str], object]
"""Callback with a text such as "12 evenings"."""

BATCH = 500
"""Ids looked up together."""


@transaction.atomic
def load(
    file: IO[bytes], *, same_users: bool = False, progress: Progress = len
) -> Club:
    """Load the club of *file*, which is read twice. Raise `WrongValue` with the place.

    With *same_users* existing users are taken for those of the file with their names;
    without it they raise `NameTaken`.
    """
    return _Loader(same_users).load(file, progress)


class _Loader:
    """State of one loading."""

    def __init__(self, same_users: bool) -> None:
        self.names = Names()
        self.names.of[User] = _Users(same_users)
        self.club = Club()
        self.editions: dict[int, Edition] = {}
        self.hand_of: dict[UUID, UUID] = {}
        """By version, within the current evening."""
        self.season_closings: list[_Closing] = []
        self.missing_actions: dict[UUID, str] = {}
        """Places of actions that were referred to before they were loaded."""

    def load(self, file: IO[bytes], progress: Progress) -> Club:
        try:
            self._load_head(_parse_head(file))
            file.seek(0)
            for count, row in enumerate(ijson.items(file, "evenings.item")):
                self._load_evening(row, f"evenings[{count}]")
                progress(f"{count + 1} evenings")
        except ijson.JSONError as error:
            why = " ".join(str(error).split()[:6])
            raise WrongValue(f"the file is damaged or cut off: {why}") from None
        self._check_missing_actions()
        for closing in self.season_closings:
            closing.apply()
        closed = self.club.evenings.not_removed().exclude(closed_at=None).order_by("pk")
        closed = closed.select_related("club", "edition")
        done = statistics.rebuild(closed.iterator(chunk_size=100))
        for count, _evening in enumerate(done, start=1):
            progress(f"statistics of {count} evenings")
        return self.club

    def _load_head(self, head: Row) -> None:
        """Write everything before the evenings."""
        row = dict(_object(head["club"], "club"))
        # The treasurer is a player, who refers to the club: set after both are written.
        treasurer = row.pop("treasurer", None)
        club: Club = self._build(CLUB, row, None, "club", set(CLUB.parts))
        self.club = club
        self.club.save(force_insert=True)
        for key, part in CLUB.parts.items():
            if part is not EVENINGS:
                self._write(part, _placed_rows(head[key], self.club, key))
                self._note_missing(key)
        if treasurer is not None:
            with _at("club.treasurer"):
                self.club.treasurer_id = self.names.player(treasurer)
                self.club.save(update_fields=["treasurer"])

    def _load_evening(self, row: Any, place: str) -> None:
        for model in (Action, Entry, Hand, Table, Version):
            self.names.of[model].clear()
        self.hand_of.clear()
        self._write(EVENINGS, [(row, self.club, place)])
        self._note_missing(place)

    def _note_missing(self, place: str) -> None:
        for action in self.names.missing_actions:
            self.missing_actions.setdefault(action, place)
        self.names.missing_actions.clear()

    def _write(self, part: FilePart, rows: list[Placed]) -> None:
        """Write the rows of *part*, then the rows nested in them."""
        self._expect_ids(part, rows)
        instances = [self._build(part, row, of, place) for row, of, place in rows]
        if part.model is Entry:
            self._write_entries(part, rows, instances)
            return
        closings = [_Closing.of(instance) for instance in instances]
        self._create(part.model, instances, rows[0][2] if rows else "")
        for instance, (row, _of, place) in zip(instances, rows, strict=True):
            self._register(part, instance, row, place)
        for key, inner in part.parts.items():
            self._write(inner, _nested_rows(key, instances, rows))
        for closing in filter(None, closings):
            if isinstance(closing.instance, Season):
                self.season_closings.append(closing)
            else:
                closing.apply()

    def _expect_ids(self, part: FilePart, rows: list[Placed]) -> None:
        """Note the ids of *rows* beforehand: rows of one action refer to each other."""
        if isinstance(part.model._meta.pk, UUIDField):
            for row, _of, _place in rows:
                with suppress(AttributeError, KeyError, TypeError, ValueError):
                    id = UUID(row["id"])
                    self.names.of[part.model][id] = id

    def _register(self, part: FilePart, instance: Any, row: Row, place: str) -> None:
        """Note the name by which other rows refer to *instance*."""
        if part.numbered:
            known, number = self.names.of[part.model], row.get("id")
            if type(number) is not int:
                raise WrongValue("is no whole number", f"{place}.id")
            if number in known:
                raise WrongValue(f"is {number} once more", f"{place}.id")
            known[number] = instance.pk
        elif part.model is Table:
            self.names.of[Table][instance.number] = instance.pk
        if isinstance(instance, Edition):
            self.editions[instance.pk] = instance
        if isinstance(instance, Version):
            self.hand_of[instance.pk] = instance.hand_id

    def _build(
        self, part: FilePart, row: Any, of: Any, place: str, but: set[str] | None = None
    ) -> Any:
        """Return an unsaved instance of *row* in *of*; *but* are parts that lack."""
        row = _object(row, place)
        if part.model is Action:
            row = _upgraded(row)
        values = {f"{part.within}_id": of.pk} if of is not None else {}
        if part.model is Entry:
            values["club_id"] = self.club.pk
        for field in part.fields:
            try:
                values[field.column] = field.read(row, self.names)
            except WrongValue as wrong:
                raise wrong.within(f"{place}.{field.key}") from None
        for key in (part.keys - row.keys()) & set(part.parts) - (but or set()):
            raise WrongValue("is missing", f"{place}.{key}")
        for key in row.keys() - part.keys:
            message = "is not known here: the file may be of a newer Kontra"
            raise WrongValue(message, f"{place}.{key}")
        instance = part.model(**values)
        with _at(place):
            self._check(instance)
        return instance

    def _check(self, instance: Any) -> None:
        """Refuse what pages could not show; triggers and audit check the rest."""
        if isinstance(instance, Edition) and journal.tariff_digest(
            _tariff(instance)
        ) != (instance.digest):
            raise WrongValue("the tariff reads otherwise than it was agreed")
        if isinstance(instance, Version):
            _check_hand(instance, _tariff(self.editions[instance.edition_id]))

    def _create(self, model: Any, instances: list[Any], place: str) -> None:
        if instances and isinstance(instances[0].pk, UUID):
            self._check_new(model, instances, place)
        with _at(place.rpartition("[")[0] if len(instances) > 1 else place):
            model.objects.bulk_create(instances)

    def _check_new(self, model: Any, instances: list[Any], place: str) -> None:
        ids = [instance.pk for instance in instances]
        for start in range(0, len(ids), BATCH):
            some = ids[start : start + BATCH]
            known = model.objects.filter(pk__in=some).values_list("pk", flat=True)
            if (id := known.first()) is not None or len(set(some)) < len(some):
                what = model._meta.model_name
                message = (
                    f"the {what} {id} is here already: so is the club"
                    if id
                    else (f"a {what} comes twice")
                )
                raise WrongValue(message, place)

    def _write_entries(
        self, part: FilePart, rows: list[Placed], entries: list[Entry]
    ) -> None:
        """Write the entries of an evening, season or club, with their postings."""
        if not entries:
            return
        self._check_new(Entry, entries, rows[0][2])
        inner = part.parts["postings"]
        ordered = []
        for entry, (row, _of, place) in zip(entries, rows, strict=True):
            postings = [
                self._build(inner, *placed)
                for placed in _placed_rows(row["postings"], entry, f"{place}.postings")
            ]
            ordered.append(OrderedEntry(entry, postings, place))
            entry_order.check_balance(ordered[-1])
        evening = rows[0][1] if part.within == "evening" else None
        with _at(rows[0][2].rpartition("[")[0]):
            entry_order.write_entries(ordered, evening, self.hand_of)

    def _check_missing_actions(self) -> None:
        """Refuse references to actions that are not in the file."""
        mine = Q(club=self.club) | Q(season__club=self.club)
        mine |= Q(evening__club=self.club)
        missing = sorted(self.missing_actions)
        for start in range(0, len(missing), BATCH):
            some = missing[start : start + BATCH]
            known = Action.objects.filter(mine, pk__in=some)
            for id in sorted(set(some) - set(known.values_list("pk", flat=True))):
                raise WrongValue(f"there is no action {id}", self.missing_actions[id])


class _Users(dict[Any, Any]):
    """Primary keys of users by name, created on the first reference."""

    def __init__(self, same: bool) -> None:
        self.same = same

    def __missing__(self, name: Any) -> int:
        if not isinstance(name, str) or not USER_NAME.fullmatch(name):
            raise WrongValue(f"is no name of a user: {name!r}")
        user = User.objects.filter(username=name).first()
        if user and not self.same:
            raise NameTaken(f"there is a user {name} here already")
        user = user or User.objects.create(username=name, password=make_password(None))
        self[name] = user.pk
        return user.pk


# The names that Django's User admits.
USER_NAME = re.compile(r"[\w.@+-]{1,150}")


def _parse_head(file: IO[bytes]) -> Row:
    """Return the object of the file without its evenings, which come last."""
    builder, depth = ObjectBuilder(), 0
    events = ijson.basic_parse(file)
    for event, value in events:
        if depth == 1 and (event, value) == ("map_key", "evenings"):
            head = _object(builder.value, "file")
            _check_head(head, next(events)[0])
            return head
        depth += event in ("start_map", "start_array")
        depth -= event in ("end_map", "end_array")
        builder.event(event, value)
    raise WrongValue("the file is not of a club: it has no evenings")


def _check_head(head: Row, evenings: str) -> None:
    if (format := head.get("kontra")) != FORMAT:
        raise WrongValue(f"the file is of format {format}; this Kontra reads {FORMAT}")
    due = {"kontra", "club", *CLUB.parts} - {"evenings"}
    for key in sorted(due - head.keys()):
        raise WrongValue("is missing before the evenings", key)
    for key in sorted(head.keys() - due):
        raise WrongValue("is not known here: the file may be of a newer Kontra", key)
    if evenings != "start_array":
        raise WrongValue("is no list", "evenings")


def _object(value: Any, place: str) -> Row:
    if not isinstance(value, dict):
        raise WrongValue(f"is no object: {value!r}", place)
    return value


def _placed_rows(value: Any, of: Any, place: str) -> list[Placed]:
    if not isinstance(value, list):
        raise WrongValue(f"is no list: {value!r}", place)
    return [(row, of, f"{place}[{number}]") for number, row in enumerate(value)]


def _nested_rows(key: str, instances: list[Any], rows: list[Placed]) -> list[Placed]:
    """Return the rows under *key* of all *rows*."""
    return [
        placed
        for instance, (row, _of, place) in zip(instances, rows, strict=True)
        for placed in _placed_rows(row[key], instance, f"{place}.{key}")
    ]


def _upgraded(action: Row) -> Row:
    """Return an action in today's form: older files have the kind "restake"."""
    row = dict(action)
    for key in ("before", "after"):
        stake = row.pop(f"stake_{key}", None)
        if isinstance(stake, list) and len(stake) == 2:
            row[key] = dict(zip(("currency", "stake"), stake, strict=True))
    if row.get("kind") == "restake":
        row["kind"] = Action.Kind.AMEND.value
    return row


@dataclass(frozen=True, slots=True)
class _Closing:
    """Closing of an evening or season, deferred until everything in it is written."""

    instance: Evening | Season
    closed_at: datetime | None
    removed: bool

    @classmethod
    def of(cls, instance: Any) -> _Closing | None:
        """Reopen *instance*; return its closing, or None when it was open."""
        if not isinstance(instance, Evening | Season):
            return None
        closing = cls(instance, instance.closed_at, getattr(instance, "removed", False))
        instance.closed_at = None
        if isinstance(instance, Evening):
            instance.removed = False
        return closing if closing.closed_at or closing.removed else None

    def apply(self) -> None:
        self.instance.closed_at = self.closed_at
        if isinstance(self.instance, Evening):
            self.instance.removed = self.removed
        self.instance.save()


def _tariff(edition: Edition) -> scoring.Tariff:
    try:
        return edition.tariff
    except (LookupError, ValueError) as error:
        raise WrongValue(str(error)) from None


def _check_hand(version: Version, tariff: scoring.Tariff) -> None:
    active = tariff.variant.active
    if len(version.players) != active:
        raise WrongValue(f"has {len(version.players)} players instead of {active}")
    try:
        scoring.parse(tariff, version.players, version.record)
    except scoring.Refused as refused:
        raise WrongValue(str(refused)) from None


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Add *place* to errors in values and to refusals of the database."""
    try:
        yield
    except WrongValue as wrong:
        raise wrong.within(place) from None
    except IntegrityError as error:
        raise WrongValue(str(error).splitlines()[0], place) from None
