"""Rating: strength of players whose partners change from hand to hand.

Each hand is a game of the declarer's side against the defenders, won by the side that
gains points. A lone declarer stands for three of himself: he pays three, and three pay
him. The model is openskill's Plackett-Luce, which sees who won with and against whom.
Cards decide most hands, so that its beta (chance) is wide and a strength means little
before some hundred hands.

`EveningRating` stores the games of each closed evening and the state after it: `store`
on closing, `drop` on reopening. `rebuild_since` then follows the states of all later
evenings, by date. `strengths` adds the evenings that are still open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db import transaction
from django.db.models import Q, QuerySet
from openskill.models import PlackettLuce, PlackettLuceRating

from ledger.models import Club, Evening, EveningRating, Player
from ledger.models.locks import locked_club
from ledger.statistics import load
from ledger.statistics.load import PlayedEvening
from ledger.statistics.played_hand import PlayedHand
from ledger.text.names import spelt
from scoring import Side

FORMAT = 1
"""Version of the model; stored ratings of another version are rebuilt."""

START = 25.0
MODEL = PlackettLuce(mu=START, sigma=START / 3, beta=START, tau=START / 300)
"""Chance (beta) is three times as wide as the first uncertainty (sigma)."""

SHOWN_START, SHOWN_SCALE = 1000, 20
"""Everybody begins at 1000; one point of the model is shown as 20."""

FEW = 100
"""Players with fewer hands follow without a place."""

# Rounded after each evening, so that every machine continues from the same numbers.
DIGITS = 6

Game = tuple[Sequence[int], Sequence[int], int]
"""Declarer's side, defenders, and the sign of the declarer's gain."""
State = dict[str, tuple[float, float, int]]
"""By player's id: strength (mu), uncertainty (sigma), hands."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of a player; *place* is None below `FEW` hands."""

    player: Player
    mu: float
    sigma: float
    hands: int
    place: int | None = None

    @property
    def value(self) -> int:
        return round(SHOWN_START + SHOWN_SCALE * (self.mu - START))

    @property
    def plus_minus(self) -> int:
        """Return half the width of the 95 % interval."""
        return round(2 * SHOWN_SCALE * self.sigma)

    @property
    def lower_end(self) -> float:
        return self.mu - 2 * self.sigma


def strengths(club: Club) -> list[Strength]:
    """Return all players, by the lower end of their interval; equals share a place.

    The list is empty for a club without a rating.
    """
    if not club.rating:
        return []
    last = _rows(club).values_list("state", flat=True).last()
    state = rate(
        last or {}, (game for e in _live_evenings(club) for game in games_of(e))
    )
    people = club.players.people().in_bulk()
    found = [
        Strength(people[int(who)], *row)
        for who, row in state.items()
        if int(who) in people
    ]
    found.sort(key=lambda one: (one.hands < FEW, -one.lower_end, *spelt(one.player)))
    return [_placed(one, found) for one in found]


def _placed(one: Strength, all: Iterable[Strength]) -> Strength:
    if one.hands < FEW:
        return one
    better = (a for a in all if a.hands >= FEW and a.lower_end > one.lower_end)
    return replace(one, place=1 + sum(1 for _better in better))


@transaction.atomic
def switch(club: Club, *, on: bool) -> None:
    """Switch the club's rating on, rebuilt from all its evenings, or off."""
    club = locked_club(club.pk)
    club.rating = on
    club.save(update_fields=["rating"])
    _rebuild(club, EveningRating.objects.none(), _rows(club))


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


# The store


def store(evenings: Sequence[PlayedEvening]) -> None:
    """Store the games of *evenings*; `rebuild_since` must follow."""
    played = [one.evening for one in evenings]
    EveningRating.objects.filter(evening__in=played).delete()
    EveningRating.objects.bulk_create(
        EveningRating(evening=one.evening, format=FORMAT, games=games_of(one))
        for one in evenings
    )


def drop(evening: Evening) -> None:
    EveningRating.objects.filter(evening=evening).delete()
    rebuild_since(evening)


def rebuild_since(since: Evening) -> None:
    """Rebuild the states after this evening and all later ones."""
    club = locked_club(since.club_id)
    rows = _rows(club)
    from_then = Q(evening__date__gt=since.date) | Q(
        evening__date=since.date, evening__gte=since.pk
    )
    _rebuild(club, rows.filter(~from_then), rows.filter(from_then))


def is_stored(evening: PlayedEvening) -> bool:
    """Tell whether the stored games of an evening are those of its hands."""
    row = EveningRating.objects.filter(evening=evening.evening, format=FORMAT).first()
    return row is not None and row.games == _as_json(games_of(evening))


def stale(club: Club) -> Iterator[Evening]:
    """Yield the evenings whose stored state differs from the rebuilt one."""
    if club.rating:
        for row, due in _states_after({}, _rows(club).iterator(chunk_size=200)):
            if row.state != due:
                yield row.evening


def _rows(club: Club) -> QuerySet[EveningRating]:
    rows = EveningRating.objects.filter(evening__club=club, format=FORMAT)
    return rows.select_related("evening").order_by("evening__date", "evening")


def _live_evenings(club: Club) -> list[PlayedEvening]:
    """Return the evenings without stored games: those that are open."""
    live = club.evenings.there().exclude(rating__format=FORMAT)
    live = live.select_related("edition").order_by("date", "pk")
    return load.read(list(live))


def _rebuild(
    club: Club, earlier: QuerySet[EveningRating], changed: QuerySet[EveningRating]
) -> None:
    if not club.rating:
        changed.update(state=None)
        return
    before = earlier.values_list("state", flat=True).last()
    followed = _states_after(before or {}, changed.iterator(chunk_size=200))
    while some := list(islice(followed, 200)):
        for row, state in some:
            row.state = state
        EveningRating.objects.bulk_update([row for row, _state in some], ["state"])


def _states_after(
    state: Mapping[str, Sequence[float]], rows: Iterable[EveningRating]
) -> Iterator[tuple[EveningRating, Mapping[str, Sequence[float]]]]:
    """Yield each evening with the state after it."""
    for row in rows:
        state = {who: list(new) for who, new in rate(state, row.games).items()}
        yield row, state


def _as_json(games: Iterable[Game]) -> list[list[object]]:
    return [[list(ours), list(theirs), sign] for ours, theirs, sign in games]
