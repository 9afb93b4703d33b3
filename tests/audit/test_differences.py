"""The audit finds nothing in true books, and says what is wrong in tampered ones."""

from __future__ import annotations

import datetime
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from ledger import journal
from ledger.models import (
    Action,
    Edition,
    Entry,
    Evening,
    Hand,
    Line,
    LineUp,
    Player,
    Posting,
    Seat,
    Step,
    Version,
    triggers,
)
from ledger.settlement import SettlementScope
from ledger.table import changes
from tests.support.fixtures import enter, won


def audit(**options):
    out = StringIO()
    call_command("audit", stdout=out, **options)
    return out.getvalue()


def found():
    """Run an audit that must fail, and return its sentences."""
    out = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("audit", stdout=out)
    told = out.getvalue().splitlines()[:-1]
    sentences = [line for line in told if not line.startswith("Remark: ")]
    assert str(failed.value) == f"{len(sentences)} differences."
    assert failed.value.returncode == 1
    return sentences


@pytest.fixture
def played(lay, record, people):
    """A table of five with four hands: played, passed, played, played."""
    at = lay(5, "paskievics")
    for hand in ({}, {"ending": "passed"}, {}, {}):
        players = journal.preview(at, {}).deal.players
        record(at, hand or won(players, "two") | {"card_points": 50})
    return at


@pytest.fixture
def lifted(played):
    with triggers.lifted(connection):
        yield played


def test_true_books_have_no_difference(played):
    said = audit()

    assert "4 hands" in said
    assert "16 postings" in said
    assert said.endswith("Nothing differs.\n")


def test_an_empty_ledger_has_none_either(db):
    assert "Nothing differs." in audit()


def test_undone_moved_and_chosen_hands_are_no_difference(played, record, people, owner):
    journal.join(played, people[5], id=uuid4(), by=owner)
    journal.take_break(played, people[1], id=uuid4(), by=owner)
    for more in ({}, {"dealer": people[3]}, {"resting": [people[1], people[0]]}):
        players = journal.preview(played, {}, **more).deal.players
        version = record(played, won(players, "two") | {"card_points": 50}, **more)
    journal.reverse_hand(version.hand, id=uuid4(), by=owner)
    middle = Hand.objects.get(table=played, number=2)
    journal.reverse_hand(middle, id=uuid4(), by=owner)

    assert "Nothing differs." in audit()


def test_only_one_club_is_read_on_request(played, club):
    assert "1 clubs" in audit(club=club.pk)
    with pytest.raises(CommandError, match="no club 0"):
        audit(club=0)


def test_a_missing_guard_is_named(played):
    with connection.cursor() as cursor:
        drop = "DROP TRIGGER ledger_entry_balanced"
        on = " ON ledger_entry" if connection.vendor == "postgresql" else ""
        cursor.execute(drop + on)

    assert found() == ["The guard ledger_entry_balanced is missing from the database."]
    triggers.install(connection)


def tampered(change):
    """Change something with the guards lifted, and return what the audit says."""
    with triggers.lifted(connection):
        change()
    return "\n".join(found())


def test_a_changed_posting_is_found(played):
    posting = Posting.objects.filter(points=2).order_by("pk").first()

    said = tampered(lambda: Posting.objects.filter(pk=posting.pk).update(points=12))

    assert "sums to +10 points and +0 in money, not to 0." in said
    assert "posts other points and money than it scores" in said
    assert f"(12, {posting.money}) instead of (2, {posting.money})" in said
    assert f"{posting.player} has" in said


def test_money_that_is_not_points_at_the_stake_is_found(played):
    said = tampered(lambda: Posting.objects.update(money=0))

    assert "instead of (2, 40)" in said


def test_a_changed_record_is_found(played):
    version = Version.objects.get(hand__number=1)
    record = version.record | {"card_points": 40}

    said = tampered(lambda: Version.objects.filter(pk=version.pk).update(record=record))

    assert "table 1, hand 1: units: 2 is kept, -2 follows from the record." in said
    assert "line 1:" in said


def test_a_record_that_is_refused_now_is_found(played):
    said = tampered(
        lambda: Version.objects.filter(hand__number=1).update(record={"ending": "won"})
    )

    assert "hand 1: the record is refused now:" in said


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"units": 7}, "units: 7 is kept, 2 follows"),
        ({"multiplier": 4}, "the multiplier: 4 is kept, 1 follows"),
        ({"thrown_in": True}, "whether it was thrown in: True is kept"),
        ({"resting": []}, "sat out"),
    ],
)
def test_a_changed_version_is_found(played, change, sentence):
    versions = Version.objects.filter(hand__number=1)

    assert sentence in tampered(lambda: versions.update(**change))


def test_players_out_of_order_are_found(played, people):
    turned = [people[i].pk for i in (3, 2, 1, 0)]
    versions = Version.objects.filter(hand__number=1)

    said = tampered(lambda: versions.update(players=turned))

    assert f"{turned} played and [{people[4].pk}] sat out" in said


def test_a_false_mayor_is_found(played, people):
    versions = Version.objects.filter(hand__number=1)

    said = tampered(lambda: versions.update(xxi_lost_by=people[0]))

    assert f"who lost the XXI: {people[0].pk} is kept, None follows" in said


def test_a_dealer_out_of_turn_is_found(played, people):
    versions = Version.objects.filter(hand__number=4)

    said = tampered(lambda: versions.update(dealer=people[4]))

    assert f"hand 4: player {people[4].pk} dealt, player {people[1].pk} was due" in said


def test_a_deal_that_should_have_counted_double_is_found(played):
    versions = Version.objects.filter(hand__number=2)

    said = tampered(lambda: versions.update(thrown_in=False))

    assert "hand 3: counts ×2, ×1 follows from the deals before." in said


def test_a_missing_hand_is_found(played):
    hands = Hand.objects.filter(number=4)

    assert "table 1: hand 4 is missing." in tampered(lambda: hands.update(number=5))


@pytest.mark.parametrize(
    "change", [{"points": 9}, {"item": "three"}, {"made": False}, {"contra": 1}]
)
def test_a_changed_line_is_found(played, change):
    lines = Line.objects.filter(version__hand__number=1)

    assert "hand 1: line 1: [(0, " in tampered(lambda: lines.update(**change))


def test_a_line_too_many_or_too_few_is_found(played):
    lines = Line.objects.filter(version__hand__number=1)

    assert "line 1: [] is kept" in tampered(lines.delete)


def test_a_hand_voided_without_a_reversal_is_found(played):
    hands = Hand.objects.filter(number=4)

    said = tampered(lambda: hands.update(voided=True))

    assert "is voided and has 1 entries that count." in said


def test_a_hand_reversed_without_being_voided_is_found(played, owner):
    hand = Hand.objects.get(number=4)
    journal.reverse_hand(hand, id=uuid4(), by=owner)

    said = tampered(lambda: Hand.objects.filter(pk=hand.pk).update(voided=False))

    assert "is valid and has 0 entries that count." in said


def test_a_reversal_that_gives_back_something_else_is_found(played, owner):
    entry = journal.reverse_hand(Hand.objects.get(number=4), id=uuid4(), by=owner)

    said = tampered(lambda: entry.postings.update(points=0))

    assert "doesn't give back exactly what its entry moved." in said


def test_a_second_version_that_does_not_count_is_found(played):
    version = Version.objects.get(hand__number=1)
    version.pk, version.number = uuid4(), 2
    version.save(force_insert=True)

    assert "an earlier version counts, not the latest." in "\n".join(found())


def test_adjustments_are_part_of_the_tally(played, owner, people):
    enter(played.evening, owner, Entry.Kind.ADJUSTMENT, Ania=-5, Bartek=5)

    assert "Nothing differs." in audit()


def test_a_posting_to_another_club_is_found(played, owner, club):
    other = type(club).objects.create(name="Szeged")
    stranger = Player.objects.create(club=other, name="Ania")
    posting = Posting.objects.first()

    said = tampered(
        lambda: Posting.objects.filter(pk=posting.pk).update(player=stranger)
    )

    assert f"posts to players of another club: [{stranger.pk}]." in said


def test_an_entry_without_postings_is_found(played):
    entry = Entry.objects.get(version__hand__number=2)

    assert "posts nothing." in tampered(entry.postings.all().delete)


def test_a_changed_tariff_is_found(played):
    said = tampered(lambda: Edition.objects.update(rules={"redeal": "off"}))

    assert "no longer reads as it was agreed." in said


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda: Hand.objects.filter(number=4).update(number=9),
            "is otherwise than action 4 left it, as hand 4.",
        ),
        (
            lambda: Hand.objects.filter(number=4).update(voided=True),
            "is otherwise than action 4 left it, as hand 4.",
        ),
        (
            lambda: Step.objects.filter(action__number=4).delete(),
            "hand 4: nobody's action has recorded it.",
        ),
        (
            lambda: Action.objects.filter(number=2).update(number=20),
            "action 2 is missing.",
        ),
        (
            lambda: Evening.objects.update(closed_at=timezone.now()),
            "is closed, but no action has closed it.",
        ),
    ],
)
def test_what_no_action_did_is_found(played, change, sentence):
    assert sentence in tampered(change)


def test_a_step_that_does_not_fit_the_one_before_is_found(played, owner, correct):
    correct(played, changes.Void(Hand.objects.get(number=4)))
    steps = Step.objects.filter(action__number=5)

    said = tampered(lambda: steps.update(before_number=3))

    assert "action 5 found hand" in said
    assert "otherwise than action 4 had left it." in said


def test_seats_that_nobody_changed_are_found(played, owner, people):
    journal.join(played, people[5], id=uuid4(), by=owner)
    seats = Seat.objects.filter(lineup__from_hand=5, player=people[0])

    said = tampered(lambda: seats.update(resting=True))

    assert "table 1: the seats are otherwise than the last action left them." in said


def test_seats_of_a_hand_far_ahead_are_found(played, owner, people):
    journal.join(played, people[5], id=uuid4(), by=owner)

    said = tampered(lambda: LineUp.objects.filter(from_hand=5).update(from_hand=9))

    assert "the seats from hand 9 on are for a hand to come." in said


def test_an_evening_reopened_by_nobody_is_found(played, owner):
    journal.close_evening(played.evening, by=owner)

    said = tampered(lambda: Evening.objects.update(closed_at=None))

    assert "is open, but the last action of its kind has closed it." in said


def test_an_evening_open_for_more_than_a_day_is_a_remark(played):
    yesterday = timezone.now() - datetime.timedelta(hours=25)
    Evening.objects.update(opened_at=yesterday)

    said = audit()

    assert "Remark: Kozy, Friday (2026-11-20) is open for more than a day" in said
    assert "Nothing differs." in said


def test_the_audit_takes_the_same_queries_for_any_number_of_hands(
    played, record, django_assert_max_num_queries
):
    for _hand in range(30):
        players = journal.preview(played, {}).deal.players
        record(played, won(players, "two") | {"card_points": 50})

    with django_assert_max_num_queries(67):
        audit()


def test_what_was_done_outside_of_evenings_is_checked_too(played, owner, club):
    """Two payments across evenings, one season closed and reopened."""
    season, people = club.seasons.get(), list(club.players.order_by("pk"))
    for amount in (1, 2):
        everything, by = (
            SettlementScope.everything(club, ""),
            {"id": uuid4(), "by": owner},
        )
        journal.pay(everything, people[0], people[1], amount, **by)
    journal.close_season(season, by=owner)
    journal.reopen_season(season, by=owner, reason="one more")
    assert "Nothing differs." in audit()
    with triggers.lifted(connection):
        club.actions.filter(number=1).update(number=7)
        season.actions.filter(number=2).delete()

    assert found() == [
        f"{club}, {season}: is open, but the last action of its kind has closed it.",
        f"{club}: action 1 is missing.",
    ]
