"""Changes to earlier hands and seats of a table, and their effect on its sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from uuid import UUID

from django.utils import timezone

import scoring
from ledger.models import Hand, Player
from ledger.table import rotation
from ledger.table.replay import HandInput, HandPlace, Item, TableState, renumbered
from ledger.table.rotation import TableLineUp
from scoring import refuse
from scoring.text import _


@dataclass(frozen=True, slots=True)
class Correct:
    """Other facts of a hand; dealer and players stay unless they are given."""

    hand: Hand
    record: object
    dealer: Player | None = None
    sitting_out: Sequence[Player] | None = None
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
    sitting_out: Sequence[Player] | None = None
    players: Sequence[Player] | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """Two hands in each other's place."""

    hand: Hand
    other: Hand


@dataclass(frozen=True, slots=True)
class SwapSides:
    """The result of a hand for the other side."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class Reseat:
    """Two players in each other's seat, and hands, from a hand on."""

    from_hand: int
    player: Player
    other: Player


Change: TypeAlias = Correct | Void | Restore | Insert | Swap | SwapSides | Reseat


def changed_hand(change: Change) -> UUID | None:
    """Return the id of the hand that *change* is about, if it is one hand."""
    match change:
        case Insert():
            return change.id
        case Reseat():
            return None
        case _:
            return change.hand.pk


def apply_change(state: TableState, change: Change) -> TableState:
    """Return the sequence with *change* made, not yet replayed."""
    items = list(state.items)
    match change:
        case Correct():
            _replace_hand(items, change.hand, lambda place: _corrected(place, change))
        case SwapSides():
            _replace_hand(items, change.hand, _sides_swapped)
        case Void():
            _replace_hand(items, change.hand, lambda place: replace(place, live=False))
        case Restore():
            _replace_hand(
                items, change.hand, lambda place: replace(place, live=True), False
            )
        case Swap():
            one, two = _index_of(items, change.hand), _index_of(items, change.other)
            items[one], items[two] = items[two], items[one]
        case Insert():
            _insert(items, state, change)
        case Reseat():
            items = list(_reseated(state, change))
    return renumbered(items)


def _index_of(items: Sequence[Item], hand: Hand, live: bool = True) -> int:
    for index, item in enumerate(items):
        if isinstance(item, HandPlace) and item.hand == hand.pk and item.live is live:
            return index
    message = (
        _("This hand has already been taken back.")
        if live
        else _("This hand already counts.")
    )
    refuse("hand", message)


def _replace_hand(
    items: list[Item],
    hand: Hand,
    change: Callable[[HandPlace], HandPlace],
    live: bool = True,
) -> None:
    index = _index_of(items, hand, live)
    place = items[index]
    assert isinstance(place, HandPlace)
    items[index] = change(place)


def _corrected(place: HandPlace, change: Correct) -> HandPlace:
    facts = place.facts
    assert facts is not None
    entered = input_of(change)
    dealer = entered.dealer in (None, facts.dealer)
    sitting_out = entered.sitting_out is None or set(entered.sitting_out) == set(
        facts.sitting_out
    )
    players = entered.players is None or set(entered.players) == set(facts.players)
    if dealer and sitting_out and players:
        entered = HandInput(change.record)
    return replace(place, entered=entered)


def input_of(change: Correct | Insert) -> HandInput:
    return HandInput(
        change.record,
        None if change.dealer is None else change.dealer.pk,
        None if change.sitting_out is None else tuple(p.pk for p in change.sitting_out),
        None if change.players is None else tuple(p.pk for p in change.players),
    )


OTHER_SIDE = {"declarer": "defenders", "defenders": "declarer"}


def _sides_swapped(place: HandPlace) -> HandPlace:
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
        record["bonuses"] = [_side_turned(line) for line in record["bonuses"]]
    return replace(place, entered=HandInput(record))


def _side_turned(line: Mapping[str, Any]) -> dict[str, Any]:
    if line.get("announced_by") is None:
        return {**line, "side": OTHER_SIDE[line["side"]]}
    return {**line, "made": not line["made"]}


def _insert(items: list[Item], state: TableState, change: Insert) -> None:
    index = len(items)
    played_at = max([timezone.now(), *(place.played_at for place in state.live)])
    for at, item in enumerate(items):
        if isinstance(item, HandPlace) and item.live and item.number == change.before:
            index, played_at = at, item.played_at
            break
    else:
        if change.before != len(state.live) + 1:
            message = _("There is no hand {number} at this table.")
            refuse("number", message, number=change.before)
    before = items[index - 1]
    if index < len(items) and index > 1 and isinstance(before, TableLineUp):
        index -= 1  # the seats changed for the hand that follows
    items.insert(
        index,
        HandPlace(change.id, change.before, True, played_at, entered=input_of(change)),
    )


def _reseated(state: TableState, change: Reseat) -> Iterator[Item]:
    swap = {change.player.pk: change.other.pk, change.other.pk: change.player.pk}
    line_up = rotation.line_up_at(state.line_ups, change.from_hand)
    last = len(state.live) + 1
    if not swap.keys() <= set(line_up.order) or not 1 <= change.from_hand <= last:
        refuse("player", _("Both must sit at the table from that hand on."))
    begun = False
    for item in state.items:
        begins = item.number if isinstance(item, HandPlace) else item.from_hand
        if begins < change.from_hand:
            yield item
            continue
        if isinstance(item, TableLineUp):
            yield _line_up_swapped(item, swap)
        else:
            if not begun and line_up.from_hand < change.from_hand:
                dealer = item.facts.dealer if item.live and item.facts else None
                if dealer not in line_up.present:
                    dealer = None
                now = replace(line_up, from_hand=change.from_hand, dealer=dealer)
                yield _line_up_swapped(now, swap)
            yield _place_swapped(item, swap)
        begun = True
    if not begun:
        now = replace(line_up, from_hand=change.from_hand, dealer=None)
        yield _line_up_swapped(now, swap)


def _line_up_swapped(
    line_up: TableLineUp[int], swap: Mapping[int, int]
) -> TableLineUp[int]:
    return replace(
        line_up,
        dealer=swap.get(line_up.dealer, line_up.dealer) if line_up.dealer else None,
        order=tuple(swap.get(p, p) for p in line_up.order),
        on_break=frozenset(swap.get(p, p) for p in line_up.on_break),
    )


def _place_swapped(place: HandPlace, swap: Mapping[int, int]) -> HandPlace:
    facts = place.facts
    assert facts is not None
    return replace(
        place,
        facts=replace(
            facts,
            record=_record_swapped(facts.record, swap),
            dealer=swap.get(facts.dealer, facts.dealer),
            players=tuple(swap.get(p, p) for p in facts.players),
            sitting_out=tuple(swap.get(p, p) for p in facts.sitting_out),
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
