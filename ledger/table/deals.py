"""Deals of a table, read from the database: the next one, and those recorded.

A deal is computed by `rotation` from line-ups and from the hands before; none is
stored. The next deal takes the same number of queries however long the evening.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import F

from ledger.models import Player, Seat, Table, Version
from ledger.models.lookups import with_absent
from ledger.table.rotation import (
    LONGEST_ROUND,
    PastDeal,
    TableLineUp,
    due_dealer,
    due_multiplier,
    due_players,
    line_up_at,
    next_dealer,
    split_players,
)
from scoring import Tariff, refuse
from scoring.text import _

RECENT = 40
"""Versions read for the next deal; all of them only if each was thrown in."""
PAST = (
    Version.objects.filter(hand__voided=False)
    .order_by("-hand__number", "-number")
    .values_list("hand__number", "dealer_id", "thrown_in")
)
LOST = (
    Version.objects.in_force()
    .filter(xxi_lost_by__isnull=False)
    .select_related("xxi_lost_by", "hand")
    .order_by("-hand__table__evening__date", "-hand__played_at", "-hand__number")
)
"""Versions in force in which the XXI was lost, newest first."""
SEATS = (
    Seat.objects.select_related("player")
    .annotate(start=F("lineup__from_hand"), deals=F("lineup__dealer"))
    .order_by("start", "position")
)


@dataclass(frozen=True, slots=True)
class DealHistory:
    """Input of a deal: line-ups and the last deals, oldest first, and the tariff."""

    line_ups: tuple[TableLineUp[Player], ...]
    past: tuple[PastDeal[Player], ...]
    tariff: Tariff

    def after(self, deal: PastDeal[Player]) -> Deal:
        """Return the deal that follows *deal*."""
        return _due(replace(self, past=(*self.past, deal)))


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal: who deals and plays a hand, and by which multiplier it counts."""

    number: int
    dealer: Player
    next_dealers: tuple[Player, ...]
    """The next three, if no deal is thrown in."""
    seats: tuple[Player, ...]
    """Everybody in seat order, on a break or not."""
    players: tuple[Player, ...]
    """From forehand on."""
    sitting_out: tuple[Player, ...]
    multiplier: int
    mayor: Player | None
    """Who lost the XXI last this evening, in a game that has a Mayor."""
    on_break: frozenset[Player] = frozenset()
    history: DealHistory | None = field(default=None, compare=False, repr=False)

    @property
    def present(self) -> tuple[Player, ...]:
        return tuple(player for player in self.seats if player not in self.on_break)


def deal(table: Table) -> Deal:
    """Return the next deal at *table*, with the Mayor."""
    return with_mayor(next_deal(table), table)


def with_mayor(deal: Deal, table: Table) -> Deal:
    """Return *deal* with the Mayor of the evening, in a game that has one."""
    if table.edition.tariff.variant.mayor is None:
        return deal
    return replace(deal, mayor=mayor_of(hand__table__evening=table.evening_id))


def next_deal(table: Table) -> Deal:
    """Return the next deal without the Mayor, which takes a query more."""
    line_ups, hands = line_ups_of(table), _past_deals(table)
    seated = (player for line_up in line_ups for player in line_up.order)
    people = with_absent(seated, (hand.dealer for hand in hands))
    past = [
        PastDeal(hand.number, people[hand.dealer], hand.thrown_in) for hand in hands
    ]
    return _due(DealHistory(tuple(line_ups), tuple(past), table.edition.tariff))


def _due(history: DealHistory) -> Deal:
    line_ups, past, rule = history.line_ups, history.past, history.tariff.redeal
    number = past[-1].number + 1 if past else 1
    now = line_up_at(line_ups, number)
    return _dealt(
        Deal(
            number=number,
            dealer=due_dealer(line_ups, past, number, rule),
            next_dealers=(),
            seats=now.order,
            players=(),
            sitting_out=(),
            multiplier=due_multiplier(line_ups, past, rule),
            mayor=None,
            on_break=now.on_break,
            history=history,
        ),
        history.tariff.variant.active,
    )


def deal_of_version(version: Version) -> Deal:
    """Return the deal of a recorded *version*."""
    table = version.hand.table
    line_up = line_up_at(line_ups_of(table), version.hand.number)
    there = [*version.players, *version.resting]
    people = table.evening.club.players.in_bulk(there)
    return Deal(
        number=version.hand.number,
        dealer=version.dealer,
        next_dealers=(),
        seats=_seats_then(line_up.order, [people[pk] for pk in there]),
        players=tuple(people[pk] for pk in version.players),
        sitting_out=tuple(people[pk] for pk in version.resting),
        multiplier=version.multiplier,
        mayor=None,
        on_break=line_up.on_break,
    )


def _seats_then(now: tuple[Player, ...], then: Sequence[Player]) -> tuple[Player, ...]:
    """Return the seat order *then*, as far as the order *now* tells it."""
    # The line-up of a hand that was undone can be a later one by now.
    if set(now) <= set(then):
        return now
    known = [player for player in now if player in then]
    return (*known, *(player for player in then if player not in known))


def with_dealer(
    deal: Deal,
    dealer: Player | None = None,
    sitting_out: Iterable[Player] | None = None,
    players: Iterable[Player] | None = None,
) -> Deal:
    """Return *deal* with the dealer, and those who sit out or play, chosen by hand.

    *players* may be other people than sit at the table by now. Raise `Refused` where
    the choice is not one of `len(deal.players)` players.
    """
    active = len(deal.players)
    if dealer is not None:
        if dealer not in deal.present and players is None:
            refuse("dealer", _("The dealer must sit at the table."))
        deal = _dealt(replace(deal, dealer=dealer), active)
    if sitting_out is None and players is None:
        return deal
    plays, rests = split_players(
        TableLineUp(deal.number, None, deal.seats, deal.on_break),
        deal.dealer,
        active,
        sitting_out=None if sitting_out is None else tuple(sitting_out),
        players=None if players is None else tuple(players),
    )
    return replace(deal, players=plays, sitting_out=rests)


def line_ups_of(table: Table) -> list[TableLineUp[Player]]:
    """Return the line-ups of *table*, oldest first."""
    lineups: dict[tuple[int, int | None], list[Seat]] = {}
    for seat in SEATS.filter(lineup__table=table):
        lineups.setdefault((seat.start, seat.deals), []).append(seat)
    people = {seat.player_id: seat.player for at in lineups.values() for seat in at}
    return [
        TableLineUp(
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
        sitting_out=_others(deal.seats, players),
    )


def _others(seats: Iterable[Player], players: Sequence[Player]) -> tuple[Player, ...]:
    return tuple(player for player in seats if player not in players)


def _past_deals(table: Table) -> list[PastDeal[int]]:
    """Return the last deals, oldest first, as many as the next one depends on."""
    rows = PAST.filter(hand__table=table)
    recent = list(rows[:RECENT])
    past = past_deals(recent)
    enough = len(past) > LONGEST_ROUND and not all(hand.thrown_in for hand in past)
    if enough or len(recent) < RECENT:
        return past
    return past_deals(rows.iterator())


def past_deals(rows: Iterable[tuple[int, int, bool]]) -> list[PastDeal[int]]:
    """Return deals, oldest first, from the versions of live hands, newest first."""
    past: list[PastDeal[int]] = []
    for number, dealer, thrown_in in rows:
        if not past or past[-1].number != number:
            past.append(PastDeal(number, dealer, thrown_in))
    past.reverse()
    return past


def mayor_of(**where: object) -> Player | None:
    """Return who lost the XXI last, in versions filtered by *where*."""
    lost = LOST.filter(**where).first()
    return lost.xxi_lost_by if lost else None
