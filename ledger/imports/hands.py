"""Sheets of whole hands: each dealt, counted and scored as if it were recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_OID, uuid5

from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.imports.files import GridRow
from ledger.imports.hand_cells import RecordParser
from ledger.imports.plan import (
    ImportPlan,
    PlannedEvening,
    PlannedHand,
    PlannedTable,
    RowReader,
)
from ledger.table.replay import Facts, Place, Replay, State, Wanted
from ledger.table.rotation import FEWEST, MOST, Sitting
from ledger.text import messages
from scoring import Problem, Refused, Text


@dataclass(frozen=True, slots=True)
class SeatedRow:
    """A row of a table before it is played."""

    row: GridRow
    number: int
    order: tuple[int, ...]
    """Everybody at the table, as the deal goes."""
    dealer: int | None
    points: Mapping[int, int]
    """What the sheet says each has won."""


def read(reading: RowReader) -> ImportPlan:
    """Return the evenings of a sheet of hands."""
    slip = RecordParser.of(reading.edition.tariff)
    nights = []
    for date, name, rows in reading.nights():
        tables = [
            _planned_table(reading, slip, number, mine)
            for number, mine in sorted(_rows_by_table(reading, rows).items())
        ]
        _check_one_table_each(reading, rows[0], tables)
        nights.append(PlannedEvening(date, name, tables=tables))
    return reading.plan(nights)


def _rows_by_table(
    reading: RowReader, rows: Sequence[GridRow]
) -> dict[int, list[GridRow]]:
    tables: dict[int, list[GridRow]] = {}
    number = 1
    for row in rows:
        said = reading.number(row, "table")
        if said is not None and not 0 < said < 100:
            reading.wrong(row, "table", _("Tables are numbered from 1."))
        else:
            number = said or number
        tables.setdefault(number, []).append(row)
    return tables


def _planned_table(
    reading: RowReader, slip: RecordParser, number: int, rows: Sequence[GridRow]
) -> PlannedTable:
    lines = list(_seated_rows(reading, rows))
    sittings = _line_ups(lines)
    if not lines:
        return PlannedTable(number, (), ())
    _check_dealer(reading, lines, sittings)
    replay = Replay(State(tuple(sittings)), reading.edition)
    hands = [
        played
        for line in lines
        if (played := _planned_hand(reading, slip, replay, line)) is not None
    ]
    return PlannedTable(number, sittings, hands)


def _seated_rows(reading: RowReader, rows: Sequence[GridRow]) -> Iterator[SeatedRow]:
    """Yield the rows with who sits where; seats that are not written stay."""
    order: tuple[int, ...] = ()
    for due, row in enumerate(rows, start=1):
        number = reading.number(row, "hand")
        if number not in (None, due):
            message = _("Hand {due} comes next at this table, not {number}.")
            reading.wrong(row, "hand", message.format(due=due, number=number))
        written = reading.cell(row, "dealer")
        dealer = reading.people.find(written) if written else None
        points = reading.scores(row) or {}
        order = _seat_order(reading, row, dealer, points) or order
        if not FEWEST <= len(set(order)) == len(order) <= MOST:
            message = _("Four to six different people must sit at the table.")
            reading.wrong(row, "seat1", message)
            return
        if dealer is not None and dealer not in order:
            reading.wrong(row, "dealer", _("The dealer must sit at the table."))
            return
        yield SeatedRow(row, due, order, dealer, points)


def _seat_order(
    reading: RowReader, row: GridRow, dealer: int | None, points: Mapping[int, int]
) -> tuple[int, ...]:
    if seats := reading.columns.seats:
        cells = (reading.cell(row, seat) for seat in seats)
        return tuple(reading.people.find(cell) for cell in cells if cell)
    if not points:
        return ()
    everybody = map(reading.people.find, reading.columns.scores.values())
    return tuple(p for p in everybody if p in points or p == dealer)


def _line_ups(lines: Sequence[SeatedRow]) -> list[Sitting[int]]:
    """Return the line-ups: a new one begins where others sit, or in another order."""
    sittings: list[Sitting[int]] = []
    for line in lines:
        if not sittings or not _is_same_seating(sittings[-1].order, line.order):
            dealer = line.dealer
            if not sittings and dealer is None:
                dealer = line.order[-1]  # so that the first seat is forehand
            sittings.append(Sitting(line.number, dealer, line.order))
    return sittings


def _is_same_seating(order: Sequence[int], other: Sequence[int]) -> bool:
    """Whether the same people sit round the table in the same order.

    >>> _same_round([1, 2, 3, 4], [3, 4, 1, 2]), _same_round([1, 2, 3], [2, 1, 3])
    (True, False)
    """
    if set(order) != set(other):
        return False
    start = other.index(order[0])
    return list(order) == [*other[start:], *other[:start]]


def _check_dealer(
    reading: RowReader, lines: Sequence[SeatedRow], sittings: Sequence[Sitting[int]]
) -> None:
    """Ask who dealt where it cannot be told: points alone show no one who sat out."""
    if len(sittings) > 1 and "dealer" not in reading.columns:
        message = _("Other players sit here: choose the column that tells who dealt.")
        reading.wrong(lines[sittings[1].from_hand - 1].row, "dealer", message)


def _check_one_table_each(
    reading: RowReader, row: GridRow, tables: Sequence[PlannedTable]
) -> None:
    """Nobody sits at two tables of an evening."""
    seated: dict[int, int] = {}
    for laid in tables:
        for player in {p for sitting in laid.sittings for p in sitting.order}:
            if seated.setdefault(player, laid.number) != laid.number:
                message = _("{player} sits at two tables: correct one of them.")
                name = reading.people.name(player)
                reading.wrong(row, "table", message.format(player=name))


def _planned_hand(
    reading: RowReader, slip: RecordParser, replay: Replay, line: SeatedRow
) -> PlannedHand | None:
    before = len(reading.troubles)
    record = slip.record(reading, line.row)
    id = uuid5(NAMESPACE_OID, line.row.key)
    told = len(line.points) == reading.edition.tariff.variant.active
    plays = tuple(line.points) if told or not reading.columns.seats else ()
    wanted = Wanted(record, dealer=line.dealer, players=plays or None)
    place = Place(id, line.number, True, timezone.now(), wanted=wanted)
    try:
        facts = replay.play(place).facts
    except Refused as refused:
        _add_problems(reading, line, line.order, refused.problems)
        return None
    assert facts is not None
    problems = replay.problems.pop(id, ())
    if len(reading.troubles) > before:
        return None  # what follows from a cell that cannot be read says nothing new
    _add_problems(reading, line, facts.players, problems)
    if any(problem.is_error for problem in problems):
        return None
    gains = facts.payments()
    _compare_with_rules(reading, line, facts, gains)
    return PlannedHand(line.row.key, line.number, facts, gains)


def _add_problems(
    reading: RowReader,
    line: SeatedRow,
    seats: Sequence[int],
    problems: Sequence[Problem],
) -> None:
    names = [reading.people.name(player) for player in seats]
    for problem in problems:
        stray = _outsider(problem)
        if stray is not None and reading.people.is_open(stray):
            continue  # he may play, once somebody has said who he is
        message = problem.message
        if stray is not None:
            name = reading.people.name(stray)
            message = Text(message.message, {**message.values, "name": name})
        sentence = messages.say(message, names)
        if problem.is_error:
            reading.wrong(line.row, problem.field, sentence)
        else:
            reading.doubt(line.row, problem.field, sentence)


def _outsider(problem: Problem) -> int | None:
    """Return the player whom a problem names, as the record does, by his number."""
    name = problem.message.values.get("name")
    return name if isinstance(name, int) else None


def _compare_with_rules(
    reading: RowReader, line: SeatedRow, facts: Facts, gains: Mapping[int, int]
) -> None:
    """Tell where the sheet has other figures than the rules."""
    times = reading.number(line.row, "multiplier")
    if times is not None and times != facts.multiplier:
        message = _("After the deals before it, this hand counts ×{due}, not ×{times}.")
        sentence = message.format(due=facts.multiplier, times=times)
        reading.wrong(line.row, "multiplier", sentence)
    for player, points in line.points.items():
        due, name = gains.get(player, 0), reading.people.name(player)
        if due != points:
            message = _("By the rules {name} wins {due}, not {points}.")
            sentence = message.format(name=name, due=due, points=points)
            reading.trouble(line.row, name, sentence)
