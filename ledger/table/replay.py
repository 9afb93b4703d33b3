"""Replay of a table: its hands and line-ups as a sequence, computed again from facts.

Players and record of a hand are facts; its number, dealer and multiplier follow from
the hands before. Players are ids; only the last section reads the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import OuterRef, Subquery

import scoring
from ledger.models import Edition, Player, Table, Version
from ledger.table import deals, rotation
from ledger.table.rotation import PastDeal, TableLineUp
from scoring import Problem, refuse
from scoring.text import _


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a hand: its record, and what follows from the hands before."""

    edition: Edition
    record: Mapping[str, Any]
    dealer: int
    dealer_set: bool
    players: tuple[int, ...]
    sitting_out: tuple[int, ...]
    sitting_out_set: bool
    multiplier: int

    @property
    def thrown_in(self) -> bool:
        return self.record.get("ending") in self.edition.tariff.variant.thrown_in

    def score(self) -> scoring.Score:
        tariff = self.edition.tariff
        return scoring.score(tariff, scoring.parse(tariff, self.players, self.record))

    def payments(self) -> dict[int, int]:
        return dict(zip(self.players, self.score().payments, strict=True))


@dataclass(frozen=True, slots=True)
class HandInput:
    """Hand as entered; dealer and players only where they were chosen by hand."""

    record: object
    dealer: int | None = None
    sitting_out: tuple[int, ...] | None = None
    players: tuple[int, ...] | None = None

    @property
    def names_players(self) -> bool:
        return (self.dealer, self.sitting_out, self.players) != (None, None, None)


@dataclass(frozen=True, slots=True)
class HandPlace:
    """Place of a hand in the sequence; a hand that is not *live* shares its number."""

    hand: UUID
    number: int
    live: bool
    played_at: datetime
    facts: Facts | None = None
    version: Version | None = field(default=None, compare=False)
    """The latest one stored."""
    entered: HandInput | None = None
    """What is to be replayed instead of the facts."""


Item: TypeAlias = HandPlace | TableLineUp[int]


@dataclass(frozen=True, slots=True)
class TableState:
    """Sequence of a table: its hands, each line-up before the first hand it is for."""

    items: tuple[Item, ...]

    @property
    def places(self) -> tuple[HandPlace, ...]:
        return tuple(item for item in self.items if isinstance(item, HandPlace))

    @property
    def live(self) -> tuple[HandPlace, ...]:
        return tuple(place for place in self.places if place.live)

    @property
    def line_ups(self) -> tuple[TableLineUp[int], ...]:
        return tuple(item for item in self.items if isinstance(item, TableLineUp))

    def by_hand(self) -> dict[UUID, HandPlace]:
        return {place.hand: place for place in self.places}


def table_state(
    line_ups: Iterable[TableLineUp[int]], places: Iterable[HandPlace]
) -> TableState:
    """Return the sequence of *line_ups* and *places*.

    A line-up comes before all hands of its number, and a hand that was undone before
    the one that has its number now.
    """

    def order(item: Item) -> tuple[Any, ...]:
        if isinstance(item, TableLineUp):
            return (item.from_hand, 0)
        return (item.number, 2 if item.live else 1, item.played_at, item.hand)

    return TableState(tuple(sorted([*line_ups, *places], key=order)))


def renumbered(items: Iterable[Item]) -> TableState:
    """Return the sequence numbered without gaps; the times of play stay in order.

    Of two line-ups before the same hand the later one is left.
    """
    times = iter(
        sorted(i.played_at for i in items if isinstance(i, HandPlace) and i.live)
    )
    done: list[Item] = []
    begun: dict[int, int] = {}
    number = 1
    for item in items:
        if isinstance(item, HandPlace):
            played_at = next(times) if item.live else item.played_at
            done.append(replace(item, number=number, played_at=played_at))
            number += item.live
            continue
        at = begun.setdefault(number, len(done))
        done[at : at + 1] = [replace(item, from_hand=number)]
    return TableState(tuple(done))


def differs(before: HandPlace | None, after: HandPlace) -> bool:
    """Whether a hand counts otherwise than before, or under another number."""
    if before is None:
        return True
    if (before.live, before.number) != (after.live, after.number):
        return True
    return after.live and before.facts != after.facts


# Computed again


class Replay:
    """Replay of a table's live hands: *state* after it, and *problems* by hand.

    `due` has the dealer who was due, by hand. All live hands are of one *edition*.
    """

    def __init__(self, state: TableState, edition: Edition) -> None:
        self.edition = edition
        self.line_ups = state.line_ups
        self.past: list[PastDeal[int]] = []
        self.problems: dict[UUID, tuple[Problem, ...]] = {}
        self.due: dict[UUID, int] = {}
        self.state = TableState(tuple(self._replayed(item) for item in state.items))

    def play(self, place: HandPlace) -> HandPlace:
        """Return *place* as it counts after all hands replayed so far."""
        facts = self._facts(place)
        self.past.append(PastDeal(place.number, facts.dealer, facts.thrown_in))
        return replace(place, facts=facts, entered=None)

    def _replayed(self, item: Item) -> Item:
        if isinstance(item, TableLineUp) or not item.live:
            return item
        return self.play(item)

    def _facts(self, place: HandPlace) -> Facts:
        tariff = self.edition.tariff
        rule, active = tariff.redeal, tariff.variant.active
        line_up = rotation.line_up_at(self.line_ups, place.number)
        due = rotation.due_dealer(self.line_ups, self.past, place.number, rule)
        counts = rotation.due_multiplier(self.line_ups, self.past, rule)
        self.due[place.hand] = due
        if place.facts is None or (place.entered and place.entered.names_players):
            assert place.entered is not None
            dealer, chosen, players = _players_as_entered(place, line_up, due, active)
        else:
            dealer, chosen, players = _players_as_before(
                place.facts, line_up, due, active
            )
        by_seats = rotation.due_players(line_up.present, dealer, active)
        record = place.entered.record if place.entered else place.facts.record  # type: ignore[union-attr] # one of them is there
        return self._read(
            place,
            Facts(
                edition=self.edition,
                record=record,  # type: ignore[arg-type] # read below
                dealer=dealer,
                dealer_set=chosen,
                players=players,
                sitting_out=tuple(p for p in line_up.order if p not in players),
                sitting_out_set=players != by_seats,
                multiplier=counts,
            ),
        )

    def _read(self, place: HandPlace, facts: Facts) -> Facts:
        """Return *facts* with the record as it is stored, and note its problems."""
        if facts == place.facts:
            return facts
        record: object = facts.record
        if isinstance(record, Mapping):
            record = {**record, "multiplier": facts.multiplier}
        hand, problems = scoring.examine(facts.edition.tariff, facts.players, record)
        if problems:
            self.problems[place.hand] = problems
        return replace(facts, record=hand.record(facts.players))


def _players_as_entered(
    place: HandPlace, line_up: TableLineUp[int], due: int, active: int
) -> tuple[int, bool, tuple[int, ...]]:
    entered, facts = place.entered, place.facts
    assert entered is not None
    dealer = entered.dealer or (facts.dealer if facts else due)
    if entered.players is None and dealer not in line_up.present:
        refuse("dealer", _("The dealer must sit at the table."))
    players, _sitting_out = rotation.split_players(
        line_up,
        dealer,
        active,
        sitting_out=entered.sitting_out,
        players=entered.players,
    )
    return dealer, dealer != due, players


def _players_as_before(
    facts: Facts, line_up: TableLineUp[int], due: int, active: int
) -> tuple[int, bool, tuple[int, ...]]:
    """Let the dealer follow if nobody chose him and the same people then play."""
    if facts.dealer_set or facts.dealer == due:
        return facts.dealer, facts.dealer_set, facts.players
    players = rotation.due_players(line_up.present, due, active)
    if set(players) == set(facts.players):
        return due, False, players
    return facts.dealer, True, facts.players


# From the database


def load_state(at: Table) -> TableState:
    """Return the sequence of a table as it is stored."""
    latest = Version.objects.filter(hand=OuterRef("hand")).order_by("-number")
    versions = Version.objects.filter(
        hand__table=at, number=Subquery(latest.values("number")[:1])
    ).select_related("hand", "edition")
    return table_state(
        [line_up_by_id(line_up) for line_up in deals.line_ups_of(at)],
        [place_of(version) for version in versions],
    )


def place_of(version: Version) -> HandPlace:
    hand = version.hand
    facts = facts_of(version)
    return HandPlace(
        hand.pk, hand.number, not hand.voided, hand.played_at, facts, version
    )


def facts_of(version: Version) -> Facts:
    return Facts(
        edition=version.edition,
        record=version.record,
        dealer=version.dealer_id,
        dealer_set=version.dealer_set,
        players=tuple(version.players),
        sitting_out=tuple(version.resting),
        sitting_out_set=version.resting_set,
        multiplier=version.multiplier,
    )


def line_up_by_id(line_up: TableLineUp[Player]) -> TableLineUp[int]:
    return TableLineUp(
        line_up.from_hand,
        line_up.dealer.pk if line_up.dealer else None,
        tuple(player.pk for player in line_up.order),
        frozenset(player.pk for player in line_up.on_break),
    )
