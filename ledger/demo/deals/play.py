"""A deal in play: cards dealt, exchanged and played, and the tricks they are in.

Unlike at a real table, every player knows the partner from the first trick.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

from ledger.demo.deals.deck import LETTERS, TRUMPS, Deck

SEATS = range(4)
NOBODY = -1


class DealtHand:
    """One deal. Seats are 0 to 3 from forehand on, cards the numbers of the deck."""

    def __init__(self, deck: Deck, rng: Random, skew: float = 0.0) -> None:
        """Deal at random; with *skew* the strong cards lie together."""
        self.deck, self.rng = deck, rng
        pack = list(range(len(deck.codes)))
        rng.shuffle(pack)
        if skew:
            pack.sort(key=lambda card: rng.random() - skew * deck.force[card])
        size = deck.hand
        self.hands = [pack[size * seat : size * (seat + 1)] for seat in SEATS]
        self.talon = pack[4 * size :]
        self.discards: list[list[int]] = [[] for _seat in SEATS]
        self.declarer = 0
        self.ours = [False] * 4
        """By seat, True on the declarer's side."""
        self.partner: int | None = None
        self.winners: list[int] = []
        """Seat that won each trick."""
        self.won_by: list[int] = []
        """Card that won each trick."""
        self.taker = [NOBODY] * len(deck.codes)
        """Seat that won each card, or `NOBODY`."""
        self.player = [NOBODY] * len(deck.codes)
        """Seat that played each card, or `NOBODY`."""
        self.trick_of = [0] * len(deck.codes)
        """Number of the trick of each card, from 1; 0 if it was not played."""

    # Before the play

    def force(self, seat: int) -> float:
        return sum(map(self.deck.force.__getitem__, self.hands[seat]))

    def trumps(self, seat: int) -> int:
        lowest = self.deck.trumps
        return sum(card >= lowest for card in self.hands[seat])

    def holder(self, card: int) -> int | None:
        return next((seat for seat in SEATS if card in self.hands[seat]), None)

    def held(self, seat: int, cards: Iterable[int]) -> int:
        """Return how many of *cards* somebody holds."""
        return sum(card in self.hands[seat] for card in cards)

    def play_with(self, partner: int | None) -> None:
        self.partner = partner
        self.ours = [seat in (self.declarer, partner) for seat in SEATS]

    def exchange(self, seat: int, lifted: int, stays: Collection[int]) -> None:
        """Give *seat* cards from the talon, and discard as many.

        Discarded are cards of the shortest suits first, then low trumps, sometimes any
        card; never one in *stays*.
        """
        if not lifted:
            return
        hand = self.hands[seat]
        hand += [self.talon.pop() for _card in range(lifted)]
        free = [card for card in hand if card not in stays]
        if self.rng.random() < 0.03:
            put = self.rng.sample(free, lifted)
        else:
            put = self._least(hand, free)[:lifted]
        self.discards[seat] = put
        self.hands[seat] = [card for card in hand if card not in put]

    def _least(self, hand: Iterable[int], free: Iterable[int]) -> list[int]:
        suit, worth, many = self.deck.suit, self.deck.worth, [0] * len(LETTERS)
        for card in hand:
            many[suit[card]] += 1
        many[TRUMPS] = len(self.deck.codes)
        return sorted(free, key=lambda card: (many[suit[card]], -worth[card], card))

    # The play

    def play(self, leader: int, kept: Mapping[int, Collection[int]]) -> None:
        """Play all tricks; cards *kept* are played only when no others may be."""
        suit = self.deck.suit
        held = [_by_suit(hand, suit) for hand in self.hands]
        for number in range(1, self.deck.hand + 1):
            best, best_seat, led, trick = NOBODY, leader, NOBODY, []
            for turn in SEATS:
                seat = (leader + turn) & 3
                mine = held[seat]
                if turn:
                    friend = self.ours[seat] is self.ours[best_seat]
                    able = mine[led] or mine[TRUMPS] or _all_cards(mine)
                    able = _without_kept(able, kept.get(seat))
                    card = self._follow(able, best, friend, turn == 3)
                else:
                    card = self._lead(seat, mine, kept.get(seat))
                    led = suit[card]
                mine[suit[card]].remove(card)
                self.player[card] = seat
                trick.append(card)
                if card > best and (suit[card] == led or suit[card] == TRUMPS):
                    best, best_seat = card, seat
            for card in trick:
                self.taker[card], self.trick_of[card] = best_seat, number
            self.winners.append(best_seat)
            self.won_by.append(best)
            leader = best_seat

    def _lead(
        self, seat: int, mine: Sequence[list[int]], kept: Collection[int] | None
    ) -> int:
        """Return the card to lead: a trump, or the top or bottom of a suit."""
        rng, trumps = self.rng, mine[TRUMPS]
        many = len(trumps) > (1 if self.ours[seat] else 3)
        if many and rng.random() < 0.7:
            able = trumps
        else:
            able = rng.choice([some for some in mine if some])
        able = _without_kept(able, kept)
        if kept and able[-1] in kept:
            able = _without_kept(_all_cards(mine), kept)
        return self._top(able) if rng.random() < 0.7 else able[0]

    def _follow(self, able: list[int], best: int, friend: bool, last: bool) -> int:
        """Return the card to follow: points for a friend, a winner, else a low one."""
        if len(able) == 1:
            return able[0]
        luck = self.rng.random()
        if luck < 0.06:
            return self.rng.choice(able)
        worth = self.deck.worth
        if friend and (last or luck < 0.65):
            return max(able, key=worth.__getitem__)
        suit, highest = self.deck.suit, able[-1]
        if highest > best and suit[highest] in (suit[best], TRUMPS):
            if last or luck > 0.75:
                return next(card for card in able if card > best)
            return self._top(able)
        return min(able, key=worth.__getitem__)

    def _top(self, able: list[int]) -> int:
        """Return the highest card, seldom one that a single card still beats."""
        highest = len(self.player) - 1
        risky = able[-1] == highest - 1 and self.player[highest] == NOBODY
        if risky and len(able) > 1 and self.rng.random() < 0.8:
            return able[-2]
        return able[-1]

    # After the play

    def took(self, ours: bool, tricks: Iterable[int]) -> bool:
        """Tell whether a side took all *tricks*, by number."""
        return all(self.ours[self.winners[n - 1]] is ours for n in tricks)

    def wins_with(self, trick: int, card: int) -> bool:
        """Tell whether *card* won the trick of that number."""
        return self.won_by[trick - 1] == card

    def in_trick(self, trick: int, card: int) -> bool:
        """Tell whether *card* was played to the trick of that number."""
        return self.trick_of[card] == trick

    def has_won(self, ours: bool, cards: Iterable[int]) -> bool:
        """Tell whether all *cards* are in a side's tricks."""
        return all(
            (taker := self.taker[card]) != NOBODY and self.ours[taker] is ours
            for card in cards
        )

    def loser(self, card: int) -> int | None:
        """Return the seat that lost *card* to the other side, or None."""
        seat = self.player[card]
        if seat == NOBODY or self.ours[self.taker[card]] is self.ours[seat]:
            return None
        return seat

    def captured(self, ours: bool, card: int) -> bool:
        loser = self.loser(card)
        return loser is not None and self.ours[loser] is not ours

    def pile(self) -> list[int]:
        """Return the cards of the declarer's side: its tricks and his discards."""
        won = [
            c for c, taker in enumerate(self.taker) if taker >= 0 and self.ours[taker]
        ]
        return won + self.discards[self.declarer]


def _by_suit(hand: list[int], suit: Sequence[int]) -> list[list[int]]:
    held: list[list[int]] = [[] for _suit in LETTERS]
    for card in sorted(hand):
        held[suit[card]].append(card)
    return held


def _all_cards(mine: Iterable[list[int]]) -> list[int]:
    return [card for some in mine for card in some]


def _without_kept(able: list[int], kept: Collection[int] | None) -> list[int]:
    """Return the cards that are not kept, or all where every one is kept."""
    if not kept:
        return able
    return [card for card in able if card not in kept] or able
