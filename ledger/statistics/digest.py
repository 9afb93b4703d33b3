"""Digest: a mergeable aggregate of hands, serialised as JSON.

`a.add(b)` merges hands played after those of *a*. The result is the same whether hands
are added one by one, by evening or by month. The size of a digest grows with the
players and the items of the game, not with the hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from ledger.statistics import figures
from ledger.statistics.counters import CountedMark
from ledger.statistics.played_hand import NOBODY, HandPosition, OtherEntry, PlayedHand
from ledger.statistics.running_totals import EVERYBODY, RunningTotals
from ledger.statistics.streaks import Streak, Streaks, load_streaks

FORMAT = 3
"""Version of the JSON; stored digests of another version are rebuilt."""

MOST_RECORDS = 3
"""Records of a kind in a digest."""
MOST_HATS = 60
"""Latest times that somebody became Mayor; earlier ones are only counted."""

Sums = dict[str, dict[str, dict[str, list[int]]]]
"""By figure, id of the player and subject of the row: count, successes, points."""


class Best(NamedTuple):
    """Best of its kind: a hand, or the hands of a table from *place* to *last*."""

    value: int
    place: HandPosition
    last: int
    player: int | None = None
    hand: str = ""

    @property
    def about(self) -> str:
        """Return the id of this record among the others of its kind."""
        return f"{self.place.evening}/{self.place.table}/{self.place.number}"


class Hat(NamedTuple):
    """The hand by which a player became Mayor."""

    at: str
    place: HandPosition
    player: int
    hand: str


@dataclass(slots=True)
class Digest:
    """Aggregate of hands and other entries; ids of players are texts, as in JSON."""

    sums: Sums = field(default_factory=dict)
    """All figures that count hands."""
    days: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """Evenings that more hands can be added to, by day (see `parse_day`) and player:
    points, hands, and 1 if he played."""
    running_totals: RunningTotals = field(default_factory=RunningTotals)
    """The complete evenings before them."""
    money: dict[str, dict[str, int]] = field(default_factory=dict)
    """Minor units by player and currency."""
    adjusted: dict[str, int] = field(default_factory=dict)
    """Points of adjustments by player."""
    best: dict[str, Best] = field(default_factory=dict)
    worst: dict[str, Best] = field(default_factory=dict)
    streaks: dict[str, Streaks] = field(default_factory=dict)
    records: dict[str, list[Best]] = field(default_factory=dict)
    """The best `MOST_RECORDS` of each figure in `figures.RECORDS`."""
    hats: list[Hat] = field(default_factory=list)
    """The latest `MOST_HATS` times that somebody became Mayor, oldest first."""
    pace: list[int] = field(default_factory=lambda: [0, 0])
    """Hands that followed another at their table, and their seconds in all."""
    span: list[str] = field(default_factory=list)
    """ISO times of the first and the last hand."""

    def add(self, later: Digest) -> None:
        """Merge hands that were played *later*; *later* is not changed."""
        if later.running_totals.evenings:
            self.complete()
            self.running_totals.add(later.running_totals)
        self._add_sums(later.sums)
        for day, players in later.days.items():
            mine = self.days.setdefault(day, {})
            for player, row in players.items():
                _add_to_day(mine, player, *row)
        for player, sums in later.money.items():
            for currency, minor in sums.items():
                _add_money(self, player, currency, minor)
        for player, points in later.adjusted.items():
            self.adjusted[player] = self.adjusted.get(player, 0) + points
        for hand in (*later.best.values(), *later.worst.values()):
            self.add_extreme(hand)
        for id, some in later.records.items():
            self.records[id] = _best_few([*self.records.get(id, ()), *some])
        for player, streaks in later.streaks.items():
            self._add_streaks(player, streaks)
        self.add_hats(later.hats)
        self.pace = [a + b for a, b in zip(self.pace, later.pace, strict=True)]
        ends = sorted([*self.span, *later.span])
        self.span = [ends[0], ends[-1]] if ends else []

    def _add_streaks(self, player: str, later: Streaks) -> None:
        before = self.streaks.get(player)
        self.streaks[player] = before.then(later) if before else later

    def complete(self) -> None:
        """Move all evenings into the running totals: no hand follows in them."""
        for day in sorted(self.days, key=parse_day):
            self.running_totals.add_day(day, self.days[day])
        self.days = {}

    def _add_sums(self, later: Sums) -> None:
        for id, players in later.items():
            figure = self.sums.setdefault(id, {})
            for player, abouts in players.items():
                mine = figure.setdefault(player, {})
                for about, (count, hits, points) in abouts.items():
                    before = mine.get(about, (0, 0, 0))
                    mine[about] = [
                        before[0] + count,
                        before[1] + hits,
                        before[2] + points,
                    ]

    def add_extreme(self, hand: Best) -> None:
        """Note a player's *hand* when it brought or cost more than any before."""
        who = str(hand.player)
        if who not in self.best or hand.value > self.best[who].value:
            self.best[who] = hand
        if who not in self.worst or hand.value < self.worst[who].value:
            self.worst[who] = hand

    def add_hats(self, hats: Iterable[Hat]) -> None:
        self.hats = sorted([*self.hats, *hats])[-MOST_HATS:]

    def count(self, figure: str, player: int, about: str) -> list[int]:
        """Return count, successes and points."""
        return self.sums.get(figure, {}).get(str(player), {}).get(about, [0, 0, 0])

    def dump(self) -> dict[str, Any]:
        # The keys are those of stored digests; renaming one needs a new FORMAT.
        return {
            "sums": self.sums,
            "days": self.days,
            "course": self.running_totals.dump(),
            "money": self.money,
            "adjusted": self.adjusted,
            "best": self.best,
            "worst": self.worst,
            "runs": self.streaks,
            "records": self.records,
            "hats": self.hats,
            "pace": self.pace,
            "span": self.span,
        }

    @classmethod
    def load(cls, data: dict[str, Any]) -> Digest:
        """Parse *data*, which the digest owns from now on."""
        return cls(
            sums=data["sums"],
            days=data["days"],
            running_totals=RunningTotals.load(data["course"]),
            money=data["money"],
            adjusted=data["adjusted"],
            best={who: _best(row) for who, row in data["best"].items()},
            worst={who: _best(row) for who, row in data["worst"].items()},
            streaks={who: load_streaks(row) for who, row in data["runs"].items()},
            records={
                id: [_best(row) for row in rows] for id, rows in data["records"].items()
            },
            hats=[
                Hat(at, HandPosition(*p), who, hand)
                for at, p, who, hand in data["hats"]
            ],
            pace=data["pace"],
            span=data["span"],
        )


def _best(row: Sequence[Any]) -> Best:
    value, place, *more = row
    return Best(value, HandPosition(*place), *more)


def parse_day(day: str) -> tuple[str, int]:
    """Return the date and the id of the evening in "2026-11-20/17"."""
    date, _slash, evening = day.partition("/")
    return date, int(evening)


def merged(digests: Iterable[Digest]) -> Digest:
    """Return one digest of all, which are given in order of play."""
    whole = Digest()
    for digest in digests:
        whole.add(digest)
    return whole


def streak_of(digest: Digest, figure: str, player: int) -> Streak | Best | None:
    """Return the hand or the streak that is the value of a figure without counts."""
    who = str(player)
    if figure == "best":
        return digest.best.get(who)
    if figure == "worst":
        return digest.worst.get(who)
    if (streaks := digest.streaks.get(who)) is None:
        return None
    longest = {"plus_streak": streaks.plus, "minus_streak": streaks.minus}
    return longest.get(figure, streaks.tail)


def of_table(hands: Sequence[PlayedHand]) -> Digest:
    """Return the digest of the hands of one table at one evening, in order of play."""
    digest = Digest()
    for hand in hands:
        _count_figures(digest, hand)
        _add_hand(digest, hand)
    digest.records = {id: best for id, best in _records(hands) if best}
    _pace(digest, hands)
    return digest


def of_other_entries(entries: Iterable[OtherEntry]) -> Digest:
    """Return the digest of the entries of an evening that no recorded hand made."""
    digest = Digest()
    for entry in entries:
        for player, (_points, money) in entry.gains.items():
            _add_money(digest, str(player), entry.currency, money)
        if entry.is_rounding:
            continue
        day = digest.days.setdefault(entry.day, {})
        for player, (points, _money) in entry.gains.items():
            who = str(player)
            _add_to_day(
                day, who, points, int(entry.is_hand), int(not entry.is_adjustment)
            )
            if entry.is_adjustment:
                digest.adjusted[who] = digest.adjusted.get(who, 0) + points
            else:
                figure = "hands" if entry.is_hand else "sheets"
                mark = CountedMark("", points > 0, points)
                _mark(digest.sums, figure, who, mark)
        if entry.is_hand:
            _add_to_day(day, EVERYBODY, 0, 1, 1)
    return digest


def _count_figures(digest: Digest, hand: PlayedHand) -> None:
    for figure in figures.OF_PLAYERS:
        if figure.counter:
            for player in hand.players:
                for mark in figure.counter(hand, player):
                    _mark(digest.sums, figure.id, str(player), mark)
    for figure in figures.CLUB:
        if figure.counter:
            for mark in figure.counter(hand, NOBODY):
                _mark(digest.sums, figure.id, EVERYBODY, mark)


def _mark(sums: Sums, figure: str, player: str, mark: CountedMark) -> None:
    abouts = sums.setdefault(figure, {}).setdefault(player, {})
    row = abouts.setdefault(mark.about, [0, 0, 0])
    row[0] += 1
    row[1] += mark.hit
    row[2] += mark.points


def _add_hand(digest: Digest, hand: PlayedHand) -> None:
    """Add presence and gains of the players, and their best hands and streaks."""
    day = digest.days.setdefault(hand.day, {})
    one = 0 if hand.thrown_in else 1
    for player in (NOBODY, *hand.players):
        _add_to_day(day, str(player), hand.gain(player), one, 1)
    if hand.xxi_lost_by is not None:
        at = hand.played_at.isoformat() if hand.played_at else ""
        digest.add_hats([Hat(at, hand.place, hand.xxi_lost_by, str(hand.id))])
    if hand.thrown_in:
        return
    for player in hand.players:
        who, gain = str(player), hand.gain(player)
        _add_money(digest, who, hand.currency, hand.money.get(player, 0))
        digest.add_extreme(
            Best(gain, hand.place, hand.place.number, player, str(hand.id))
        )
        digest._add_streaks(who, Streaks.of(gain, hand.place))


def _add_to_day(
    day: dict[str, list[int]], who: str, points: int, hands: int, played: int
) -> None:
    before = day.get(who, (0, 0, 0))
    day[who] = [before[0] + points, before[1] + hands, max(before[2], played)]


def _add_money(digest: Digest, who: str, currency: str, money: int) -> None:
    if currency:
        sums = digest.money.setdefault(who, {})
        sums[currency] = sums.get(currency, 0) + money


def _records(hands: Sequence[PlayedHand]) -> Iterable[tuple[str, list[Best]]]:
    for id, some in (
        ("highest", _highest(hands)),
        ("thrown_in_run", _thrown_in_runs(hands)),
        ("comeback", _comebacks(hands)),
    ):
        yield id, _best_few(some)


def _best_few(some: Iterable[Best]) -> list[Best]:
    """Return the best, of equal ones the earliest."""
    return sorted(some, key=lambda b: (-b.value, b.place, b.player or 0))[:MOST_RECORDS]


def _highest(hands: Sequence[PlayedHand]) -> Iterable[Best]:
    for hand in hands:
        paid = sum(gain for gain in hand.gains.values() if gain > 0)
        if paid:
            yield Best(paid, hand.place, hand.place.number, None, str(hand.id))


def _thrown_in_runs(hands: Sequence[PlayedHand]) -> Iterable[Best]:
    for thrown_in, some in groupby(hands, key=lambda hand: hand.thrown_in):
        if thrown_in:
            deals = list(some)
            yield Best(len(deals), deals[0].place, deals[-1].place.number)


def _comebacks(hands: Sequence[PlayedHand]) -> Iterable[Best]:
    for player in sorted({player for hand in hands for player in hand.players}):
        total = lowest = 0
        began: HandPosition | None = None
        for hand in hands:
            total += hand.gain(player)
            if total < lowest:
                lowest, began = total, hand.place
        if began and total > lowest:
            yield Best(total - lowest, began, hands[-1].place.number, player)


def _pace(digest: Digest, hands: Sequence[PlayedHand]) -> None:
    times = [hand.played_at for hand in hands if hand.played_at]
    if not times:
        return
    digest.span = [min(times).isoformat(), max(times).isoformat()]
    took = int((max(times) - min(times)).total_seconds())
    if took:
        digest.pace = [len(times) - 1, took]
