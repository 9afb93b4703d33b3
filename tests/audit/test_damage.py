"""The audit says what it finds in any database, also what it cannot even read."""

from __future__ import annotations

import os
import random
from io import StringIO
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

import scoring
from ledger import journal
from ledger.audit import Audit
from ledger.models import Evening, LineUp, Player, Seat, Table, Version, triggers
from ledger.settlement import SettlementScope

EXAMPLES = int(os.environ.get("KONTRA_EXAMPLES", "40"))
JUNK = ("'abc'", "1.5", "'{}'", "'null'", "'[1, 2'", "''", "-7", "'\"x\"'", "x'ff'")
"""What somebody may write into a column past us."""


@pytest.fixture
def full(lay, record, people, owner, club):
    """A club with something in every table of its journal."""
    table = lay(5)
    hands = [record(table).hand for _again in range(3)]
    journal.reverse_hand(hands[1], id=uuid4(), by=owner)
    journal.leave(table, people[4], id=uuid4(), by=owner)
    gains = {people[0]: 5, people[1]: -5}
    journal.adjust(table.evening, gains, reason="late", id=uuid4(), by=owner)
    scope = SettlementScope.of_evening(table.evening)
    journal.pay(scope, people[0], people[1], 5, id=uuid4(), by=owner)
    journal.fine(scope, people[0], 5, reason="late", id=uuid4(), by=owner)
    journal.settle(SettlementScope.everything(club, "PLN"), id=uuid4(), by=owner)
    journal.close_evening(table.evening, by=owner)
    before = transaction.savepoint()
    triggers.remove(connection)
    yield table
    transaction.savepoint_rollback(before)


def found():
    return list(Audit().differences())


def told():
    """Return what the command says, which ends in no other error than its own."""
    out = StringIO()
    try:
        call_command("audit", stdout=out)
    except CommandError as differences:
        return f"{out.getvalue()}{differences}"
    return out.getvalue()


def cases():
    for model in apps.get_app_config("ledger").get_models():
        table, key = model._meta.db_table, model._meta.pk.column
        first = f"(SELECT {key} FROM {table} ORDER BY {key} LIMIT 1)"
        for field in model._meta.concrete_fields:
            for junk in JUNK:
                where = f'"{field.column}" = {junk} WHERE {key} = {first}'
                yield f"UPDATE {table} SET {where}"
        yield f"DELETE FROM {table} WHERE {key} = {first}"
        yield f"DELETE FROM {table}"


def test_whatever_is_written_past_us_is_no_error_of_the_audit(full):
    """Text for numbers, broken JSON, rows that are gone: a sentence, and on it goes."""
    said = told()
    every = list(cases())
    random.Random(1).shuffle(every)

    for sql in every[:EXAMPLES]:
        before = transaction.savepoint()
        if written(sql):
            assert told(), sql
        transaction.savepoint_rollback(before)

    assert told() == said


def written(sql):
    """Write past every rule; what the database itself refuses is no case."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql, None)
    except DatabaseError:
        return False
    return True


@pytest.fixture
def unchecked(full):
    """Let SQLite take what its checks of a column would refuse."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA ignore_check_constraints = ON")
    yield full
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA ignore_check_constraints = OFF")


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        (
            "UPDATE ledger_posting SET money = 'much' WHERE id = {posting}",
            "ledger_posting, row {posting}: money is not a whole number.",
        ),
        (
            "UPDATE ledger_posting SET points = 1.5 WHERE id = {posting}",
            "ledger_posting, row {posting}: points is not a whole number.",
        ),
        (
            "UPDATE ledger_version SET players = '[1, 2' WHERE id = '{version}'",
            "ledger_version, row '{version}': players is not JSON.",
        ),
        (
            "UPDATE ledger_evening SET opened_at = 'today'",
            "ledger_evening, row {evening}: opened_at is not a time.",
        ),
        (
            "DELETE FROM ledger_edition",
            "ledger_evening, row {evening}: what it names in ledger_edition is missing",
        ),
    ],
)
def test_what_no_row_can_be_is_said(unchecked, sql, sentence):
    if connection.vendor != "sqlite":
        return  # PostgreSQL refuses to write it
    version = Version.objects.order_by("pk").first()
    ids = {
        "posting": version.entries.get().postings.first().pk,
        "version": version.pk.hex,
        "evening": unchecked.evening_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql.format(**ids), None)

    assert sentence.format(**ids) in told()


def test_the_rest_is_checked_where_one_evening_cannot_be_read(full, lay):
    """The second evening's posting is found, whatever the first is like."""
    other = lay()
    Version.objects.filter(hand__table=full).update(players="nobody")
    Table.objects.filter(pk=other.pk).update(edition=strange_edition(other))

    said = told()

    assert "Friday (2026-11-20), table 1" in said
    assert "cannot be read (" in said
    assert "table 1 plays the tariff of another club." in said


def strange_edition(table):
    club = type(table.evening.club).objects.create(name="Szeged")
    return journal.edition_of(club, scoring.tariff("taroki"))


def test_what_belongs_to_another_club_is_found(full, owner):
    club = journal.found_club("Szeged", owner=owner)
    edition = journal.edition_of(club, scoring.tariff("taroki"))
    Evening.objects.update(season=club.seasons.get(), edition=edition)
    Table.objects.update(edition=edition)
    Version.objects.filter(hand__number=1).update(edition=edition)

    said = "\n".join(found())

    for wrong in (
        "is in a season of another club.",
        "plays the tariff of another club.",
        "table 1 plays the tariff of another club.",
        "table 1 has hands scored by the tariff of another club.",
    ):
        assert f"Friday (2026-11-20): {wrong}" in said


def test_who_sits_at_two_tables_is_found(full, people, owner, club):
    evening = full.evening
    Evening.objects.update(closed_at=None)
    four = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    second = journal.add_table(evening, seats=four, dealer=four[0])
    Seat.objects.filter(player=four[1]).update(player=people[0])

    said = found()

    sentence = f"player {people[0].pk} sits at tables 1 and {second.number} at once."
    assert any(sentence in one for one in said)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda people: LineUp.objects.filter(from_hand=1).update(dealer=people[5]),
            "from hand 1 on player {5} is to deal, who does not sit there.",
        ),
        (
            lambda people: Seat.objects.filter(
                lineup__from_hand=1, player__in=people[:2]
            ).delete(),
            "from hand 1 on 3 sit there, of whom 3 are there to play.",
        ),
        (
            lambda people: LineUp.objects.filter(from_hand=1).update(from_hand=2),
            "nobody sits there from hand 1 on.",
        ),
        (
            lambda people: Seat.objects.filter(player=people[4]).update(player=pot()),
            "from hand 1 on the pot sits there: [{pot}].",
        ),
        (
            lambda people: Seat.objects.filter(player=people[4]).update(
                player=Player.objects.create(
                    club=strange_edition(Table.objects.get()).club, name="Ágnes"
                )
            ),
            "from hand 1 on players of another club sit there: [",
        ),
    ],
)
def test_seats_that_cannot_be_are_found(full, people, change, sentence):
    pks = [player.pk for player in people]

    change(people)

    sentence = sentence.replace("{pot}", str(pot().pk)).format(*pks)
    assert any(f"table 1: {sentence}" in one for one in found())


def pot():
    return Player.objects.get(kind="pot")
