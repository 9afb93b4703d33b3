"""Whether everybody sits where he can: at one table, with people of his club."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ledger.models import Evening, LineUp, Seat, Table, Version
from ledger.table.rotation import FEWEST, MOST


@dataclass(frozen=True, slots=True)
class Places:
    """A line-up as it is kept, whether or not that can be; players are ids."""

    from_hand: int
    dealer: int | None
    order: tuple[int, ...]
    away: frozenset[int]

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(player for player in self.order if player not in self.away)


def places_at(at: Table) -> list[Places]:
    """Return the line-ups of a table, oldest first."""
    seats: dict[int, list[tuple[int, bool]]] = {}
    for lineup, player, away in (
        Seat.objects.filter(lineup__table=at)
        .order_by("position")
        .values_list("lineup", "player", "resting")
    ):
        seats.setdefault(lineup, []).append((player, away))
    lineups = LineUp.objects.filter(table=at).order_by("from_hand")
    return [
        Places(
            from_hand,
            dealer,
            tuple(player for player, _away in seats.get(pk, ())),
            frozenset(player for player, away in seats.get(pk, ()) if away),
        )
        for pk, from_hand, dealer in lineups.values_list("pk", "from_hand", "dealer")
    ]


def wrong_places(
    places: list[Places], players: Collection[int], pots: Collection[int]
) -> Iterator[str]:
    """Yield what cannot be in the line-ups of a table of a club with these players."""
    if not places or places[0].from_hand != 1:
        yield "nobody sits there from hand 1 on."
    for one in places:
        since = f"from hand {one.from_hand} on"
        if not FEWEST <= len(one.present) <= len(one.order) <= MOST:
            count, there = len(one.order), len(one.present)
            yield f"{since} {count} sit there, of whom {there} are there to play."
        if one.dealer is not None and one.dealer not in one.present:
            yield f"{since} player {one.dealer} is to deal, who does not sit there."
        if strangers := sorted(set(one.order) - set(players)):
            yield f"{since} players of another club sit there: {strangers}."
        if pot := sorted(set(one.order) & set(pots)):
            yield f"{since} the pot sits there: {pot}."


def twice_seated(last: dict[int, tuple[int, ...]]) -> Iterator[str]:
    """Yield who sits at two tables at once; *last* are the seats now, by number."""
    at: dict[int, int] = {}
    for number, order in sorted(last.items()):
        for player in order:
            if player in at:
                tables = f"tables {at[player]} and {number}"
                yield f"player {player} sits at {tables} at once."
            at.setdefault(player, number)


def belongings(evening: Evening) -> Iterator[str]:
    """Yield what an evening has that is of another club."""
    club = evening.club_id
    if evening.season.club_id != club:
        yield "is in a season of another club."
    if evening.edition.club_id != club:
        yield "plays the tariff of another club."
    tables = evening.tables.exclude(edition__club=club).order_by("number")
    for number in tables.values_list("number", flat=True):
        yield f"table {number} plays the tariff of another club."
    foreign = Version.objects.filter(hand__table__evening=evening).exclude(
        edition__club=club
    )
    numbers = foreign.order_by("hand__table__number").values_list("hand__table__number")
    for (number,) in numbers.distinct():
        yield f"table {number} has hands scored by the tariff of another club."
