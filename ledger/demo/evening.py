"""An evening at a club that never was, from the first deal to the last payment."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

from ledger import journal
from ledger.demo.club import Host, moment
from ledger.demo.deals.games import happened
from ledger.demo.spec import PlayedDay
from ledger.models import Edition, Evening, Player, Season, Table, Version, locks
from ledger.settlement import SettlementScope
from ledger.table import changes, rotation

A_HAND = 200, 420
"""Seconds that a hand takes, at the least and at the most."""
GOES, CORRECTED, UNDONE, ADJUSTED, CHARGED = 0.3, 0.25, 0.1, 0.1, 0.15
"""How often this happens in an evening."""
PAID, SETTLED = 0.25, 0.55
"""How often somebody pays afterwards, and how often everybody does."""
MINUTE = datetime.timedelta(minutes=1)


@dataclass
class At:
    """A table in play, and what time it is there."""

    table: Table
    left: int
    clock: datetime.datetime
    people: list[Player] = field(default_factory=list)


def play_evening(host: Host, season: Season, place: int, night: PlayedDay) -> Evening:
    """Play the evening *night*; *place* counts the seasons."""
    editions = [
        host.edition(host.rng.choice(host.wish.games), place) for _table in night.hands
    ]
    evening, tables = _begun(host, season, night, editions)
    goes = host.rng.random() < GOES
    for part in (0.6, 1.0) if goes else (1.0,):
        _play(host, tables, part)
        if part < 1:
            _let_go(host, tables)
    end = max(at.clock for at in tables)
    with journal.dated(end + MINUTE):
        _amend(host, evening, tables)
    with journal.dated(end + 5 * MINUTE):
        journal.close_evening(evening, by=host.by, id=host.id(), keep=False)
    with journal.dated(end + 10 * MINUTE):
        _pay(host, evening, tables)
    return evening


def _begun(
    host: Host, season: Season, night: PlayedDay, editions: Sequence[Edition]
) -> tuple[Evening, list[At]]:
    currency, stake = host.stake
    begin = moment(night.day)
    company = host.company(len(night.hands))
    with journal.dated(begin):
        evening = journal.start_evening(
            host.club,
            name=f"{night.day:%d.%m.%Y}",
            date=night.day,
            edition=editions[0],
            seats=company[0],
            dealer=company[0][-1],
            by=host.by,
            currency=currency,
            stake=stake,
            season=season,
        )
    for seats, edition in zip(company[1:], editions[1:], strict=True):
        journal.add_table(evening, seats=seats, dealer=seats[-1], edition=edition)
    tables = evening.tables.order_by("number")
    return evening, [
        At(table, hands, begin, people)
        for table, hands, people in zip(tables, night.hands, company, strict=True)
    ]


def _play(host: Host, tables: Sequence[At], part: float) -> None:
    """Play this *part* of the hands that are left at each table."""
    sheets = [journal.Batch(locks.locked(at.table)) for at in tables]
    for at, sheet in zip(tables, sheets, strict=True):
        tariff = sheet.at.edition.tariff
        for _hand in range(round(at.left * part)):
            at.left -= 1
            at.clock += datetime.timedelta(seconds=host.rng.randint(*A_HAND))
            record = happened(tariff, host.rng, sheet.due.players)
            problems = sheet.add(record, id=host.id(), played_at=at.clock)
            assert not problems, problems
    journal.write_batches(sheets, host.by)


def _let_go(host: Host, tables: Sequence[At]) -> None:
    """Let somebody come, go or rest at the first table."""
    at, rng = tables[0], host.rng
    away = [p for p in host.players if not any(p in other.people for other in tables)]
    full = len(at.people) == rotation.MOST
    with journal.dated(at.clock):
        if away and not full and rng.random() < 0.5:
            journal.join(at.table, away[0], id=host.id(), by=host.by)
            at.people.append(away[0])
        elif away and rng.random() < 0.5:
            out = at.people[0]
            journal.substitute(at.table, out, away[0], id=host.id(), by=host.by)
            at.people[0] = away[0]
        elif len(at.people) > rotation.FEWEST:
            journal.take_break(at.table, at.people[0], id=host.id(), by=host.by)


def _amend(host: Host, evening: Evening, tables: Sequence[At]) -> None:
    """Correct a hand, undo the last, adjust, or charge for the table, now and then."""
    rng, table = host.rng, tables[0].table
    if rng.random() < CORRECTED:
        _correct(host, table)
    if rng.random() < UNDONE and (last := journal.History.of(table).undo):
        undone = journal.undo(last, id=host.id(), by=host.by)
        journal.undo(undone, id=host.id(), by=host.by)
    one, two = rng.sample(tables[0].people, 2)
    if rng.random() < ADJUSTED:
        journal.adjust(
            evening, {one: 2, two: -2}, reason="Misdeal", id=host.id(), by=host.by
        )
    if rng.random() < CHARGED:
        charges = dict.fromkeys(tables[0].people, evening.stake * 5)
        journal.fee(
            SettlementScope.of_evening(evening),
            charges,
            reason="Table money",
            id=host.id(),
            by=host.by,
        )


def _correct(host: Host, table: Table) -> None:
    """The card points were counted wrongly, by one."""
    counted = [
        version
        for version in Version.objects.live().filter(hand__table=table)
        if version.record.get("card_points") and not version.record.get("bonuses")
    ]
    if not counted:
        return
    counted.sort(key=lambda version: version.hand.number)
    version = host.rng.choice(counted)
    record = version.record | {"card_points": version.record["card_points"] - 1}
    change = changes.Correct(version.hand, record)
    journal.correct(table, change, id=host.id(), by=host.by, override=True)


def _pay(host: Host, evening: Evening, tables: Sequence[At]) -> None:
    scope, luck = SettlementScope.of_evening(evening), host.rng.random()
    if luck < PAID:
        one, two = host.rng.sample(tables[0].people, 2)
        amount = evening.stake * host.rng.randint(1, 40)
        journal.pay(scope, one, two, amount, id=host.id(), by=host.by)
    elif luck < PAID + SETTLED:
        journal.settle(scope, id=host.id(), by=host.by)
