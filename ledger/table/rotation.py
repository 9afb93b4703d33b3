"""Rotation: who deals, who sits out, and the multiplier of the next hand.

Pure: computed from line-ups and the hands before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Generic, TypeVar

from scoring import refuse
from scoring.items import HIGHEST_MULTIPLIER, Redeal
from scoring.text import _

K = TypeVar("K")

FEWEST, MOST = 4, 6
"""How many sit at a table."""
ROUND = 6
"""Deals that a thrown-in one can double: as many as may sit at a table."""


@dataclass(frozen=True, slots=True)
class Sitting(Generic[K]):
    """Who sits where from a hand on; *away* keep their seats and take a break."""

    from_hand: int
    dealer: K | None
    """Who deals that hand; None when the deal simply goes on round the table."""
    order: tuple[K, ...]
    away: frozenset[K] = frozenset()

    @property
    def present(self) -> tuple[K, ...]:
        return tuple(player for player in self.order if player not in self.away)


@dataclass(frozen=True, slots=True)
class Past(Generic[K]):
    """What a hand leaves behind for the hands after it."""

    number: int
    dealer: K
    thrown_in: bool


def sitting_at(sittings: Sequence[Sitting[K]], number: int) -> Sitting[K]:
    begun = [sitting for sitting in sittings if sitting.from_hand <= number]
    return max(begun, key=lambda sitting: sitting.from_hand)


def due_dealer(
    sittings: Sequence[Sitting[K]], past: Sequence[Past[K]], number: int, rule: Redeal
) -> K:
    """Return who is to deal hand *number* after the hands *past*, oldest first."""
    now = sitting_at(sittings, number)
    if now.dealer is not None and (now.from_hand == number or not past):
        return now.dealer
    if not past:
        return now.present[0]
    last = past[-1]
    seat = seat_of(sittings, last, number)
    again = last.thrown_in and rule.dealer == "same" and seat.taken
    if again and seat.holder in now.present:
        return seat.holder
    return next_dealer(now.order, now.present, seat.holder)


@dataclass(frozen=True, slots=True)
class DealerSeat(Generic[K]):
    """Where somebody dealt: who sits there by now, or, not *taken*, just before it."""

    holder: K
    taken: bool = True


def seat_of(
    sittings: Sequence[Sitting[K]], last: Past[K], number: int
) -> DealerSeat[K]:
    """Return the seat of the dealer of *last* as it is from hand *number* on.

    People came and went since; he may not even have sat at the table.
    """
    begun = [sitting for sitting in sittings if sitting.from_hand <= number]
    begun.sort(key=lambda sitting: sitting.from_hand)
    known = [at for at, sitting in enumerate(begun) if last.dealer in sitting.order]
    if known:
        seat, since = DealerSeat(last.dealer), begun[known[-1] :]
    else:
        before = sitting_at(begun, last.number)
        seat = DealerSeat(before.order[-1], taken=False)
        if before.dealer is not None:
            seat = DealerSeat(before.dealer)
        since = begun[begun.index(before) :]
    for was, now in pairwise(since):
        seat = _later(seat, was.order, now.order)
    return seat


def _later(seat: DealerSeat[K], was: Sequence[K], now: Sequence[K]) -> DealerSeat[K]:
    if seat.holder in now:
        return seat
    if (heir := replaced(was, now).get(seat.holder)) is not None:
        return DealerSeat(heir, seat.taken)
    before = reversed(turn(was, seat.holder)[:-1])
    return DealerSeat(next((p for p in before if p in now), now[-1]), taken=False)


def replaced(was: Sequence[K], now: Sequence[K]) -> dict[K, K]:
    """Return who sits *now* where somebody else *was*, between the same neighbours.

    >>> replaced("ABCD", "AXCD")
    {'B': 'X'}
    """
    stays = [player for player in was if player in now]
    if not stays:
        return dict(zip(was, now, strict=False))
    heirs: dict[K, K] = {}
    for player in stays:
        gone = takewhile(lambda p: p not in now, turn(was, player))
        come = takewhile(lambda p: p not in was, turn(now, player))
        heirs.update(zip(gone, come, strict=False))
    return heirs


def next_dealer(order: Sequence[K], present: Sequence[K], dealer: K) -> K:
    """Return the next after *dealer* in seat *order* who is there to deal.

    >>> next_dealer("ABCDE", "ABDE", "B")
    'D'
    """
    return next((p for p in turn(order, dealer) if p in present), present[0])


def turn(order: Sequence[K], dealer: K) -> tuple[K, ...]:
    """Return everybody from forehand on, the dealer last.

    >>> turn("ABCDE", "B")
    ('C', 'D', 'E', 'A', 'B')
    """
    after = order.index(dealer) + 1 if dealer in order else 0
    return (*order[after:], *order[:after])


def due_multiplier(
    sittings: Sequence[Sitting[K]], past: Sequence[Past[K]], rule: Redeal
) -> int:
    """Return what the deal after *past* counts, by the rule for thrown-in deals."""
    match rule.doubling:
        case "cumulative":
            doublings = _running(past)
        case "flat":
            doublings = min(_running(past), 1)
        case "round":
            doublings = sum(
                hand.thrown_in and ago <= len(sitting_at(sittings, hand.number).present)
                for ago, hand in enumerate(reversed(past[-ROUND:]), start=1)
            )
        case _:
            doublings = 0
    return min(1 << doublings, HIGHEST_MULTIPLIER)


def _running(past: Sequence[Past[K]]) -> int:
    """Return how many deals were thrown in directly before, one after another."""
    count = 0
    while count < len(past) and past[-1 - count].thrown_in:
        count += 1
    return count


def due_players(present: Sequence[K], dealer: K, active: int) -> tuple[K, ...]:
    """Return who plays, from forehand on.

    Of five the dealer sits out, of six he and the seat before him.

    >>> due_players("ABCDEF", "B", 4)
    ('C', 'D', 'E', 'F')
    """
    return turn(present, dealer)[:active]


def seated(
    sitting: Sitting[K],
    dealer: K,
    active: int,
    *,
    resting: Collection[K] | None = None,
    players: Sequence[K] | None = None,
) -> tuple[tuple[K, ...], tuple[K, ...]]:
    """Return who plays, from forehand on, and who at the table sits out.

    Without a choice of who is *resting*, or of the *players*, it is by the dealer's
    place. Players may have left the table since. Raise `Refused` on a wrong number.
    """
    order = turn(sitting.order, dealer)
    if players is not None:
        plays = tuple(p for p in order if p in players)
        plays = plays if len(plays) == len(players) else tuple(players)
    elif resting is not None:
        plays = tuple(p for p in order if p not in resting)
    else:
        plays = due_players(sitting.present, dealer, active)
    stray = resting is not None and not set(resting) <= set(order)
    if not len(plays) == len(set(plays)) == active or stray:
        message = _("{count} play: choose {resting} to sit out.")
        refuse("resting", message, count=active, resting=len(order) - active)
    return plays, tuple(p for p in sitting.order if p not in plays)
