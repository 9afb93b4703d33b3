"""Amendment plan: what a correction of an evening or a club would change.

Where the game or the rules of a table change, its hands are scored again from the facts
as they were entered. Nothing is written here but a tariff new to the club.
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
from ledger.journal import actions, correction_plan, evenings, stakes
from ledger.journal.correction_plan import HandChange
from ledger.models import Club, Edition, Evening, Player, Season, Table
from ledger.table import replay
from ledger.table.replay import HandPlace, Replay, TableState
from ledger.text.amounts import Stake, at_stake, dump_stake
from scoring import Problem, Tariff, problem
from scoring.text import _

FieldValues: TypeAlias = dict[str, Any]
"""Values that can be corrected, by name; a comparison has only those that differ."""
StoredValues: TypeAlias = dict[str, Any]
"""The same in the JSON of an action: season and edition by id, a date as text."""
People: TypeAlias = Mapping[int, Player]

STAKE = frozenset(("currency", "stake"))
"""Stored together: neither means anything alone."""
NOTHING = (0, 0, 0, 0)
WHOLE = 0
"""The number of the table where an evening has none yet."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """Values an evening is to have; None leaves one unchanged."""

    name: str | None = None
    date: datetime.date | None = None
    season: Season | None = None
    currency: str | None = None
    stake: Stake | None = None
    games: Mapping[int, Tariff] = field(default_factory=dict)
    """Tariffs by table number; `WHOLE` where the evening has no table."""


@dataclass(frozen=True, slots=True)
class RefusedHand:
    """A hand that the new rules refuse, and its problems."""

    hand: UUID
    table: int
    number: int
    players: tuple[Player, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Rescored:
    """Hands of a table before and after; *rows* are those whose points change."""

    table: Table
    before: TableState
    after: TableState
    rows: tuple[HandChange, ...]
    refusals: tuple[RefusedHand, ...]


@dataclass(frozen=True, slots=True)
class PlayerSum:
    """Points and minor units of a player in the evening, before and after."""

    player: Player
    points: int
    points_after: int
    money: int
    money_after: int


@dataclass(frozen=True, slots=True)
class AmendmentPlan:
    """What an amendment would change, and everything wrong with it."""

    before: FieldValues
    after: FieldValues
    tables: tuple[Rescored, ...]
    sums: tuple[PlayerSum, ...]
    problems: tuple[Problem, ...]
    seen: str
    """Fingerprint of the plan and of the last action it was made after; the plan that
    is saved has to have the same."""
    people: People

    @property
    def nothing(self) -> bool:
        return not self.after

    @property
    def refusals(self) -> tuple[RefusedHand, ...]:
        return tuple(one for at in self.tables for one in at.refusals)

    @property
    def moving(self) -> tuple[PlayerSum, ...]:
        """Return the sums that change."""
        return tuple(
            row
            for row in self.sums
            if (row.points, row.money) != (row.points_after, row.money_after)
            or (row.money and self.before.get("currency") != self.after.get("currency"))
        )

    @property
    def needs_reason(self) -> bool:
        """Tell whether it changes what players may have won or lost already."""
        return any(
            (row.points, row.points_after, row.money, row.money_after) != NOTHING
            for row in self.sums
        )


def plan_amendment(
    evening: Evening, amendment: Amendment, *, save_edition: bool = False
) -> AmendmentPlan:
    """Return what *amendment* would change of *evening*, and everything wrong with it.

    *save_edition* saves a tariff that the club has not played yet.
    """
    tables = tables_of(evening)
    wanted = _values_after(evening, tables, amendment, save_edition)
    before, after = differences(values_of(evening, tables), wanted)
    people = Player.objects.filter(club=evening.club_id).in_bulk()
    rescored = tuple(
        _rescored(at, after["tables"][at.pk], people)
        for at in tables
        if at.pk in after.get("tables", {})
    )
    refused = [_hand_problem(one) for at in rescored for one in at.refusals]
    if "stake" in after:
        stake = after["currency"], after["stake"]
        refused += stakes.stake_problems(evening, *stake)
    return AmendmentPlan(
        before=before,
        after=after,
        tables=rescored,
        sums=_sums(evening, after, rescored),
        problems=tuple(refused),
        seen=_fingerprint(actions.last_number(evening=evening), before, after),
        people=people,
    )


def tables_of(evening: Evening) -> list[Table]:
    """Return the tables by number, with *evening* as their evening."""
    tables = list(evening.tables.select_related("edition").order_by("number"))
    for at in tables:
        at.evening = evening
    return tables


def values_of(evening: Evening, tables: Sequence[Table]) -> FieldValues:
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


def club_values(club: Club) -> FieldValues:
    return {"name": club.name, "language": club.language}


def differences(
    before: FieldValues, after: FieldValues
) -> tuple[FieldValues, FieldValues]:
    """Return the values that differ, as they are in each; currency and stake as one."""
    keys = {key for key in before if before[key] != after[key]}
    if keys & STAKE:
        keys |= STAKE
    old, new = (
        {key: values[key] for key in before if key in keys}
        for values in (before, after)
    )
    if "tables" in keys:
        changed = [pk for pk, one in old["tables"].items() if new["tables"][pk] != one]
        for values in (old, new):
            values["tables"] = {pk: values["tables"][pk] for pk in changed}
    return old, new


def club_fingerprint(club: Club, before: FieldValues, after: FieldValues) -> str:
    """Return the fingerprint of an amendment of *club*, to be confirmed."""
    return _fingerprint(actions.last_number(club=club), before, after)


def _values_after(
    evening: Evening,
    tables: Sequence[Table],
    amendment: Amendment,
    save_edition: bool,
) -> FieldValues:
    find = evenings.edition_of if save_edition else evenings.find_edition
    games = {n: find(evening.club, tariff) for n, tariff in amendment.games.items()}
    if unknown := games.keys() - {at.number for at in tables} - {WHOLE}:
        raise ValueError(f"expected tables of {evening}, got: {sorted(unknown)}")
    editions = {at.pk: games.get(at.number, at.edition) for at in tables}
    given = {
        "name": amendment.name,
        "date": amendment.date,
        "season": amendment.season,
        "currency": amendment.currency,
        "stake": amendment.stake,
        "edition": editions[tables[0].pk] if tables else games.get(WHOLE),
        "tables": editions,
    }
    values = values_of(evening, tables)
    return values | {key: value for key, value in given.items() if value is not None}


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
    rows = () if refusals else _hand_changes(before, after, replayed.due, people)
    return Rescored(at, before, replayed.state, tuple(rows), refusals)


def _refusal(
    at: Table, place: HandPlace, problems: tuple[Problem, ...], people: People
) -> RefusedHand:
    assert place.facts is not None
    players = tuple(people[pk] for pk in place.facts.players)
    return RefusedHand(place.hand, at.number, place.number, players, problems)


def _hand_problem(one: RefusedHand) -> Problem:
    return problem(
        "games",
        _("Hand {number} at table {table} does not fit these rules."),
        code="refused_hand",
        about=str(one.hand),
        number=one.number,
        table=one.table,
    )


def _hand_changes(
    before: TableState,
    after: Mapping[UUID, HandPlace],
    due: Mapping[UUID, int],
    people: People,
) -> Iterator[HandChange]:
    for old in before.live:
        new = after[old.hand]
        assert old.facts is not None
        assert new.facts is not None
        gains_before, gains_after = old.facts.payments(), new.facts.payments()
        why = tuple(correction_plan.reasons(old, new, due, people))
        if gains_before != gains_after or why:
            yield HandChange(
                hand=old.hand,
                number_before=old.number,
                number_after=new.number,
                before=old.facts,
                after=new.facts,
                gains_before=gains_before,
                gains_after=gains_after,
                why=why,
            )


def _sums(
    evening: Evening, after: FieldValues, rescored: Sequence[Rescored]
) -> tuple[PlayerSum, ...]:
    """Return the sums of all players, where they may change; else ()."""
    if (not rescored and "stake" not in after) or any(at.refusals for at in rescored):
        return ()
    points, in_money = _balances(evening)
    for row in (row for at in rescored for row in at.rows):
        for sign, paid in ((-1, row.gains_before), (1, row.gains_after)):
            for player, won in (paid or {}).items():
                points[player] += sign * won
    worth = at_stake(points, after.get("stake", evening.per_point))
    return tuple(
        PlayerSum(
            row.player,
            row.points,
            points[row.player.pk],
            row.money,
            worth.get(row.player.pk, 0) + in_money[row.player.pk],
        )
        for row in tallies.tally(evening)
    )


def _balances(evening: Evening) -> tuple[Counter[int], Counter[int]]:
    """Return points, and the money that no stake changes, by player id."""
    points, in_money = Counter[int](), Counter[int]()
    for entry in stakes.played_entries(evening):
        money_only = stakes.is_money_only(entry)
        for posting in entry.postings.all():
            points[posting.player_id] += posting.points
            in_money[posting.player_id] += posting.money if money_only else 0
    return points, in_money


def _fingerprint(last: int, before: FieldValues, after: FieldValues) -> str:
    values = [_fingerprint_value(one) for one in (before, after)]
    return f"{last}.{sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()}"


def _fingerprint_value(value: Any) -> Any:
    """Return JSON for *value* that is the same before and after it is saved."""
    match value:
        case dict():
            return {str(key): _fingerprint_value(inner) for key, inner in value.items()}
        case Edition():
            return f"{value.variant} {value.digest}"
    return _dump_value(value)


# In the JSON of an action


def stored_values(evening: Evening) -> StoredValues:
    """Return the present values of *evening*, as an action stores them."""
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


def flat_values(values: StoredValues) -> StoredValues:
    """Return the same with one value for the tariff of each table."""
    tables = values.get("tables", {})
    each = {f"the tariff of table {pk}": edition for pk, edition in tables.items()}
    return {key: values[key] for key in values.keys() - {"tables"}} | each


def dump_values(values: FieldValues) -> StoredValues:
    return {key: _dump_value(value) for key, value in values.items()}


def _dump_value(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _dump_value(inner) for key, inner in value.items()}
        case Season() | Edition():
            return value.pk
        case datetime.date():
            return value.isoformat()
        case Fraction():
            return dump_stake(value)
    return value
