"""A club's statistics as pages, sheets and programs read them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.utils.translation import gettext as _

from ledger.models import Player
from ledger.statistics import figures, labels, running_totals
from ledger.statistics.digest import Best, Digest, run_of, when
from ledger.statistics.figures import FIGURES, Figure
from ledger.statistics.played_hand import NOBODY
from ledger.statistics.query import HandFilter, whole
from ledger.statistics.ranking import By, ranking
from ledger.statistics.results import (
    Curve,
    CurvePoint,
    FigureGroup,
    FigureRow,
    Matrix,
    Ranked,
    Record,
    Tempo,
    Worn,
)
from ledger.statistics.running_totals import EVERYBODY, MOST_POINTS
from ledger.statistics.streaks import Run
from ledger.text.names import in_order


@dataclass(frozen=True)
class Statistics:
    """What the hands of *scope* come to; nothing more is read from the database."""

    scope: HandFilter
    digest: Digest
    people: Mapping[int, Player]
    """Everybody of the club by id, the retired too, the pot not."""

    @cached_property
    def ranked(self) -> list[Ranked]:
        return self.ranking()

    @property
    def hands(self) -> int:
        """Hands played out, deals thrown in left out."""
        return self.digest.course.hands

    @property
    def evenings(self) -> int:
        return self.digest.course.evenings

    @property
    def games(self) -> tuple[str, ...]:
        """The variants of which there are hands."""
        about = self.digest.sums.get("contracts", {}).get(EVERYBODY, {})
        return tuple(dict.fromkeys(item.partition("/")[0] for item in sorted(about)))

    @property
    def several_games(self) -> bool:
        return len(self.games) > 1

    @property
    def currencies(self) -> tuple[str, ...]:
        purses = self.digest.money.values()
        return tuple(sorted({currency for purse in purses for currency in purse}))

    def ranking(
        self, by: By = "total", least: int = 0, currency: str = ""
    ) -> list[Ranked]:
        return ranking(self.digest, self.people, by, least, currency)

    def player(self, player: Player) -> list[FigureGroup]:
        """Return the figures of *player* in groups, those without a hand left out."""
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
        """Return how often each contract was played, and how it went."""
        return self.rows("contracts")

    def contracts_by_player(self) -> Mapping[tuple[str, int], FigureRow]:
        """Return for what a contract's row is about and a player's id how he did."""
        players = self.digest.sums.get("contract", {})
        return {
            (row.about, int(player)): row
            for player in players
            for row in self.rows("contract", int(player))
        }

    def bonuses(self) -> tuple[tuple[FigureRow, FigureRow], ...]:
        """Return for each bonus how often it was announced, and made in silence."""
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
        """Return how declarers did by their place in the order of play."""
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
        """Return the best few of each kind, kind by kind."""
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

    def mayors(self, player: Player | None = None) -> tuple[Worn, ...]:
        """Return who wore the hat when, the last first; the last sixty times at most.

        With a *player* only his times are returned.
        """
        return _worn(self, player)

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
        """Return everybody's running total at the end of each evening.

        Of more than *most* evenings some have no point; the last one always has.
        """
        return _curve(self, most)


def read(scope: HandFilter) -> Statistics:
    """Return what the hands of *scope* come to, in a constant number of queries."""
    people = scope.club.players.people().in_bulk()
    return Statistics(scope, whole(scope), people)


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
    if figure.counted:
        return of.rows(figure.id, player.pk)
    match run_of(of.digest, figure.id, player.pk):
        case Run(sign, length):
            name = labels.sign_name(sign) if figure.id == "current_streak" else ""
            return (FigureRow(figure, name=name, count=length, player=player.pk),)
        case Best(value):
            return (FigureRow(figure, count=1, points=value, player=player.pk),)
        case None:
            return ()


def _worn(of: Statistics, player: Player | None) -> tuple[Worn, ...]:
    worn: list[Worn] = []
    until: datetime.datetime | None = None
    for hat in reversed(of.digest.hats):
        since = datetime.datetime.fromisoformat(hat.at)
        if hat.player in of.people:
            worn.append(
                Worn(
                    of.people[hat.player],
                    UUID(hat.hand),
                    hat.place.number,
                    hat.place.evening,
                    since,
                    until,
                )
            )
        until = since
    return tuple(w for w in worn if player is None or w.player == player)


def _curve(of: Statistics, most: int) -> Curve:
    whole = of.digest.course
    step = max(1, -(-len(whole.points) // most))
    points = whole.points[::-1][::step][::-1]
    lines = {pk: tuple(p.totals.get(str(pk)) for p in points) for pk in of.people}
    return Curve(
        tuple(_point(point) for point in points),
        {pk: line for pk, line in lines.items() if line and line[-1] is not None},
        len(points) < whole.evenings,
    )


def _point(point: running_totals.TotalsPoint) -> CurvePoint:
    date, evening = when(point.day)
    return CurvePoint(evening, datetime.date.fromisoformat(date), point.hands)
