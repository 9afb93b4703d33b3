"""Rating model: strength of players whose partners change from hand to hand.

Each hand is a game of the declarer's side against the defenders, won by the side that
gains points. A lone declarer stands for three of himself: he pays three, and three pay
him. The model is openskill's Plackett-Luce, which sees who won with and against whom.
Cards decide most hands, so that its beta (chance) is wide and a strength means little
before some hundred hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from openskill.models import PlackettLuce, PlackettLuceRating

from ledger.statistics.load import PlayedEvening
from ledger.statistics.played_hand import PlayedHand
from scoring import Side

FORMAT = 1
"""Version of the model; stored ratings of another version are rebuilt."""

START = 25.0
MODEL = PlackettLuce(mu=START, sigma=START / 3, beta=START, tau=START / 300)
"""Chance (beta) is three times as wide as the first uncertainty (sigma)."""

# Rounded after each evening, so that every machine continues from the same numbers.
DIGITS = 6

Game = tuple[Sequence[int], Sequence[int], int]
"""Declarer's side, defenders, and the sign of the declarer's gain."""
State = dict[str, tuple[float, float, int]]
"""By player's id: strength (mu), uncertainty (sigma), hands."""


def games_of(evening: PlayedEvening) -> list[Game]:
    """Return the games of an evening; a deal thrown in is no game."""
    return [game for hand in evening.hands for game in _game(hand)]


def _game(hand: PlayedHand) -> Iterator[Game]:
    sides = {player: hand.side(player) for player in hand.players}
    ours = [player for player in hand.players if sides[player] is Side.DECLARER]
    theirs = [player for player in hand.players if sides[player] is Side.DEFENDERS]
    if ours and theirs:
        gain = sum(map(hand.gain, ours))
        yield ours, theirs, (gain > 0) - (gain < 0)


def rate(before: Mapping[str, Sequence[float]], games: Iterable[Game]) -> State:
    """Return the state after *games*, which are given in order of play."""
    hands = {who: int(row[2]) for who, row in before.items()}
    known = {who: MODEL.rating(row[0], row[1]) for who, row in before.items()}
    for ours, theirs, sign in games:
        for who in map(str, [*ours, *theirs]):
            known.setdefault(who, MODEL.rating())
            hands[who] = hands.get(who, 0) + 1
        most = max(len(ours), len(theirs))
        teams = [_team(known, side, most) for side in (ours, theirs)]
        rated = MODEL.rate(teams, ranks=[-sign, sign])
        for side, team in zip((ours, theirs), rated, strict=True):
            known |= {str(who): now for who, now in zip(side, team, strict=False)}
    return {
        who: (round(now.mu, DIGITS), round(now.sigma, DIGITS), hands[who])
        for who, now in sorted(known.items(), key=lambda item: int(item[0]))
    }


def _team(
    known: Mapping[str, PlackettLuceRating], side: Sequence[int], most: int
) -> list[PlackettLuceRating]:
    times = most // len(side)
    return [known[str(who)] for who in side] * times
