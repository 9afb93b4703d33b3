"""Who plays with whom, and who pays whom."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Seat = int
"""Place among the active players, 0 for forehand, onwards in the order of play."""


class Side(Enum):
    """One of the two sides of a hand."""

    DECLARER = "declarer"
    DEFENDERS = "defenders"

    @property
    def other(self) -> Side:
        """Return the opposing side."""
        return Side.DEFENDERS if self is Side.DECLARER else Side.DECLARER

    @property
    def sign(self) -> int:
        """Return 1, or −1 for the side whose gain is the declarer's loss."""
        return 1 if self is Side.DECLARER else -1


BOTH = (Side.DECLARER, Side.DEFENDERS)


def side_of(player: object, declarer: object, partner: object) -> Side:
    """Return the side of *player*: the declarer's for these two, else the defenders'.

    Players are seats, or whatever a record knows them by.

    >>> side_of("Celina", declarer="Ania", partner="Celina").value
    'declarer'
    """
    ours = player in (declarer, partner)
    return Side.DECLARER if ours else Side.DEFENDERS


@dataclass(frozen=True, slots=True)
class Sides:
    """The declarer, his partner if he has one, and everybody else."""

    declarer: Seat
    partner: Seat | None = None
    players: int = 4

    def side_of(self, seat: Seat) -> Side:
        """Return the side on which *seat* plays."""
        return side_of(seat, self.declarer, self.partner)

    def members(self, side: Side) -> tuple[Seat, ...]:
        """Return the seats of *side*, from forehand on."""
        return tuple(s for s in range(self.players) if self.side_of(s) is side)

    def pay(self, points: int) -> tuple[int, ...]:
        """Return what each seat gains when the declarer's side wins *points*.

        Two against two, each loser pays one winner. A lone declarer is paid by,
        or pays, every opponent.

        >>> Sides(declarer=0, partner=2).pay(3)
        (3, -3, 3, -3)
        >>> Sides(declarer=1).pay(2)
        (-2, 6, -2, -2)
        """
        payments = [-points] * self.players
        payments[self.declarer] = points
        if self.partner is None:
            payments[self.declarer] = points * (self.players - 1)
        else:
            payments[self.partner] = points
        return tuple(payments)


def pay_one(winner: Seat, points: int, players: int = 4) -> tuple[int, ...]:
    """Return what each seat gains when everybody else pays *points* to *winner*.

    >>> pay_one(2, 1)
    (-1, -1, 3, -1)
    """
    return tuple(
        points * (players - 1) if seat == winner else -points for seat in range(players)
    )
