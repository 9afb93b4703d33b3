"""Checks of stored line-ups: everybody at one table, with people of his club."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ledger.models import Evening, LineUp, Seat, Table, Version
from ledger.table.rotation import FEWEST_SEATS, MOST_SEATS, TableLineUp


def stored_line_ups(at: Table) -> list[TableLineUp[int]]:
    """Return the line-ups of a table, oldest first, by ids and with nothing assumed."""
    seats: dict[int, list[tuple[int, bool]]] = {}
    for lineup, player, on_break in (
        Seat.objects.filter(lineup__table=at)
        .order_by("position")
        .values_list("lineup", "player", "resting")
    ):
        seats.setdefault(lineup, []).append((player, on_break))
    lineups = LineUp.objects.filter(table=at).order_by("from_hand")
    return [
        TableLineUp(
            from_hand,
            dealer,
            tuple(player for player, _on_break in seats.get(pk, ())),
            frozenset(player for player, on_break in seats.get(pk, ()) if on_break),
        )
        for pk, from_hand, dealer in lineups.values_list("pk", "from_hand", "dealer")
    ]


def line_up_problems(
    line_ups: list[TableLineUp[int]], players: Collection[int], pots: Collection[int]
) -> Iterator[str]:
    """Yield problems of the *line_ups* of a table; *players* are those of its club."""
    if not line_ups or line_ups[0].from_hand != 1:
        yield "nobody sits there from hand 1 on."
    for one in line_ups:
        since = f"from hand {one.from_hand} on"
        if not FEWEST_SEATS <= len(one.present) <= len(one.order) <= MOST_SEATS:
            count, there = len(one.order), len(one.present)
            yield f"{since} {count} sit there, of whom {there} are there to play."
        if one.dealer is not None and one.dealer not in one.present:
            yield f"{since} player {one.dealer} is to deal, who does not sit there."
        if strangers := sorted(set(one.order) - set(players)):
            yield f"{since} players of another club sit there: {strangers}."
        if pot := sorted(set(one.order) & set(pots)):
            yield f"{since} the pot sits there: {pot}."


def double_seats(last: dict[int, tuple[int, ...]]) -> Iterator[str]:
    """Yield players seated at two tables; *last* are seats now, by number of table."""
    at: dict[int, int] = {}
    for number, order in sorted(last.items()):
        for player in order:
            if player in at:
                tables = f"tables {at[player]} and {number}"
                yield f"player {player} sits at {tables} at once."
            at.setdefault(player, number)


def foreign_parts(evening: Evening) -> Iterator[str]:
    """Yield parts of an evening that belong to another club."""
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
