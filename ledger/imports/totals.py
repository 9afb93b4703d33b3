"""Sheets of points alone: by player and hand, or what an evening came to."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.imports.cell_values import UnclearCell, parse_whole
from ledger.imports.columns import Mode
from ledger.imports.files import GridRow
from ledger.imports.plan import (
    ImportPlan,
    PlannedEvening,
    RowGains,
    RowReader,
    unbalanced_message,
)
from ledger.imports.running_rows import CountedRows, CountingMode, PointsRow
from ledger.imports.total_questions import PointsContext, count_rows


@dataclass(frozen=True, slots=True)
class RowGroup:
    """The rows of one hand, or of what an evening came to."""

    rows: tuple[GridRow, ...]
    number: int | None
    label: str = ""
    """What names it a total."""
    points: Mapping[int, int] | None = None
    """What the rows say; None where they cannot be read."""


@dataclass(frozen=True, slots=True)
class TotalledEvening:
    date: datetime.date
    name: str
    groups: list[RowGroup]


def read(reading: RowReader, mode: Mode) -> ImportPlan:
    """Return the evenings of a sheet of points."""
    evenings = [
        TotalledEvening(date, name, list(_row_groups(reading, rows, mode)))
        for date, name, rows in reading.nights()
    ]
    lines = _points_rows(reading, evenings)
    variant = reading.edition.tariff.variant
    account, asked = count_rows(
        PointsContext(lines, mode, variant, reading.choices, reading.people.name)
    )
    if not reading.which_date:  # else rows are missing
        reading.questions += asked
    nights = [
        PlannedEvening(
            one.date, one.name, told=tuple(_planned_gains(reading, one, account, mode))
        )
        for one in evenings
    ]
    return reading.plan([night for night in nights if night.told or not asked])


def _points_rows(
    reading: RowReader, evenings: Sequence[TotalledEvening]
) -> list[PointsRow]:
    """Return what can be read, in the order it was played."""
    found = [
        PointsRow(
            group.rows[0].key, at, group.points or {}, group.label, bool(group.number)
        )
        for at, evening in enumerate(evenings)
        for group in evening.groups
        if group.points is not None or group.label
    ]
    if all(line.label for line in found):
        found = [replace(line, label="") for line in found]
    return sorted(found, key=lambda line: reading.order[line.row])


def _planned_gains(
    reading: RowReader, evening: TotalledEvening, account: CountedRows, mode: Mode
) -> Iterator[RowGains]:
    totals = {total.line.row for total in account.totals}
    seen: set[int] = set()
    place = 0
    for group in evening.groups:
        first, number = group.rows[0], group.number
        if first.key in totals:
            continue
        gains = account.brought.get(first.key)
        if gains is not None and account.counting is not CountingMode.APART:
            gains = _gains_of_players(reading, evening, group, gains, mode)
            if not gains:
                continue
        place += 1
        if mode is Mode.POINTS:
            _check_number(reading, group, seen)
        elif place > 1:
            sentence = _("This evening already has a row of totals.")
            reading.wrong(first, "date", sentence)
        if gains is None:
            continue
        hand = None if mode is Mode.TOTALS else number or place
        if sentence := _gains_problem(reading, gains, hand):
            reading.wrong(first, "points", sentence)
        else:
            yield RowGains(first.key, hand, gains)


def _check_number(reading: RowReader, group: RowGroup, seen: set[int]) -> None:
    row, number = group.rows[0], group.number
    if number is not None and number in seen:
        sentence = _("Hand {number} appears twice in this evening.")
        reading.wrong(row, "hand", sentence.format(number=number))
    seen.add(number or 0)
    asked = "hand" in reading.columns or "player" in reading.columns
    if number is None and asked and not reading.cell(row, "hand"):
        reading.wrong(row, "hand", _("The number of the hand is missing."))


def _gains_of_players(
    reading: RowReader,
    evening: TotalledEvening,
    group: RowGroup,
    gains: dict[int, int],
    mode: Mode,
) -> dict[int, int]:
    """Return the gains of those who played, where the sheet has totals that run on.

    Whose total stays the same has sat out, unless as many as play a hand are named in
    the row, or in the evening. Where nobody's changes and that does not tell who
    played, the row repeats the one above, and nobody did.
    """
    active = reading.edition.tariff.variant.active
    moved = {who: won for who, won in gains.items() if won}
    if mode is Mode.TOTALS or len(moved) >= active:
        return moved
    came = {who for one in evening.groups for who in one.points or ()}
    for named in (gains.keys(), came):
        if len(named) == active:
            return {who: gains.get(who, 0) for who in named}
    return gains if moved else {}


def _row_groups(
    reading: RowReader, rows: Sequence[GridRow], mode: Mode
) -> Iterator[RowGroup]:
    """Yield the rows that belong together: of one hand, or one evening."""
    long = "player" in reading.columns
    hands: dict[tuple[int | None, str], list[GridRow]] = {}
    for row in rows:
        label = reading.label(row)
        number = None
        if mode is Mode.POINTS and not label:
            number = _hand_number(reading, row)
            if long and number is None:
                _check_number(reading, RowGroup((row,), None), set())
                continue
        if long:
            hands.setdefault((number, label), []).append(row)
        else:
            yield _row_group(reading, [row], number, label)
    for (number, label), mine in hands.items():
        yield _row_group(reading, mine, number, label)


def _row_group(
    reading: RowReader, rows: Sequence[GridRow], number: int | None, label: str
) -> RowGroup:
    """Return a group; what cannot be read in a total is told to nobody."""
    before = len(reading.troubles)
    points = _group_points(reading, rows)
    if label:
        del reading.troubles[before:]
    return RowGroup(tuple(rows), number, label, points)


def _hand_number(reading: RowReader, row: GridRow) -> int | None:
    """Return which hand a row tells."""
    number = reading.number(row, "hand")
    if number is not None and not 0 < number < 10_000:
        reading.wrong(row, "hand", _("Hands are numbered from 1."))
        return None
    return number


def _group_points(reading: RowReader, rows: Sequence[GridRow]) -> dict[int, int] | None:
    if "player" not in reading.columns:
        return reading.scores(rows[0])
    gains: dict[int, int] = {}
    read = True
    for row in rows:
        name = reading.cell(row, "player")
        points = _cell_points(reading, row)
        player = reading.people.find(name) if name else 0
        if not name:
            reading.wrong(row, "player", _("The player is missing."))
        elif player in gains:
            reading.twice(row, name)
        read = read and points is not None and bool(name) and player not in gains
        gains[player] = points or 0
    return gains if read else None


def _cell_points(reading: RowReader, row: GridRow) -> int | None:
    try:
        return parse_whole(reading.cell(row, "points"))
    except UnclearCell as unclear:
        reading.wrong(row, "points", str(unclear))
        return None


def _gains_problem(reading: RowReader, gains: dict[int, int], hand: int | None) -> str:
    """Say what is wrong with points that can be read."""
    active = reading.edition.tariff.variant.active
    if total := sum(gains.values()):
        return unbalanced_message(total)
    if hand is None:
        return "" if len(gains) > 1 else _("At least two must have points.")
    if len(gains) == active:
        return ""
    return ngettext(
        "{count} has points, but {active} play a hand: leave the cell empty for "
        "whoever sat out, and write 0 for whoever won nothing.",
        "{count} have points, but {active} play a hand: leave the cell empty for "
        "whoever sat out, and write 0 for whoever won nothing.",
        len(gains),
    ).format(count=len(gains), active=active)
