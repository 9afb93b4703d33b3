"""The API tells of every debt what the pages tell."""

from __future__ import annotations

from uuid import uuid4

import pytest

from ledger import journal, settlement
from ledger.settlement import SettlementScope


@pytest.fixture
def scope(table, won, as_scorer):
    """Łucja and Żaneta have won 6 points, 1.20, each from Bartek and Darek."""
    as_scorer.post(f"/api/tables/{table.pk}/hands/", won | {"number": 1})
    return SettlementScope.of_evening(table.evening)


@pytest.fixture
def tally(scope, as_member):
    def told(**query):
        return as_member.get(f"/api/evenings/{scope.evening.pk}/tally/", query).json()

    return told


def rows(plan):
    return [(row["payer"], row["payee"], row["amount"]) for row in plan]


def test_what_was_paid_is_no_longer_planned(scope, people, owner, tally):
    first, second = settlement.plan(scope).rows

    journal.pay(scope, first.payer, first.payee, 120, id=uuid4(), by=owner)

    told = tally()
    assert rows(told["plan"]) == [(second.payer.pk, second.payee.pk, second.amount)]
    assert [(debt["state"], debt["open"]) for debt in told["debts"]] == [
        ("paid", False),
        ("open", True),
    ]


def test_what_was_settled_is_planned_nowhere(scope, owner, tally):
    assert rows(tally()["plan"]) == [row.key for row in settlement.plan(scope).rows]

    journal.settle(scope, id=uuid4(), by=owner)

    told = tally()
    assert told["plan"] == list(settlement.plan(scope).rows) == []
    assert {debt["state"] for debt in told["debts"]} == {"paid"}


def test_the_pot_is_a_part_of_the_plan(scope, people, owner, tally):
    journal.fine(scope, people[1], 50, reason="late", id=uuid4(), by=owner)

    pot = scope.club.players.get(kind="pot")

    assert pot.pk in {row["payee"] for row in tally()["plan"]}


@pytest.mark.parametrize("method", ["fewest", "hands", "pot", "carry"])
def test_the_plan_is_as_the_club_settles_or_as_asked(scope, tally, method):
    expected = [row.key for row in settlement.plan(scope, method).rows]
    asked = tally(method=method)

    scope.club.method = method
    scope.club.save()

    assert rows(asked["plan"]) == rows(tally()["plan"]) == expected
    assert any(debt["open"] for debt in tally()["debts"])


def test_a_debt_that_was_carried_says_where_it_stands(scope, people, owner, tally):
    everything = SettlementScope.everything(scope.club, "PLN")
    journal.pay(everything, people[0], people[2], 1, id=uuid4(), by=owner)

    told = tally()

    assert told["plan"] == []
    assert [(debt["state"], debt["open"]) for debt in told["debts"]] == [
        ("carried", True)
    ] * 2
    assert told["debts"][0]["stands"] == {"evening": None, "season": None}


def test_a_club_is_told_in_every_currency_in_which_something_is_open(
    scope, club, people, owner, as_member
):
    dollars = SettlementScope.everything(club, "USD")
    journal.pay(dollars, people[0], people[1], 7, id=uuid4(), by=owner)

    books = as_member.get(f"/api/clubs/{club.pk}/balances/").json()

    assert [book["currency"] for book in books] == ["PLN", "USD"]
    assert rows(books[1]["plan"]) == [(people[1].pk, people[0].pk, 7)]
    for book in books:
        assert sum(balance["amount"] for balance in book["balances"]) == 0
