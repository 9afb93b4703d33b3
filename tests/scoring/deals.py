"""Deals that really happened: a seeded pack is dealt, bid, announced and played out.

Who plays with whom, what was made and how many card points there are follow from the
cards here, not from the rules' own code, so that what is refused is a fault there.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.scoring.worked import PLAYERS

HONOURS = ("T21", "T1", "F")
SUIT = {"S": "spades", "C": "clubs", "H": "hearts", "D": "diamonds"}


@dataclass
class Rules:
    """What the play of a game needs to know of its pack."""

    values: dict[str, int]
    tricks: int
    order: str
    """The cards of a suit, highest first."""
    lifts: dict[str, int]
    """How many cards of the talon the declarer lifts by contract."""

    def strength(self, card):
        if card == "F":
            return 22
        if card[0] == "T":
            return int(card[1:])
        return -self.order.index(card[1])


@dataclass
class Deal:
    """One deal in play; cards are codes, players are seats."""

    rules: Rules
    rng: random.Random
    hands: list[list[str]] = field(default_factory=list)
    talon: list[str] = field(default_factory=list)
    discards: dict[int, list[str]] = field(default_factory=dict)
    tricks: list[tuple[int, dict[int, str]]] = field(default_factory=list)
    """Winner and what each seat played."""
    declarer: int = 0
    partner: int | None = None

    def deal(self):
        """Deal at random, or so that the strong cards lie together."""
        bias = self.rng.choice([0, 0, 0.02, 0.1])
        pack = sorted(
            self.rules.values,
            key=lambda card: self.rng.random() - bias * self.rules.strength(card),
        )
        size = self.rules.tricks
        self.hands = [pack[size * seat : size * (seat + 1)] for seat in range(4)]
        self.talon = pack[4 * size :]
        self.declarer = self.rng.randrange(4)

    def holder(self, card):
        return next((seat for seat in range(4) if card in self.hands[seat]), None)

    def exchange(self, seat, lifted, may_discard):
        """Let *seat* lift from the talon and put as many cards of his hand away."""
        hand = self.hands[seat]
        hand += [self.talon.pop() for _ in range(lifted)]
        allowed = [card for card in hand if may_discard(card)]
        put = self.rng.sample(allowed, lifted)
        self.hands[seat] = [card for card in hand if card not in put]
        self.discards[seat] = put

    def play(self, leader, choose):
        """Play all tricks; *choose* picks one of the cards that the rules allow."""
        held = [list(hand) for hand in self.hands]
        for _number in range(self.rules.tricks):
            played = {}
            for turn in range(4):
                seat = (leader + turn) % 4
                card = choose(seat, self._allowed(held[seat], played), len(held[seat]))
                held[seat].remove(card)
                played[seat] = card
            leader = self._winner(played)
            self.tricks.append((leader, played))

    def _allowed(self, hand, played):
        if not played:
            return list(hand)
        led = _suit(next(iter(played.values())))
        follow = [card for card in hand if _suit(card) == led]
        trumps = [card for card in hand if _suit(card) == "T"]
        return follow or trumps or list(hand)

    def _winner(self, played):
        led = _suit(next(iter(played.values())))
        trump = any(_suit(card) == "T" for card in played.values())
        wins = "T" if trump else led
        able = [seat for seat, card in played.items() if _suit(card) == wins]
        return max(able, key=lambda seat: self.rules.strength(played[seat]))

    # What happened

    def ours(self, seat):
        return seat in (self.declarer, self.partner)

    def name(self, ours):
        return "declarer" if ours else "defenders"

    def won(self, ours):
        """Return the cards in the tricks of one side."""
        return [
            card
            for winner, played in self.tricks
            if self.ours(winner) is ours
            for card in played.values()
        ]

    def took(self, ours, *numbers):
        """Whether a side took the tricks of these numbers."""
        return all(self.ours(self.tricks[n - 1][0]) is ours for n in numbers)

    def wins_with(self, number, card):
        """Whether *card* won the trick of that number."""
        winner, played = self.tricks[number - 1]
        return played[winner] == card

    def loser(self, card):
        """Return who lost *card* to the other side in a trick."""
        for winner, played in self.tricks:
            for seat, laid in played.items():
                if laid == card and self.ours(seat) is not self.ours(winner):
                    return seat
        return None

    def captured(self, ours, card):
        loser = self.loser(card)
        return loser is not None and self.ours(loser) is not ours


def _suit(card):
    return "T" if card == "F" else card[0]


def lines(deal, made, said, levels):
    """Return the bonus lines: *said* by announcer, and what was *made* in silence."""
    announced = {(bonus, deal.ours(seat)) for bonus, seat in said}
    spoken = [
        {
            "bonus": bonus,
            "announced_by": PLAYERS[seat],
            "contra": levels(bonus),
            "made": (bonus, deal.ours(seat)) in made,
        }
        for bonus, seat in said
    ]
    silent = [
        {"bonus": bonus, "side": deal.name(ours), "made": True}
        for bonus, ours in sorted(made - announced)
    ]
    return spoken + silent
