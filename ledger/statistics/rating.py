"""How strong players are held to be, where partners change from hand to hand.

Each hand is a game of the declarer's side against the defenders, and who gains points
by it has won. A lone declarer counts as three of himself: he pays three, and three pay
him. The model is openskill's Plackett-Luce. It sees who won with and against whom, not
the cards, which decide most hands; so it is told that chance outweighs what players
differ by at first, and needs some hundred hands to say anything.

Closed evenings come in the order of their days, those still open last. What was won is
kept with each evening when it is closed, and how strong everybody was held to be after
it; an earlier one that is opened and closed again is followed by all later ones anew.
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
from ledger.statistics.load import Played
from ledger.statistics.played_hand import PlayedHand
from ledger.text.names import spelt
from scoring import Side

FORMAT = 1
"""How it is worked out; what is kept with another number is made anew."""

START = 25.0
MODEL = PlackettLuce(mu=START, sigma=START / 3, beta=START, tau=START / 300)
"""Chance, beta, is three times as wide as what anybody may differ by at first."""

SHOWN_START, SHOWN_SCALE = 1000, 20
"""Everybody begins at 1000, and a point of the model is shown as twenty."""

FEW = 100
"""Who has played fewer hands stands below, without a place."""

DIGITS = 6
"""Kept after each evening, so that any machine goes on from the same figures."""

Game = tuple[Sequence[int], Sequence[int], int]
"""The declarer's side, the defenders, and 1, 0 or -1 by who gained."""
State = dict[str, tuple[float, float, int]]
"""By player's id: strength, its uncertainty, hands."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong somebody is held to be."""

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
        """Half the width of where it lies in nineteen of twenty cases."""
        return round(2 * SHOWN_SCALE * self.sigma)

    @property
    def at_least(self) -> float:
        return self.mu - 2 * self.sigma


def strengths(club: Club) -> list[Strength]:
    """Return everybody who has played, by how strong they are at least held to be.

    Equals share a place. Nobody is returned where the club wants no rating.
    """
    if not club.rating:
        return []
    last = _rows(club).values_list("state", flat=True).last()
    state = after(last or {}, (game for e in _open(club) for game in games_of(e)))
    people = club.players.people().in_bulk()
    found = [
        Strength(people[int(who)], *kept)
        for who, kept in state.items()
        if int(who) in people
    ]
    found.sort(key=lambda one: (one.hands < FEW, -one.at_least, *spelt(one.player)))
    return [_placed(one, found) for one in found]


def _placed(one: Strength, all: Iterable[Strength]) -> Strength:
    if one.hands < FEW:
        return one
    better = (a for a in all if a.hands >= FEW and a.at_least > one.at_least)
    return replace(one, place=1 + sum(1 for _better in better))


@transaction.atomic
def turn(club: Club, *, on: bool) -> None:
    """Let the club have a rating, from all its evenings, or have it no longer."""
    club = locked_club(club.pk)
    club.rating = on
    club.save(update_fields=["rating"])
    _go_on(club, EveningRating.objects.none(), _rows(club))


def games_of(evening: Played) -> list[Game]:
    """Return who won against whom; a deal that was thrown in is no game."""
    return [game for fact in evening.facts for game in _game(fact)]


def _game(fact: PlayedHand) -> Iterator[Game]:
    sides = {player: fact.side(player) for player in fact.players}
    ours = [player for player in fact.players if sides[player] is Side.DECLARER]
    theirs = [player for player in fact.players if sides[player] is Side.DEFENDERS]
    if ours and theirs:
        gain = sum(map(fact.gain, ours))
        yield ours, theirs, (gain > 0) - (gain < 0)


def after(before: Mapping[str, Sequence[float]], games: Iterable[Game]) -> State:
    """Return how strong all are held to be after *games*, which came in this order."""
    hands = {who: int(kept[2]) for who, kept in before.items()}
    known = {who: MODEL.rating(kept[0], kept[1]) for who, kept in before.items()}
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


# What is kept


def note(evenings: Sequence[Played]) -> None:
    """Keep who won against whom at *evenings*; `go_on` is to follow."""
    noted = [one.evening for one in evenings]
    EveningRating.objects.filter(evening__in=noted).delete()
    EveningRating.objects.bulk_create(
        EveningRating(evening=one.evening, format=FORMAT, games=games_of(one))
        for one in evenings
    )


def forget(evening: Evening) -> None:
    EveningRating.objects.filter(evening=evening).delete()
    go_on(evening)


def go_on(since: Evening) -> None:
    """Work out anew how strong all were held to be from this evening on."""
    club = locked_club(since.club_id)
    rows = _rows(club)
    from_then = Q(evening__date__gt=since.date) | Q(
        evening__date=since.date, evening__gte=since.pk
    )
    _go_on(club, rows.filter(~from_then), rows.filter(from_then))


def is_kept(evening: Played) -> bool:
    """Tell whether what is kept of an evening is what was won there."""
    row = EveningRating.objects.filter(evening=evening.evening, format=FORMAT).first()
    return row is not None and row.games == _as_json(games_of(evening))


def stale(club: Club) -> Iterator[Evening]:
    """Yield the evenings after which all should be held stronger, or weaker."""
    if club.rating:
        for row, due in _followed({}, _rows(club).iterator(chunk_size=200)):
            if row.state != due:
                yield row.evening


def _rows(club: Club) -> QuerySet[EveningRating]:
    rows = EveningRating.objects.filter(evening__club=club, format=FORMAT)
    return rows.select_related("evening").order_by("evening__date", "evening")


def _open(club: Club) -> list[Played]:
    """Return the evenings of which nothing is kept: those that are open."""
    loose = club.evenings.there().exclude(rating__format=FORMAT)
    loose = loose.select_related("edition").order_by("date", "pk")
    return load.read(list(loose))


def _go_on(
    club: Club, earlier: QuerySet[EveningRating], changed: QuerySet[EveningRating]
) -> None:
    if not club.rating:
        changed.update(state=None)
        return
    before = earlier.values_list("state", flat=True).last()
    followed = _followed(before or {}, changed.iterator(chunk_size=200))
    while some := list(islice(followed, 200)):
        for row, state in some:
            row.state = state
        EveningRating.objects.bulk_update([row for row, _state in some], ["state"])


def _followed(
    state: Mapping[str, Sequence[float]], rows: Iterable[EveningRating]
) -> Iterator[tuple[EveningRating, Mapping[str, Sequence[float]]]]:
    """Yield each evening with how strong all are to be held after it."""
    for row in rows:
        state = {who: list(kept) for who, kept in after(state, row.games).items()}
        yield row, state


def _as_json(games: Iterable[Game]) -> list[list[object]]:
    return [[list(ours), list(theirs), sign] for ours, theirs, sign in games]
