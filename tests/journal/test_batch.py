"""What a sheet writes at once is what recording hand by hand writes."""

from __future__ import annotations

import datetime
import json
from uuid import uuid4

import pytest
from django.conf import settings

import scoring
from ledger import journal
from ledger.demo import evening_files
from ledger.journal import Batch
from ledger.journal.actions import begin
from ledger.journal.batch import Due
from ledger.models import (
    Action,
    Entry,
    Hand,
    Line,
    Player,
    Posting,
    Step,
    Version,
    locks,
)
from tests.support.fixtures import won

pytestmark = pytest.mark.django_db
NOW = datetime.datetime(2026, 11, 20, 19, tzinfo=datetime.UTC)
KEPT = {
    Hand: ("", "number voided"),
    Version: (
        "hand__",
        "number edition record dealer dealer_set players resting resting_set "
        "multiplier units thrown_in xxi_lost_by recorded_by",
    ),
    Line: (
        "version__hand__",
        "position item kind side player announced made contra factor base points "
        "personal",
    ),
    Entry: ("version__hand__", "club season kind method date currency note created_by"),
    Posting: ("entry__version__hand__", "player points money"),
    Step: ("hand__", "before before_number after_number"),
}
"""By what is written about a hand: the way to the hand, and all but ids and times."""


def rows(table):
    return {
        model: list(
            model.objects.filter(**{f"{hand}table": table})
            .order_by(f"{hand}number", *names.split())
            .values_list(f"{hand}number", *names.split())
        )
        for model, (hand, names) in KEPT.items()
    }


def again(table, by):
    """Begin the same evening once more, and return its table."""
    evening, lineup = table.evening, table.lineups.get(from_hand=1)
    new = journal.start_evening(
        evening.club,
        name=evening.name,
        date=evening.date,
        edition=evening.edition,
        seats=[seat.player for seat in lineup.seats.select_related("player")],
        dealer=lineup.dealer,
        by=by,
        currency=evening.currency,
        stake=evening.stake,
    )
    return locks.locked_table(new.tables.get())


@pytest.mark.parametrize("file", ["kozy", "szeged", "vienna"])
def test_a_sheet_writes_the_rows_of_hand_by_hand(club, owner, file):
    path = settings.BASE_DIR / f"fixtures/evenings/{file}.json"
    told = json.loads(path.read_text())
    evening = evening_files.start_evening(club, told, owner)
    for hand in told["hands"]:
        evening_files.record_hand(evening, hand, owner)
    table = evening.tables.get()
    ids = dict(club.players.values_list("name", "pk"))
    sheet = Batch(again(table, owner))

    for hand in told["hands"]:
        record = scoring.renamed(hand["hand"], ids.__getitem__)
        sheet.add(record, id=uuid4(), played_at=NOW)
    sheet.write_each(owner)

    assert len(told["hands"]) > 4
    assert rows(sheet.at) == rows(table)
    assert of_each(sheet.at) == of_each(table)


def of_each(table):
    """Return what action recorded each hand, and by whom."""
    taken = Step.objects.filter(hand__table=table).order_by("action__number")
    return list(
        taken.values_list(
            "action__kind", "action__number", "action__by", "after_number"
        )
    )


@pytest.mark.parametrize("chosen", ["dealer", "resting", "players"])
def test_a_sheet_knows_who_was_chosen_to_deal_or_rest(
    lay, people, owner, record, chosen
):
    choice = {
        "dealer": people[2],
        "resting": people[:2],
        "players": people[2:],
    }[chosen]
    table = lay(6)
    for more in ({}, {chosen: choice}, {}):
        plays = journal.preview(table, {}, **more).deal.players
        record(table, won(plays), **more)
    sheet = Batch(again(table, owner))

    for version in Version.objects.filter(hand__table=table).order_by("hand__number"):
        more = {chosen: choice} if version.hand.number == 2 else {}
        sheet.add(version.record, id=uuid4(), played_at=NOW, **more)
    sheet.write_each(owner)

    assert rows(sheet.at) == rows(table)


def test_a_sheet_goes_on_behind_what_is_written(lay, people, owner, record):
    table = lay(5)
    record(table)
    record(table, {"ending": "passed"})
    sheet = Batch(locks.locked_table(table))

    for _more in range(2):
        due = sheet.due
        sheet.add(won(plays(due, people)), id=uuid4(), played_at=NOW)
        sheet.write_each(owner)

    numbers = Hand.objects.filter(table=table).values_list("number", flat=True)
    assert sorted(numbers) == [1, 2, 3, 4]
    assert sheet.due == due_of(journal.preview(table, {}).deal)
    assert Action.objects.filter(table=table, kind="record").count() == 4


def plays(due, people):
    return [next(p for p in people if p.pk == pk) for pk in due.players]


def due_of(deal):
    """Return the deal that the table itself knows to be next."""
    return Due(
        deal.number,
        deal.dealer.pk,
        tuple(p.pk for p in deal.players),
        tuple(p.pk for p in deal.sitting_out),
        deal.multiplier,
    )


def test_a_sheet_is_written_by_one_action(table, people, owner):
    sheet = Batch(locks.locked_table(table))
    for _hand in range(3):
        hand = won(plays(sheet.due, people))
        sheet.add(hand, id=uuid4(), played_at=NOW)

    action = begin(Action.Kind.RECORD, id=uuid4(), by=owner, table=table)
    written = sheet.write(action)

    assert [version.hand.number for version in written.values()] == [1, 2, 3]
    assert action.steps.count() == 3
    assert action.entries.count() == 0
    assert len(sheet) == 0


def test_a_hand_with_an_error_is_left_out_and_named(table, people, owner):
    sheet = Batch(locks.locked_table(table))
    right = won(people)
    stranger = Player.objects.create(club=table.evening.club, name="Gosia")

    twice = sheet.add(right | {"partner": people[0].pk}, id=uuid4(), played_at=NOW)
    absent = sheet.add(right, id=uuid4(), played_at=NOW, dealer=stranger)
    good = sheet.add(right, id=uuid4(), played_at=NOW)
    sheet.write_each(owner)

    assert [problem.code for problem in twice] == ["own_partner"]
    assert [problem.code for problem in absent] == ["bad_dealer"]
    assert good == ()
    hand = Hand.objects.get(table=table)
    assert (hand.number, hand.played_at) == (1, NOW)
    assert hand.versions.get().recorded_at == NOW
