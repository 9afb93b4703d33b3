"""Who lets the club play: its people, its seasons, its luck from one seed."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.utils import timezone

import scoring
from ledger import journal
from ledger.demo.names import PEOPLE
from ledger.demo.spec import ClubSpec, PlayedDay
from ledger.models import Action, Club, Edition, Member, Player, Season, User
from ledger.settlement import SettlementScope
from ledger.table import rotation

MOST_AT_TABLE = rotation.MOST
NOON, BEGIN = datetime.time(12), datetime.time(19)
STAKES: Mapping[str, tuple[str, int]] = {"pl": ("PLN", 20), "hu": ("HUF", 1000)}
RULES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "taroki": ({}, {"xxi_captured": "on", "count_rule": "austrian"}),
    "paskievics": ({}, {"preset": "pagat"}),
    "palatine": ({}, {"preset": "pagat"}),
}
"""By what the club plays in one season, and by what in the next."""


@dataclass
class Host:
    wish: ClubSpec
    by: User
    club: Club
    players: list[Player]
    rng: Random
    ids: int = 0

    @classmethod
    def of(cls, wish: ClubSpec, by: User) -> Host:
        """Return the host of the club of that name, which is made if need be."""
        if wrong := wish.wrong():
            raise ValueError(wrong)
        if Action.objects.filter(pk=_id(wish, 1)).exists():
            raise ValueError(f"{wish.name} has played the seed {wish.seed} before.")
        club = Club.objects.filter(name=wish.name, members__user=by).first()
        club = club or _founded(wish, by)
        players = [*club.players.people().filter(retired=False).order_by("pk")]
        known = set(club.players.values_list("name", flat=True))
        for name in PEOPLE:
            if len(players) < wish.players and name not in known:
                players.append(club.players.create(name=name))
        return cls(wish, by, club, players[: wish.players], Random(wish.seed))

    def id(self) -> UUID:
        """Return another id: they all follow from the name and the seed."""
        self.ids += 1
        return _id(self.wish, self.ids)

    @property
    def stake(self) -> tuple[str, int]:
        return STAKES[_language(self.wish)]

    def season(self, nights: Sequence[PlayedDay]) -> Season:
        years = sorted({str(nights[0].day.year), str(nights[-1].day.year)})
        return self.club.seasons.create(name="–".join(years), starts=nights[0].day)

    def edition(self, game: str, season: int) -> Edition:
        rules = RULES[game][season % len(RULES[game])]
        return journal.edition_of(self.club, scoring.tariff(game, rules))

    def company(self, tables: int) -> list[list[Player]]:
        """Return who comes and sits where: regulars mostly, four at least at each."""
        rng, players = self.rng, self.players
        fewest = rotation.FEWEST * tables
        most = min(len(players), MOST_AT_TABLE * tables)
        come = sorted(players, key=lambda p: rng.random() * (2 + players.index(p)))
        come = come[: rng.randint(fewest, most)]
        rng.shuffle(come)
        return [come[place::tables] for place in range(tables)]

    def end(self, season: Season, day: datetime.date) -> None:
        """Close a season: the pot gives a prize first, and everybody pays."""
        currency, stake = self.stake
        scope = SettlementScope.of_season(season, currency)
        with journal.dated(moment(day, NOON)):
            journal.prize(
                scope,
                self.rng.choice(self.players),
                stake * 25,
                reason="Highest hand of the season",
                id=self.id(),
                by=self.by,
            )
            journal.settle(scope, id=self.id(), by=self.by)
            journal.close_season(season, by=self.by, id=self.id())


def moment(day: datetime.date, time: datetime.time = BEGIN) -> datetime.datetime:
    return timezone.make_aware(datetime.datetime.combine(day, time))


def _founded(wish: ClubSpec, by: User) -> Club:
    club = Club.objects.create(
        name=wish.name,
        language=_language(wish),
        created_at=moment(wish.programme()[0][0].day, NOON),
    )
    Member.objects.create(club=club, user=by, role=Member.Role.OWNER)
    return club


def _language(wish: ClubSpec) -> str:
    return "pl" if wish.games[0] == "taroki" else "hu"


def _id(wish: ClubSpec, number: int) -> UUID:
    return uuid5(NAMESPACE_URL, f"kontra:{wish.name}/{wish.seed}/{number}")
