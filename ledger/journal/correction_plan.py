"""Correction plan: what a change to an earlier hand does to all that follow.

The change is made to the table's facts, the table is replayed, and the hands that
differ are the plan. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger import tallies
from ledger.journal import evenings
from ledger.models import Player, Table, Version
from ledger.table import deals
from ledger.table.changes import (
    Change,
    Correct,
    Insert,
    Reseat,
    Restore,
    Swap,
    SwapSides,
    Void,
    apply_change,
    changed_hand,
)
from ledger.table.replay import (
    Facts,
    HandPlace,
    Replay,
    TableState,
    differs,
    load_state,
)
from ledger.table.rotation import TableLineUp
from scoring import Problem, Text, problem
from scoring.text import _


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand that a change touches; None where the hand does not count.

    Gains are points by player id.
    """

    hand: UUID
    number_before: int | None
    number_after: int | None
    before: Facts | None
    after: Facts | None
    gains_before: Mapping[int, int] | None
    gains_after: Mapping[int, int] | None
    why: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class CorrectionPlan:
    """What a change would do; *balances* are points, before and after, by player id."""

    rows: tuple[HandChange, ...]
    balances: Mapping[int, tuple[int, int]]
    mayor: tuple[int | None, int | None]
    problems: tuple[Problem, ...]
    people: Mapping[int, Player]
    before: TableState
    after: TableState

    @property
    def nothing(self) -> bool:
        return not self.rows and self.before.line_ups == self.after.line_ups

    @property
    def refused(self) -> bool:
        return any(problem.is_error for problem in self.problems)


def plan_correction(at: Table, change: Change) -> CorrectionPlan:
    """Return what *change* would do at the table, and all its problems.

    Raise `Refused` when it cannot be made at all.
    """
    return plan_on_state(at, load_state(at), change)


def plan_on_state(at: Table, state: TableState, change: Change) -> CorrectionPlan:
    replay = Replay(apply_change(state, change), at.edition)
    check_seats(at, state.line_ups, replay.state.line_ups)
    people = Player.objects.filter(club=at.evening.club_id).in_bulk()
    after = replay.state.by_hand()
    by_hand = dict(replay.problems)
    hand = changed_hand(change)
    own = by_hand.pop(hand, ()) if hand else ()
    problems = (*own, *_unscorable(after, by_hand))
    before = state.by_hand()
    rows = (
        ()
        if any(p.is_error for p in problems)
        else tuple(
            _hand_change(change, before.get(hand), place, replay.due, people)
            for hand, place in after.items()
            if differs(before.get(hand), place)
        )
    )
    return CorrectionPlan(
        rows=tuple(sorted(rows, key=lambda r: r.number_after or r.number_before or 0)),
        balances=_balances(at, rows),
        mayor=_mayors(at, state, replay.state),
        problems=problems,
        people=people,
        before=state,
        after=replay.state,
    )


def check_seats(
    at: Table, before: Sequence[TableLineUp[int]], after: Sequence[TableLineUp[int]]
) -> None:
    """Raise `Refused` where *after* seats a player who sits at another table."""
    if newcomers := set(after[-1].order) - set(before[-1].order):
        evenings.check_free(at.evening_id, newcomers, here=at)


def _unscorable(
    places: Mapping[UUID, HandPlace], by_hand: Mapping[UUID, Iterable[Problem]]
) -> Iterator[Problem]:
    message = _("Hand {number} could no longer be scored: correct that one first.")
    for hand, problems in by_hand.items():
        if any(one.is_error for one in problems):
            number = places[hand].number
            yield problem("hand", message, code="later_hand", number=number)


def _hand_change(
    change: Change,
    before: HandPlace | None,
    after: HandPlace,
    due: Mapping[UUID, int],
    people: Mapping[int, Player],
) -> HandChange:
    old = before if before and before.live else None
    new = after if after.live else None
    facts_before = old.facts if old else None
    facts_after = new.facts if new else None
    gains_before = facts_before.payments() if facts_before else None
    gains_after = gains_before
    if facts_after != facts_before:
        gains_after = facts_after.payments() if facts_after else None
    return HandChange(
        hand=after.hand,
        number_before=old.number if old else None,
        number_after=new.number if new else None,
        before=facts_before,
        after=facts_after,
        gains_before=gains_before,
        gains_after=gains_after,
        why=(*_own_reason(change, after.hand), *reasons(old, new, due, people)),
    )


OWN_REASONS = {
    Correct: _("Corrected."),
    Void: _("Taken back."),
    Restore: _("It counts again."),
    Insert: _("Inserted here."),
    SwapSides: _("Sides swapped."),
    Swap: _("Moved."),
}


def _own_reason(change: Change, hand: UUID) -> Iterator[Text]:
    if isinstance(change, Reseat):
        message = _("{player} and {other} swap seats.")
        yield Text(message, {"player": change.player, "other": change.other})
    elif hand == changed_hand(change) or (
        isinstance(change, Swap) and hand == change.other.pk
    ):
        yield Text(OWN_REASONS[type(change)])


def reasons(
    old: HandPlace | None,
    new: HandPlace | None,
    due: Mapping[UUID, int],
    people: Mapping[int, Player],
) -> Iterator[Text]:
    """Yield in words how a hand that counts before and after is dealt otherwise."""
    if old is None or new is None or old.facts is None or new.facts is None:
        return
    if old.number != new.number:
        yield Text(
            _("Hand {before} becomes hand {after}."),
            {"before": old.number, "after": new.number},
        )
    before, after = old.facts, new.facts
    if before.dealer != after.dealer:
        message = _("{new} deals it, not {old}.")
        yield Text(message, {"new": people[after.dealer], "old": people[before.dealer]})
    elif after.dealer_set and not before.dealer_set:
        yield Text(
            _("{dealer} dealt it, though {due} was due."),
            {"dealer": people[after.dealer], "due": people[due[new.hand]]},
        )
    if before.multiplier != after.multiplier:
        message = _("It counts ×{after}, not ×{before}.")
        yield Text(message, {"after": after.multiplier, "before": before.multiplier})


def _balances(at: Table, rows: Iterable[HandChange]) -> dict[int, tuple[int, int]]:
    before = {s.player.pk: s.points for s in tallies.tally(at.evening)}
    after = dict(before)
    for row in rows:
        for sign, payments in ((-1, row.gains_before), (1, row.gains_after)):
            for player, points in (payments or {}).items():
                after[player] = after.get(player, 0) + sign * points
    return {player: (before.get(player, 0), after[player]) for player in after}


def _mayors(
    at: Table, before: TableState, after: TableState
) -> tuple[int | None, int | None]:
    """Return the evening's Mayor, before and after."""
    if at.edition.tariff.variant.mayor is None:
        return None, None
    lost = deals.LOST.filter(hand__table__evening=at.evening_id)
    elsewhere = lost.exclude(hand__table=at).first()
    return _mayor(before, elsewhere), _mayor(after, elsewhere)


def _mayor(state: TableState, elsewhere: Version | None) -> int | None:
    lost = [
        (place.played_at, place.number, loser)
        for place in state.live
        if place.facts and (loser := place.facts.record.get("xxi_lost_by"))
    ]
    if elsewhere is not None and elsewhere.xxi_lost_by_id:
        hand = elsewhere.hand
        lost.append((hand.played_at, hand.number, elsewhere.xxi_lost_by_id))
    return max(lost, default=(None, None, None))[2]
