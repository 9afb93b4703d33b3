"""An evening of an invented club, from the first deal to the last payment."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

from ledger import journal
from ledger.demo.club import DemoClub, local_time
from ledger.demo.deals.games import play_deal
from ledger.demo.spec import EveningSpec
from ledger.models import Edition, Evening, Player, Season, Table, Version, locks
from ledger.settlement import SettlementScope
from ledger.table import changes, rotation

SECONDS_PER_HAND = 200, 420
"""The shortest and the longest hand."""
LINE_UP_CHANGE, CORRECTION, UNDO, ADJUSTMENT, TABLE_MONEY = 0.3, 0.25, 0.1, 0.1, 0.15
"""Probabilities in an evening."""
ONE_PAYMENT, SETTLEMENT = 0.25, 0.55
"""Probabilities afterwards: one player pays, or all do."""
MINUTE = datetime.timedelta(minutes=1)


@dataclass
class TableInPlay:
    """A table in play: hands to come, time of the last hand, players."""

    table: Table
    left: int
    clock: datetime.datetime
    people: list[Player] = field(default_factory=list)


def play_evening(
    demo: DemoClub, season: Season, place: int, spec: EveningSpec
) -> Evening:
    """Play the evening *spec* of the season with number *place*, from 1."""
    editions = [
        demo.edition(demo.rng.choice(demo.spec.games), place) for _table in spec.hands
    ]
    evening, tables = _start(demo, season, spec, editions)
    changes_line_up = demo.rng.random() < LINE_UP_CHANGE
    for part in (0.6, 1.0) if changes_line_up else (1.0,):
        _play_hands(demo, tables, part)
        if part < 1:
            _change_line_up(demo, tables)
    end = max(at.clock for at in tables)
    with journal.backdated(end + MINUTE):
        _write_corrections(demo, evening, tables)
    with journal.backdated(end + 5 * MINUTE):
        journal.close_evening(evening, by=demo.by, id=demo.id(), store=False)
    with journal.backdated(end + 10 * MINUTE):
        _settle(demo, evening, tables)
    return evening


def _start(
    demo: DemoClub, season: Season, spec: EveningSpec, editions: Sequence[Edition]
) -> tuple[Evening, list[TableInPlay]]:
    currency, stake = demo.stake
    begin = local_time(spec.day)
    attendance = demo.attendance(len(spec.hands))
    with journal.backdated(begin):
        evening = journal.start_evening(
            demo.club,
            name=f"{spec.day:%d.%m.%Y}",
            date=spec.day,
            edition=editions[0],
            seats=attendance[0],
            dealer=attendance[0][-1],
            by=demo.by,
            currency=currency,
            stake=stake,
            season=season,
        )
    for seats, edition in zip(attendance[1:], editions[1:], strict=True):
        journal.add_table(evening, seats=seats, dealer=seats[-1], edition=edition)
    tables = evening.tables.order_by("number")
    return evening, [
        TableInPlay(table, hands, begin, people)
        for table, hands, people in zip(tables, spec.hands, attendance, strict=True)
    ]


def _play_hands(demo: DemoClub, tables: Sequence[TableInPlay], part: float) -> None:
    """Play this *part* of the hands to come at each table."""
    batches = [journal.Batch(locks.locked_table(at.table)) for at in tables]
    for at, batch in zip(tables, batches, strict=True):
        tariff = batch.at.edition.tariff
        for _hand in range(round(at.left * part)):
            at.left -= 1
            at.clock += datetime.timedelta(seconds=demo.rng.randint(*SECONDS_PER_HAND))
            record = play_deal(tariff, demo.rng, batch.due.players)
            problems = batch.add(record, id=demo.id(), played_at=at.clock)
            assert not problems, problems
    journal.write_batches(batches, demo.by)


def _change_line_up(demo: DemoClub, tables: Sequence[TableInPlay]) -> None:
    """Change the line-up of the first table: somebody comes, goes or takes a break."""
    at, rng = tables[0], demo.rng
    away = [p for p in demo.players if not any(p in other.people for other in tables)]
    full = len(at.people) == rotation.MOST_SEATS
    with journal.backdated(at.clock):
        if away and not full and rng.random() < 0.5:
            journal.join(at.table, away[0], id=demo.id(), by=demo.by)
            at.people.append(away[0])
        elif away and rng.random() < 0.5:
            out = at.people[0]
            journal.substitute(at.table, out, away[0], id=demo.id(), by=demo.by)
            at.people[0] = away[0]
        elif len(at.people) > rotation.FEWEST_SEATS:
            journal.take_break(at.table, at.people[0], id=demo.id(), by=demo.by)


def _write_corrections(
    demo: DemoClub, evening: Evening, tables: Sequence[TableInPlay]
) -> None:
    """Correct a hand, undo and redo, adjust, charge table money: each by chance."""
    rng, table = demo.rng, tables[0].table
    if rng.random() < CORRECTION:
        _correct_card_points(demo, table)
    if rng.random() < UNDO and (last := journal.UndoStack.of(table).undo):
        undone = journal.undo(last, id=demo.id(), by=demo.by)
        journal.undo(undone, id=demo.id(), by=demo.by)
    one, two = rng.sample(tables[0].people, 2)
    if rng.random() < ADJUSTMENT:
        journal.adjust(
            evening, {one: 2, two: -2}, reason="Misdeal", id=demo.id(), by=demo.by
        )
    if rng.random() < TABLE_MONEY:
        charges = dict.fromkeys(tables[0].people, evening.stake * 5)
        journal.fee(
            SettlementScope.of_evening(evening),
            charges,
            reason="Table money",
            id=demo.id(),
            by=demo.by,
        )


def _correct_card_points(demo: DemoClub, table: Table) -> None:
    """Correct the card points of a random hand by one."""
    counted = [
        version
        for version in Version.objects.in_force().filter(hand__table=table)
        if version.record.get("card_points") and not version.record.get("bonuses")
    ]
    if not counted:
        return
    counted.sort(key=lambda version: version.hand.number)
    version = demo.rng.choice(counted)
    record = version.record | {"card_points": version.record["card_points"] - 1}
    change = changes.Correct(version.hand, record)
    journal.correct(table, change, id=demo.id(), by=demo.by, override=True)


def _settle(demo: DemoClub, evening: Evening, tables: Sequence[TableInPlay]) -> None:
    scope, luck = SettlementScope.of_evening(evening), demo.rng.random()
    if luck < ONE_PAYMENT:
        one, two = demo.rng.sample(tables[0].people, 2)
        amount = evening.stake * demo.rng.randint(1, 40)
        journal.pay(scope, one, two, amount, id=demo.id(), by=demo.by)
    elif luck < ONE_PAYMENT + SETTLEMENT:
        journal.settle(scope, id=demo.id(), by=demo.by)
