"""What the next hand at a table is: who deals, who sits out, what it counts.

All of it follows from the hands before and from who sits where; only what was played
is stored. The first half is pure and knows players by any name; the second half
reads a table from the database in a constant number of queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import F

from ledger.models import Player, Seat, Table, Version
from ledger.models.lookups import with_absent
from ledger.table.rotation import (
    ROUND,
    Past,
    Sitting,
    due_dealer,
    due_multiplier,
    due_players,
    next_dealer,
    seated,
    sitting_at,
)
from scoring import Tariff, refuse
from scoring.text import _

# The same from the database, with its players

RECENT = 40
"""Versions read to know the next hand; more only if every one was thrown in."""
PAST = (
    Version.objects.filter(hand__voided=False)
    .order_by("-hand__number", "-number")
    .values_list("hand__number", "dealer_id", "thrown_in")
)
LOST = (
    Version.objects.live()
    .filter(xxi_lost_by__isnull=False)
    .select_related("xxi_lost_by", "hand")
    .order_by("-hand__table__evening__date", "-hand__played_at", "-hand__number")
)
"""The hands that count and in which the XXI was lost, the last one first."""
SEATS = (
    Seat.objects.select_related("player")
    .annotate(start=F("lineup__from_hand"), deals=F("lineup__dealer"))
    .order_by("start", "position")
)


@dataclass(frozen=True, slots=True)
class Course:
    """What a deal follows from: who sat where, and the last hands, oldest first."""

    sittings: tuple[Sitting[Player], ...]
    past: tuple[Past[Player], ...]
    tariff: Tariff

    def after(self, hand: Past[Player]) -> Deal:
        """Return the deal that comes when *hand* has been played."""
        return _due(replace(self, past=(*self.past, hand)))


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal before it is played."""

    number: int
    dealer: Player
    next_dealers: tuple[Player, ...]
    """The three after, if no deal is thrown in."""
    seats: tuple[Player, ...]
    """Everybody at the table in seat order, those on a break too."""
    players: tuple[Player, ...]
    """Who plays, from forehand on."""
    resting: tuple[Player, ...]
    multiplier: int
    mayor: Player | None
    """This evening's, in a game that has one."""
    away: frozenset[Player] = frozenset()
    course: Course | None = field(default=None, compare=False, repr=False)

    @property
    def present(self) -> tuple[Player, ...]:
        return tuple(player for player in self.seats if player not in self.away)


def deal(table: Table) -> Deal:
    """Return the next deal at *table*."""
    return with_mayor(next_deal(table), table)


def with_mayor(deal: Deal, table: Table) -> Deal:
    """Return *deal* with this evening's Mayor, in a game that has one."""
    if table.edition.tariff.variant.mayor is None:
        return deal
    return replace(deal, mayor=mayor_of(hand__table__evening=table.evening_id))


def next_deal(table: Table) -> Deal:
    """Return the next deal without asking who the Mayor is: what recording needs."""
    sittings, hands = sittings_of(table), _past(table)
    seated = (player for sitting in sittings for player in sitting.order)
    people = with_absent(seated, (hand.dealer for hand in hands))
    past = [Past(hand.number, people[hand.dealer], hand.thrown_in) for hand in hands]
    return _due(Course(tuple(sittings), tuple(past), table.edition.tariff))


def _due(course: Course) -> Deal:
    sittings, past, rule = course.sittings, course.past, course.tariff.redeal
    number = past[-1].number + 1 if past else 1
    now = sitting_at(sittings, number)
    return _dealt(
        Deal(
            number=number,
            dealer=due_dealer(sittings, past, number, rule),
            next_dealers=(),
            seats=now.order,
            players=(),
            resting=(),
            multiplier=due_multiplier(sittings, past, rule),
            mayor=None,
            away=now.away,
            course=course,
        ),
        course.tariff.variant.active,
    )


def dealt(version: Version) -> Deal:
    """Return the deal as it was when *version* was recorded."""
    table = version.hand.table
    sitting = sitting_at(sittings_of(table), version.hand.number)
    there = [*version.players, *version.resting]
    people = table.evening.club.players.in_bulk(there)
    return Deal(
        number=version.hand.number,
        dealer=version.dealer,
        next_dealers=(),
        seats=_seats_then(sitting.order, [people[pk] for pk in there]),
        players=tuple(people[pk] for pk in version.players),
        resting=tuple(people[pk] for pk in version.resting),
        multiplier=version.multiplier,
        mayor=None,
        away=sitting.away,
    )


def _seats_then(now: tuple[Player, ...], then: Sequence[Player]) -> tuple[Player, ...]:
    """Return the seat order of those who were there; others may sit there *now*.

    That is so where a hand was taken back before somebody came.
    """
    if set(now) <= set(then):
        return now
    known = [player for player in now if player in then]
    return (*known, *(player for player in then if player not in known))


def with_dealer(
    deal: Deal,
    dealer: Player | None = None,
    resting: Iterable[Player] | None = None,
    players: Iterable[Player] | None = None,
) -> Deal:
    """Return *deal* with another dealer, or with others sitting out, as chosen by hand.

    Who has written down *players* is not disturbed by those who came or went since.
    Raise `Refused` when that leaves no hand to be played.
    """
    active = len(deal.players)
    if dealer is not None:
        if dealer not in deal.present and players is None:
            refuse("dealer", _("The dealer must sit at the table."))
        deal = _dealt(replace(deal, dealer=dealer), active)
    if resting is None and players is None:
        return deal
    plays, rests = seated(
        Sitting(deal.number, None, deal.seats, deal.away),
        deal.dealer,
        active,
        resting=None if resting is None else tuple(resting),
        players=None if players is None else tuple(players),
    )
    return replace(deal, players=plays, resting=rests)


def sittings_of(table: Table) -> list[Sitting[Player]]:
    """Return the line-ups of *table*, oldest first."""
    lineups: dict[tuple[int, int | None], list[Seat]] = {}
    for seat in SEATS.filter(lineup__table=table):
        lineups.setdefault((seat.start, seat.deals), []).append(seat)
    people = {seat.player_id: seat.player for at in lineups.values() for seat in at}
    return [
        Sitting(
            from_hand,
            people.get(dealer) if dealer else None,
            tuple(seat.player for seat in at),
            frozenset(seat.player for seat in at if seat.resting),
        )
        for (from_hand, dealer), at in lineups.items()
    ]


def _dealt(deal: Deal, active: int) -> Deal:
    players = due_players(deal.present, deal.dealer, active)
    dealers = [deal.dealer]
    for _again in range(3):
        dealers.append(next_dealer(deal.seats, deal.present, dealers[-1]))
    return replace(
        deal,
        next_dealers=tuple(dealers[1:]),
        players=players,
        resting=_others(deal.seats, players),
    )


def _others(seats: Iterable[Player], players: Sequence[Player]) -> tuple[Player, ...]:
    return tuple(player for player in seats if player not in players)


def _past(table: Table) -> list[Past[int]]:
    """Return the last hands, oldest first: enough of them to know what comes next."""
    rows = PAST.filter(hand__table=table)
    recent = list(rows[:RECENT])
    past = played(recent)
    enough = len(past) > ROUND and not all(hand.thrown_in for hand in past)
    if enough or len(recent) < RECENT:
        return past
    return played(rows.iterator())


def played(rows: Iterable[tuple[int, int, bool]]) -> list[Past[int]]:
    """Return the hands that count, oldest first, from versions, newest first."""
    past: list[Past[int]] = []
    for number, dealer, thrown_in in rows:
        if not past or past[-1].number != number:
            past.append(Past(number, dealer, thrown_in))
    past.reverse()
    return past


def mayor_of(**where: object) -> Player | None:
    """Return who lost the XXI last in the versions that count *where* it is asked."""
    lost = LOST.filter(**where).first()
    return lost.xxi_lost_by if lost else None
