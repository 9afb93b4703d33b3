"""Tallies and balances are sums over what was posted, and nothing else."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest

from ledger import journal, tallies
from ledger.models import Entry, Evening, LineUp, Player, Seat
from ledger.settlement import SettlementScope
from tests.support.club_balances import club_balances
from tests.support.fixtures import enter, won


def figures(tally):
    return {s.player.name: (s.points, s.money, s.hands) for s in tally}


def test_everybody_at_the_table_stands_in_seat_order(lay):
    tally = tallies.tally(lay(5).evening)

    assert figures(tally) == dict.fromkeys(
        ["Ania", "Bartek", "Celina", "Darek", "Ewa"], (0, 0, 0)
    )
    assert list(figures(tally)) == ["Ania", "Bartek", "Celina", "Darek", "Ewa"]


def test_a_hand_counts_for_those_who_played_it(lay, record):
    at = lay(5)
    record(at)

    assert figures(tallies.tally(at.evening)) == {
        "Ania": (3, 60, 1),
        "Bartek": (-3, -60, 1),
        "Celina": (3, 60, 1),
        "Darek": (-3, -60, 1),
        "Ewa": (0, 0, 0),
    }


def test_a_reversed_hand_counts_for_nothing(table, record, owner):
    journal.reverse_hand(record(table).hand, id=uuid4(), by=owner)

    assert set(figures(tallies.tally(table.evening)).values()) == {(0, 0, 0)}


def test_a_penalty_counts_and_is_no_hand(table, owner):
    enter(table.evening, owner, Entry.Kind.ADJUSTMENT, Ania=-5, Bartek=5)

    tally = figures(tallies.tally(table.evening))
    assert (tally["Ania"], tally["Bartek"]) == ((-5, -100, 0), (5, 100, 0))


def test_a_payment_moves_balances_and_no_tally(table, record, owner, club, people):
    record(table)
    ania, bartek, *_others = people
    before = figures(tallies.tally(table.evening))

    scope = SettlementScope.of_evening(table.evening)
    journal.pay(scope, bartek, ania, 60, id=uuid4(), by=owner)

    assert figures(tallies.tally(table.evening)) == before
    balances = {b.player.name: b for b in club_balances(club)}
    assert (balances["Bartek"].points, balances["Bartek"].money) == (-3, {"PLN": 0})


def test_who_left_and_who_came_stand_beside_the_others(lay, record, people):
    at = lay(4)
    record(at)
    lineup = LineUp.objects.create(table=at, from_hand=2)
    for position, i in enumerate((0, 5, 2, 3)):
        Seat.objects.create(lineup=lineup, position=position, player=people[i])
    record(at)

    tally = tallies.tally(at.evening)

    assert list(figures(tally)) == ["Ania", "Filip", "Celina", "Darek", "Bartek"]
    assert figures(tally)["Bartek"][2] == 1


def test_somebody_who_never_sat_down_is_not_forgotten(table, owner):
    enter(table.evening, owner, Entry.Kind.ADJUSTMENT, Ania=-5, Filip=5)

    assert figures(tallies.tally(table.evening))["Filip"] == (5, 100, 0)


def test_one_tally_for_all_tables(lay, record, people, club):
    first = lay(4)
    more = [Player.objects.create(club=club, name=name) for name in "XY"]
    seats = [*people[4:], *more]
    second = journal.add_table(first.evening, seats=seats, dealer=seats[3])
    record(first)
    record(second)

    tally = figures(tallies.tally(first.evening))

    assert second.number == 2
    assert tally["Celina"] == (3, 60, 1)
    assert tally["Ewa"] == (3, 60, 1)
    assert tally["Filip"] == (-3, -60, 1)


def test_balances_are_by_currency_and_name_everybody(lay, record, people, club):
    record(lay())
    record(lay(currency="EUR", stake=5))
    record(lay(currency="", stake=0))
    people[4].retired = True
    people[4].save()

    balances = club_balances(club)

    assert [balance.player for balance in balances] == people
    assert balances[0].points == 9
    assert balances[0].money == {"PLN": 60, "EUR": 15}
    assert (balances[4].points, balances[4].money) == (0, {})


def test_balances_of_a_season_are_those_of_its_evenings(lay, record, club):
    record(lay())
    season = club.seasons.get()
    other = club.seasons.create(name="2027", starts="2027-01-01")

    assert club_balances(club, season)[0].points == 3
    assert club_balances(club, other)[0].points == 0


def test_hands_are_listed_latest_first_with_what_they_moved(lay, record, people):
    at = lay(5)
    first, second = record(at), record(at)

    rows = tallies.hands_of(at)

    assert [row.version for row in rows] == [second, first]
    assert rows[1].gains == {people[i].pk: (3, -3)[i % 2] for i in range(4)}
    assert rows[1].money == {people[i].pk: (60, -60)[i % 2] for i in range(4)}


def test_voided_hands_are_listed_on_request(table, record, owner):
    kept, voided, last = record(table), record(table), record(table)
    journal.reverse_hand(voided.hand, id=uuid4(), by=owner)

    rows = tallies.hands_of(table, with_voided=True)

    assert [row.version.hand for row in tallies.hands_of(table)] == [
        last.hand,
        kept.hand,
    ]
    assert [(row.version.hand, row.voided) for row in rows] == [
        (last.hand, False),
        (voided.hand, True),
        (kept.hand, False),
    ]


def test_a_hand_undone_right_away_is_as_if_never_played(table, record, owner):
    kept, undone = record(table), record(table)
    journal.reverse_hand(undone.hand, id=uuid4(), by=owner)

    rows = tallies.hands_of(table, with_voided=True)

    assert [row.version for row in rows] == [kept]


def test_a_table_without_hands_lists_none(table):
    assert tallies.hands_of(table) == []


@pytest.mark.parametrize(("limit", "numbers"), [(1, [3]), (2, [3, 2]), (9, [3, 2, 1])])
def test_the_latest_hands_can_be_asked_for(table, record, limit, numbers):
    for _hand in range(3):
        record(table)

    rows = tallies.hands_of(table, limit=limit)

    assert [row.version.hand.number for row in rows] == numbers
    assert all(len(row.gains) == 4 for row in rows)


def test_the_mayor_is_who_lost_the_xxi_last(lay, record, people, club, owner):
    at = lay(4, "paskievics")
    assert tallies.mayor(club) is None
    for who in (1, 3):
        players = journal.preview(at, {}).deal.players
        loser = people[who]
        ours = [p for p in players if p != loser]
        last = record(
            at,
            {
                "contract": "two",
                "declarer": ours[0].pk,
                "partner": ours[1].pk,
                "card_points": 50,
                "xxi_lost_by": loser.pk,
                "bonuses": [{"bonus": "mond", "side": "declarer", "made": True}],
            },
        )
    assert tallies.mayor(club) == people[3]

    journal.reverse_hand(last.hand, id=uuid4(), by=owner)

    assert tallies.mayor(club) == people[1]


def test_the_mayor_stays_one_however_long_nobody_loses_the_xxi(
    lay, record, people, club, monkeypatch
):
    monkeypatch.setattr(tallies, "MAYOR_WITHIN", 1)
    at = lay(4, "paskievics")
    players = journal.preview(at, {}).deal.players
    record(
        at,
        {
            "contract": "two",
            "declarer": players[0].pk,
            "partner": players[1].pk,
            "card_points": 50,
            "xxi_lost_by": players[3].pk,
            "bonuses": [{"bonus": "mond", "side": "declarer", "made": True}],
        },
    )
    Evening.objects.update(date=datetime.date(2026, 11, 13))
    record(lay(4))

    assert tallies.mayor(club) == players[3]


@pytest.mark.parametrize("hands", [1, 30])
def test_reading_takes_the_same_queries_at_any_length(
    lay, record, club, django_assert_num_queries, hands
):
    at = lay(5)
    for _hand in range(hands):
        record(at)

    with django_assert_num_queries(2):
        tallies.tally(at.evening)
    with django_assert_num_queries(2):
        club_balances(club)
    with django_assert_num_queries(2):
        tallies.hands_of(at)
    with django_assert_num_queries(3):  # nobody has lost the XXI: all are looked at
        tallies.mayor(club)


def test_who_wins_is_no_matter_of_the_seat(lay, record):
    at = lay(4)
    for _hand in range(4):
        record(at, won(journal.preview(at, {}).deal.players))

    assert sum(s.points for s in tallies.tally(at.evening)) == 0
