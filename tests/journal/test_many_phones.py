"""Many phones change one evening at once: everything once, nobody waits for ever.

The numbers in the docstrings are those of the reports that other programs got.
"""

from __future__ import annotations

import random
from contextlib import suppress
from uuid import uuid4

import pytest

import scoring
from ledger import journal, tallies
from ledger.audit import Audit
from ledger.journal import Amendment
from ledger.models import Action, Entry, Hand, Player
from ledger.settlement import SettlementScope
from ledger.table import changes
from ledger.table.changes import Correct, Void
from tests.support.fixtures import REFUSALS, won

pytestmark = pytest.mark.django_db(transaction=True)


def differences():
    return list(Audit().differences())


def test_one_correction_sent_five_times_at_once_is_one(
    table, record, correct, together
):
    """1."""
    hand, id = record(table).hand, uuid4()
    change = changes.SwapSides(hand)

    answers = together(*[lambda: correct(table, change, id=id)] * 5)

    assert {answer.pk for answer in answers} == {id}
    assert hand.versions.count() == 2
    assert differences() == []


def test_of_two_corrections_the_second_is_told(table, record, correct, together):
    """6, 12: never a silent drop, never both."""
    seen = record(table)

    def send(points):
        change = Correct(seen.hand, seen.record | {"card_points": points})
        return lambda: correct(table, change, seen=seen)

    answers = together(send(50), send(60), send(20))

    stale = [answer for answer in answers if isinstance(answer, journal.Stale)]
    (done,) = [answer for answer in answers if isinstance(answer, Action)]
    assert len(stale) == 2
    assert {answer.since for answer in stale} == {(done,)}
    assert seen.hand.versions.count() == 2


def test_a_hand_and_a_correction_at_once_are_both_there(
    table, people, record, correct, owner, together
):
    hand = record(table).hand

    answers = together(
        lambda: correct(table, Void(hand)),
        lambda: journal.record_hand(table, id=uuid4(), record=won(people), by=owner),
        lambda: correct(table, changes.Insert(1, uuid4(), won(people))),
    )

    assert not [answer for answer in answers if isinstance(answer, REFUSALS)]
    assert Hand.objects.filter(voided=False).count() == 2
    assert differences() == []


def test_undone_from_two_phones_is_undone_once(table, record, owner, together):
    record(table)
    action = journal.UndoStack.of(table).undo

    answers = together(*[lambda: journal.undo(action, id=uuid4(), by=owner)] * 3)

    assert sum(isinstance(answer, Action) for answer in answers) == 1
    assert Entry.objects.count() == 2


def test_a_player_who_sits_down_at_two_tables_sits_at_one(
    lay, people, owner, club, together
):
    at = lay(4)
    more = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    there = journal.add_table(at.evening, seats=more, dealer=more[0])

    answers = together(
        *[
            lambda table=table: journal.join(table, people[5], id=uuid4(), by=owner)
            for table in (at, there)
        ]
    )

    assert sum(isinstance(answer, Action) for answer in answers) == 1
    assert journal.seated_at(at.evening_id, [people[5]]).count() == 1


def test_nothing_gets_in_behind_the_closing(
    table, people, record, correct, owner, together
):
    hand = record(table).hand

    together(
        lambda: journal.close_evening(table.evening, by=owner),
        lambda: journal.record_hand(table, id=uuid4(), record=won(people), by=owner),
        lambda: correct(table, changes.SwapSides(hand)),
    )

    assert Action.objects.latest("number").kind == "close"
    assert differences() == []


def test_adjustments_of_the_same_people_do_not_lock_each_other_out(
    lay, people, owner, together
):
    """The same players in other orders, in several evenings of a club."""
    evenings = [lay().evening for _evening in range(4)]

    def adjust(evening, who):
        gains = {people[a]: 1 - 2 * (n % 2) for n, a in enumerate(who)}
        return lambda: journal.adjust(evening, gains, reason="x", id=uuid4(), by=owner)

    orders = [(0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 3, 2), (2, 3, 0, 1)]
    calls = [adjust(e, who) for e in evenings for who in orders]

    answers = together(*calls)

    assert not [answer for answer in answers if not isinstance(answer, Action)]
    assert differences() == []


def test_eight_phones_do_anything_at_two_tables(lay, people, owner, club, together):
    """37: whatever comes first, the books are right and every answer is one of ours."""
    at = lay(5, "paskievics")
    more = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    edition = at.edition
    there = journal.add_table(at.evening, seats=more, dealer=more[0], edition=edition)
    sent = []

    def phone(number):
        dice = random.Random(number)

        def call():
            for _again in range(8):
                with suppress(*REFUSALS):
                    sent.append(
                        _anything(dice, dice.choice([at, there]), people, owner)
                    )
            return True

        return call

    answers = together(*map(phone, range(8)))

    assert answers == [True] * 8
    assert len(sent) > 20
    assert differences() == []
    assert sum(s.points for s in tallies.tally(at.evening)) == 0


def _anything(dice, table, people, owner):
    who = {"id": uuid4(), "by": owner}
    hands = list(Hand.objects.filter(table=table, voided=False))
    hand = dice.choice(hands) if hands else None
    match dice.randrange(8) if hand else 0:
        case 1:
            return journal.correct(table, changes.Void(hand), **who)
        case 2:
            return journal.correct(table, changes.SwapSides(hand), **who)
        case 3:
            other = dice.choice(hands)
            return journal.correct(table, changes.Swap(hand, other), **who)
        case 4:
            return journal.set_dealer(table, dice.choice(people), **who)
        case 5:
            if action := journal.UndoStack.of(table).undo:
                return journal.undo(action, **who)
    players = journal.preview(table, {}).deal.players
    record = won(players, "two") | {"card_points": dice.randrange(20, 90)}
    return journal.record_hand(table, record=record, override=True, **who)


def test_closing_and_settling_do_not_lock_each_other_out(
    lay, record, owner, club, together
):
    tables = [lay() for _evening in range(4)]
    for table in tables:
        record(table)
    everything = SettlementScope.everything(club, "PLN")

    def settle():
        return journal.settle(everything, id=uuid4(), by=owner)

    def close(table):
        return lambda: journal.close_evening(table.evening, by=owner)

    def reopen(table):
        return lambda: journal.reopen_evening(table.evening, by=owner, reason="more")

    together(settle, *map(close, tables), settle)
    together(settle, *map(reopen, tables), settle)

    kinds = Action.objects.values_list("kind", flat=True)
    assert [*kinds].count("close") == [*kinds].count("reopen") == len(tables)
    assert differences() == []


def test_paying_in_a_season_and_closing_it_count_on_from_one_another(
    table, record, owner, people, together
):
    record(table)
    season = table.evening.season
    scope = SettlementScope.of_season(season, "PLN")

    def pay():
        for _again in range(4):
            journal.pay(scope, people[0], people[1], 1, id=uuid4(), by=owner)

    def close():
        for _again in range(4):
            journal.close_season(season, by=owner)
            journal.reopen_season(season, by=owner, reason="more")

    together(pay, pay, close)

    assert season.actions.count() == 16
    assert differences() == []


# What an evening is


def done_of(answers):
    return [answer for answer in answers if isinstance(answer, Action)]


def test_an_evening_corrected_five_times_at_once_is_corrected_once(
    table, record, owner, together
):
    record(table)
    id, asked = uuid4(), Amendment(name="Saturday", stake=30)

    def amend():
        return journal.amend_evening(
            table.evening, asked, id=id, by=owner, reason="typo"
        )

    answers = together(*[amend] * 5)

    assert {answer.pk for answer in answers} == {id}
    assert Action.objects.filter(kind="amend").count() == 1
    assert differences() == []


def test_of_two_who_saw_the_same_evening_one_looks_again(
    table, record, owner, scorer, together
):
    record(table)
    wishes = [Amendment(stake=30), Amendment(stake=50)]
    seen = [journal.plan_amendment(table.evening, wish).seen for wish in wishes]

    def amend(wish, seen, by):
        more = {"id": uuid4(), "by": by, "reason": "typo", "seen": seen}
        return lambda: journal.amend_evening(table.evening, wish, **more)

    answers = together(*map(amend, wishes, seen, (owner, scorer)))

    (done,) = done_of(answers)
    (stale,) = [one for one in answers if isinstance(one, journal.Stale)]
    assert stale.since == (done,)
    assert differences() == []


def test_hands_and_other_rules_at_once_agree(table, people, record, owner, together):
    record(table)
    rules = Amendment(games={1: scoring.tariff("taroki", {"contra_cap": 2})})

    def play():
        more = {"record": won(people), "by": owner, "override": True}
        return journal.record_hand(table, id=uuid4(), **more)

    def amend():
        more = {"id": uuid4(), "by": owner, "reason": "typo"}
        return journal.amend_evening(table.evening, rules, **more)

    answers = together(play, amend, play)

    assert not [answer for answer in answers if isinstance(answer, REFUSALS)]
    table.refresh_from_db()
    hands = Hand.objects.filter(table=table, voided=False)
    assert hands.count() == 3
    for hand in hands:
        assert hand.versions.latest("number").edition_id == table.edition_id
    assert differences() == []


@pytest.mark.parametrize("_again", range(3))
def test_a_hand_or_the_removal_of_its_evening_never_both(
    table, people, owner, together, _again
):
    def play():
        return journal.record_hand(table, id=uuid4(), record=won(people), by=owner)

    def remove():
        return journal.remove_evening(table.evening, id=uuid4(), by=owner)

    together(play, remove)

    table.evening.refresh_from_db()
    assert table.evening.removed is not Hand.objects.exists()
    assert differences() == []


def test_a_correction_undone_from_three_phones_is_undone_once(
    table, record, owner, together
):
    record(table)
    asked = Amendment(stake=30)
    more = {"by": owner, "reason": "typo"}
    action = journal.amend_evening(table.evening, asked, id=uuid4(), **more)

    answers = together(*[lambda: journal.undo(action, id=uuid4(), by=owner)] * 3)

    assert len(done_of(answers)) == 1
    assert sum(isinstance(answer, journal.Stale) for answer in answers) == 2
    assert differences() == []


def test_closing_settling_and_correcting_at_once_wait_for_each_other(
    club, table, record, owner, together
):
    record(table)
    season = club.seasons.create(name="2025", starts=table.evening.date)
    asked = Amendment(season=season, date=table.evening.date.replace(day=1))
    everything = SettlementScope.everything(club, "PLN")

    answers = together(
        lambda: journal.amend_evening(table.evening, asked, id=uuid4(), by=owner),
        lambda: journal.close_evening(table.evening, by=owner),
        lambda: journal.settle(everything, "fewest", id=uuid4(), by=owner),
        lambda: journal.close_season(club.seasons.get(name="2026"), by=owner),
    )

    assert len(answers) == 4
    assert differences() == []
