"""What was begun wrongly is put right: an evening, its game and rules, a club."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

import scoring
from ledger import journal, tallies
from ledger.audit import Audit
from ledger.journal import Amendment
from ledger.models import (
    Action,
    Club,
    Edition,
    Evening,
    EveningRating,
    PairSum,
    SeasonDigest,
    TableDigest,
    Version,
)
from ledger.settlement import SettlementScope
from ledger.statistics import rating_store
from ledger.table import changes
from tests.support import evening_dump
from tests.support.fixtures import enter, won

CAPPED = scoring.tariff("taroki", {"contra_cap": 2})
DOUBLED = scoring.tariff("taroki", {"tarok_bonus_to": "player"})
DAY = datetime.date(2026, 10, 3)


@pytest.fixture
def amend(owner):
    """Return a function that corrects an evening."""

    def done(evening, reason="typo", by=owner, **asked):
        return journal.amend_evening(
            evening, Amendment(**asked), reason=reason, id=uuid4(), by=by
        )

    return done


@pytest.fixture
def undone(owner):
    """Return a function that undoes a correction."""

    def done(action, by=owner):
        return journal.undo(action, id=uuid4(), by=by)

    return done


@pytest.fixture
def season(club):
    """A season before the one that runs."""
    return club.seasons.create(name="2025", starts=datetime.date(2025, 1, 1))


def held(evening, players):
    """Return a hand in which the second, a defender, has declared ten taroks."""
    return won(players) | {"holdings": {str(players[1].pk): "10"}}


def everything(evening):
    """Return all of an evening that counts, and all that is kept of its club."""
    evening.refresh_from_db()
    club = evening.club
    kept = {
        model.__name__: sorted(
            model.objects.filter(**{path: club}).values_list(*fields), key=str
        )
        for model, path, fields in (
            (TableDigest, "evening__club", ("evening", "number", "variant", "data")),
            (PairSum, "evening__club", ("evening", "one", "other", "amount")),
            (EveningRating, "evening__club", ("evening", "games", "state")),
            (
                SeasonDigest,
                "season__club",
                ("season", "span", "first", "number", "variant", "data"),
            ),
        )
    }
    return (
        (
            journal.stored_values(evening),
            evening.closed_at,
            evening_dump.of_evening(evening),
            kept,
        ),
    )


def clean():
    return list(Audit().differences()) == []


# An evening


EACH = [
    {"name": "Saturday"},
    {"date": DAY},
    {"season": "2025"},
    {"currency": "EUR", "stake": 5},
    {"currency": "", "stake": 0},
    {"stake": 50},
    {"games": {1: CAPPED}},
    {
        "name": "Saturday",
        "date": DAY,
        "season": "2025",
        "currency": "EUR",
        "stake": 5,
        "games": {1: DOUBLED},
    },
]


@pytest.mark.parametrize("state", ["open", "closed", "closed, rated"])
@pytest.mark.parametrize("asked", EACH, ids=lambda asked: " ".join(asked))
def test_whatever_is_corrected_is_undone_exactly(
    club, table, record, owner, season, night, amend, undone, asked, state
):
    night("2026-11-13", 3)
    rating_store.switch(club, on="rated" in state)
    evening = table.evening
    for _hand in range(3):
        players = journal.preview(table, {}).deal.players
        record(table, held(evening, players))
    journal.adjust(
        evening, {players[0]: 5, players[1]: -5}, reason="x", id=uuid4(), by=owner
    )
    if "closed" in state:
        journal.close_evening(evening, by=owner)
    before = everything(evening)

    asked = asked | ({"season": season} if "season" in asked else {})
    action = amend(evening, **asked)
    after = everything(evening)
    is_clean = clean()
    undoing = undone(action)
    back = everything(evening)
    again = journal.undo(undoing, id=uuid4(), by=owner)

    assert after != before
    assert is_clean
    assert back == before
    assert everything(evening) == after
    assert clean()
    assert again.after == action.after


def test_what_is_already_so_is_nobodys_action(table, amend):
    evening = table.evening

    action = amend(
        evening,
        name=evening.name,
        date=evening.date,
        currency="PLN",
        stake=20,
        games={1: table.edition.tariff},
    )

    assert action is None
    assert not evening.actions.exists()


def test_a_correction_sent_twice_is_one(table, owner):
    id = uuid4()
    sent = table.evening, Amendment(name="Saturday")

    one = journal.amend_evening(*sent, id=id, by=owner)
    two = journal.amend_evening(*sent, id=id, by=owner)
    one_back = journal.undo(one, id=(back := uuid4()), by=owner)
    two_back = journal.undo(one, id=back, by=owner)

    assert (one, one_back) == (two, two_back)
    assert table.evening.actions.count() == 2


def test_an_id_that_is_anothers_is_refused(table, record, owner):
    version = record(table)

    with pytest.raises(scoring.Refused, match="used elsewhere"):
        journal.amend_evening(
            table.evening, Amendment(name="Saturday"), id=version.pk, by=owner
        )


def test_what_was_won_changes_with_a_reason(table, record, amend):
    amend(table.evening, stake=30, reason="")
    record(table)

    for asked in ({"stake": 50}, {"games": {1: DOUBLED}}):
        with pytest.raises(scoring.Refused, match="Give a reason"):
            amend(table.evening, reason=" ", **asked)
    amend(table.evening, name="Saturday", date=DAY, reason="")

    assert clean()


def test_a_closed_evening_is_corrected_by_an_owner_alone(table, owner, scorer, amend):
    action = amend(table.evening, name="Saturday", by=scorer)
    journal.close_evening(table.evening, by=scorer)

    with pytest.raises(journal.Closed):
        amend(table.evening, name="Sunday", by=scorer)
    with pytest.raises(journal.Closed):
        journal.undo(action, id=uuid4(), by=scorer)
    amend(table.evening, date=DAY)

    table.evening.refresh_from_db()
    assert (table.evening.name, table.evening.date) == ("Saturday", DAY)
    assert table.evening.closed_at
    assert clean()


@pytest.mark.parametrize("closed", ["its own", "the other"])
def test_a_closed_season_stays_as_it_is(club, table, owner, season, amend, closed):
    action = amend(table.evening, name="Saturday")
    shut = table.evening.season if closed == "its own" else season
    journal.close_season(shut, by=owner)

    with pytest.raises(journal.SeasonClosed):
        amend(table.evening, season=season)
    if closed == "its own":
        for write in (
            journal.remove_evening,
            lambda _e, **by: journal.undo(action, **by),
        ):
            with pytest.raises(journal.SeasonClosed):
                write(table.evening, id=uuid4(), by=owner)

    assert clean()


def test_a_currency_stays_when_money_has_moved(table, record, people, owner, amend):
    record(table)
    scope = SettlementScope.of_evening(table.evening)
    payment = journal.pay(scope, people[1], people[0], 60, id=uuid4(), by=owner)

    with pytest.raises(scoring.Refused, match="paid in the other currency"):
        amend(table.evening, currency="EUR", stake=5)
    amend(table.evening, currency="PLN", stake=30)
    journal.undo(payment, id=uuid4(), by=owner)
    action = amend(table.evening, currency="EUR", stake=5)
    table.evening.refresh_from_db()
    scope = SettlementScope.of_evening(table.evening)
    journal.pay(scope, people[1], people[0], 15, id=uuid4(), by=owner)
    with pytest.raises(scoring.Refused, match="paid in the other currency"):
        journal.undo(action, id=uuid4(), by=owner)

    assert clean()


def test_an_earlier_correction_is_undone_where_nothing_has_come_over_it(table, amend):
    name = amend(table.evening, name="Saturday")
    amend(table.evening, date=DAY)
    stake = amend(table.evening, stake=30)
    amend(table.evening, stake=50)

    journal.undo(name, id=uuid4(), by=name.by)
    with pytest.raises(journal.Stale) as stale:
        journal.undo(stake, id=uuid4(), by=name.by)

    table.evening.refresh_from_db()
    kept = table.evening.name, table.evening.date, table.evening.stake
    assert kept == ("Friday", DAY, 50)
    assert [action.number for action in stale.value.since] == [4, 5]
    assert clean()


def test_what_was_corrected_once_more_stays_so(table, record, amend, undo):
    record(table)
    first = amend(table.evening, name="Saturday", stake=30, games={1: CAPPED})
    amend(table.evening, name="Sunday", date=DAY)

    undoing = undo(table)

    table.evening.refresh_from_db()
    table.refresh_from_db()
    assert undoing.undoes == first
    assert undoing.after.keys() == {"currency", "stake", "edition", "tables"}
    kept = table.evening.name, table.evening.date, table.evening.stake
    assert kept == ("Sunday", DAY, 20)
    assert table.edition.rules == {}
    assert journal.UndoStack.of(table).redo == undoing
    assert clean()


def test_a_season_of_another_club_is_no_season(table, owner, stranger, amend):
    other = Club.objects.create(name="Other")
    theirs = other.seasons.create(name="2026", starts=DAY)

    with pytest.raises(ValueError, match="season of club"):
        amend(table.evening, season=theirs)


# Game and rules


def test_what_is_listed_is_what_is_then_booked(table, record, people, amend):
    evening = table.evening
    for hand in range(4):
        players = journal.preview(table, {}).deal.players
        record(table, held(evening, players) if hand % 2 else None)
    plan = journal.plan_amendment(evening, Amendment(stake=50, games={1: DOUBLED}))

    amend(evening, stake=50, games={1: DOUBLED})

    evening.refresh_from_db()
    rows = {row.version.hand_id: row for row in tallies.hands_of(table)}
    moved = {row.hand for row in plan.tables[0].rows}
    assert len(moved) == 2
    for row in plan.tables[0].rows:
        assert row.gains_after == rows[row.hand].gains
        assert row.gains_before != row.gains_after
    tally = {row.player: (row.points, row.money) for row in tallies.tally(evening)}
    assert {s.player: (s.points_after, s.money_after) for s in plan.sums} == tally
    assert {row.version.edition for row in rows.values()} == {
        Edition.objects.get(rules=DOUBLED.rules)
    }
    assert clean()


def test_a_look_writes_nothing(club, table, record, django_assert_num_queries):
    record(table)
    kept = club.editions.count(), Version.objects.count(), Action.objects.count()

    journal.plan_amendment(table.evening, Amendment(games={1: DOUBLED}))

    assert kept == (
        club.editions.count(),
        Version.objects.count(),
        Action.objects.count(),
    )


def test_one_hand_that_the_rules_refuse_stops_it(table, record, amend):
    record(table)
    players = journal.preview(table, {}).deal.players
    hand = record(table, won(players) | {"contra": 3}).hand
    before = everything(table.evening)

    plan = journal.plan_amendment(table.evening, Amendment(games={1: CAPPED}))
    with pytest.raises(scoring.Refused, match="Hand 2 at table 1"):
        amend(table.evening, games={1: CAPPED})

    (refusal,) = plan.refusals
    assert (refusal.hand, refusal.number, refusal.table) == (hand.pk, 2, 1)
    assert refusal.players == tuple(players)
    assert [problem.field for problem in refusal.problems] == ["contra"]
    assert plan.problems[0].about == str(hand.pk)
    assert everything(table.evening) == before


def test_without_hands_any_game_can_be_chosen(table, record, amend, undone):
    action = amend(table.evening, games={1: scoring.tariff("paskievics")}, reason="")
    table.refresh_from_db()
    players = journal.preview(table, {}).deal.players
    version = record(table, won(players, "three"))

    assert version.edition.variant == table.edition.variant == "paskievics"
    with pytest.raises(journal.Stale):
        undone(action)
    assert journal.UndoStack.of(table).undo.pk == version.pk
    assert clean()


def test_each_table_has_a_game_of_its_own(table, record, people, owner, amend):
    evening = table.evening
    other = Evening.objects.get(pk=evening.pk)

    second = journal.add_table(
        other,
        seats=[*people[4:], *(newcomer(evening, name) for name in ("Gosia", "Hania"))],
        dealer=people[4],
    )
    record(table)
    record(second)

    amend(evening, games={2: CAPPED})

    table.refresh_from_db()
    second.refresh_from_db()
    evening.refresh_from_db()
    assert evening.edition == table.edition != second.edition
    assert second.edition.tariff.rules == CAPPED.rules
    assert clean()


def newcomer(evening, name):
    return evening.club.players.create(name=name)


def test_the_table_undoes_it_in_its_turn(table, record, amend, undo):
    first = record(table, held(table.evening, journal.preview(table, {}).deal.players))
    paid = evening_dump.of_table(table)["hands"][0]["posted"]
    action = amend(table.evening, games={1: DOUBLED})
    record(table)

    undo(table)
    assert journal.UndoStack.of(table).undo == action
    undo(table)

    table.refresh_from_db()
    assert table.edition == first.edition
    assert evening_dump.of_table(table)["hands"][0]["posted"] == paid
    assert journal.UndoStack.of(table).redo.undoes == action
    assert clean()


def test_a_hand_that_counts_again_does_so_by_the_rules_of_its_table(
    table, record, correct, amend
):
    players = journal.preview(table, {}).deal.players
    capped = record(table, won(players) | {"contra": 3}).hand
    plain = record(table).hand
    for hand in (capped, plain):
        correct(table, changes.Void(hand))
    amend(table.evening, games={1: CAPPED})
    table.refresh_from_db()

    with pytest.raises(scoring.Refused):
        correct(table, changes.Restore(capped))
    correct(table, changes.Restore(plain))

    last = plain.versions.latest("number")
    assert last.edition == table.edition
    assert clean()


# Removing an evening


def test_an_empty_evening_goes_and_comes_back(club, table, owner, undone):
    evening = table.evening
    before = everything(evening)

    action = journal.remove_evening(evening, id=(id := uuid4()), by=owner)
    again = journal.remove_evening(evening, id=id, by=owner)
    gone = list(club.evenings.shown())
    is_clean = clean()
    undone(action)

    assert action == again
    assert gone == []
    assert is_clean
    assert everything(evening) == before
    assert clean()


def test_nothing_is_done_to_an_evening_that_was_removed(table, people, owner, amend):
    journal.remove_evening(table.evening, id=uuid4(), by=owner)
    scope = SettlementScope.of_evening(table.evening)
    more = {"id": uuid4(), "by": owner}
    record = won(people[:4])

    for write in (
        lambda: journal.record_hand(table, record=record, **more),
        lambda: amend(table.evening, name="Saturday"),
        lambda: journal.remove_evening(table.evening, **more),
        lambda: journal.close_evening(table.evening, by=owner),
        lambda: journal.pay(scope, people[0], people[1], 5, **more),
        lambda: journal.carry(table.evening, None, **more),
        lambda: journal.adjust(
            table.evening, {people[0]: 1, people[1]: -1}, reason="x", **more
        ),
    ):
        with pytest.raises(journal.Removed):
            write()

    assert Action.objects.count() == 1


def test_a_closed_evening_is_removed_and_stays_closed(
    club, night, table, owner, scorer, undone
):
    night("2026-11-13", 2)
    journal.close_evening(table.evening, by=owner)
    before = everything(table.evening)

    with pytest.raises(journal.Closed):
        journal.remove_evening(table.evening, id=uuid4(), by=scorer)
    action = journal.remove_evening(table.evening, id=uuid4(), by=owner)
    kept = TableDigest.objects.filter(evening=table.evening).count()
    is_clean = clean()
    undone(action)

    assert kept == 0
    assert is_clean
    assert everything(table.evening) == before
    assert clean()


def test_an_evening_in_which_something_counts_stays(table, record, people, owner):
    version = record(table)
    more = {"id": uuid4(), "by": owner}
    with pytest.raises(scoring.Refused, match="Hands were played"):
        journal.remove_evening(table.evening, **more)

    journal.reverse_hand(version.hand, id=uuid4(), by=owner)
    gains = {people[0]: 1, people[1]: -1}
    adjusted = journal.adjust(table.evening, gains, reason="x", id=uuid4(), by=owner)
    with pytest.raises(scoring.Refused, match="paid, charged or adjusted"):
        journal.remove_evening(table.evening, **more)
    journal.undo(adjusted, id=uuid4(), by=owner)
    journal.remove_evening(table.evening, **more)

    assert clean()


def test_the_database_keeps_what_counts_from_going(table, record):
    record(table)
    table.evening.removed = True

    with pytest.raises(IntegrityError, match="something counts"), transaction.atomic():
        table.evening.save()


def test_the_database_takes_no_entry_of_an_evening_that_has_gone(table, owner):
    journal.remove_evening(table.evening, id=uuid4(), by=owner)

    with pytest.raises(IntegrityError, match="is removed"), transaction.atomic():
        enter(table.evening, owner, "adjustment", Ania=1, Bartek=-1)


# A club


def test_a_club_is_called_otherwise_and_again_as_before(club, owner, scorer):
    id = uuid4()
    with pytest.raises(PermissionDenied):
        journal.amend_club(club, name="Kozy II", id=id, by=scorer)
    action = journal.amend_club(club, name="Kozy II", language="hu", id=id, by=owner)
    again = journal.amend_club(club, name="Kozy II", language="hu", id=id, by=owner)
    nothing = journal.amend_club(club, name="Kozy II", id=uuid4(), by=owner)
    club.refresh_from_db()
    renamed = club.name, club.language
    is_clean = clean()
    journal.undo(action, id=uuid4(), by=owner)
    club.refresh_from_db()

    assert action == again
    assert nothing is None
    assert renamed == ("Kozy II", "hu")
    assert (club.name, club.language) == ("Kozy", "pl")
    assert action.before == {"name": "Kozy", "language": "pl"}
    assert is_clean
    assert clean()


# The audit


def test_the_audit_sees_what_no_action_has_corrected(club, table, amend, owner):
    amend(table.evening, name="Saturday", games={1: CAPPED})
    journal.amend_club(club, name="Kozy II", id=uuid4(), by=owner)

    type(table.evening).objects.update(name="Sunday")
    type(table).objects.update(edition=club.editions.get(rules={}))
    type(club).objects.update(name="Kozy III")

    wrong = list(Audit().differences())
    assert len(wrong) == 2
    assert f"name, the tariff of table {table.pk} is otherwise" in wrong[0]
    assert "Kozy III: name is otherwise" in wrong[1]
