"""The hands of a table as a sequence of facts, which can be played once more.

Who played and what happened are facts; number, dealer and multiplier follow from the
hands before. Players are their ids; only the end reads the database.
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
from ledger.table.rotation import Past, Sitting
from scoring import Problem, refuse
from scoring.text import _


@dataclass(frozen=True, slots=True)
class Facts:
    """A hand as it counts: what was entered, and what followed."""

    edition: Edition
    record: Mapping[str, Any]
    dealer: int
    dealer_set: bool
    players: tuple[int, ...]
    resting: tuple[int, ...]
    resting_set: bool
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
class Wanted:
    """A hand as somebody would have it; who dealt and played only if named."""

    record: object
    dealer: int | None = None
    resting: tuple[int, ...] | None = None
    players: tuple[int, ...] | None = None

    @property
    def says_who(self) -> bool:
        return (self.dealer, self.resting, self.players) != (None, None, None)


@dataclass(frozen=True, slots=True)
class Place:
    """A hand in its place; one that is not *live* has no number of its own."""

    hand: UUID
    number: int
    live: bool
    played_at: datetime
    facts: Facts | None = None
    version: Version | None = field(default=None, compare=False)
    """The last one written."""
    wanted: Wanted | None = None


Item: TypeAlias = Place | Sitting[int]


@dataclass(frozen=True, slots=True)
class State:
    """The hands of a table in order, and before which of them its seats changed."""

    items: tuple[Item, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(item for item in self.items if isinstance(item, Place))

    @property
    def live(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.live)

    @property
    def sittings(self) -> tuple[Sitting[int], ...]:
        return tuple(item for item in self.items if isinstance(item, Sitting))

    def by_hand(self) -> dict[UUID, Place]:
        return {place.hand: place for place in self.places}


def state_of(sittings: Iterable[Sitting[int]], places: Iterable[Place]) -> State:
    """Return the sequence: seats change in front of all hands of their number, and a
    hand that was taken back lies in front of the one that has its number now."""

    def order(item: Item) -> tuple[Any, ...]:
        if isinstance(item, Sitting):
            return (item.from_hand, 0)
        return (item.number, 2 if item.live else 1, item.played_at, item.hand)

    return State(tuple(sorted([*sittings, *places], key=order)))


def renumbered(items: Iterable[Item]) -> State:
    """Return the sequence without gaps; the moments of play stay in order.

    Seats that changed twice before the same hand changed once.
    """
    moments = iter(
        sorted(i.played_at for i in items if isinstance(i, Place) and i.live)
    )
    done: list[Item] = []
    begun: dict[int, int] = {}
    number = 1
    for item in items:
        if isinstance(item, Place):
            moment = next(moments) if item.live else item.played_at
            done.append(replace(item, number=number, played_at=moment))
            number += item.live
            continue
        at = begun.setdefault(number, len(done))
        done[at : at + 1] = [replace(item, from_hand=number)]
    return State(tuple(done))


def differs(before: Place | None, after: Place) -> bool:
    """Whether a hand counts in another way, or in another place."""
    if before is None:
        return True
    if (before.live, before.number) != (after.live, after.number):
        return True
    return after.live and before.facts != after.facts


# Played once more


class Replay:
    """The table played once more from its facts; *problems* by hand.

    Every hand is of one *edition*: one that was taken back may be of another.
    """

    def __init__(self, state: State, edition: Edition) -> None:
        self.edition = edition
        self.sittings = state.sittings
        self.past: list[Past[int]] = []
        self.problems: dict[UUID, tuple[Problem, ...]] = {}
        self.due: dict[UUID, int] = {}
        self.state = State(tuple(self._replayed(item) for item in state.items))

    def play(self, place: Place) -> Place:
        """Return *place* as it counts after all that was played before."""
        facts = self._facts(place)
        self.past.append(Past(place.number, facts.dealer, facts.thrown_in))
        return replace(place, facts=facts, wanted=None)

    def _replayed(self, item: Item) -> Item:
        if isinstance(item, Sitting) or not item.live:
            return item
        return self.play(item)

    def _facts(self, place: Place) -> Facts:
        tariff = self.edition.tariff
        rule, active = tariff.redeal, tariff.variant.active
        sitting = rotation.sitting_at(self.sittings, place.number)
        due = rotation.due_dealer(self.sittings, self.past, place.number, rule)
        counts = rotation.due_multiplier(self.sittings, self.past, rule)
        self.due[place.hand] = due
        if place.facts is None or (place.wanted and place.wanted.says_who):
            assert place.wanted is not None
            dealer, chosen, players = _chosen(place, sitting, due, active)
        else:
            dealer, chosen, players = _kept(place.facts, sitting, due, active)
        by_seats = rotation.due_players(sitting.present, dealer, active)
        record = place.wanted.record if place.wanted else place.facts.record  # type: ignore[union-attr] # one of them is there
        return self._read(
            place,
            Facts(
                edition=self.edition,
                record=record,  # type: ignore[arg-type] # read below
                dealer=dealer,
                dealer_set=chosen,
                players=players,
                resting=tuple(p for p in sitting.order if p not in players),
                resting_set=players != by_seats,
                multiplier=counts,
            ),
        )

    def _read(self, place: Place, facts: Facts) -> Facts:
        """Return *facts* with the record as it is kept, its problems noted."""
        if facts == place.facts:
            return facts
        record: object = facts.record
        if isinstance(record, Mapping):
            record = {**record, "multiplier": facts.multiplier}
        hand, problems = scoring.examine(facts.edition.tariff, facts.players, record)
        if problems:
            self.problems[place.hand] = problems
        return replace(facts, record=hand.record(facts.players))


def _chosen(
    place: Place, sitting: Sitting[int], due: int, active: int
) -> tuple[int, bool, tuple[int, ...]]:
    wanted, facts = place.wanted, place.facts
    assert wanted is not None
    dealer = wanted.dealer or (facts.dealer if facts else due)
    if wanted.players is None and dealer not in sitting.present:
        refuse("dealer", _("The dealer must sit at the table."))
    players, _resting = rotation.seated(
        sitting, dealer, active, resting=wanted.resting, players=wanted.players
    )
    return dealer, dealer != due, players


def _kept(
    facts: Facts, sitting: Sitting[int], due: int, active: int
) -> tuple[int, bool, tuple[int, ...]]:
    """Let the dealer follow if nobody chose him and the same people then play."""
    if facts.dealer_set or facts.dealer == due:
        return facts.dealer, facts.dealer_set, facts.players
    players = rotation.due_players(sitting.present, due, active)
    if set(players) == set(facts.players):
        return due, False, players
    return facts.dealer, True, facts.players


# From the database


def load(at: Table) -> State:
    """Return the table as it is kept."""
    latest = Version.objects.filter(hand=OuterRef("hand")).order_by("-number")
    versions = Version.objects.filter(
        hand__table=at, number=Subquery(latest.values("number")[:1])
    ).select_related("hand", "edition")
    return state_of(
        [by_id(sitting) for sitting in deals.sittings_of(at)],
        [place_of(version) for version in versions],
    )


def place_of(version: Version) -> Place:
    hand = version.hand
    facts = facts_of(version)
    return Place(hand.pk, hand.number, not hand.voided, hand.played_at, facts, version)


def facts_of(version: Version) -> Facts:
    return Facts(
        edition=version.edition,
        record=version.record,
        dealer=version.dealer_id,
        dealer_set=version.dealer_set,
        players=tuple(version.players),
        resting=tuple(version.resting),
        resting_set=version.resting_set,
        multiplier=version.multiplier,
    )


def by_id(sitting: Sitting[Player]) -> Sitting[int]:
    return Sitting(
        sitting.from_hand,
        sitting.dealer.pk if sitting.dealer else None,
        tuple(player.pk for player in sitting.order),
        frozenset(player.pk for player in sitting.away),
    )
