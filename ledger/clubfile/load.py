"""Loading the file of a club: all of it, under every guard, or nothing.

One evening at a time is in memory. Evenings and seasons are closed when all they hold
is written, so that the database weighs every row as if it were played now.
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
from ledger.clubfile.fields import Names, WrongValue
from ledger.clubfile.layout import CLUB, EVENINGS, FORMAT, FilePart
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
"""What the file says, the thing it stands in, and where that is."""
Said = Callable[[str], object]

AT_ONCE = 500


@transaction.atomic
def load(file: IO[bytes], *, same_users: bool = False, said: Said = len) -> Club:
    """Load the club of *file*, which is read twice. Raise `Wrong` where it is wrong.

    Users who are here already are taken for those of the file with *same_users*, else
    they are in the way. *said* is told how far it is.
    """
    return _Loading(same_users).load(file, said)


class _Loading:
    """One file on its way in."""

    def __init__(self, same_users: bool) -> None:
        self.names = Names()
        self.names.of[User] = _Users(same_users)
        self.club = Club()
        self.editions: dict[int, Edition] = {}
        self.hand_of: dict[UUID, UUID] = {}
        """By version, of the evening that is being read."""
        self.closing: list[_Ended] = []
        self.later: dict[UUID, str] = {}
        """Actions that were named before they came, and where."""

    def load(self, file: IO[bytes], said: Said) -> Club:
        try:
            self._head(_head(file))
            file.seek(0)
            for count, row in enumerate(ijson.items(file, "evenings.item")):
                self._evening(row, f"evenings[{count}]")
                said(f"{count + 1} evenings")
        except ijson.JSONError as error:
            told = " ".join(str(error).split()[:6])
            raise WrongValue(f"the file is damaged or cut off: {told}") from None
        self._check_later()
        for ended in self.closing:
            ended.end()
        closed = self.club.evenings.there().exclude(closed_at=None).order_by("pk")
        closed = closed.select_related("club", "edition")
        kept = statistics.rebuild(closed.iterator(chunk_size=100))
        for count, _evening in enumerate(kept, start=1):
            said(f"statistics of {count} evenings")
        return self.club

    def _head(self, head: Row) -> None:
        """Write what comes before the evenings. The treasurer is one of the players."""
        told = dict(_object(head["club"], "club"))
        treasurer = told.pop("treasurer", None)
        club: Club = self._made(CLUB, told, None, "club", set(CLUB.parts))
        self.club = club
        self.club.save(force_insert=True)
        for key, part in CLUB.parts.items():
            if part is not EVENINGS:
                self._write(part, _listed(head[key], self.club, key))
                self._note_later(key)
        if treasurer is not None:
            with _at("club.treasurer"):
                self.club.treasurer_id = self.names.player(treasurer)
                self.club.save(update_fields=["treasurer"])

    def _evening(self, row: Any, place: str) -> None:
        for model in (Action, Entry, Hand, Table, Version):
            self.names.of[model].clear()
        self.hand_of.clear()
        self._write(EVENINGS, [(row, self.club, place)])
        self._note_later(place)

    def _note_later(self, place: str) -> None:
        for action in self.names.later:
            self.later.setdefault(action, place)
        self.names.later.clear()

    def _write(self, part: FilePart, rows: list[Placed]) -> None:
        """Write the things of *part*, then what stands in them."""
        self._expect(part, rows)
        things = [self._made(part, row, of, place) for row, of, place in rows]
        if part.model is Entry:
            self._enter(part, rows, things)
            return
        ends = [_Ended.of(thing) for thing in things]
        self._create(part.model, things, rows[0][2] if rows else "")
        for thing, (row, _of, place) in zip(things, rows, strict=True):
            self._note(part, thing, row, place)
        for key, inner in part.parts.items():
            self._write(inner, _below(key, things, rows))
        for ended in filter(None, ends):
            if isinstance(ended.thing, Season):
                self.closing.append(ended)
            else:
                ended.end()

    def _expect(self, part: FilePart, rows: list[Placed]) -> None:
        """Remember the ids that are to come: what was done at once names each other."""
        if isinstance(part.model._meta.pk, UUIDField):
            for row, _of, _place in rows:
                with suppress(AttributeError, KeyError, TypeError, ValueError):
                    id = UUID(row["id"])
                    self.names.of[part.model][id] = id

    def _note(self, part: FilePart, thing: Any, row: Row, place: str) -> None:
        """Remember what others in the file call the *thing*."""
        if part.numbered:
            known, number = self.names.of[part.model], row.get("id")
            if type(number) is not int:
                raise WrongValue("is no whole number", f"{place}.id")
            if number in known:
                raise WrongValue(f"is {number} once more", f"{place}.id")
            known[number] = thing.pk
        elif part.model is Table:
            self.names.of[Table][thing.number] = thing.pk
        if isinstance(thing, Edition):
            self.editions[thing.pk] = thing
        if isinstance(thing, Version):
            self.hand_of[thing.pk] = thing.hand_id

    def _made(
        self, part: FilePart, row: Any, of: Any, place: str, but: set[str] | None = None
    ) -> Any:
        """Return what *row* says as a thing that stands in another, not yet written."""
        row = _object(row, place)
        if part.model is Action:
            row = _as_told_now(row)
        values = {f"{part.within}_id": of.pk} if of is not None else {}
        if part.model is Entry:
            values["club_id"] = self.club.pk
        for spelled in part.fields:
            try:
                values[spelled.column] = spelled.read(row, self.names)
            except WrongValue as wrong:
                raise wrong.within(f"{place}.{spelled.key}") from None
        for key in (part.keys - row.keys()) & set(part.parts) - (but or set()):
            raise WrongValue("is missing", f"{place}.{key}")
        for key in row.keys() - part.keys:
            says = "is not known here: the file may be of a newer Kontra"
            raise WrongValue(says, f"{place}.{key}")
        thing = part.model(**values)
        with _at(place):
            self._check(thing)
        return thing

    def _check(self, thing: Any) -> None:
        """Refuse what pages could not show; the rest is the guards' and the audit's."""
        if isinstance(thing, Edition) and journal.tariff_digest(_tariff(thing)) != (
            thing.digest
        ):
            raise WrongValue("the tariff reads otherwise than it was agreed")
        if isinstance(thing, Version):
            _check_hand(thing, _tariff(self.editions[thing.edition_id]))

    def _create(self, model: Any, things: list[Any], place: str) -> None:
        if things and isinstance(things[0].pk, UUID):
            self._check_new(model, things, place)
        with _at(place.rpartition("[")[0] if len(things) > 1 else place):
            model.objects.bulk_create(things)

    def _check_new(self, model: Any, things: list[Any], place: str) -> None:
        ids = [thing.pk for thing in things]
        for start in range(0, len(ids), AT_ONCE):
            some = ids[start : start + AT_ONCE]
            known = model.objects.filter(pk__in=some).values_list("pk", flat=True)
            if (id := known.first()) is not None or len(set(some)) < len(some):
                what = model._meta.model_name
                says = (
                    f"the {what} {id} is here already: so is the club"
                    if id
                    else (f"a {what} comes twice")
                )
                raise WrongValue(says, place)

    def _enter(self, part: FilePart, rows: list[Placed], entries: list[Entry]) -> None:
        """Write the entries of one book, each with its postings before it."""
        if not entries:
            return
        self._check_new(Entry, entries, rows[0][2])
        inner = part.parts["postings"]
        book = []
        for entry, (row, _of, place) in zip(entries, rows, strict=True):
            postings = [
                self._made(inner, *placed)
                for placed in _listed(row["postings"], entry, f"{place}.postings")
            ]
            book.append(OrderedEntry(entry, postings, place))
            entry_order.check(book[-1])
        evening = rows[0][1] if part.within == "evening" else None
        with _at(rows[0][2].rpartition("[")[0]):
            entry_order.enter(book, evening, self.hand_of)

    def _check_later(self) -> None:
        """Refuse actions that are named and never came."""
        mine = Q(club=self.club) | Q(season__club=self.club)
        mine |= Q(evening__club=self.club)
        missing = sorted(self.later)
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            known = Action.objects.filter(mine, pk__in=some)
            for id in sorted(set(some) - set(known.values_list("pk", flat=True))):
                raise WrongValue(f"there is no action {id}", self.later[id])


class _Users(dict[Any, Any]):
    """The keys of users by name, who are made when they are named first."""

    def __init__(self, same: bool) -> None:
        self.same = same

    def __missing__(self, name: Any) -> int:
        if not isinstance(name, str) or not USER_NAME.fullmatch(name):
            raise WrongValue(f"is no name of a user: {name!r}")
        user = User.objects.filter(username=name).first()
        if user and not self.same:
            raise NameTaken(f"there is a user {name} here already")
        made = user or User.objects.create(username=name, password=make_password(None))
        self[name] = made.pk
        return made.pk


USER_NAME = re.compile(r"[\w.@+-]{1,150}")
"""What Django lets users be called."""


class NameTaken(WrongValue):
    """A user of the file has the name of one who is here."""


def _head(file: IO[bytes]) -> Row:
    """Return what the file says before its evenings."""
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


def _object(said: Any, place: str) -> Row:
    if not isinstance(said, dict):
        raise WrongValue(f"is no object: {said!r}", place)
    return said


def _listed(said: Any, of: Any, place: str) -> list[Placed]:
    if not isinstance(said, list):
        raise WrongValue(f"is no list: {said!r}", place)
    return [(row, of, f"{place}[{number}]") for number, row in enumerate(said)]


def _below(key: str, things: list[Any], rows: list[Placed]) -> list[Placed]:
    """Return what the *rows* list under *key*."""
    return [
        placed
        for thing, (row, _of, place) in zip(things, rows, strict=True)
        for placed in _listed(row[key], thing, f"{place}.{key}")
    ]


def _as_told_now(action: Row) -> Row:
    """Return an action that changed a stake as it is told since other things can be."""
    row = dict(action)
    for key in ("before", "after"):
        stake = row.pop(f"stake_{key}", None)
        if isinstance(stake, list) and len(stake) == 2:
            row[key] = dict(zip(("currency", "stake"), stake, strict=True))
    if row.get("kind") == "restake":
        row["kind"] = Action.Kind.AMEND.value
    return row


@dataclass(frozen=True, slots=True)
class _Ended:
    """How an evening or a season is when all that it holds is written."""

    thing: Evening | Season
    closed_at: datetime | None
    removed: bool

    @classmethod
    def of(cls, thing: Any) -> _Ended | None:
        """Return how *thing* ended, if it can and did, and let it go on."""
        if not isinstance(thing, Evening | Season):
            return None
        ended = cls(thing, thing.closed_at, getattr(thing, "removed", False))
        thing.closed_at = None
        if isinstance(thing, Evening):
            thing.removed = False
        return ended if ended.closed_at or ended.removed else None

    def end(self) -> None:
        self.thing.closed_at = self.closed_at
        if isinstance(self.thing, Evening):
            self.thing.removed = self.removed
        self.thing.save()


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
    """Say where it is that something is wrong, or that a guard refuses."""
    try:
        yield
    except WrongValue as wrong:
        raise wrong.within(place) from None
    except IntegrityError as error:
        raise WrongValue(str(error).splitlines()[0], place) from None
