"""What a change to an earlier hand does to all that follows, before it is done.

Who played and what happened are facts; number, dealer and multiplier follow from the
hands before. A change is made to the sequence of facts, the table is replayed, and
what then differs is the plan. The first half is pure; players are their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils import timezone

import scoring
from ledger import standings, table
from ledger.models import Edition, Hand, Player, Table, Version
from ledger.table import Past, Sitting
from scoring import Problem, Refused, Text
from scoring.text import _

# What somebody may want to change


@dataclass(frozen=True, slots=True)
class Correct:
    """Other facts of a hand; who dealt and played stays unless it is named."""

    hand: Hand
    record: object
    dealer: Player | None = None
    resting: Sequence[Player] | None = None
    players: Sequence[Player] | None = None


@dataclass(frozen=True, slots=True)
class Void:
    hand: Hand


@dataclass(frozen=True, slots=True)
class Restore:
    hand: Hand


@dataclass(frozen=True, slots=True)
class Insert:
    """A forgotten hand, in front of the one that is number *before* now."""

    before: int
    id: UUID
    record: object
    dealer: Player | None = None
    resting: Sequence[Player] | None = None
    players: Sequence[Player] | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """The order of two hands."""

    hand: Hand
    other: Hand


@dataclass(frozen=True, slots=True)
class SwapSides:
    """The result of a hand was given to the wrong side."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class Reseat:
    """Two players were taken for each other from a hand on."""

    from_hand: int
    player: Player
    other: Player


Change: TypeAlias = Correct | Void | Restore | Insert | Swap | SwapSides | Reseat

# A table as a sequence


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


# Changes to the sequence


def changed(state: State, change: Change, edition: Edition) -> State:
    """Return the sequence with *change* made, not yet replayed."""
    items = list(state.items)
    match change:
        case Correct():
            _put(items, change.hand, lambda place: _wants(place, change))
        case SwapSides():
            _put(items, change.hand, _sides_swapped)
        case Void():
            _put(items, change.hand, lambda place: replace(place, live=False))
        case Restore():
            _put(items, change.hand, lambda place: replace(place, live=True), False)
        case Swap():
            one, two = _at(items, change.hand), _at(items, change.other)
            items[one], items[two] = items[two], items[one]
        case Insert():
            _insert(items, change, edition)
        case Reseat():
            items = list(_reseated(state, change))
    return renumbered(items)


def _at(items: Sequence[Item], hand: Hand, live: bool = True) -> int:
    for index, item in enumerate(items):
        if isinstance(item, Place) and item.hand == hand.pk and item.live is live:
            return index
    message = _("This hand is taken back.") if live else _("This hand counts already.")
    raise refused("hand", message)


def _put(
    items: list[Item], hand: Hand, change: Callable[[Place], Place], live: bool = True
) -> None:
    index = _at(items, hand, live)
    place = items[index]
    assert isinstance(place, Place)
    items[index] = change(place)


def _wants(place: Place, change: Correct) -> Place:
    facts = place.facts
    assert facts is not None
    wanted = wanted_by(change)
    dealer = wanted.dealer in (None, facts.dealer)
    resting = wanted.resting is None or set(wanted.resting) == set(facts.resting)
    players = wanted.players is None or set(wanted.players) == set(facts.players)
    if dealer and resting and players:
        wanted = Wanted(change.record)
    return replace(place, wanted=wanted)


def wanted_by(change: Correct | Insert) -> Wanted:
    return Wanted(
        change.record,
        None if change.dealer is None else change.dealer.pk,
        None if change.resting is None else tuple(p.pk for p in change.resting),
        None if change.players is None else tuple(p.pk for p in change.players),
    )


OTHER_SIDE = {"declarer": "defenders", "defenders": "declarer"}


def _sides_swapped(place: Place) -> Place:
    """Give the result and every bonus to the other side.

    What was announced stays announced, and failed instead of being made; declared
    trumps stay with who declared them.
    """
    facts = place.facts
    assert facts is not None
    record = dict(facts.record)
    if record.get("ending", "played") != "played":
        raise refused("ending", _("This hand was not played out: it has no winners."))
    if (points := record.get("card_points")) is not None:
        record["card_points"] = facts.edition.tariff.variant.pack.points - points
    if (won := record.get("won")) is not None:
        record["won"] = not won
    if "bonuses" in record:
        record["bonuses"] = [_turned(line) for line in record["bonuses"]]
    return replace(place, wanted=Wanted(record))


def _turned(line: Mapping[str, Any]) -> dict[str, Any]:
    if line.get("announced_by") is None:
        return {**line, "side": OTHER_SIDE[line["side"]]}
    return {**line, "made": not line["made"]}


def _insert(items: list[Item], change: Insert, edition: Edition) -> None:
    index, moment = len(items), timezone.now()
    for at, item in enumerate(items):
        if isinstance(item, Place) and item.live and item.number == change.before:
            index, moment = at, item.played_at
            break
    else:
        live = sum(isinstance(item, Place) and item.live for item in items)
        if change.before != live + 1:
            message = _("There is no hand {number} at this table.")
            raise refused("number", message, number=change.before)
    before = items[index - 1]
    if index < len(items) and index > 1 and isinstance(before, Sitting):
        index -= 1  # the seats changed for the hand that follows
    items.insert(
        index,
        Place(change.id, change.before, True, moment, wanted=wanted_by(change)),
    )


def _reseated(state: State, change: Reseat) -> Iterator[Item]:
    swap = {change.player.pk: change.other.pk, change.other.pk: change.player.pk}
    sitting = table.sitting_at(state.sittings, change.from_hand)
    last = len(state.live) + 1
    if not swap.keys() <= set(sitting.order) or not 1 <= change.from_hand <= last:
        raise refused("player", _("Both must sit at the table from that hand on."))
    begun = False
    for item in state.items:
        begins = item.number if isinstance(item, Place) else item.from_hand
        if begins < change.from_hand:
            yield item
            continue
        if isinstance(item, Sitting):
            yield _sitting_swapped(item, swap)
        else:
            if not begun and sitting.from_hand < change.from_hand:
                dealer = item.facts.dealer if item.live and item.facts else None
                now = replace(sitting, from_hand=change.from_hand, dealer=dealer)
                yield _sitting_swapped(now, swap)
            yield _place_swapped(item, swap)
        begun = True
    if not begun:
        now = replace(sitting, from_hand=change.from_hand, dealer=None)
        yield _sitting_swapped(now, swap)


def _sitting_swapped(sitting: Sitting[int], swap: Mapping[int, int]) -> Sitting[int]:
    return replace(
        sitting,
        dealer=swap.get(sitting.dealer, sitting.dealer) if sitting.dealer else None,
        order=tuple(swap.get(p, p) for p in sitting.order),
        away=frozenset(swap.get(p, p) for p in sitting.away),
    )


def _place_swapped(place: Place, swap: Mapping[int, int]) -> Place:
    facts = place.facts
    assert facts is not None
    return replace(
        place,
        facts=replace(
            facts,
            record=_record_swapped(facts.record, swap),
            dealer=swap.get(facts.dealer, facts.dealer),
            players=tuple(swap.get(p, p) for p in facts.players),
            resting=tuple(swap.get(p, p) for p in facts.resting),
        ),
    )


WHO = ("declarer", "partner", "xxi_lost_by", "annulled_by")


def _record_swapped(
    record: Mapping[str, Any], swap: Mapping[int, int]
) -> dict[str, Any]:
    swapped = dict(record)
    for key in WHO:
        if key in record:
            swapped[key] = swap.get(record[key], record[key])
    if "bonuses" in record:
        swapped["bonuses"] = [
            {
                **line,
                "announced_by": swap.get(line["announced_by"], line["announced_by"]),
            }
            if "announced_by" in line
            else line
            for line in record["bonuses"]
        ]
    if "holdings" in record:
        swapped["holdings"] = {
            str(swap.get(int(player), player)): number
            for player, number in record["holdings"].items()
        }
    return swapped


# Replay


class Replay:
    """The table played once more from its facts; *problems* by hand."""

    def __init__(self, state: State, edition: Edition) -> None:
        self.edition = edition
        self.sittings = state.sittings
        self.past: list[Past[int]] = []
        self.problems: dict[UUID, tuple[Problem, ...]] = {}
        self.due: dict[UUID, int] = {}
        self.state = State(tuple(self._replayed(item) for item in state.items))

    def _replayed(self, item: Item) -> Item:
        if isinstance(item, Sitting) or not item.live:
            return item
        facts = self._facts(item)
        self.past.append(Past(item.number, facts.dealer, facts.thrown_in))
        return replace(item, facts=facts, wanted=None)

    def _facts(self, place: Place) -> Facts:
        edition = place.facts.edition if place.facts else self.edition
        rule, active = edition.tariff.redeal, edition.tariff.variant.active
        sitting = table.sitting_at(self.sittings, place.number)
        due = table.due_dealer(self.sittings, self.past, place.number, rule)
        counts = table.due_multiplier(self.sittings, self.past, rule)
        self.due[place.hand] = due
        if place.facts is None or (place.wanted and place.wanted.says_who):
            assert place.wanted is not None
            dealer, chosen, players = _chosen(place, sitting, due, active)
        else:
            dealer, chosen, players = _kept(place.facts, sitting, due, active)
        by_seats = table.due_players(sitting.present, dealer, active)
        record = place.wanted.record if place.wanted else place.facts.record  # type: ignore[union-attr] # one of them is there
        return self._read(
            place,
            Facts(
                edition=edition,
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
        raise refused("dealer", _("The dealer must sit at the table."))
    players, _resting = table.seated(
        sitting, dealer, active, resting=wanted.resting, players=wanted.players
    )
    return dealer, dealer != due, players


def _kept(
    facts: Facts, sitting: Sitting[int], due: int, active: int
) -> tuple[int, bool, tuple[int, ...]]:
    """Let the dealer follow if nobody chose him and the same people then play."""
    if facts.dealer_set or facts.dealer == due:
        return facts.dealer, facts.dealer_set, facts.players
    players = table.due_players(sitting.present, due, active)
    if set(players) == set(facts.players):
        return due, False, players
    return facts.dealer, True, facts.players


# The plan


@dataclass(frozen=True, slots=True)
class Moved:
    """A hand that a change touches; a number or payments are None where it doesn't
    count. Payments are points by player id."""

    hand: UUID
    number_before: int | None
    number_after: int | None
    before: Facts | None
    after: Facts | None
    payments_before: Mapping[int, int] | None
    payments_after: Mapping[int, int] | None
    why: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What would change: *balances* are tonight's points, before and after."""

    rows: tuple[Moved, ...]
    balances: Mapping[int, tuple[int, int]]
    mayor: tuple[int | None, int | None]
    problems: tuple[Problem, ...]
    people: Mapping[int, Player]
    before: State
    after: State

    @property
    def nothing(self) -> bool:
        return not self.rows and self.before.sittings == self.after.sittings

    @property
    def refused(self) -> bool:
        return any(problem.is_error for problem in self.problems)


def plan(at: Table, change: Change) -> Plan:
    """Return what *change* would do at the table, and everything wrong with it.

    Raise `Refused` when it cannot be made at all.
    """
    return planned(at, load(at), change)


def planned(at: Table, state: State, change: Change) -> Plan:
    replay = Replay(changed(state, change, at.edition), at.edition)
    people = Player.objects.filter(club=at.evening.club_id).in_bulk()
    after = replay.state.by_hand()
    wrong = dict(replay.problems)
    hand = target(change)
    own = wrong.pop(hand, ()) if hand else ()
    problems = (*own, *_unscorable(after, wrong))
    before = state.by_hand()
    rows = (
        ()
        if any(p.is_error for p in problems)
        else tuple(
            _moved(change, before.get(hand), place, replay.due, people)
            for hand, place in after.items()
            if differs(before.get(hand), place)
        )
    )
    return Plan(
        rows=tuple(sorted(rows, key=lambda r: r.number_after or r.number_before or 0)),
        balances=_balances(at, rows),
        mayor=_mayors(at, state, replay.state),
        problems=problems,
        people=people,
        before=state,
        after=replay.state,
    )


def load(at: Table) -> State:
    """Return the table as it is kept."""
    latest = Version.objects.filter(hand=OuterRef("hand")).order_by("-number")
    versions = Version.objects.filter(
        hand__table=at, number=Subquery(latest.values("number")[:1])
    ).select_related("hand", "edition")
    return state_of(
        [by_id(sitting) for sitting in table.sittings_of(at)],
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


def differs(before: Place | None, after: Place) -> bool:
    """Whether a hand counts in another way, or in another place."""
    if before is None:
        return True
    if (before.live, before.number) != (after.live, after.number):
        return True
    return after.live and before.facts != after.facts


def target(change: Change) -> UUID | None:
    """Return the hand that somebody wants to change, if it is one."""
    match change:
        case Insert():
            return change.id
        case Reseat():
            return None
        case _:
            return change.hand.pk


def refused(field: str, message: str, **values: object) -> Refused:
    text = Text(message, values)
    return Refused([Problem(code=f"bad_{field}", field=field, message=text)])


def _unscorable(
    places: Mapping[UUID, Place], wrong: Mapping[UUID, Iterable[Problem]]
) -> Iterator[Problem]:
    message = _("Hand {number} could no longer be scored: correct that one first.")
    for hand, problems in wrong.items():
        if any(problem.is_error for problem in problems):
            text = Text(message, {"number": places[hand].number})
            yield Problem(code="later_hand", field="hand", message=text)


def _moved(
    change: Change,
    before: Place | None,
    after: Place,
    due: Mapping[UUID, int],
    people: Mapping[int, Player],
) -> Moved:
    was = before if before and before.live else None
    now = after if after.live else None
    old = was.facts if was else None
    new = now.facts if now else None
    paid = old.payments() if old else None
    return Moved(
        hand=after.hand,
        number_before=was.number if was else None,
        number_after=now.number if now else None,
        before=old,
        after=new,
        payments_before=paid,
        payments_after=paid if old == new else new.payments() if new else None,
        why=(*_done(change, after.hand), *_why(was, now, due, people)),
    )


DONE = {
    Correct: _("It is corrected."),
    Void: _("It is taken back."),
    Restore: _("It counts again."),
    Insert: _("It is put in here."),
    SwapSides: _("Its sides are swapped."),
    Swap: _("Its place is changed."),
}


def _done(change: Change, hand: UUID) -> Iterator[Text]:
    if isinstance(change, Reseat):
        message = _("{player} and {other} exchange their seats.")
        yield Text(message, {"player": change.player, "other": change.other})
    elif hand == target(change) or (
        isinstance(change, Swap) and hand == change.other.pk
    ):
        yield Text(DONE[type(change)])


def _why(
    was: Place | None,
    now: Place | None,
    due: Mapping[UUID, int],
    people: Mapping[int, Player],
) -> Iterator[Text]:
    if was is None or now is None or was.facts is None or now.facts is None:
        return
    if was.number != now.number:
        yield Text(
            _("Hand {before} becomes hand {after}."),
            {"before": was.number, "after": now.number},
        )
    old, new = was.facts, now.facts
    if old.dealer != new.dealer:
        message = _("{new} deals it, not {old}.")
        yield Text(message, {"new": people[new.dealer], "old": people[old.dealer]})
    elif new.dealer_set and not old.dealer_set:
        yield Text(
            _("{dealer} dealt it, though {due} was due."),
            {"dealer": people[new.dealer], "due": people[due[now.hand]]},
        )
    if old.multiplier != new.multiplier:
        message = _("It counts ×{after}, not ×{before}.")
        yield Text(message, {"after": new.multiplier, "before": old.multiplier})


def _balances(at: Table, rows: Iterable[Moved]) -> dict[int, tuple[int, int]]:
    before = {s.player.pk: s.points for s in standings.tally(at.evening)}
    after = dict(before)
    for row in rows:
        for sign, payments in ((-1, row.payments_before), (1, row.payments_after)):
            for player, points in (payments or {}).items():
                after[player] = after.get(player, 0) + sign * points
    return {player: (before.get(player, 0), after[player]) for player in after}


def _mayors(at: Table, before: State, after: State) -> tuple[int | None, int | None]:
    """Return who is tonight's Mayor now, and who would be."""
    if at.edition.tariff.variant.mayor is None:
        return None, None
    elsewhere = table.last_lost(
        Version.objects.filter(hand__table__evening=at.evening_id).exclude(
            hand__table=at
        )
    )
    return _mayor(before, elsewhere), _mayor(after, elsewhere)


def _mayor(state: State, elsewhere: Version | None) -> int | None:
    lost = [
        (place.played_at, place.number, loser)
        for place in state.live
        if place.facts and (loser := place.facts.record.get("xxi_lost_by"))
    ]
    if elsewhere is not None and elsewhere.xxi_lost_by_id:
        hand = elsewhere.hand
        lost.append((hand.played_at, hand.number, elsewhere.xxi_lost_by_id))
    return max(lost, default=(None, None, None))[2]
