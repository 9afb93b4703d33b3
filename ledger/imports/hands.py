"""Sheets of whole hands: each row dealt and scored as if it were recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_OID, uuid5

from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.imports.dates import evenings_of
from ledger.imports.files import GridRow
from ledger.imports.hand_cells import RecordParser
from ledger.imports.plan import ImportPlan, PlannedEvening, PlannedHand, PlannedTable
from ledger.imports.row_reader import RowReader
from ledger.table.replay import Facts, HandInput, HandPlace, Replay, TableState
from ledger.table.rotation import FEWEST_SEATS, MOST_SEATS, TableLineUp
from ledger.text import messages
from scoring import Problem, Refused, Text


@dataclass(frozen=True, slots=True)
class SeatedRow:
    """A row of a table with its players, before it is scored."""

    row: GridRow
    number: int
    order: tuple[int, ...]
    """Players at the table, in the order of the deal."""
    dealer: int | None
    points: Mapping[int, int]
    """Points by player as the sheet has them."""


def read(reader: RowReader) -> ImportPlan:
    """Return the plan of a sheet of whole hands."""
    parser = RecordParser.of(reader.edition.tariff)
    evenings = []
    for date, name, rows in evenings_of(reader):
        tables = [
            _planned_table(reader, parser, number, mine)
            for number, mine in sorted(_rows_by_table(reader, rows).items())
        ]
        _check_one_table_each(reader, rows[0], tables)
        evenings.append(PlannedEvening(date, name, tables=tables))
    return reader.plan(evenings)


def _rows_by_table(
    reader: RowReader, rows: Sequence[GridRow]
) -> dict[int, list[GridRow]]:
    tables: dict[int, list[GridRow]] = {}
    number = 1
    for row in rows:
        written = reader.whole_number(row, "table")
        if written is not None and not 0 < written < 100:
            reader.add_problem(row, "table", _("Tables are numbered from 1."))
        else:
            number = written or number
        tables.setdefault(number, []).append(row)
    return tables


def _planned_table(
    reader: RowReader, parser: RecordParser, number: int, rows: Sequence[GridRow]
) -> PlannedTable:
    seated_rows = list(_seated_rows(reader, rows))
    line_ups = _line_ups(seated_rows)
    if not seated_rows:
        return PlannedTable(number, (), ())
    _check_dealer(reader, seated_rows, line_ups)
    replay = Replay(TableState(tuple(line_ups)), reader.edition)
    hands = [
        played
        for seated in seated_rows
        if (played := _planned_hand(reader, parser, replay, seated)) is not None
    ]
    return PlannedTable(number, line_ups, hands)


def _seated_rows(reader: RowReader, rows: Sequence[GridRow]) -> Iterator[SeatedRow]:
    """Yield the rows with their players; empty seats are those of the row above.

    Stop at the first row whose players cannot be told.
    """
    order: tuple[int, ...] = ()
    for due, row in enumerate(rows, start=1):
        number = reader.whole_number(row, "hand")
        if number not in (None, due):
            message = _("Hand {due} comes next at this table, not {number}.")
            reader.add_problem(row, "hand", message.format(due=due, number=number))
        written = reader.cell(row, "dealer")
        dealer = reader.names.find(written) if written else None
        points = reader.points_of(row) or {}
        order = _seat_order(reader, row, dealer, points) or order
        if not FEWEST_SEATS <= len(set(order)) == len(order) <= MOST_SEATS:
            message = _("Four to six different people must sit at the table.")
            reader.add_problem(row, "seat1", message)
            return
        if dealer is not None and dealer not in order:
            reader.add_problem(row, "dealer", _("The dealer must sit at the table."))
            return
        yield SeatedRow(row, due, order, dealer, points)


def _seat_order(
    reader: RowReader, row: GridRow, dealer: int | None, points: Mapping[int, int]
) -> tuple[int, ...]:
    if seats := reader.columns.seats:
        cells = (reader.cell(row, seat) for seat in seats)
        return tuple(reader.names.find(cell) for cell in cells if cell)
    if not points:
        return ()
    everybody = map(reader.names.find, reader.columns.scores.values())
    return tuple(p for p in everybody if p in points or p == dealer)


def _line_ups(rows: Sequence[SeatedRow]) -> list[TableLineUp[int]]:
    """Return a line-up for each change of players or of their order."""
    line_ups: list[TableLineUp[int]] = []
    for seated in rows:
        if not line_ups or not _is_same_seating(line_ups[-1].order, seated.order):
            dealer = seated.dealer
            if not line_ups and dealer is None:
                dealer = seated.order[-1]  # so that the first seat is forehand
            line_ups.append(TableLineUp(seated.number, dealer, seated.order))
    return line_ups


def _is_same_seating(order: Sequence[int], other: Sequence[int]) -> bool:
    """Tell whether two orders are the same round the table.

    >>> _is_same_seating([1, 2, 3, 4], [3, 4, 1, 2])
    True
    """
    if set(order) != set(other):
        return False
    start = other.index(order[0])
    return list(order) == [*other[start:], *other[:start]]


def _check_dealer(
    reader: RowReader, rows: Sequence[SeatedRow], line_ups: Sequence[TableLineUp[int]]
) -> None:
    """Add a problem where the line-up changes and no column tells the dealer."""
    # Points alone do not show who sat out, so the deal cannot be followed.
    if len(line_ups) > 1 and "dealer" not in reader.columns:
        message = _("Other players sit here: choose the column that tells who dealt.")
        reader.add_problem(rows[line_ups[1].from_hand - 1].row, "dealer", message)


def _check_one_table_each(
    reader: RowReader, row: GridRow, tables: Sequence[PlannedTable]
) -> None:
    """Add a problem for each player who sits at two tables of an evening."""
    seated: dict[int, int] = {}
    for table in tables:
        for player in {p for sitting in table.line_ups for p in sitting.order}:
            if seated.setdefault(player, table.number) != table.number:
                message = _("{player} sits at two tables: correct one of them.")
                name = reader.names.name(player)
                reader.add_problem(row, "table", message.format(player=name))


def _planned_hand(
    reader: RowReader, parser: RecordParser, replay: Replay, seated: SeatedRow
) -> PlannedHand | None:
    """Return the hand scored by the rules, or None with its problems added."""
    before = len(reader.problems)
    record = parser.record(reader, seated.row)
    id = uuid5(NAMESPACE_OID, seated.row.key)
    has_points = len(seated.points) == reader.edition.tariff.variant.active
    players = tuple(seated.points) if has_points or not reader.columns.seats else ()
    wanted = HandInput(record, dealer=seated.dealer, players=players or None)
    place = HandPlace(id, seated.number, True, timezone.now(), entered=wanted)
    try:
        facts = replay.play(place).facts
    except Refused as refused:
        _add_problems(reader, seated, seated.order, refused.problems)
        return None
    assert facts is not None
    problems = replay.problems.pop(id, ())
    if len(reader.problems) > before:
        return None  # the rules' problems follow from a cell that cannot be read
    _add_problems(reader, seated, facts.players, problems)
    if any(problem.is_error for problem in problems):
        return None
    gains = facts.payments()
    _compare_with_rules(reader, seated, facts, gains)
    return PlannedHand(seated.row.key, seated.number, facts, gains)


def _add_problems(
    reader: RowReader,
    seated: SeatedRow,
    seats: Sequence[int],
    problems: Sequence[Problem],
) -> None:
    names = [reader.names.name(player) for player in seats]
    for problem in problems:
        outsider = _outsider(problem)
        if outsider is not None and reader.names.is_unresolved(outsider):
            continue  # he may be one of the players, once the reader has chosen
        message = problem.message
        if outsider is not None:
            name = reader.names.name(outsider)
            message = Text(message.message, {**message.values, "name": name})
        sentence = messages.say(message, names)
        if problem.is_error:
            reader.add_problem(seated.row, problem.field, sentence)
        else:
            reader.add_warning(seated.row, problem.field, sentence)


def _outsider(problem: Problem) -> int | None:
    """Return the id of a player whom the record names and the hand does not have."""
    name = problem.message.values.get("name")
    return name if isinstance(name, int) else None


def _compare_with_rules(
    reader: RowReader, seated: SeatedRow, facts: Facts, gains: Mapping[int, int]
) -> None:
    """Add a problem for each multiplier or gain that the rules give otherwise."""
    times = reader.whole_number(seated.row, "multiplier")
    if times is not None and times != facts.multiplier:
        message = _("After the deals before it, this hand counts ×{due}, not ×{times}.")
        sentence = message.format(due=facts.multiplier, times=times)
        reader.add_problem(seated.row, "multiplier", sentence)
    for player, points in seated.points.items():
        due, name = gains.get(player, 0), reader.names.name(player)
        if due != points:
            message = _("By the rules {name} wins {due}, not {points}.")
            sentence = message.format(name=name, due=due, points=points)
            reader.add_problem_at(seated.row, name, sentence)
