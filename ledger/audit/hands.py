"""Audit of the hands of a table: each version scored again by its edition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TypeAlias
from uuid import UUID

import scoring
from ledger import journal
from ledger.audit.actions import ActionLog, hand_label
from ledger.audit.deals import deal_differences
from ledger.audit.entries import EntryGroup, Gains, gains_differ, points_of
from ledger.audit.findings import located, readable
from ledger.models import Entry, Line, Table, Version
from ledger.table import deals, replay

LINE_COLUMNS = (
    *("position", "item", "kind", "side", "player_id", "announced", "made"),
    *("contra", "factor", "base", "points", "personal"),
)
LineRow: TypeAlias = tuple[object, ...]
"""The values of `LINE_COLUMNS`."""


class TableAudit:
    """Check of one table; *live_gains* gathers the gains of hands that count."""

    def __init__(
        self, at: Table, where: str, group: EntryGroup, checked: Counter[str]
    ) -> None:
        self.at = at
        self.where = where
        self.group = group
        self.checked = checked
        self.live_gains: list[Gains] = []

    def differences(self, log: ActionLog) -> Iterator[str]:
        self.checked["tables"] += 1
        versions = list(
            Version.objects.filter(hand__table=self.at)
            .select_related("hand", "edition")
            .order_by("-hand__number", "hand__voided", "-number")
        )
        latest = _latest(versions)
        where = self.where
        yield from readable(where, self._live_entries(versions, latest))
        yield from readable(where, self._versions(versions))
        line_ups = [
            replay.line_up_by_id(line_up) for line_up in deals.line_ups_of(self.at)
        ]
        valid = [v for v in reversed(latest.values()) if not v.hand.voided]
        yield from readable(where, deal_differences(where, valid, line_ups))
        yield from readable(
            where, log.table_differences(self.at, where, latest, line_ups)
        )

    @cached_property
    def _live(self) -> Mapping[UUID, Sequence[Entry]]:
        return self.group.live_by_version()

    @cached_property
    def _posted(self) -> Mapping[UUID, Sequence[Entry]]:
        return self.group.by_version()

    def _live_entries(
        self, versions: Iterable[Version], latest: Mapping[UUID, Version]
    ) -> Iterator[str]:
        """Yield valid hands without exactly one live entry, of the latest version.

        A voided hand has no live entry.
        """
        live = self._live
        entries: Counter[UUID] = Counter()
        for version in versions:
            entries[version.hand_id] += len(live.get(version.pk, ()))
        for hand, version in latest.items():
            due = 0 if version.hand.voided else 1
            which = f"{self.where}, {hand_label(version)}"
            if entries[hand] != due:
                state = "voided" if version.hand.voided else "valid"
                yield f"{which}: is {state} and has {entries[hand]} entries that count."
            elif due and version.pk not in live:
                yield f"{which}: an earlier version counts, not the latest."

    def _versions(self, versions: Sequence[Version]) -> Iterator[str]:
        lines = _lines_by_version(self.at)
        for version in reversed(versions):
            self.checked["hands"] += 1
            self.checked["lines"] += len(lines[version.pk])
            which = f"{self.where}, {hand_label(version)}"
            check = self._version(version, lines[version.pk])
            yield from readable(which, located(which, check))

    def _version(self, version: Version, lines: Sequence[LineRow]) -> Iterator[str]:
        score = _score(version)
        if isinstance(score, str):
            yield f"the record is refused now: {score}"
            return
        due = self._due(version, score)
        live = self._live.get(version.pk, ())
        if live:
            self.live_gains.append(due)
        yield from _columns_differ(version, score)
        yield from _lines_differ(version, score, lines)
        for entry in self._posted.get(version.pk, ()):
            found = self.group.gains_of(entry)
            # A reversed entry may have been posted at an earlier stake of the evening.
            same = found == due if entry in live else points_of(found) == points_of(due)
            if not same:
                yield gains_differ(found, due)

    def _due(self, version: Version, score: scoring.Score) -> Gains:
        points = dict(zip(version.players, score.payments, strict=True))
        return journal.gains(self.at.evening, points)


def _latest(versions: Iterable[Version]) -> dict[UUID, Version]:
    """Return the latest version of each hand, the last hand first."""
    latest: dict[UUID, Version] = {}
    for version in versions:
        latest.setdefault(version.hand_id, version)
    return latest


def _lines_by_version(at: Table) -> Mapping[UUID, Sequence[LineRow]]:
    rows: dict[UUID, list[LineRow]] = defaultdict(list)
    lines = Line.objects.filter(version__hand__table=at).order_by("position")
    for version, *row in lines.values_list("version", *LINE_COLUMNS):
        rows[version].append(tuple(row))
    return rows


def _score(version: Version) -> scoring.Score | str:
    """Return the score of the record today, or why the record is refused."""
    tariff = version.edition.tariff
    hand, problems = scoring.examine(tariff, version.players, version.record)
    wrong = [str(problem.message) for problem in problems if problem.is_error]
    if hand.record(version.players) != version.record and not wrong:
        wrong = ["it reads back differently."]
    return " ".join(wrong) if wrong else scoring.score(tariff, hand)


def _columns_differ(version: Version, score: scoring.Score) -> Iterator[str]:
    """Compare the columns that repeat what follows from the record."""
    record = version.record
    thrown_in = record["ending"] in version.edition.tariff.variant.thrown_in
    for what, found, due in (
        ("units", version.units, score.units),
        ("the multiplier", version.multiplier, record.get("multiplier", 1)),
        ("who lost the XXI", version.xxi_lost_by_id, record.get("xxi_lost_by")),
        ("whether it was thrown in", version.thrown_in, thrown_in),
    ):
        if found != due:
            yield f"{what}: {found} is kept, {due} follows from the record."


def _lines_differ(
    version: Version, score: scoring.Score, found: Sequence[LineRow]
) -> Iterator[str]:
    row = attrgetter(*LINE_COLUMNS)
    due = [row(line) for line in journal.lines_of(version, score)]
    for position in range(max(len(due), len(found))):
        here = slice(position, position + 1)
        if list(found[here]) != due[here]:
            yield f"line {position + 1}: {found[here]} is kept, {due[here]} follows."
