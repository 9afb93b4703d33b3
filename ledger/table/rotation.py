"""Rotation: who deals, who sits out, and what the next deal counts.

Pure functions of line-ups and of the deals before; players are of any type that can
be compared, as a rule their ids.

Sources: the chapter "Hungarian Tarokk I: Paskievics" for a deal that is thrown in,
dealt again and counted double; the tariff (`scoring.items.Redeal`) for its forms.
The sources know four players. Of five the dealer sits out, of six he and the seat
before him: that choice is ours, as is the seat of a dealer who has left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Generic, TypeVar

from scoring import refuse
from scoring.items import HIGHEST_MULTIPLIER, Redeal
from scoring.text import _

K = TypeVar("K")

FEWEST_SEATS, MOST_SEATS = 4, 6
"""How many people sit at a table."""
LONGEST_ROUND = MOST_SEATS
"""Deals that a thrown-in one can double: one for each seat."""


@dataclass(frozen=True, slots=True)
class TableLineUp(Generic[K]):
    """Seats of a table from a hand on; who is *on_break* keeps his seat."""

    from_hand: int
    dealer: K | None
    """The dealer of that hand; None where the deal goes on round the table."""
    order: tuple[K, ...]
    on_break: frozenset[K] = frozenset()

    @property
    def present(self) -> tuple[K, ...]:
        return tuple(player for player in self.order if player not in self.on_break)


@dataclass(frozen=True, slots=True)
class PastDeal(Generic[K]):
    """A deal before, as far as later deals depend on it."""

    number: int
    dealer: K
    thrown_in: bool


def line_up_at(line_ups: Sequence[TableLineUp[K]], number: int) -> TableLineUp[K]:
    """Return the line-up in which hand *number* is played."""
    return _begun(line_ups, number)[-1]


def _begun(line_ups: Sequence[TableLineUp[K]], number: int) -> list[TableLineUp[K]]:
    """Return the line-ups up to hand *number*, oldest first."""
    begun = [line_up for line_up in line_ups if line_up.from_hand <= number]
    return sorted(begun, key=lambda line_up: line_up.from_hand)


def due_dealer(
    line_ups: Sequence[TableLineUp[K]],
    past: Sequence[PastDeal[K]],
    number: int,
    rule: Redeal,
) -> K:
    """Return the dealer of hand *number* after the deals *past*, oldest first."""
    now = line_up_at(line_ups, number)
    if now.dealer is not None and (now.from_hand == number or not past):
        return now.dealer
    if not past:
        return now.present[0]
    last = past[-1]
    seat = dealer_seat(line_ups, last, number)
    again = last.thrown_in and rule.dealer == "same" and seat.taken
    if again and seat.holder in now.present:
        return seat.holder
    return next_dealer(now.order, now.present, seat.holder)


@dataclass(frozen=True, slots=True)
class DealerSeat(Generic[K]):
    """Seat of an earlier dealer: its holder now or, not *taken*, the seat before it."""

    holder: K
    taken: bool = True


def dealer_seat(
    line_ups: Sequence[TableLineUp[K]], last: PastDeal[K], number: int
) -> DealerSeat[K]:
    """Return the seat of the dealer of *last* as it is from hand *number* on.

    People came and left since; the dealer may not even have sat at the table.
    """
    begun = _begun(line_ups, number)
    seated = [at for at, line_up in enumerate(begun) if last.dealer in line_up.order]
    if seated:
        seat, since = DealerSeat(last.dealer), begun[seated[-1] :]
    else:
        before = line_up_at(begun, last.number)
        seat = DealerSeat(before.order[-1], taken=False)
        if before.dealer is not None:
            seat = DealerSeat(before.dealer)
        since = begun[begun.index(before) :]
    for earlier, later in pairwise(since):
        seat = _seat_after(seat, earlier.order, later.order)
    return seat


def _seat_after(
    seat: DealerSeat[K], earlier: Sequence[K], later: Sequence[K]
) -> DealerSeat[K]:
    """Return *seat* after a change of the line-up."""
    if seat.holder in later:
        return seat
    if (heir := heirs(earlier, later).get(seat.holder)) is not None:
        return DealerSeat(heir, seat.taken)
    before = reversed(deal_order(earlier, seat.holder)[:-1])
    holder = next((player for player in before if player in later), later[-1])
    return DealerSeat(holder, taken=False)


def heirs(earlier: Sequence[K], later: Sequence[K]) -> dict[K, K]:
    """Return the newcomer in each seat, by who sat there between the same neighbours.

    >>> heirs("ABCD", "AXCD")
    {'B': 'X'}
    """
    stays = [player for player in earlier if player in later]
    if not stays:
        return dict(zip(earlier, later, strict=False))
    found: dict[K, K] = {}
    for player in stays:
        gone = takewhile(lambda p: p not in later, deal_order(earlier, player))
        come = takewhile(lambda p: p not in earlier, deal_order(later, player))
        found.update(zip(gone, come, strict=False))
    return found


def next_dealer(order: Sequence[K], present: Sequence[K], dealer: K) -> K:
    """Return the next after *dealer* in seat *order* who is present.

    >>> next_dealer("ABCDE", "ABDE", "B")
    'D'
    """
    return next((p for p in deal_order(order, dealer) if p in present), present[0])


def deal_order(order: Sequence[K], dealer: K) -> tuple[K, ...]:
    """Return the seats from forehand on, the dealer last.

    >>> deal_order("ABCDE", "B")
    ('C', 'D', 'E', 'A', 'B')
    """
    after = order.index(dealer) + 1 if dealer in order else 0
    return (*order[after:], *order[:after])


def due_multiplier(
    line_ups: Sequence[TableLineUp[K]], past: Sequence[PastDeal[K]], rule: Redeal
) -> int:
    """Return the multiplier of the deal after *past*, oldest first."""
    match rule.doubling:
        case "cumulative":
            doublings = _thrown_in_a_row(past)
        case "flat":
            doublings = min(_thrown_in_a_row(past), 1)
        case "round":
            doublings = _doubled_rounds(line_ups, past)
        case _:
            doublings = 0
    return min(1 << doublings, HIGHEST_MULTIPLIER)


def _thrown_in_a_row(past: Sequence[PastDeal[K]]) -> int:
    """Return how many deals were thrown in directly before, one after another."""
    return sum(1 for _deal in takewhile(lambda d: d.thrown_in, reversed(past)))


def _doubled_rounds(
    line_ups: Sequence[TableLineUp[K]], past: Sequence[PastDeal[K]]
) -> int:
    """Return how many thrown-in deals double the next: each does so for one round.

    A round has as many deals as people were present when it began.
    """
    recent = enumerate(reversed(past[-LONGEST_ROUND:]), start=1)
    return sum(
        deal.thrown_in and ago <= len(line_up_at(line_ups, deal.number).present)
        for ago, deal in recent
    )


def due_players(present: Sequence[K], dealer: K, active: int) -> tuple[K, ...]:
    """Return the *active* players of a deal, from forehand on.

    >>> due_players("ABCDEF", "B", 4)
    ('C', 'D', 'E', 'F')
    """
    return deal_order(present, dealer)[:active]


def split_players(
    line_up: TableLineUp[K],
    dealer: K,
    active: int,
    *,
    sitting_out: Collection[K] | None = None,
    players: Sequence[K] | None = None,
) -> tuple[tuple[K, ...], tuple[K, ...]]:
    """Return the players of a deal, from forehand on, and who at the table sits out.

    With neither *sitting_out* nor *players* the dealer's seat decides. *players* may
    have left the table since. Raise `Refused` on a wrong number of players.
    """
    order = deal_order(line_up.order, dealer)
    if players is not None:
        plays = tuple(p for p in order if p in players)
        plays = plays if len(plays) == len(players) else tuple(players)
    elif sitting_out is not None:
        plays = tuple(p for p in order if p not in sitting_out)
    else:
        plays = due_players(line_up.present, dealer, active)
    stray = sitting_out is not None and not set(sitting_out) <= set(order)
    if not len(plays) == len(set(plays)) == active or stray:
        message = _("{count} play: choose {resting} to sit out.")
        refuse("resting", message, count=active, resting=len(order) - active)
    return plays, tuple(p for p in line_up.order if p not in plays)


def round_ends(dealers: list[int], seats: list[int]) -> Iterator[bool]:
    """Yield for each hand but the last whether a round of the table ends with it.

    *dealers* are those of the hands in order and of the hand to come; *seats* the
    players in seat order.
    """
    place = {player: index for index, player in enumerate(seats)}
    first = place.get(dealers[0], 0) if dealers else 0
    turn = [(place.get(dealer, 0) - first) % max(len(seats), 1) for dealer in dealers]
    for here, following in pairwise(turn):
        yield following < here
