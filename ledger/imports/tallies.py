"""Sheets of points alone: by player and hand, or what an evening came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.imports.columns import Mode
from ledger.imports.files import Row
from ledger.imports.plan import Night, Plan, Reading, Told, off_by
from ledger.imports.spelling import Unclear, whole


def read(reading: Reading, mode: Mode) -> Plan:
    """Return the evenings of a sheet of points."""
    nights = [
        Night(date, name, told=tuple(_told(reading, rows, mode)))
        for date, name, rows in reading.nights()
    ]
    return reading.plan(nights)


def _told(reading: Reading, rows: Sequence[Row], mode: Mode) -> Iterator[Told]:
    groups = list(_groups(reading, rows, mode))
    seen: set[int] = set()
    for place, (number, mine) in enumerate(groups, start=1):
        first = mine[0]
        if number is not None and number in seen:
            sentence = _("Hand {number} appears twice in this evening.")
            reading.wrong(first, "hand", sentence.format(number=number))
        seen.add(number or 0)
        gains = _gains(reading, mine)
        if gains is None:
            continue
        hand = None if mode is Mode.TOTALS else number or place
        if sentence := _wrong(reading, gains, hand):
            reading.wrong(first, "points", sentence)
        else:
            yield Told(first.key, hand, gains)
    if mode is Mode.TOTALS and len(groups) > 1:
        sentence = _("This evening already has a row of totals.")
        reading.wrong(groups[1][1][0], "date", sentence)


def _groups(
    reading: Reading, rows: Sequence[Row], mode: Mode
) -> Iterator[tuple[int | None, list[Row]]]:
    """Yield the rows that belong together: of one hand, or one evening."""
    long = "player" in reading.columns
    if mode is Mode.TOTALS:
        yield from [(None, list(rows))] if long else ((None, [row]) for row in rows)
        return
    if not long:
        yield from ((_number(reading, row), [row]) for row in rows)
        return
    hands: dict[int, list[Row]] = {}
    for row in rows:
        if (number := _number(reading, row)) is not None:
            hands.setdefault(number, []).append(row)
    yield from hands.items()


def _number(reading: Reading, row: Row) -> int | None:
    """Return which hand a row tells; without a column the next one."""
    number = reading.number(row, "hand")
    asked = "hand" in reading.columns or "player" in reading.columns
    if asked and number is None and not reading.cell(row, "hand"):
        reading.wrong(row, "hand", _("The number of the hand is missing."))
    if number is not None and not 0 < number < 10_000:
        reading.wrong(row, "hand", _("Hands are numbered from 1."))
        return None
    return number


def _gains(reading: Reading, rows: Sequence[Row]) -> dict[int, int] | None:
    if "player" not in reading.columns:
        return reading.scores(rows[0])
    gains: dict[int, int] = {}
    read = True
    for row in rows:
        name = reading.cell(row, "player")
        points = _points(reading, row)
        player = reading.people.find(name) if name else 0
        if not name:
            reading.wrong(row, "player", _("The player is missing."))
        elif player in gains:
            reading.twice(row, name)
        read = read and points is not None and bool(name) and player not in gains
        gains[player] = points or 0
    return gains if read else None


def _points(reading: Reading, row: Row) -> int | None:
    try:
        return whole(reading.cell(row, "points"))
    except Unclear as unclear:
        reading.wrong(row, "points", str(unclear))
        return None


def _wrong(reading: Reading, gains: dict[int, int], hand: int | None) -> str:
    """Say what is wrong with points that can be read."""
    active = reading.edition.tariff.variant.active
    if total := sum(gains.values()):
        return off_by(total)
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
