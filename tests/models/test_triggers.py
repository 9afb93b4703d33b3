"""The database refuses by itself: every test here goes round the ORM."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from ledger import journal
from ledger.models import Entry, Player, guards, triggers

WHEN = "2026-11-20 20:00:00+00:00"


def run(sql, *values):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values or None)


def insert(table, **row):
    columns, marks = ", ".join(row), ", ".join(["%s"] * len(row))
    run(f"INSERT INTO {table} ({columns}) VALUES ({marks})", *row.values())


@transaction.atomic
def enter(evening, by, gains, **values):
    """Write an entry and before it its postings: (player, points, money)."""
    entry = uuid4()
    for player, points, money in gains:
        insert(
            "ledger_posting",
            entry_id=entry.hex,
            player_id=player.pk,
            points=points,
            money=money,
        )
    row = {
        "id": entry.hex,
        "club_id": evening.club_id,
        "evening_id": evening.pk,
        "kind": "adjustment",
        "currency": evening.currency,
        "note": "",
        "method": "",
        "created_by_id": by.pk,
        "created_at": WHEN,
    }
    insert("ledger_entry", **row | values)
    return Entry.objects.get(pk=entry)


def refused(match):
    return pytest.raises(IntegrityError, match=match)


@pytest.fixture
def version(table, record):
    return record(table)


@pytest.fixture
def evening(table):
    return table.evening


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("ledger_entry", "note = 'x'"),
        ("ledger_posting", "points = 0"),
        ("ledger_version", "units = 100"),
        ("ledger_line", "points = 100"),
    ],
)
def test_the_journal_is_neither_changed_nor_deleted(version, name, change):
    with refused("stays as it was written"):
        run(f"UPDATE {name} SET {change}")
    with refused("stays as it was written"):
        run(f"DELETE FROM {name}")


@pytest.mark.parametrize("name", guards.NEVER_EMPTIED)
def test_the_journal_is_not_emptied(version, name):
    statement = "TRUNCATE {} CASCADE"
    if connection.vendor == "sqlite":
        statement = "DELETE FROM {}"
    connection.check_constraints()  # PostgreSQL empties nothing while some wait

    with refused("stays as it was written|never emptied"):
        run(statement.format(name))


def test_what_is_written_is_not_written_over(version):
    if connection.vendor == "sqlite":
        over = "INSERT OR REPLACE INTO {0} SELECT * FROM {0}"
    else:
        over = "INSERT INTO {0} SELECT * FROM {0} ON CONFLICT (id) DO UPDATE"
        over += " SET id = {0}.id"

    for name in guards.NEVER_EMPTIED:
        with pytest.raises(IntegrityError):
            run(over.format(name))


def test_a_balanced_entry_is_accepted(evening, people, owner):
    entry = enter(evening, owner, [(people[0], 5, 100), (people[1], -5, -100)])

    assert entry.postings.count() == 2


@pytest.mark.parametrize("gains", [[(5, 0), (-4, 0)], [(1, 100), (-1, -99)], [(-1, 0)]])
def test_an_entry_sums_to_zero(evening, people, owner, gains):
    with refused("must sum to zero"):
        enter(evening, owner, [(people[i], *gain) for i, gain in enumerate(gains)])


def test_an_entry_posts_something(evening, owner):
    with refused("without postings"):
        enter(evening, owner, [])


def test_nothing_is_posted_to_an_entry_afterwards(version, people):
    with refused("already written"):
        insert(
            "ledger_posting",
            entry_id=version.pk.hex,
            player_id=people[5].pk,
            points=0,
            money=0,
        )


def test_no_line_is_added_to_a_hand_afterwards(version):
    copied = "item, kind, side, announced, contra, factor, base, points, personal"

    with refused("already written"):
        run(
            f"INSERT INTO ledger_line (version_id, position, {copied})"
            f" SELECT version_id, 99, {copied} FROM ledger_line"
        )


def test_a_posting_is_for_a_player_of_the_club(evening, people, owner):
    other = journal.found_club("Szeged", owner=owner)
    stranger = Player.objects.create(club=other, name="Ania")

    with refused("another club"):
        enter(evening, owner, [(people[0], 1, 0), (stranger, -1, 0)])


def test_an_entry_is_in_an_evening_of_its_club(evening, people, owner):
    other = journal.found_club("Szeged", owner=owner)
    strangers = [Player.objects.create(club=other, name=name) for name in "AB"]

    with refused("another club"):
        enter(
            evening,
            owner,
            [(strangers[0], 1, 0), (strangers[1], -1, 0)],
            club_id=other.pk,
        )


def test_an_entry_has_the_currency_of_its_evening(evening, people, owner):
    with refused("another currency"):
        enter(evening, owner, [(people[0], 1, 0), (people[1], -1, 0)], currency="EUR")


def test_a_second_entry_for_a_hand_is_refused(version, evening, people, owner):
    gains = [(people[0], 1, 20), (people[1], -1, -20)]

    with refused("already has an entry"):
        enter(evening, owner, gains, kind="hand", version_id=version.pk.hex)


def test_a_reversed_hand_may_have_an_entry_again(version, evening, people, owner):
    journal.reverse_hand(version.hand, id=uuid4(), by=owner)
    gains = [(people[0], 1, 20), (people[1], -1, -20)]

    entry = enter(evening, owner, gains, kind="hand", version_id=version.pk.hex)

    assert entry.version == version


def test_a_hand_is_entered_in_its_own_evening(version, lay, people, owner):
    journal.reverse_hand(version.hand, id=uuid4(), by=owner)
    gains = [(people[0], 1, 20), (people[1], -1, -20)]

    with refused("another evening"):
        enter(lay().evening, owner, gains, kind="hand", version_id=version.pk.hex)


@pytest.mark.parametrize(
    "gains", [[(-1, -20), (1, 20)], [(-3, -60), (3, 60)], [(-3, -60), (3, 60), (0, 0)]]
)
def test_a_reversal_gives_back_everything(version, evening, people, owner, gains):
    changes = [(people[i], *gain) for i, gain in enumerate(gains)]

    with refused("gives back exactly"):
        enter(evening, owner, changes, kind="reversal", reverses_id=version.pk.hex)


def test_a_reversal_is_not_reversed(version, evening, owner):
    entry = journal.reverse_hand(version.hand, id=uuid4(), by=owner)
    gains = [(p.player, -p.points, -p.money) for p in entry.postings.all()]

    with refused("gives back exactly"):
        enter(evening, owner, gains, kind="reversal", reverses_id=entry.pk.hex)


def test_an_entry_is_reversed_once(version, evening, owner):
    entry = journal.reverse_hand(version.hand, id=uuid4(), by=owner)
    gains = [(p.player, p.points, p.money) for p in entry.postings.all()]

    with pytest.raises(IntegrityError):
        enter(evening, owner, gains, kind="reversal", reverses_id=version.pk.hex)


@pytest.mark.parametrize(
    "values", [{"kind": "hand"}, {"kind": "reversal"}, {"kind": "adjustment"}]
)
def test_an_entry_is_of_one_kind(version, evening, people, owner, values):
    gains = [(people[0], 1, 20), (people[1], -1, -20)]
    if values["kind"] == "adjustment":
        journal.reverse_hand(version.hand, id=uuid4(), by=owner)
        values = values | {"version_id": version.pk.hex}

    with pytest.raises(IntegrityError, match="ledger_entry_"):
        enter(evening, owner, gains, **values)


def test_two_hands_of_one_number_are_refused(version):
    with pytest.raises(IntegrityError):
        insert(
            "ledger_hand",
            id=uuid4().hex,
            table_id=version.hand.table_id,
            number=1,
            voided=False,
            played_at=WHEN,
        )


def test_a_closed_evening_takes_nothing(version, evening, people, owner):
    journal.close_evening(evening, by=evening.created_by)
    at = version.hand.table_id
    gains = [(people[0], 1, 20), (people[1], -1, -20)]

    with refused("closed"):
        enter(evening, owner, gains)
    for row in (
        {"id": uuid4().hex, "number": 2, "voided": False, "played_at": WHEN},
        {"id": uuid4().hex, "number": 2, "voided": True, "played_at": WHEN},
    ):
        with refused("closed"):
            insert("ledger_hand", table_id=at, **row)
    for statement in (
        "UPDATE ledger_hand SET voided = NOT voided",
        "UPDATE ledger_lineup SET from_hand = 2",
        "UPDATE ledger_seat SET resting = NOT resting",
        f"INSERT INTO ledger_lineup (table_id, from_hand) VALUES ({at}, 5)",
        "INSERT INTO ledger_seat (lineup_id, position, player_id, resting)"
        f" SELECT lineup_id, 5, {people[5].pk}, resting FROM ledger_seat",
        "INSERT INTO ledger_table (evening_id, number, edition_id)"
        f" VALUES ({evening.pk}, 2, {evening.edition_id})",
    ):
        with refused("closed"):
            run(statement)


def test_a_closed_evening_takes_no_other_version(version, evening):
    journal.close_evening(evening, by=evening.created_by)
    columns = "hand_id, edition_id, record, dealer_id, dealer_set, players, resting"
    columns += (
        ", resting_set, multiplier, units, thrown_in, recorded_by_id, recorded_at"
    )

    with refused("closed"):
        run(
            f"INSERT INTO ledger_version (id, number, {columns})"
            f" SELECT '{uuid4().hex}', 2, {columns} FROM ledger_version"
        )


def test_a_posting_without_an_entry_does_not_outlive_its_transaction(
    transactional_db, table, people
):
    with pytest.raises(IntegrityError):
        insert(
            "ledger_posting",
            entry_id=uuid4().hex,
            player_id=people[0].pk,
            points=0,
            money=0,
        )


def test_guards_are_lifted_and_put_back(version):
    assert triggers.missing(connection) == []

    with triggers.lifted(connection):
        run("UPDATE ledger_entry SET note = 'x'")
        assert len(triggers.missing(connection)) >= len(guards.GUARDS)

    assert triggers.missing(connection) == []
    with refused("stays as it was written"):
        run("UPDATE ledger_entry SET note = 'y'")


def test_installing_twice_is_installing_once(db):
    triggers.install(connection)

    assert triggers.missing(connection) == []


def test_every_guard_has_a_name_of_its_own_that_fits():
    names = [guard.name for guard in guards.GUARDS]

    assert len(set(names)) == len(names)
    assert max(map(len, names)) < 63
