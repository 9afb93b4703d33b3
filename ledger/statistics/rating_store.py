"""Store of the ratings: of each closed evening its games and the state after it.

The module `store` calls `store` on closing an evening and `drop` on reopening it.
`rebuild_since` then computes the states of this and all later evenings, by date. A club
without a rating has games and no states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from django.db import transaction
from django.db.models import Q, QuerySet

from ledger.models import Club, Evening, EveningRating
from ledger.models.locks import locked_club
from ledger.statistics.load import PlayedEvening
from ledger.statistics.rating_model import FORMAT, Game, games_of, rate

BATCH = 200
"""Evenings read together."""


def store(evenings: Sequence[PlayedEvening]) -> None:
    """Store the games of *evenings*; `rebuild_since` must follow."""
    played = [one.evening for one in evenings]
    EveningRating.objects.filter(evening__in=played).delete()
    EveningRating.objects.bulk_create(
        EveningRating(evening=one.evening, format=FORMAT, games=games_of(one))
        for one in evenings
    )


def drop(evening: Evening) -> None:
    """Delete the rating of *evening*; rebuild the states of later ones."""
    EveningRating.objects.filter(evening=evening).delete()
    rebuild_since(evening)


def rebuild_since(since: Evening) -> None:
    """Rebuild the states after this evening and all later ones."""
    club = locked_club(since.club_id)
    rows = ratings_of(club)
    from_then = Q(evening__date__gt=since.date) | Q(
        evening__date=since.date, evening__gte=since.pk
    )
    _rebuild(club, rows.filter(~from_then), rows.filter(from_then))


@transaction.atomic
def switch(club: Club, *, on: bool) -> None:
    """Switch the club's rating on, rebuilt from all its evenings, or off."""
    club = locked_club(club.pk)
    club.rating = on
    club.save(update_fields=["rating"])
    _rebuild(club, EveningRating.objects.none(), ratings_of(club))


def is_stored(evening: PlayedEvening) -> bool:
    """Tell whether the stored games of an evening are those of its hands."""
    row = EveningRating.objects.filter(evening=evening.evening, format=FORMAT).first()
    return row is not None and row.games == _as_json(games_of(evening))


def stale(club: Club) -> Iterator[Evening]:
    """Yield the evenings whose stored state differs from the rebuilt one."""
    if club.rating:
        for row, due in _states_after({}, ratings_of(club).iterator(chunk_size=BATCH)):
            if row.state != due:
                yield row.evening


def ratings_of(club: Club) -> QuerySet[EveningRating]:
    """Return the stored ratings of *club*, by date."""
    rows = EveningRating.objects.filter(evening__club=club, format=FORMAT)
    return rows.select_related("evening").order_by("evening__date", "evening")


def _rebuild(
    club: Club, earlier: QuerySet[EveningRating], changed: QuerySet[EveningRating]
) -> None:
    if not club.rating:
        changed.update(state=None)
        return
    before = earlier.values_list("state", flat=True).last()
    followed = _states_after(before or {}, changed.iterator(chunk_size=BATCH))
    while some := list(islice(followed, BATCH)):
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
