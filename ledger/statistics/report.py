"""Report of a club's statistics: the facade's object for pages, workbook and API."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.utils.translation import gettext as _

from ledger.models import Player
from ledger.statistics import figures, labels, running_totals
from ledger.statistics.digest import Best, Digest, parse_day, streak_of
from ledger.statistics.figures import FIGURES, Figure
from ledger.statistics.played_hand import NOBODY
from ledger.statistics.query import HandFilter, digest_of
from ledger.statistics.ranking import By, ranking
from ledger.statistics.results import (
    Curve,
    CurvePoint,
    FigureGroup,
    FigureRow,
    Matrix,
    MayorTerm,
    Ranked,
    Record,
    Tempo,
)
from ledger.statistics.running_totals import EVERYBODY, MOST_POINTS
from ledger.statistics.streaks import Streak
from ledger.text.names import in_order


@dataclass(frozen=True)
class Statistics:
    """Statistics of the filtered hands; reading them runs no further query."""

    hand_filter: HandFilter
    digest: Digest
    people: Mapping[int, Player]
    """Players of the club by id, the retired too, without the pot."""

    @cached_property
    def ranked(self) -> list[Ranked]:
        return self.ranking()

    @property
    def hands(self) -> int:
        """Return the number of hands played; deals thrown in are not counted."""
        return self.digest.running_totals.hands

    @property
    def evenings(self) -> int:
        return self.digest.running_totals.evenings

    @property
    def games(self) -> tuple[str, ...]:
        """Return the ids of the variants that were played."""
        about = self.digest.sums.get("contracts", {}).get(EVERYBODY, {})
        return tuple(dict.fromkeys(item.partition("/")[0] for item in sorted(about)))

    @property
    def several_games(self) -> bool:
        return len(self.games) > 1

    @property
    def currencies(self) -> tuple[str, ...]:
        sums = self.digest.money.values()
        return tuple(sorted({currency for one in sums for currency in one}))

    def ranking(
        self, by: By = "total", least: int = 0, currency: str = ""
    ) -> list[Ranked]:
        return ranking(self.digest, self.people, by, least, currency)

    def player(self, player: Player) -> list[FigureGroup]:
        """Return the figures of *player* in groups, without empty ones."""
        return _groups(self, player)

    def rows(self, figure: str, player: int = NOBODY) -> tuple[FigureRow, ...]:
        """Return the rows of one figure in the order of the game."""
        known = FIGURES[figure]
        abouts = self.digest.sums.get(figure, {}).get(str(player), {})
        order = sorted(abouts, key=lambda a: labels.order(known, a, self.people))
        return tuple(self.row(known, player, about) for about in order)

    def row(self, figure: Figure, player: int, about: str = "") -> FigureRow:
        count, hits, points = self.digest.count(figure.id, player, about)
        return FigureRow(
            figure=figure,
            about=about,
            name=labels.name_of(figure, about, self.people),
            game=labels.game_of(about) if "/" in about else "",
            count=count,
            hits=hits,
            points=points,
            player=player or None,
        )

    def contracts(self) -> tuple[FigureRow, ...]:
        """Return one row a contract: hands, success and points."""
        return self.rows("contracts")

    def contracts_by_player(self) -> Mapping[tuple[str, int], FigureRow]:
        """Return the rows of declarers, by id of the contract and of the player."""
        players = self.digest.sums.get("contract", {})
        return {
            (row.about, int(player)): row
            for player in players
            for row in self.rows("contract", int(player))
        }

    def bonuses(self) -> tuple[tuple[FigureRow, FigureRow], ...]:
        """Return two rows a bonus: announced, and made unannounced."""
        announced, silent = FIGURES["club_announced"], FIGURES["club_silent"]
        abouts = {
            row.about for figure in (announced, silent) for row in self.rows(figure.id)
        }
        order = sorted(abouts, key=lambda a: labels.order(announced, a, self.people))
        return tuple(
            (
                self.row(announced, NOBODY, about),
                self.row(silent, NOBODY, about),
            )
            for about in order
        )

    def seats(self) -> tuple[FigureRow, ...]:
        """Return one row a place in the order of play: hands of its declarers."""
        return self.rows("seats")

    def partners(self) -> Matrix:
        return self._matrix("with")

    def _matrix(self, figure: str) -> Matrix:
        cells = {
            (int(player), int(row.about)): row
            for player in self.digest.sums.get(figure, {})
            for row in self.rows(figure, int(player))
        }
        met = {player for pair in cells for player in pair} & self.people.keys()
        players = in_order(self.people[pk] for pk in met)
        return Matrix(tuple(players), cells)

    def records(self) -> tuple[Record, ...]:
        """Return the best records of each figure, figure by figure."""
        return tuple(
            self._record(figure, best)
            for figure in figures.RECORDS
            for best in self.digest.records.get(figure.id, ())
        )

    def _record(self, figure: Figure, best: Best) -> Record:
        place = best.place
        return Record(
            figure=figure,
            about=best.about,
            value=best.value,
            player=self.people.get(best.player) if best.player else None,
            date=place.day,
            evening=place.evening,
            table=place.table,
            first=place.number,
            last=best.last,
            hand=UUID(best.hand) if best.hand else None,
        )

    def best(self, player: Player) -> Record | None:
        best = self.digest.best.get(str(player.pk))
        return self._record(FIGURES["best"], best) if best else None

    def worst(self, player: Player) -> Record | None:
        worst = self.digest.worst.get(str(player.pk))
        return self._record(FIGURES["worst"], worst) if worst else None

    def mayors(self, player: Player | None = None) -> tuple[MayorTerm, ...]:
        """Return the latest terms as Mayor, newest first, of all or of one *player*.

        A digest has 60 of them at most.
        """
        return _mayor_terms(self, player)

    def tempo(self) -> Tempo:
        hands, seconds = self.digest.pace
        ends = [datetime.datetime.fromisoformat(at) for at in self.digest.span]
        return Tempo(
            hands,
            datetime.timedelta(seconds=seconds),
            ends[0] if ends else None,
            ends[-1] if ends else None,
        )

    def curve(self, most: int = MOST_POINTS) -> Curve:
        """Return the running total of every player after each evening.

        Of more than *most* evenings some have no point; the last one always has one.
        """
        return _curve(self, most)


def read(hand_filter: HandFilter) -> Statistics:
    """Return the statistics of the filtered hands, in a constant number of queries."""
    people = hand_filter.club.players.people().in_bulk()
    return Statistics(hand_filter, digest_of(hand_filter), people)


def _groups(of: Statistics, player: Player) -> list[FigureGroup]:
    titles = (
        (_("Hands"), figures.GENERAL),
        (_("Sides"), figures.ROLES),
        (_("Contracts"), (figures.CONTRACT,)),
        (_("Bonuses"), figures.BONUSES),
        (_("Kontra"), figures.CONTRA),
        (_("Captures"), figures.CAPTURES),
        (_("Runs"), figures.STREAKS),
        (_("By partner"), figures.MET[:1]),
        (_("By opponent"), figures.MET[1:]),
    )
    groups = [
        FigureGroup(
            title, tuple(row for f in some for row in _of_player(of, f, player))
        )
        for title, some in titles
    ]
    return [group for group in groups if group.rows]


def _of_player(of: Statistics, figure: Figure, player: Player) -> tuple[FigureRow, ...]:
    if figure.counter:
        return of.rows(figure.id, player.pk)
    match streak_of(of.digest, figure.id, player.pk):
        case Streak(sign, length):
            name = labels.sign_name(sign) if figure.id == "current_streak" else ""
            return (FigureRow(figure, name=name, count=length, player=player.pk),)
        case Best(value):
            return (FigureRow(figure, count=1, points=value, player=player.pk),)
        case None:
            return ()


def _mayor_terms(of: Statistics, player: Player | None) -> tuple[MayorTerm, ...]:
    terms: list[MayorTerm] = []
    until: datetime.datetime | None = None
    for hat in reversed(of.digest.hats):
        since = datetime.datetime.fromisoformat(hat.at)
        if hat.player in of.people:
            terms.append(
                MayorTerm(
                    of.people[hat.player],
                    UUID(hat.hand),
                    hat.place.number,
                    hat.place.evening,
                    since,
                    until,
                )
            )
        until = since
    return tuple(term for term in terms if player is None or term.player == player)


def _curve(of: Statistics, most: int) -> Curve:
    totals = of.digest.running_totals
    step = max(1, -(-len(totals.points) // most))
    points = totals.points[::-1][::step][::-1]
    lines = {pk: tuple(p.totals.get(str(pk)) for p in points) for pk in of.people}
    return Curve(
        tuple(_point(point) for point in points),
        {pk: line for pk, line in lines.items() if line and line[-1] is not None},
        len(points) < totals.evenings,
    )


def _point(point: running_totals.TotalsPoint) -> CurvePoint:
    date, evening = parse_day(point.day)
    return CurvePoint(evening, datetime.date.fromisoformat(date), point.hands)
