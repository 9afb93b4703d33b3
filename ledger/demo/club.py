"""An invented club: its people, its seasons, and random choices from one seed."""

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
from ledger.demo.names import PLAYER_NAMES
from ledger.demo.spec import ClubSpec, EveningSpec
from ledger.models import Action, Club, Edition, Member, Player, Season, User
from ledger.settlement import SettlementScope
from ledger.table import rotation

MOST_AT_TABLE = rotation.MOST_SEATS
NOON, EVENING_START = datetime.time(12), datetime.time(19)
STAKES: Mapping[str, tuple[str, int]] = {"pl": ("PLN", 20), "hu": ("HUF", 1000)}
RULES_BY_SEASON: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "taroki": ({}, {"xxi_captured": "on", "count_rule": "austrian"}),
    "paskievics": ({}, {"preset": "pagat"}),
    "palatine": ({}, {"preset": "pagat"}),
}
"""House rules of each game, by season in turn."""


@dataclass
class DemoClub:
    """A club that plays by itself; every id follows from its name and its seed."""

    spec: ClubSpec
    by: User
    club: Club
    players: list[Player]
    rng: Random
    ids: int = 0

    @classmethod
    def of(cls, spec: ClubSpec, by: User) -> DemoClub:
        """Return the club of *spec*, created if need be. Raise `ValueError`."""
        if problem := spec.problem():
            raise ValueError(problem)
        if Action.objects.filter(pk=_id_of(spec, 1)).exists():
            raise ValueError(f"{spec.name} has played the seed {spec.seed} before.")
        club = Club.objects.filter(name=spec.name, members__user=by).first()
        club = club or _found_club(spec, by)
        players = [*club.players.people().filter(retired=False).order_by("pk")]
        known = set(club.players.values_list("name", flat=True))
        for name in PLAYER_NAMES:
            if len(players) < spec.players and name not in known:
                players.append(club.players.create(name=name))
        return cls(spec, by, club, players[: spec.players], Random(spec.seed))

    def id(self) -> UUID:
        """Return the next id."""
        self.ids += 1
        return _id_of(self.spec, self.ids)

    @property
    def stake(self) -> tuple[str, int]:
        """Currency, and minor units a point."""
        return STAKES[_language_of(self.spec)]

    def create_season(self, evenings: Sequence[EveningSpec]) -> Season:
        years = sorted({str(evenings[0].day.year), str(evenings[-1].day.year)})
        return self.club.seasons.create(name="–".join(years), starts=evenings[0].day)

    def edition(self, game: str, season: int) -> Edition:
        rules = RULES_BY_SEASON[game][season % len(RULES_BY_SEASON[game])]
        return journal.edition_of(self.club, scoring.tariff(game, rules))

    def attendance(self, tables: int) -> list[list[Player]]:
        """Return the players at each table: at least four, regulars most often."""
        rng, players = self.rng, self.players
        fewest = rotation.FEWEST_SEATS * tables
        most = min(len(players), MOST_AT_TABLE * tables)
        present = sorted(players, key=lambda p: rng.random() * (2 + players.index(p)))
        present = present[: rng.randint(fewest, most)]
        rng.shuffle(present)
        return [present[place::tables] for place in range(tables)]

    def close_season(self, season: Season, day: datetime.date) -> None:
        """Close a season after a prize from the pot and a settlement."""
        currency, stake = self.stake
        scope = SettlementScope.of_season(season, currency)
        with journal.backdated(local_time(day, NOON)):
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


def local_time(
    day: datetime.date, time: datetime.time = EVENING_START
) -> datetime.datetime:
    return timezone.make_aware(datetime.datetime.combine(day, time))


def _found_club(spec: ClubSpec, by: User) -> Club:
    club = Club.objects.create(
        name=spec.name,
        language=_language_of(spec),
        created_at=local_time(spec.evenings_by_season()[0][0].day, NOON),
    )
    Member.objects.create(club=club, user=by, role=Member.Role.OWNER)
    return club


def _language_of(spec: ClubSpec) -> str:
    return "pl" if spec.games[0] == "taroki" else "hu"


def _id_of(spec: ClubSpec, number: int) -> UUID:
    return uuid5(NAMESPACE_URL, f"kontra:{spec.name}/{spec.seed}/{number}")
