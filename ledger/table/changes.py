"""What somebody may want to change at a table, and what it does to the sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from uuid import UUID

from django.utils import timezone

import scoring
from ledger.models import Hand, Player
from ledger.table import rotation
from ledger.table.replay import Item, Place, State, Wanted, renumbered
from ledger.table.rotation import Sitting
from scoring import refuse
from scoring.text import _


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


def target(change: Change) -> UUID | None:
    """Return the hand that somebody wants to change, if it is one."""
    match change:
        case Insert():
            return change.id
        case Reseat():
            return None
        case _:
            return change.hand.pk


def changed(state: State, change: Change) -> State:
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
            _insert(items, state, change)
        case Reseat():
            items = list(_reseated(state, change))
    return renumbered(items)


def _at(items: Sequence[Item], hand: Hand, live: bool = True) -> int:
    for index, item in enumerate(items):
        if isinstance(item, Place) and item.hand == hand.pk and item.live is live:
            return index
    message = (
        _("This hand has already been taken back.")
        if live
        else _("This hand already counts.")
    )
    refuse("hand", message)


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
        refuse("ending", _("This hand was not played, so it has no sides to swap."))
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


def _insert(items: list[Item], state: State, change: Insert) -> None:
    index = len(items)
    moment = max([timezone.now(), *(place.played_at for place in state.live)])
    for at, item in enumerate(items):
        if isinstance(item, Place) and item.live and item.number == change.before:
            index, moment = at, item.played_at
            break
    else:
        if change.before != len(state.live) + 1:
            message = _("There is no hand {number} at this table.")
            refuse("number", message, number=change.before)
    before = items[index - 1]
    if index < len(items) and index > 1 and isinstance(before, Sitting):
        index -= 1  # the seats changed for the hand that follows
    items.insert(
        index,
        Place(change.id, change.before, True, moment, wanted=wanted_by(change)),
    )


def _reseated(state: State, change: Reseat) -> Iterator[Item]:
    swap = {change.player.pk: change.other.pk, change.other.pk: change.player.pk}
    sitting = rotation.sitting_at(state.sittings, change.from_hand)
    last = len(state.live) + 1
    if not swap.keys() <= set(sitting.order) or not 1 <= change.from_hand <= last:
        refuse("player", _("Both must sit at the table from that hand on."))
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
                if dealer not in sitting.present:
                    dealer = None
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


def _record_swapped(
    record: Mapping[str, Any], swap: Mapping[int, int]
) -> dict[str, Any]:
    return scoring.renamed(
        record,
        lambda player: swap.get(player, player),
        key=lambda player: swap.get(int(player), player),
    )
