"""What an evening or a club is when it is corrected: before anything is written.

Where the game or the rules of a table change, its hands are scored anew from the facts
as they were entered.
"""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Any, TypeAlias
from uuid import UUID

from ledger import tallies
from ledger.journal import actions, correction_plan, evenings, payments
from ledger.journal.correction_plan import HandChange
from ledger.models import Club, Edition, Evening, Player, Season, Table
from ledger.table import replay
from ledger.table.replay import HandPlace, Replay, TableState
from ledger.text.amounts import Stake, at_stake, dump_stake
from scoring import Problem, Tariff, problem
from scoring.text import _

FieldValues: TypeAlias = dict[str, Any]
"""What can be corrected, by name; only what differs, where two are compared."""
Kept: TypeAlias = dict[str, Any]
"""The same as an action keeps it: a season, a tariff by its number, a day as text."""
People: TypeAlias = Mapping[int, Player]

STAKE = frozenset(("currency", "stake"))
"""Told together: neither says anything alone."""
NOTHING = (0, 0, 0, 0)
WHOLE = 0
"""Stands for the table of an evening that has none."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What an evening shall be; None leaves it as it is."""

    name: str | None = None
    date: datetime.date | None = None
    season: Season | None = None
    currency: str | None = None
    stake: Stake | None = None
    games: Mapping[int, Tariff] = field(default_factory=dict)
    """By the number of a table; `WHOLE` where the evening has none."""


@dataclass(frozen=True, slots=True)
class RefusedHand:
    """A hand that other rules refuse, and why."""

    hand: UUID
    table: int
    number: int
    players: tuple[Player, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Rescored:
    """The hands of a table before and after; *rows* are those that pay otherwise."""

    table: Table
    before: TableState
    after: TableState
    rows: tuple[HandChange, ...]
    refusals: tuple[RefusedHand, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """What somebody has of the evening, before and after."""

    player: Player
    points: int
    points_after: int
    money: int
    money_after: int


@dataclass(frozen=True, slots=True)
class AmendmentPlan:
    """What would differ, and everything wrong with it."""

    before: FieldValues
    after: FieldValues
    tables: tuple[Rescored, ...]
    sums: tuple[Sum, ...]
    problems: tuple[Problem, ...]
    seen: str
    """Names what was shown, by the last action that it knew of: it has to be the same
    when it is saved."""
    people: People

    @property
    def nothing(self) -> bool:
        return not self.after

    @property
    def refusals(self) -> tuple[RefusedHand, ...]:
        return tuple(one for at in self.tables for one in at.refusals)

    @property
    def moving(self) -> tuple[Sum, ...]:
        """Return the sums that are otherwise after it."""
        return tuple(
            row
            for row in self.sums
            if (row.points, row.money) != (row.points_after, row.money_after)
            or (row.money and self.before.get("currency") != self.after.get("currency"))
        )

    @property
    def needs_reason(self) -> bool:
        """Tell whether it is about what somebody has won: then it is said why."""
        return any(
            (row.points, row.points_after, row.money, row.money_after) != NOTHING
            for row in self.sums
        )


def plan_amendment(
    evening: Evening, asked: Amendment, *, keep: bool = False
) -> AmendmentPlan:
    """Return what *asked* would make of *evening*; *keep* a tariff that is new."""
    tables = tables_of(evening)
    before, after = differing(
        told(evening, tables), _wanted(evening, tables, asked, keep)
    )
    people = Player.objects.filter(club=evening.club_id).in_bulk()
    rescored = tuple(
        _rescored(at, after["tables"][at.pk], people)
        for at in tables
        if at.pk in after.get("tables", {})
    )
    refused = [_refused(one) for at in rescored for one in at.refusals]
    if "stake" in after:
        stake = after["currency"], after["stake"]
        refused += payments.wrong_stake(evening, *stake)
    return AmendmentPlan(
        before=before,
        after=after,
        tables=rescored,
        sums=_sums(evening, after, rescored),
        problems=tuple(refused),
        seen=_seen(actions.last_number(evening=evening), before, after),
        people=people,
    )


def tables_of(evening: Evening) -> list[Table]:
    """Return the tables in order, each of which knows *evening*."""
    tables = list(evening.tables.select_related("edition").order_by("number"))
    for at in tables:
        at.evening = evening
    return tables


def told(evening: Evening, tables: Sequence[Table]) -> FieldValues:
    return {
        "name": evening.name,
        "date": evening.date,
        "season": evening.season,
        "currency": evening.currency,
        "stake": evening.per_point,
        "edition": evening.edition,
        "tables": {at.pk: at.edition for at in tables},
        "removed": evening.removed,
    }


def of_club(club: Club) -> FieldValues:
    return {"name": club.name, "language": club.language}


def differing(
    before: FieldValues, after: FieldValues
) -> tuple[FieldValues, FieldValues]:
    """Return what differs of two, as it is in each."""
    keys = {key for key in before if before[key] != after[key]}
    if keys & STAKE:
        keys |= STAKE
    was, now = (
        {key: one[key] for key in before if key in keys} for one in (before, after)
    )
    if "tables" in keys:
        others = [pk for pk, old in was["tables"].items() if now["tables"][pk] != old]
        for one in (was, now):
            one["tables"] = {pk: one["tables"][pk] for pk in others}
    return was, now


def seen_of(club: Club, before: FieldValues, after: FieldValues) -> str:
    """Return what names the correction of a club that was shown."""
    return _seen(actions.last_number(club=club), before, after)


def _wanted(
    evening: Evening, tables: Sequence[Table], asked: Amendment, keep: bool
) -> FieldValues:
    find = evenings.edition_of if keep else evenings.known_edition
    games = {number: find(evening.club, game) for number, game in asked.games.items()}
    if unknown := games.keys() - {at.number for at in tables} - {WHOLE}:
        raise ValueError(f"expected tables of {evening}, got: {sorted(unknown)}")
    wanted = {at.pk: games.get(at.number, at.edition) for at in tables}
    now = told(evening, tables)
    said = {
        "name": asked.name,
        "date": asked.date,
        "season": asked.season,
        "currency": asked.currency,
        "stake": asked.stake,
        "edition": wanted[tables[0].pk] if tables else games.get(WHOLE),
        "tables": wanted,
    }
    return now | {key: value for key, value in said.items() if value is not None}


def _rescored(at: Table, edition: Edition, people: People) -> Rescored:
    before = replay.load_state(at)
    replayed = Replay(before, edition)
    after = replayed.state.by_hand()
    wrong = {
        hand: tuple(problem for problem in problems if problem.is_error)
        for hand, problems in replayed.problems.items()
    }
    refusals = tuple(
        _refusal(at, place, wrong[place.hand], people)
        for place in replayed.state.live
        if wrong.get(place.hand)
    )
    moved = () if refusals else _moved(before, after, replayed.due, people)
    return Rescored(at, before, replayed.state, tuple(moved), refusals)


def _refusal(
    at: Table, place: HandPlace, problems: tuple[Problem, ...], people: People
) -> RefusedHand:
    assert place.facts is not None
    players = tuple(people[pk] for pk in place.facts.players)
    return RefusedHand(place.hand, at.number, place.number, players, problems)


def _refused(one: RefusedHand) -> Problem:
    return problem(
        "games",
        _("Hand {number} at table {table} does not fit these rules."),
        code="refused_hand",
        about=str(one.hand),
        number=one.number,
        table=one.table,
    )


def _moved(
    before: TableState,
    after: Mapping[UUID, HandPlace],
    due: Mapping[UUID, int],
    people: People,
) -> Iterator[HandChange]:
    for was in before.live:
        now = after[was.hand]
        assert was.facts is not None
        assert now.facts is not None
        old, new = was.facts.payments(), now.facts.payments()
        why = tuple(correction_plan.reasons(was, now, due, people))
        if old != new or why:
            yield HandChange(
                hand=was.hand,
                number_before=was.number,
                number_after=now.number,
                before=was.facts,
                after=now.facts,
                payments_before=old,
                payments_after=new,
                why=why,
            )


def _sums(
    evening: Evening, after: FieldValues, rescored: Sequence[Rescored]
) -> tuple[Sum, ...]:
    """Return what everybody has, before and after, where that may differ."""
    if (not rescored and "stake" not in after) or any(at.refusals for at in rescored):
        return ()
    points, in_money = _won(evening)
    for row in (row for at in rescored for row in at.rows):
        for sign, paid in ((-1, row.payments_before), (1, row.payments_after)):
            for player, won in (paid or {}).items():
                points[player] += sign * won
    worth = at_stake(points, after.get("stake", evening.per_point))
    return tuple(
        Sum(
            row.player,
            row.points,
            points[row.player.pk],
            row.money,
            worth.get(row.player.pk, 0) + in_money[row.player.pk],
        )
        for row in tallies.tally(evening)
    )


def _won(evening: Evening) -> tuple[Counter[int], Counter[int]]:
    """Return what everybody has: points, and money that no stake changes."""
    points, in_money = Counter[int](), Counter[int]()
    for entry in payments.at_stake(evening):
        alone = payments.is_in_money(entry)
        for posting in entry.postings.all():
            points[posting.player_id] += posting.points
            in_money[posting.player_id] += posting.money if alone else 0
    return points, in_money


def _seen(last: int, before: FieldValues, after: FieldValues) -> str:
    said = [_named(told) for told in (before, after)]
    return f"{last}.{sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()}"


def _named(value: Any) -> Any:
    """Return what stands for *value* whether or not it is in the database yet."""
    match value:
        case dict():
            return {str(key): _named(inner) for key, inner in value.items()}
        case Edition():
            return f"{value.variant} {value.digest}"
    return _kept(value)


# As an action keeps it


def as_kept(evening: Evening) -> Kept:
    """Return what *evening* is now, as an action would keep it."""
    return {
        "name": evening.name,
        "date": evening.date.isoformat(),
        "season": evening.season_id,
        "currency": evening.currency,
        "stake": dump_stake(evening.per_point),
        "edition": evening.edition_id,
        "tables": {
            str(pk): edition
            for pk, edition in evening.tables.values_list("pk", "edition")
        },
        "removed": evening.removed,
    }


def flat(kept: Kept) -> Kept:
    """Return the same with the tariff of each table by itself."""
    tables = kept.get("tables", {})
    each = {f"the tariff of table {pk}": edition for pk, edition in tables.items()}
    return {key: kept[key] for key in kept.keys() - {"tables"}} | each


def kept(told: FieldValues) -> Kept:
    return {key: _kept(value) for key, value in told.items()}


def _kept(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _kept(inner) for key, inner in value.items()}
        case Season() | Edition():
            return value.pk
        case datetime.date():
            return value.isoformat()
        case Fraction():
            return dump_stake(value)
    return value
