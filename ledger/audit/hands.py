"""Whether the books are right: everything that can be worked out again, compared.

Each hand is scored again with the tariff it was played by, each table replayed, each
entry summed, each tally compared with a fold over its hands, who sits where with what
can be, and all of it with what the actions say was done. What differs is said in a
sentence, and so is what cannot be read at all. One evening at a time is held in memory.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from uuid import UUID

from django.db import connection

import scoring
from ledger import journal, statistics, tallies
from ledger.audit import stored_values
from ledger.audit.actions import Log, named, outside_evenings
from ledger.models import (
    Club,
    Edition,
    Entry,
    Evening,
    Line,
    Player,
    Posting,
    Table,
    Version,
    triggers,
)
from ledger.settlement import pair_sums, planning
from ledger.table import deals, replay, rotation
from ledger.table.line_ups import belongings, places_at, twice_seated, wrong_places
from ledger.table.rotation import Past, Sitting
from ledger.tallies import TallyRow
from ledger.text.amounts import at_stake

Gains = Mapping[int, tuple[int, int]]
"""Points and money by player."""

ROW = (
    *("position", "item", "kind", "side", "player_id", "announced", "made"),
    *("contra", "factor", "base", "points", "personal"),
)
LOOK_BACK = 24
"""Hands before one that can have a say in it."""


@dataclass(frozen=True, slots=True)
class EveningEntries:
    """The entries of an evening, or those of a club outside its evenings."""

    where: str
    entries: Sequence[Entry]
    gains: Mapping[UUID, Gains]

    @classmethod
    def read(cls, where: str, **which: object) -> EveningEntries:
        """Return the book of the entries with these values, and their postings."""
        gains: dict[UUID, dict[int, tuple[int, int]]] = defaultdict(dict)
        postings = Posting.objects.filter(
            **{f"entry__{k}": v for k, v in which.items()}
        )
        for entry, *posting in postings.values_list(
            "entry", "player", "points", "money"
        ):
            gains[entry][posting[0]] = posting[1], posting[2]
        return cls(where, list(Entry.objects.filter(**which)), gains)

    def of(self, entry: Entry) -> Gains:
        return self.gains.get(entry.pk, {})

    def counting(self, *kinds: Entry.Kind) -> list[Entry]:
        """Return the entries of these kinds that are not reversed."""
        undone = {entry.reverses_id for entry in self.entries}
        return [e for e in self.entries if e.kind in kinds and e.pk not in undone]

    def live(self) -> dict[UUID, list[Entry]]:
        """Return the entries that count, by the version of the hand they post."""
        live: dict[UUID, list[Entry]] = defaultdict(list)
        for entry in self.counting(Entry.Kind.HAND):
            assert entry.version_id is not None
            live[entry.version_id].append(entry)
        return live


class Fold:
    """The tally of an evening, added up from what its hands come to."""

    def __init__(self) -> None:
        self.points: Counter[int] = Counter()
        self.money: Counter[int] = Counter()
        self.hands: Counter[int] = Counter()
        self.adjusted: Counter[int] = Counter()
        self.adjusted_money: Counter[int] = Counter()

    def add(self, gains: Gains, *, hands: int = 1) -> None:
        for player, (points, money) in gains.items():
            self.points[player] += points
            self.money[player] += money
            self.hands[player] += hands

    def adjust(self, gains: Gains) -> None:
        for player, (points, money) in gains.items():
            self.points[player] += points
            self.money[player] += money
            self.adjusted[player] += points
            self.adjusted_money[player] += money

    def of(self, player: Player) -> TallyRow:
        return TallyRow(
            player,
            self.points[player.pk],
            self.money[player.pk],
            self.hands[player.pk],
            self.adjusted[player.pk],
            self.adjusted_money[player.pk],
        )


class Audit:
    """One run; *checked* counts what was compared."""

    def __init__(self, club: Club | None = None) -> None:
        self.club = club
        self.checked: Counter[str] = Counter()
        self.pots: Collection[int] = ()
        self.open: dict[str, Counter[int]] = defaultdict(Counter)
        """By currency, what everybody is owed by the entries of a club."""

    def differences(self) -> Iterator[str]:
        self.checked["guards"] = len(triggers.names(connection))
        yield from readable("The guards", _missing_guards())
        yield from readable("The database", stored_values.differences())
        yield from readable("The clubs", self._clubs())

    def _clubs(self) -> Iterator[str]:
        for club in self._which():
            yield from readable(str(club), self._club(club))

    def _which(self) -> Iterable[Club]:
        return [self.club] if self.club else Club.objects.only("name").order_by("pk")

    def remarks(self) -> Iterator[str]:
        """Yield what is no difference, and should be looked at."""
        yield from readable("The evenings", self._long_open())
        yield from readable("The statistics", self._not_kept())

    def _long_open(self) -> Iterator[str]:
        there = Evening.objects.there().select_related("club").order_by("date", "pk")
        mine = there.filter(club=self.club) if self.club else there
        for evening in tallies.long_open(mine):
            where = evening.full_name
            yield f"{where} is open for more than a day: close it when it is over."

    def _not_kept(self) -> Iterator[str]:
        for club in self._which():
            if count := statistics.not_kept(club):
                yield f"{club}: `manage.py statistics` keeps {count} closed evenings."

    def _club(self, club: Club) -> Iterator[str]:
        self.checked["clubs"] += 1
        yield from readable(f"{club}, its tariffs", self._tariffs(club))
        players = set(Player.objects.filter(club=club).values_list("pk", flat=True))
        pots = Player.objects.filter(club=club, kind=Player.Kind.POT)
        self.pots = set(pots.values_list("pk", flat=True))
        self.open.clear()
        yield from readable(f"{club}, outside evenings", self._outside(club, players))
        own = club.evenings.order_by("date", "pk").values_list("pk", flat=True)
        for pk in list(own):
            yield from readable(f"{club}, evening {pk}", self._evening(pk, players))
        for what, check in (
            ("what was done outside evenings", outside_evenings(club, self.checked)),
            ("its balances", self._balances(club)),
            ("its statistics", statistics.differences(club, self.checked)),
            ("who owes whom", pair_sums.differences(club, self.checked)),
        ):
            yield from readable(f"{club}, {what}", check)

    def _tariffs(self, club: Club) -> Iterator[str]:
        for edition in club.editions.all():
            self.checked["tariffs"] += 1
            which = f"{club}, the tariff {edition}"
            yield from readable(which, _agreed(club, edition))

    def _outside(self, club: Club, players: Collection[int]) -> Iterator[str]:
        outside = EveningEntries.read(str(club), club=club, evening=None)
        yield from self._entries(outside, players)

    def _balances(self, club: Club) -> Iterator[str]:
        """Yield where what is shown as open is not what the entries come to."""
        for currency, due in self.open.items():
            self.checked["balances"] += len(due)
            shown = planning.sums(planning.SettlementScope.everything(club, currency))
            for player in sorted(due.keys() | shown.keys()):
                if (found := shown.get(player, 0)) != due[player]:
                    what = f"{found:+d} in {currency or 'points'}"
                    yield f"{club}: player {player} has {what}, not {due[player]:+d}."

    def _evening(self, pk: int, players: Collection[int]) -> Iterator[str]:
        self.checked["evenings"] += 1
        known = Evening.objects.select_related("club", "imported__undone_by")
        evening = known.get(pk=pk)
        where = evening.full_name
        book = EveningEntries.read(where, evening=evening)
        self.open.setdefault(evening.currency, Counter())
        yield from self._entries(book, players)
        fold = Fold()
        log = Log.read(evening)
        self.checked["actions"] += len(log.actions)
        yield from readable(where, log.breaks(where))
        yield from readable(where, _said(where, belongings(evening)))
        yield from readable(where, self._seats(evening, where, players))
        for at in evening.tables.select_related("edition").order_by("number"):
            at.evening = evening
            which = f"{where}, table {at.number}"
            yield from readable(which, self._table(at, book, fold, log))
        for entry in book.counting(Entry.Kind.SHEET):
            fold.add(book.of(entry), hands=entry.sheet_hand is not None)
            yield from _sheet(entry, book, evening)
        for gains in _adjustments(book):
            fold.adjust(gains)
        for entry in book.counting(Entry.Kind.ROUNDING):
            fold.add(book.of(entry), hands=0)
        yield from _rounded(evening, where, self.checked)
        yield from _taken_back(evening, book)
        yield from self._tally(evening, fold)

    def _seats(
        self, evening: Evening, where: str, players: Collection[int]
    ) -> Iterator[str]:
        last: dict[int, tuple[int, ...]] = {}
        for at in evening.tables.only("number").order_by("number"):
            places = places_at(at)
            last[at.number] = places[-1].order if places else ()
            wrong = wrong_places(places, players, self.pots)
            yield from _said(f"{where}, table {at.number}", wrong)
        yield from _said(where, twice_seated(last))

    def _entries(self, book: EveningEntries, players: Collection[int]) -> Iterator[str]:
        known = {entry.pk: entry for entry in book.entries}
        for entry in book.entries:
            self.checked["entries"] += 1
            self.checked["postings"] += len(book.of(entry))
            undoes = known.get(entry.reverses_id) if entry.reverses_id else None
            which = f"{book.where}, {entry}"
            check = self._entry(entry, book, players, undoes)
            yield from readable(which, _said(which, check))

    def _entry(
        self,
        entry: Entry,
        book: EveningEntries,
        players: Collection[int],
        undoes: Entry | None,
    ) -> Iterator[str]:
        gains = book.of(entry)
        yield from _unbalanced(gains, players, book.of(undoes) if undoes else None)
        yield from _misplaced(entry, gains, self.pots)
        for player, (points, money) in gains.items():
            self.open[entry.currency][player] += money if entry.currency else points

    def _table(
        self, at: Table, book: EveningEntries, fold: Fold, log: Log
    ) -> Iterator[str]:
        self.checked["tables"] += 1
        where = f"{book.where}, table {at.number}"
        versions = list(
            Version.objects.filter(hand__table=at)
            .select_related("hand", "edition")
            .order_by("-hand__number", "hand__voided", "-number")
        )
        yield from readable(where, _states(versions, book, where))
        yield from readable(where, self._hands(at, where, versions, book, fold))
        sittings = [replay.by_id(sitting) for sitting in deals.sittings_of(at)]
        yield from readable(where, _replay(where, versions, sittings))
        latest = _latest(versions)
        yield from readable(where, log.differs(at, where, latest, sittings))

    def _hands(
        self,
        at: Table,
        where: str,
        versions: list[Version],
        book: EveningEntries,
        fold: Fold,
    ) -> Iterator[str]:
        rows = _rows(at)
        posted = _by_version(book)
        live = book.live()
        for version in reversed(versions):
            self.checked["hands"] += 1
            self.checked["lines"] += len(rows[version.pk])
            which = f"{where}, {named(version)}"
            entries = posted[version.pk], live.get(version.pk, ())
            check = _hand(at, version, rows[version.pk], entries, book, fold)
            yield from readable(which, _said(which, check))

    def _tally(self, evening: Evening, fold: Fold) -> Iterator[str]:
        for standing in tallies.tally(evening):
            self.checked["standings"] += 1
            if standing != (due := fold.of(standing.player)):
                who = f"{evening.club}, {evening} ({evening.date}): {standing.player}"
                yield f"{who} has {_worth(standing)}; the hands come to {_worth(due)}."


def readable(where: str, check: Iterator[str]) -> Iterator[str]:
    """Yield what *check* finds; what cannot even be read is said, and it goes on."""
    try:
        yield from check
    except Exception as broken:  # whatever somebody wrote past us into the database
        why = " ".join(f"{type(broken).__name__}: {broken}".split())
        yield f"{where}: cannot be read ({why})."


def _said(where: str, wrongs: Iterator[str]) -> Iterator[str]:
    for wrong in wrongs:
        yield f"{where}: {wrong}"


def _missing_guards() -> Iterator[str]:
    for name in triggers.missing(connection):
        yield f"The guard {name} is missing from the database."


def _agreed(club: Club, edition: Edition) -> Iterator[str]:
    if journal.tariff_digest(edition.tariff) != edition.digest:
        yield f"{club}: the tariff {edition} no longer reads as it was agreed."


def _hand(
    at: Table,
    version: Version,
    rows: list[tuple[object, ...]],
    entries: tuple[Sequence[Entry], Sequence[Entry]],
    book: EveningEntries,
    fold: Fold,
) -> Iterator[str]:
    """Yield what is wrong with a version; *entries* are all of it, and what counts."""
    score = _score(version)
    if isinstance(score, str):
        yield f"the record is refused now: {score}"
        return
    posted, live = entries
    due = _due(version, score, at.evening)
    if live:
        fold.add(due)
    yield from _differing(version, score, rows)
    for entry in posted:
        # What was reversed may have been played for another stake.
        found, counts = book.of(entry), entry in live
        if found != due if counts else _points(found) != _points(due):
            yield _paid(found, due)


def _unbalanced(
    gains: Gains, players: Collection[int], undone: Gains | None
) -> Iterator[str]:
    points = sum(points for points, _money in gains.values())
    money = sum(money for _points, money in gains.values())
    if points or money:
        yield f"sums to {points:+d} points and {money:+d} in money, not to 0."
    if not gains:
        yield "posts nothing."
    if strangers := sorted(gains.keys() - set(players)):
        yield f"posts to players of another club: {strangers}."
    if undone is not None and gains != {p: (-a, -b) for p, (a, b) in undone.items()}:
        yield "doesn't give back exactly what its entry moved."


def _points(gains: Gains) -> dict[int, int]:
    return {player: points for player, (points, _money) in gains.items()}


def _misplaced(entry: Entry, gains: Gains, pots: Collection[int]) -> Iterator[str]:
    """Yield what is wrong with money that no hand moved."""
    moved = {player: points + money for player, (points, money) in gains.items()}
    if entry.kind in MONEY and any(
        p if entry.currency else m for p, m in gains.values()
    ):
        yield "moves points and money at once."
    if entry.kind in (Entry.Kind.PAYMENT, Entry.Kind.PRIZE) and len(moved) != 2:
        yield f"is between {len(moved)} players, not two."
    if entry.kind in (Entry.Kind.FEE, Entry.Kind.PRIZE):
        into = 1 if entry.kind == Entry.Kind.FEE else -1
        if any(into * (a if pk in pots else -a) <= 0 for pk, a in moved.items()):
            yield "doesn't go the right way between the players and the pot."
    if entry.kind in tallies.WON and moved.keys() & set(pots):
        yield "lets the pot play."


MONEY = (
    *(Entry.Kind.PAYMENT, Entry.Kind.FEE, Entry.Kind.PRIZE, Entry.Kind.CARRY),
    Entry.Kind.ROUNDING,
)


def _adjustments(book: EveningEntries) -> Iterator[Gains]:
    adjusting = {e.pk for e in book.entries if e.kind == Entry.Kind.ADJUSTMENT}
    for entry in book.entries:
        if entry.pk in adjusting or entry.reverses_id in adjusting:
            yield book.of(entry)


def _sheet(entry: Entry, book: EveningEntries, evening: Evening) -> Iterator[str]:
    gains = book.of(entry)
    worth = journal.gains(evening, _points(gains))
    if worth != gains:
        yield f"{book.where}, {entry}: {_paid(gains, worth)}"


def _rounded(evening: Evening, where: str, checked: Counter[str]) -> Iterator[str]:
    """Yield who has other money than his points come to, rounded once for all."""
    if evening.stake_parts == 1:
        return
    points, found = journal.totals(evening)
    for player, due in sorted(at_stake(points, evening.per_point).items()):
        checked["rounded"] += 1
        if found[player] != due:
            yield f"{where}: player {player} has {found[player]:+d}, not {due:+d}."


def _taken_back(evening: Evening, book: EveningEntries) -> Iterator[str]:
    """Yield what still counts of an evening that was taken back with its sheet."""
    undone = evening.imported and hasattr(evening.imported, "undone_by")
    if undone and (left := book.counting(*tallies.PLAYED)):
        yield f"{book.where}: was taken back, and {len(left)} entries still count."


def _by_version(book: EveningEntries) -> dict[UUID, list[Entry]]:
    posted: dict[UUID, list[Entry]] = defaultdict(list)
    for entry in book.entries:
        if entry.version_id:
            posted[entry.version_id].append(entry)
    return posted


def _rows(at: Table) -> dict[UUID, list[tuple[object, ...]]]:
    rows: dict[UUID, list[tuple[object, ...]]] = defaultdict(list)
    lines = Line.objects.filter(version__hand__table=at).order_by("position")
    for version, *row in lines.values_list("version", *ROW):
        rows[version].append(tuple(row))
    return rows


def _latest(versions: Iterable[Version]) -> dict[UUID, Version]:
    """Return each hand as it was last entered, the last hand first."""
    latest: dict[UUID, Version] = {}
    for version in versions:
        latest.setdefault(version.hand_id, version)
    return latest


def _states(
    versions: Sequence[Version], book: EveningEntries, where: str
) -> Iterator[str]:
    """Yield hands whose live entries are not one, of the latest version; or none."""
    live = book.live()
    entries: Counter[UUID] = Counter()
    for version in versions:
        entries[version.hand_id] += len(live.get(version.pk, ()))
    for hand, version in _latest(versions).items():
        due = 0 if version.hand.voided else 1
        which = f"{where}, {named(version)}"
        if entries[hand] != due:
            state = "voided" if version.hand.voided else "valid"
            yield f"{which}: is {state} and has {entries[hand]} entries that count."
        elif due and version.pk not in live:
            yield f"{which}: an earlier version counts, not the latest."


def _score(version: Version) -> scoring.Score | str:
    """Return what the hand comes to today, or why it is refused."""
    tariff = version.edition.tariff
    hand, problems = scoring.examine(tariff, version.players, version.record)
    wrong = [str(problem.message) for problem in problems if problem.is_error]
    if hand.record(version.players) != version.record and not wrong:
        wrong = ["it reads back differently."]
    return " ".join(wrong) if wrong else scoring.score(tariff, hand)


def _due(version: Version, score: scoring.Score, evening: Evening) -> Gains:
    won = dict(zip(version.players, score.payments, strict=True))
    return journal.gains(evening, won)


def _differing(
    version: Version, score: scoring.Score, rows: list[tuple[object, ...]]
) -> Iterator[str]:
    """Yield where what is kept beside the record no longer follows from it."""
    record, row = version.record, attrgetter(*ROW)
    thrown_in = record["ending"] in version.edition.tariff.variant.thrown_in
    for what, kept, due in (
        ("units", version.units, score.units),
        ("the multiplier", version.multiplier, record.get("multiplier", 1)),
        ("who lost the XXI", version.xxi_lost_by_id, record.get("xxi_lost_by")),
        ("whether it was thrown in", version.thrown_in, thrown_in),
    ):
        if kept != due:
            yield f"{what}: {kept} is kept, {due} follows from the record."
    lines = [row(line) for line in journal.lines_of(version, score)]
    yield from _lines_differ(rows, lines)


def _lines_differ(
    rows: list[tuple[object, ...]], lines: list[tuple[object, ...]]
) -> Iterator[str]:
    for position in range(max(len(lines), len(rows))):
        if rows[position : position + 1] != (
            due_rows := lines[position : position + 1]
        ):
            kept_rows = rows[position : position + 1]
            yield f"line {position + 1}: {kept_rows} is kept, {due_rows} follows."


def _paid(found: Gains, due: Gains) -> str:
    parts = [
        f"{player}: {found.get(player)} instead of {due.get(player)}"
        for player in sorted(found.keys() | due.keys())
        if found.get(player) != due.get(player)
    ]
    return f"posts other points and money than it scores, to player {'; '.join(parts)}."


def _replay(
    where: str, versions: Iterable[Version], sittings: Sequence[Sitting[int]]
) -> Iterator[str]:
    past: list[Past[int]] = []
    for version in reversed(_latest(versions).values()):
        if version.hand.voided:
            continue
        number = version.hand.number
        for missing in range(past[-1].number + 1 if past else 1, number):
            yield f"{where}: hand {missing} is missing."
        for wrong in _misdealt(version, sittings, past[-LOOK_BACK:]):
            yield f"{where}, {named(version)}: {wrong}"
        past.append(Past(number, version.dealer_id, version.thrown_in))
    for sitting in sittings:
        if sitting.from_hand > len(past) + 1:
            number = sitting.from_hand
            yield f"{where}: the seats from hand {number} on are for a hand to come."


def _misdealt(
    version: Version, sittings: Sequence[Sitting[int]], past: Sequence[Past[int]]
) -> Iterator[str]:
    tariff, number = version.edition.tariff, version.hand.number
    sitting = rotation.sitting_at(sittings, number)
    dealer, active = version.dealer_id, tariff.variant.active
    due = rotation.due_dealer(sittings, past, number, tariff.redeal)
    if dealer != due and not version.dealer_set:
        yield f"player {dealer} dealt, player {due} was due."
    counts = rotation.due_multiplier(sittings, past, tariff.redeal)
    if version.multiplier != counts:
        yield f"counts ×{version.multiplier}, ×{counts} follows from the deals before."
    plays = list(rotation.due_players(sitting.present, dealer, active))
    if version.resting_set and len(set(version.players)) == active:
        plays = version.players
    rests = [player for player in sitting.order if player not in plays]
    if (version.players, version.resting) != (plays, rests):
        yield (
            f"{version.players} played and {version.resting} sat out, "
            f"{plays} and {rests} follow from the seats."
        )


def _worth(standing: TallyRow) -> str:
    return (
        f"{standing.points:+d} points, {standing.money:+d} in money, "
        f"{standing.hands} hands, {standing.adjusted:+d} points and "
        f"{standing.adjusted_money:+d} in money adjusted"
    )
