"""Clubs founded, seasons begun, evenings started, tables added.

Each is created once for its *id* (`idempotency.once`).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.utils import timezone

from ledger.journal import clock
from ledger.journal.idempotency import once
from ledger.models import (
    Club,
    Edition,
    Evening,
    LineUp,
    Member,
    Player,
    Season,
    Seat,
    Table,
    User,
    exceptions,
    locks,
)
from ledger.table.rotation import FEWEST_SEATS, MOST_SEATS
from ledger.text.amounts import Stake
from ledger.text.names import same
from scoring import Tariff, refuse
from scoring.text import _


def found_club(
    name: str, *, owner: User, language: str = "en", id: UUID | None = None
) -> Club:
    """Create a club with its owner and its first season, named for the year."""
    mine = Club.objects.filter(members__user=owner.pk)
    return once(id, mine, lambda: _found_club(name, owner, language))


@transaction.atomic
def _found_club(name: str, owner: User, language: str) -> Club:
    club = Club.objects.create(name=name, language=language)
    Member.objects.create(club=club, user=owner, role=Member.Role.OWNER)
    today = timezone.localdate()
    Season.objects.create(club=club, name=str(today.year), starts=today)
    return club


def edition_of(club: Club, tariff: Tariff) -> Edition:
    """Return the club's edition of *tariff*, created at its first use."""
    edition, _made = Edition.objects.get_or_create(
        club=club,
        variant=tariff.variant.id,
        digest=tariff_digest(tariff),
        defaults={"rules": tariff.rules},
    )
    return edition


def find_edition(club: Club, tariff: Tariff) -> Edition:
    """Return the club's edition of *tariff*; where it has none, one not saved yet."""
    digest = tariff_digest(tariff)
    found = club.editions.filter(variant=tariff.variant.id, digest=digest).first()
    return found or Edition(
        club=club, variant=tariff.variant.id, rules=tariff.rules, digest=digest
    )


def tariff_digest(tariff: Tariff) -> str:
    return sha256(tariff.digest.encode()).hexdigest()


def locked_current_season(club: Club) -> Season:
    """Return the current season, locked. Raise `SeasonClosed` when there is none."""
    seasons = club.seasons.order_by("-starts", "-pk")
    last = seasons.select_for_update(no_key=True)[0]
    if last.closed_at:
        raise exceptions.SeasonClosed(last)
    return last


def current_season(club: Club) -> Season | None:
    """Return the season that began last, unless it is closed.

    Earlier ones may be open too, for corrections or old sheets.
    """
    last = club.seasons.order_by("-starts", "-pk")[0]
    return None if last.closed_at else last


def begin_season(
    club: Club, *, name: str, starts: datetime.date, id: UUID | None = None
) -> Season:
    """Create a season, which is the current one from now on.

    Raise `Refused` when there is a current one, or another of this *name*.
    """
    return once(id, club.seasons.all(), lambda: _begin_season(club, name, starts))


@transaction.atomic
def _begin_season(club: Club, name: str, starts: datetime.date) -> Season:
    locks.locked_club(club.pk)
    if season := current_season(club):
        message = _("The season {name} has already begun: close it first.")
        refuse("name", message, code="bad_season", name=season.name)
    if name_is_taken(club, name):
        message = _("There is already a season {name}: choose another name.")
        refuse("name", message, code="bad_season", name=name)
    # The current season is the last to start, also where a clock was set back.
    last = club.seasons.aggregate(last=Max("starts"))["last"]
    starts = max(starts, last or starts)
    return Season.objects.create(club=club, name=name, starts=starts)


def name_is_taken(club: Club, name: str) -> bool:
    """Tell whether a season of the club has this *name*."""
    names = club.seasons.values_list("name", flat=True)
    return any(same(name, other) for other in names)


def next_season(club: Club, day: datetime.date) -> str:
    """Return a free name, made of its year, for a season from *day* on; else ""."""
    proposed = str(day.year), f"{day.year}–{day.year + 1}"
    return next((name for name in proposed if not name_is_taken(club, name)), "")


def start_evening(
    club: Club,
    *,
    name: str,
    date: datetime.date,
    edition: Edition,
    seats: Sequence[Player],
    dealer: Player,
    by: User,
    currency: str = "",
    stake: Stake = 0,
    season: Season | None = None,
    id: UUID | None = None,
) -> Evening:
    """Create an evening with its first table; *seats* go anticlockwise.

    *season* is the current one by default. *stake* is in minor units a point.
    """

    @transaction.atomic
    def start() -> Evening:
        evening = Evening.objects.create(
            club=club,
            season=season or locked_current_season(club),
            name=name,
            date=date,
            edition=edition,
            currency=currency if stake else "",
            stake=stake.numerator if currency else 0,
            stake_parts=stake.denominator if currency else 1,
            opened_at=clock.now(),
            created_by_id=by.pk,
        )
        _create_table(evening, 1, edition, seats, dealer)
        return evening

    return once(id, club.evenings.all(), start)


def add_table(
    evening: Evening,
    *,
    seats: Sequence[Player],
    dealer: Player,
    edition: Edition | None = None,
    id: UUID | None = None,
) -> Table:
    """Add a table to *evening*; *edition* is the evening's by default.

    Raise `Refused` when a player sits at another table; `Closed`.
    """
    return once(
        id, evening.tables.all(), lambda: _add_table(evening, edition, seats, dealer)
    )


@transaction.atomic
def _add_table(
    evening: Evening, edition: Edition | None, seats: Sequence[Player], dealer: Player
) -> Table:
    evening = locks.locked_evening(evening)
    locks.check_open(evening)
    last = evening.tables.aggregate(last=Max("number"))["last"] or 0
    return _create_table(evening, last + 1, edition or evening.edition, seats, dealer)


def check_free(
    evening: int, players: Iterable[Player | int], here: Table | None = None
) -> None:
    """Raise `Refused` where a player sits at a table other than *here*."""
    for seat in seated_at(evening, players):
        if seat.lineup.table != here:
            message = _("{player} sits at table {number}: move them from there.")
            number = seat.lineup.table.number
            refuse("player", message, player=seat.player, number=number)


def seated_at(evening: int, players: Iterable[Player | int]) -> QuerySet[Seat]:
    """Return the present seats of these players at the tables of an evening."""
    last = LineUp.objects.filter(table=OuterRef("lineup__table")).order_by("-from_hand")
    return Seat.objects.filter(
        lineup__table__evening=evening,
        lineup=Subquery(last.values("pk")[:1]),
        player__in=players,
    ).select_related("lineup__table", "player")


def _create_table(
    evening: Evening,
    number: int,
    edition: Edition,
    seats: Sequence[Player],
    dealer: Player,
) -> Table:
    _check(evening, edition, seats, dealer)
    table = Table.objects.create(evening=evening, number=number, edition=edition)
    lineup = LineUp.objects.create(table=table, from_hand=1, dealer=dealer)
    Seat.objects.bulk_create(
        Seat(lineup=lineup, position=position, player=player)
        for position, player in enumerate(seats)
    )
    return table


def _check(
    evening: Evening, edition: Edition, seats: Sequence[Player], dealer: Player
) -> None:
    if not FEWEST_SEATS <= len(seats) == len(set(seats)) <= MOST_SEATS:
        names = ", ".join(player.name for player in seats)
        raise ValueError(
            f"expected {FEWEST_SEATS} to {MOST_SEATS} different players, got: {names}"
        )
    if dealer not in seats:
        raise ValueError(f"expected a dealer who sits at the table, got {dealer}")
    if {evening.club_id} != {edition.club_id, *(player.club_id for player in seats)}:
        raise ValueError(f"expected players and a tariff of club {evening.club_id}")
    check_free(evening.pk, seats)
