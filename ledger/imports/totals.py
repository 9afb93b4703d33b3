"""Sheets of points: by player and hand, or totals by evening."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.imports.cell_values import UnclearCell, parse_whole
from ledger.imports.columns import Mode
from ledger.imports.dates import evenings_of
from ledger.imports.files import GridRow
from ledger.imports.plan import (
    ImportPlan,
    PlannedEvening,
)
from ledger.imports.row_reader import RowReader
from ledger.imports.running_rows import CountedRows, CountingMode, PointsRow
from ledger.imports.total_questions import PointsContext, count_rows
from ledger.journal import SheetResult


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows of one hand, or of the totals of one evening."""

    rows: tuple[GridRow, ...]
    number: int | None
    label: str = ""
    """The cell that calls it a total."""
    points: Mapping[int, int] | None = None
    """Points by player; None where a cell is a problem."""


@dataclass(frozen=True, slots=True)
class TotalledEvening:
    date: datetime.date
    name: str
    groups: list[RowGroup]


def read(reader: RowReader, mode: Mode) -> ImportPlan:
    """Return the plan of a sheet of points, by hand or by evening."""
    evenings = [
        TotalledEvening(date, name, list(_row_groups(reader, rows, mode)))
        for date, name, rows in evenings_of(reader)
    ]
    context = PointsContext(
        _points_rows(reader, evenings),
        mode,
        reader.edition.tariff.variant,
        reader.choices,
        reader.names.name,
    )
    counted, questions = count_rows(context)
    # An ambiguous date leaves its rows out: sums of the others mean nothing yet.
    if not reader.ambiguous_date:
        reader.questions += questions
    planned = [
        PlannedEvening(
            one.date, one.name, rows=tuple(_planned_gains(reader, one, counted, mode))
        )
        for one in evenings
    ]
    return reader.plan([one for one in planned if one.rows or not questions])


def _points_rows(
    reader: RowReader, evenings: Sequence[TotalledEvening]
) -> list[PointsRow]:
    """Return the groups that can be read, in the order of play."""
    found = [
        PointsRow(
            group.rows[0].key, at, group.points or {}, group.label, bool(group.number)
        )
        for at, evening in enumerate(evenings)
        for group in evening.groups
        if group.points is not None or group.label
    ]
    if all(row.label for row in found):
        found = [replace(row, label="") for row in found]
    return sorted(found, key=lambda row: reader.played_order[row.key])


def _planned_gains(
    reader: RowReader, evening: TotalledEvening, counted: CountedRows, mode: Mode
) -> Iterator[SheetResult]:
    totals = {total.row.key for total in counted.totals}
    seen: set[int] = set()
    place = 0
    for group in evening.groups:
        first, number = group.rows[0], group.number
        if first.key in totals:
            continue
        gains = counted.gains.get(first.key)
        if gains is not None and counted.counting is not CountingMode.APART:
            gains = _gains_of_players(reader, evening, group, gains, mode)
            if not gains:
                continue
        place += 1
        if mode is Mode.POINTS:
            _check_number(reader, group, seen)
        elif place > 1:
            sentence = _("This evening already has a row of totals.")
            reader.add_problem(first, "date", sentence)
        if gains is None:
            continue
        hand = None if mode is Mode.TOTALS else number or place
        if sentence := _gains_problem(reader, gains, hand):
            reader.add_problem(first, "points", sentence)
        else:
            yield SheetResult(first.key, hand, gains)


def _check_number(reader: RowReader, group: RowGroup, seen: set[int]) -> None:
    row, number = group.rows[0], group.number
    if number is not None and number in seen:
        sentence = _("Hand {number} appears twice in this evening.")
        reader.add_problem(row, "hand", sentence.format(number=number))
    seen.add(number or 0)
    is_needed = "hand" in reader.columns or "player" in reader.columns
    if number is None and is_needed and not reader.cell(row, "hand"):
        reader.add_problem(row, "hand", _("The number of the hand is missing."))


def _gains_of_players(
    reader: RowReader,
    evening: TotalledEvening,
    group: RowGroup,
    gains: dict[int, int],
    mode: Mode,
) -> dict[int, int]:
    """Return the gains of those who played the hand, from running totals.

    A player whose total stays the same sat out, unless the row, or the evening, names
    exactly as many players as a hand has. Where no total changes and neither names
    them, the row repeats the one above: nobody played.
    """
    active = reader.edition.tariff.variant.active
    moved = {who: won for who, won in gains.items() if won}
    if mode is Mode.TOTALS or len(moved) >= active:
        return moved
    came = {who for one in evening.groups for who in one.points or ()}
    for named in (gains.keys(), came):
        if len(named) == active:
            return {who: gains.get(who, 0) for who in named}
    return gains if moved else {}


def _row_groups(
    reader: RowReader, rows: Sequence[GridRow], mode: Mode
) -> Iterator[RowGroup]:
    """Yield the groups of rows, each of one hand or one evening."""
    long = "player" in reader.columns
    hands: dict[tuple[int | None, str], list[GridRow]] = {}
    for row in rows:
        label = reader.total_label(row)
        number = None
        if mode is Mode.POINTS and not label:
            number = _hand_number(reader, row)
            if long and number is None:
                _check_number(reader, RowGroup((row,), None), set())
                continue
        if long:
            hands.setdefault((number, label), []).append(row)
        else:
            yield _row_group(reader, [row], number, label)
    for (number, label), mine in hands.items():
        yield _row_group(reader, mine, number, label)


def _row_group(
    reader: RowReader, rows: Sequence[GridRow], number: int | None, label: str
) -> RowGroup:
    """Return a group; in a total no cell is a problem."""
    before = len(reader.problems)
    points = _group_points(reader, rows)
    if label:
        del reader.problems[before:]
    return RowGroup(tuple(rows), number, label, points)


def _hand_number(reader: RowReader, row: GridRow) -> int | None:
    """Return the number of the hand in a row."""
    number = reader.whole_number(row, "hand")
    if number is not None and not 0 < number < 10_000:
        reader.add_problem(row, "hand", _("Hands are numbered from 1."))
        return None
    return number


def _group_points(reader: RowReader, rows: Sequence[GridRow]) -> dict[int, int] | None:
    if "player" not in reader.columns:
        return reader.points_of(rows[0])
    gains: dict[int, int] = {}
    read = True
    for row in rows:
        name = reader.cell(row, "player")
        points = _cell_points(reader, row)
        player = reader.names.find(name) if name else 0
        if not name:
            reader.add_problem(row, "player", _("The player is missing."))
        elif player in gains:
            reader.add_repeated_player(row, name)
        read = read and points is not None and bool(name) and player not in gains
        gains[player] = points or 0
    return gains if read else None


def _cell_points(reader: RowReader, row: GridRow) -> int | None:
    try:
        return parse_whole(reader.cell(row, "points"))
    except UnclearCell as unclear:
        reader.add_problem(row, "points", str(unclear))
        return None


def _gains_problem(reader: RowReader, gains: dict[int, int], hand: int | None) -> str:
    """Return a sentence about impossible gains, or an empty text."""
    active = reader.edition.tariff.variant.active
    if total := sum(gains.values()):
        return _unbalanced_message(total)
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


def _unbalanced_message(total: int) -> str:
    """Return the sentence about points that add up to *total*, not 0."""
    if total > 0:
        return _("The points are {points} too many: they must add up to 0.").format(
            points=total
        )
    return _("The points are {points} too few: they must add up to 0.").format(
        points=-total
    )
