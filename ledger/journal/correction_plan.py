"""What a change to an earlier hand does to all that follows, before it is done.

The change is made to the sequence of facts, the table is replayed, and what then
differs is the plan.
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
    facts_of,
    load_state,
)
from ledger.table.rotation import TableLineUp
from scoring import Problem, Text, problem
from scoring.text import _

__all__ = [
    "Change",
    "Correct",
    "CorrectionPlan",
    "Facts",
    "HandChange",
    "HandPlace",
    "Insert",
    "Reseat",
    "Restore",
    "Swap",
    "SwapSides",
    "Void",
    "facts_of",
    "plan_correction",
    "plan_on_state",
]


@dataclass(frozen=True, slots=True)
class HandChange:
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
class CorrectionPlan:
    """What would change: *balances* are tonight's points, before and after."""

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
    """Return what *change* would do at the table, and everything wrong with it.

    Raise `Refused` when it cannot be made at all.
    """
    return plan_on_state(at, load_state(at), change)


def plan_on_state(at: Table, state: TableState, change: Change) -> CorrectionPlan:
    replay = Replay(apply_change(state, change), at.edition)
    check_seats(at, state.line_ups, replay.state.line_ups)
    people = Player.objects.filter(club=at.evening.club_id).in_bulk()
    after = replay.state.by_hand()
    wrong = dict(replay.problems)
    hand = changed_hand(change)
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
    """Refuse line-ups by which somebody comes who sits at another table tonight."""
    if comes := set(after[-1].order) - set(before[-1].order):
        evenings.check_free(at.evening_id, comes, here=at)


def _unscorable(
    places: Mapping[UUID, HandPlace], wrong: Mapping[UUID, Iterable[Problem]]
) -> Iterator[Problem]:
    message = _("Hand {number} could no longer be scored: correct that one first.")
    for hand, problems in wrong.items():
        if any(one.is_error for one in problems):
            number = places[hand].number
            yield problem("hand", message, code="later_hand", number=number)


def _moved(
    change: Change,
    before: HandPlace | None,
    after: HandPlace,
    due: Mapping[UUID, int],
    people: Mapping[int, Player],
) -> HandChange:
    was = before if before and before.live else None
    now = after if after.live else None
    old = was.facts if was else None
    new = now.facts if now else None
    paid = old.payments() if old else None
    return HandChange(
        hand=after.hand,
        number_before=was.number if was else None,
        number_after=now.number if now else None,
        before=old,
        after=new,
        payments_before=paid,
        payments_after=paid if old == new else new.payments() if new else None,
        why=(*_done(change, after.hand), *reasons(was, now, due, people)),
    )


DONE = {
    Correct: _("Corrected."),
    Void: _("Taken back."),
    Restore: _("It counts again."),
    Insert: _("Inserted here."),
    SwapSides: _("Sides swapped."),
    Swap: _("Moved."),
}


def _done(change: Change, hand: UUID) -> Iterator[Text]:
    if isinstance(change, Reseat):
        message = _("{player} and {other} swap seats.")
        yield Text(message, {"player": change.player, "other": change.other})
    elif hand == changed_hand(change) or (
        isinstance(change, Swap) and hand == change.other.pk
    ):
        yield Text(DONE[type(change)])


def reasons(
    was: HandPlace | None,
    now: HandPlace | None,
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


def _balances(at: Table, rows: Iterable[HandChange]) -> dict[int, tuple[int, int]]:
    before = {s.player.pk: s.points for s in tallies.tally(at.evening)}
    after = dict(before)
    for row in rows:
        for sign, payments in ((-1, row.payments_before), (1, row.payments_after)):
            for player, points in (payments or {}).items():
                after[player] = after.get(player, 0) + sign * points
    return {player: (before.get(player, 0), after[player]) for player in after}


def _mayors(
    at: Table, before: TableState, after: TableState
) -> tuple[int | None, int | None]:
    """Return who is tonight's Mayor now, and who would be."""
    if at.edition.tariff.variant.mayor is None:
        return None, None
    tonight = deals.LOST.filter(hand__table__evening=at.evening_id)
    elsewhere = tonight.exclude(hand__table=at).first()
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
