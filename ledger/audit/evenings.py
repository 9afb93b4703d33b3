"""Audit of an evening: entries, actions, line-ups, tables, and the tally over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger import journal, tallies
from ledger.audit.actions import ActionLog
from ledger.audit.entries import (
    EntryAudit,
    EntryGroup,
    Gains,
    gains_differ,
    points_of,
)
from ledger.audit.findings import located, readable
from ledger.audit.hands import TableAudit
from ledger.models import Entry, Evening, Player
from ledger.table.line_ups import (
    double_seats,
    foreign_parts,
    line_up_problems,
    stored_line_ups,
)
from ledger.tallies import TallyRow
from ledger.text.amounts import at_stake


def evening_differences(
    pk: int, entries: EntryAudit, checked: Counter[str]
) -> Iterator[str]:
    """Yield the differences of the evening *pk*, the only one in memory."""
    checked["evenings"] += 1
    evenings = Evening.objects.select_related("club", "imported__undone_by")
    yield from EveningAudit(evenings.get(pk=pk), entries, checked).differences()


class TallySums:
    """The tally of an evening, summed up from hands, adjustments and roundings."""

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

    def row(self, player: Player) -> TallyRow:
        return TallyRow(
            player,
            self.points[player.pk],
            self.money[player.pk],
            self.hands[player.pk],
            self.adjusted[player.pk],
            self.adjusted_money[player.pk],
        )


class EveningAudit:
    """Check of one evening; the tally is summed while its tables are checked."""

    def __init__(
        self, evening: Evening, entries: EntryAudit, checked: Counter[str]
    ) -> None:
        self.evening = evening
        self.where = evening.full_name
        self.entries = entries
        self.checked = checked
        self.group = EntryGroup.read(self.where, evening=evening)
        self.sums = TallySums()

    def differences(self) -> Iterator[str]:
        # Its players are compared in this currency even when nothing was posted.
        self.entries.balances.setdefault(self.evening.currency, Counter())
        yield from self.entries.differences(self.group)
        log = ActionLog.read(self.evening)
        self.checked["actions"] += len(log.actions)
        for check in (
            log.differences(self.where),
            located(self.where, foreign_parts(self.evening)),
            self._line_ups(),
        ):
            yield from readable(self.where, check)
        yield from self._tables(log)
        yield from self._old_sheets()
        for gains in self.group.adjustments():
            self.sums.adjust(gains)
        for entry in self.group.live(Entry.Kind.ROUNDING):
            self.sums.add(self.group.gains_of(entry), hands=0)
        yield from self._rounded()
        yield from self._reverted()
        yield from self._tally()

    def _line_ups(self) -> Iterator[str]:
        """Compare line-ups with the rules of seating, at each table and across."""
        last: dict[int, tuple[int, ...]] = {}
        for at in self.evening.tables.only("number").order_by("number"):
            places = stored_line_ups(at)
            last[at.number] = places[-1].order if places else ()
            wrong = line_up_problems(places, self.entries.players, self.entries.pots)
            yield from located(f"{self.where}, table {at.number}", wrong)
        yield from located(self.where, double_seats(last))

    def _tables(self, log: ActionLog) -> Iterator[str]:
        for at in self.evening.tables.select_related("edition").order_by("number"):
            at.evening = self.evening
            where = f"{self.where}, table {at.number}"
            table = TableAudit(at, where, self.group, self.checked)
            yield from readable(where, table.differences(log))
            for gains in table.live_gains:
                self.sums.add(gains)

    def _old_sheets(self) -> Iterator[str]:
        for entry in self.group.live(Entry.Kind.SHEET):
            gains = self.group.gains_of(entry)
            self.sums.add(gains, hands=entry.sheet_hand is not None)
            due = journal.gains(self.evening, points_of(gains))
            if due != gains:
                yield f"{self.where}, {entry}: {gains_differ(gains, due)}"

    def _rounded(self) -> Iterator[str]:
        """Compare money with points at a stake of fractions, rounded once for all."""
        if self.evening.stake_parts == 1:
            return
        points, found = journal.points_and_money(self.evening)
        due_of = at_stake(points, self.evening.per_point)
        for player, due in sorted(due_of.items()):
            self.checked["rounded"] += 1
            if found[player] != due:
                yield (
                    f"{self.where}: player {player} has {found[player]:+d}, "
                    f"not {due:+d}."
                )

    def _reverted(self) -> Iterator[str]:
        """Yield live entries of an evening whose import was reverted."""
        imported = self.evening.imported
        reverted = imported and hasattr(imported, "undone_by")
        if reverted and (live := self.group.live(*tallies.PLAYED)):
            yield f"{self.where}: was taken back, and {len(live)} entries still count."

    def _tally(self) -> Iterator[str]:
        for found in tallies.tally(self.evening):
            self.checked["standings"] += 1
            if found != (due := self.sums.row(found.player)):
                yield (
                    f"{self.where}: {found.player} has {_in_words(found)}; "
                    f"the hands come to {_in_words(due)}."
                )


def _in_words(row: TallyRow) -> str:
    return (
        f"{row.points:+d} points, {row.money:+d} in money, "
        f"{row.hands} hands, {row.adjusted:+d} points and "
        f"{row.adjusted_money:+d} in money adjusted"
    )
