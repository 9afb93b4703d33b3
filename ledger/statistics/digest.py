"""What hands come to, added up: small, put together in any grouping, kept as JSON.

`a.add(b)` takes up what was played after *a*; whether hands are added one by one, by
evening or by month, the outcome is the same. What is kept of a season grows with the
players and the items of the game, not with the hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from ledger.statistics import figures
from ledger.statistics.counters import CountedMark
from ledger.statistics.played_hand import NOBODY, Booked, PlayedHand, SeatTaken
from ledger.statistics.running_totals import EVERYBODY, RunningTotals
from ledger.statistics.streaks import Run, Runs, runs_of

FORMAT = 3
"""What is counted, and how; with another number everything kept is made anew."""

BEST_KEPT = 3
"""Records of a kind that are kept."""
HATS_KEPT = 60
"""Times that somebody became Mayor; the earlier ones are only counted."""

Sums = dict[str, dict[str, dict[str, list[int]]]]
"""By figure, player's id and what it is about: count, successes, points."""


class Best(NamedTuple):
    """The best of its kind: a hand, or those from the *place* to number *last*."""

    value: int
    place: SeatTaken
    last: int
    player: int | None = None
    hand: str = ""

    @property
    def about(self) -> str:
        """What tells this record from the others of its kind."""
        return f"{self.place.evening}/{self.place.table}/{self.place.number}"


class Hat(NamedTuple):
    """Somebody became Mayor by a hand."""

    at: str
    place: SeatTaken
    player: int
    hand: str


@dataclass(slots=True)
class Digest:
    sums: Sums = field(default_factory=dict)
    days: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """Evenings of which more may come: by date and evening the points of each."""
    course: RunningTotals = field(default_factory=RunningTotals)
    """Those before them, of which all is there."""
    money: dict[str, dict[str, int]] = field(default_factory=dict)
    adjusted: dict[str, int] = field(default_factory=dict)
    best: dict[str, Best] = field(default_factory=dict)
    worst: dict[str, Best] = field(default_factory=dict)
    runs: dict[str, Runs] = field(default_factory=dict)
    records: dict[str, list[Best]] = field(default_factory=dict)
    hats: list[Hat] = field(default_factory=list)
    pace: list[int] = field(default_factory=lambda: [0, 0])
    """Hands that followed another at their table, and the seconds those took."""
    span: list[str] = field(default_factory=list)
    """When the first and when the last hand was played."""

    def add(self, later: Digest) -> None:
        """Take up what was played *later*, which stays as it is."""
        if later.course.evenings:
            self.complete()
            self.course.add(later.course)
        self._add_sums(later.sums)
        for day, players in later.days.items():
            mine = self.days.setdefault(day, {})
            for player, kept in players.items():
                _there(mine, player, *kept)
        for player, purse in later.money.items():
            own = self.money.setdefault(player, {})
            for currency, minor in purse.items():
                own[currency] = own.get(currency, 0) + minor
        for player, moved in later.adjusted.items():
            self.adjusted[player] = self.adjusted.get(player, 0) + moved
        for hand in (*later.best.values(), *later.worst.values()):
            self.hold(hand)
        for id, some in later.records.items():
            self.records[id] = _best_few([*self.records.get(id, ()), *some])
        for player, runs in later.runs.items():
            before = self.runs.get(player)
            self.runs[player] = before.then(runs) if before else runs
        self.wear(later.hats)
        self.pace = [a + b for a, b in zip(self.pace, later.pace, strict=True)]
        ends = sorted([*self.span, *later.span])
        self.span = [ends[0], ends[-1]] if ends else []

    def complete(self) -> None:
        """Take the evenings as they are now: no more of them comes."""
        for day in sorted(self.days, key=when):
            self.course.add_day(day, self.days[day])
        self.days = {}

    def _add_sums(self, later: Sums) -> None:
        for id, players in later.items():
            figure = self.sums.setdefault(id, {})
            for player, abouts in players.items():
                mine = figure.setdefault(player, {})
                for about, (count, hits, points) in abouts.items():
                    was = mine.get(about)
                    mine[about] = (
                        [was[0] + count, was[1] + hits, was[2] + points]
                        if was
                        else [count, hits, points]
                    )

    def hold(self, hand: Best) -> None:
        """Keep a player's *hand* if it brought or cost him more than any before."""
        who = str(hand.player)
        if who not in self.best or hand.value > self.best[who].value:
            self.best[who] = hand
        if who not in self.worst or hand.value < self.worst[who].value:
            self.worst[who] = hand

    def wear(self, hats: Iterable[Hat]) -> None:
        self.hats = sorted([*self.hats, *hats])[-HATS_KEPT:]

    def count(self, figure: str, player: int, about: str) -> list[int]:
        """Return count, successes and points."""
        return self.sums.get(figure, {}).get(str(player), {}).get(about, [0, 0, 0])

    def to_json(self) -> dict[str, Any]:
        return {
            "sums": self.sums,
            "days": self.days,
            "course": self.course.to_json(),
            "money": self.money,
            "adjusted": self.adjusted,
            "best": self.best,
            "worst": self.worst,
            "runs": self.runs,
            "records": self.records,
            "hats": self.hats,
            "pace": self.pace,
            "span": self.span,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Digest:
        """Return the digest that *data* spells, which is the digest's from now on."""
        return cls(
            sums=data["sums"],
            days=data["days"],
            course=RunningTotals.from_json(data["course"]),
            money=data["money"],
            adjusted=data["adjusted"],
            best={player: _best(kept) for player, kept in data["best"].items()},
            worst={player: _best(kept) for player, kept in data["worst"].items()},
            runs={player: runs_of(kept) for player, kept in data["runs"].items()},
            records={
                id: [_best(kept) for kept in some]
                for id, some in data["records"].items()
            },
            hats=[
                Hat(at, SeatTaken(*p), who, hand) for at, p, who, hand in data["hats"]
            ],
            pace=data["pace"],
            span=data["span"],
        )


def _best(kept: Sequence[Any]) -> Best:
    value, place, *more = kept
    return Best(value, SeatTaken(*place), *more)


def when(day: str) -> tuple[str, int]:
    """Return date and evening."""
    date, _slash, evening = day.partition("/")
    return date, int(evening)


def together(digests: Iterable[Digest]) -> Digest:
    """Return what all of them come to, taken in their order."""
    whole = Digest()
    for digest in digests:
        whole.add(digest)
    return whole


def run_of(digest: Digest, figure: str, player: int) -> Run | Best | None:
    """Return the hand, or the run of hands, that a figure without a count is."""
    who = str(player)
    if figure == "best":
        return digest.best.get(who)
    if figure == "worst":
        return digest.worst.get(who)
    if (runs := digest.runs.get(who)) is None:
        return None
    longest = {"plus_streak": runs.plus, "minus_streak": runs.minus}
    return longest.get(figure, runs.tail)


# From the hands of one table


def of_table(facts: Sequence[PlayedHand]) -> Digest:
    """Return what the hands of one table of an evening come to, in their order."""
    digest = Digest()
    for fact in facts:
        _count(digest, fact)
        _note(digest, fact)
    digest.records = {id: kept for id, kept in _records(facts) if kept}
    _pace(digest, facts)
    return digest


def of_booked(bookings: Iterable[Booked]) -> Digest:
    """Return what moved points at an evening without a hand at a table."""
    digest = Digest()
    for booked in bookings:
        for player, (_points, money) in booked.gains.items():
            _pay(digest, str(player), booked.currency, money)
        if booked.is_rounding:
            continue
        day = digest.days.setdefault(booked.day, {})
        for player, (points, _money) in booked.gains.items():
            who = str(player)
            _there(day, who, points, int(booked.is_hand), int(not booked.is_adjustment))
            if booked.is_adjustment:
                digest.adjusted[who] = digest.adjusted.get(who, 0) + points
            else:
                figure = "hands" if booked.is_hand else "sheets"
                mark = CountedMark("", points > 0, points)
                _mark(digest.sums, figure, who, mark)
        if booked.is_hand:
            _there(day, EVERYBODY, 0, 1, 1)
    return digest


def _count(digest: Digest, fact: PlayedHand) -> None:
    for figure in figures.OF_PLAYERS:
        if figure.counted:
            for player in fact.players:
                for mark in figure.counted(fact, player):
                    _mark(digest.sums, figure.id, str(player), mark)
    for figure in figures.CLUB:
        if figure.counted:
            for mark in figure.counted(fact, NOBODY):
                _mark(digest.sums, figure.id, EVERYBODY, mark)


def _mark(sums: Sums, figure: str, player: str, mark: CountedMark) -> None:
    abouts = sums.setdefault(figure, {}).setdefault(player, {})
    row = abouts.setdefault(mark.about, [0, 0, 0])
    row[0] += 1
    row[1] += mark.hit
    row[2] += mark.points


def _note(digest: Digest, fact: PlayedHand) -> None:
    """Note who was there, what he gained, and whether that was more than ever."""
    day = digest.days.setdefault(fact.day, {})
    one = 0 if fact.thrown_in else 1
    for player in (NOBODY, *fact.players):
        _there(day, str(player), fact.gain(player), one, 1)
    if fact.xxi_lost_by is not None:
        at = fact.played_at.isoformat() if fact.played_at else ""
        digest.wear([Hat(at, fact.place, fact.xxi_lost_by, str(fact.hand))])
    if fact.thrown_in:
        return
    for player in fact.players:
        who, gain = str(player), fact.gain(player)
        _pay(digest, who, fact.currency, fact.money.get(player, 0))
        digest.hold(Best(gain, fact.place, fact.place.number, player, str(fact.hand)))
        runs = Runs.of(gain, fact.place)
        known = digest.runs.get(who)
        digest.runs[who] = known.then(runs) if known else runs


def _there(
    day: dict[str, list[int]], who: str, points: int, hands: int, played: int
) -> None:
    was = day.get(who, (0, 0, 0))
    day[who] = [was[0] + points, was[1] + hands, max(was[2], played)]


def _pay(digest: Digest, who: str, currency: str, money: int) -> None:
    if currency:
        purse = digest.money.setdefault(who, {})
        purse[currency] = purse.get(currency, 0) + money


def _records(facts: Sequence[PlayedHand]) -> Iterable[tuple[str, list[Best]]]:
    for id, some in (
        ("highest", _highest(facts)),
        ("thrown_in_run", _thrown_in_runs(facts)),
        ("comeback", _comebacks(facts)),
    ):
        yield id, _best_few(some)


def _best_few(some: Iterable[Best]) -> list[Best]:
    """Return the best of their kind, of equal ones the earliest."""
    return sorted(some, key=lambda b: (-b.value, b.place, b.player or 0))[:BEST_KEPT]


def _highest(facts: Sequence[PlayedHand]) -> Iterable[Best]:
    for fact in facts:
        moved = sum(gain for gain in fact.gains.values() if gain > 0)
        if moved:
            hand = str(fact.hand)
            yield Best(moved, fact.place, fact.place.number, None, hand)


def _thrown_in_runs(facts: Sequence[PlayedHand]) -> Iterable[Best]:
    for thrown_in, run in groupby(facts, key=lambda fact: fact.thrown_in):
        if thrown_in:
            deals = list(run)
            yield Best(len(deals), deals[0].place, deals[-1].place.number)


def _comebacks(facts: Sequence[PlayedHand]) -> Iterable[Best]:
    for player in sorted({player for fact in facts for player in fact.players}):
        total = lowest = 0
        began: SeatTaken | None = None
        for fact in facts:
            total += fact.gain(player)
            if total < lowest:
                lowest, began = total, fact.place
        if began and total > lowest:
            yield Best(total - lowest, began, facts[-1].place.number, player)


def _pace(digest: Digest, facts: Sequence[PlayedHand]) -> None:
    times = [fact.played_at for fact in facts if fact.played_at]
    if not times:
        return
    digest.span = [min(times).isoformat(), max(times).isoformat()]
    took = int((max(times) - min(times)).total_seconds())
    if took:
        digest.pace = [len(times) - 1, took]
