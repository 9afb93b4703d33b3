"""Who owes whom by the hands of closed evenings: kept, and the same as replayed."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from ledger import journal, settlement, statistics
from ledger.models import Entry, PairSum
from ledger.settlement import Method, SettlementScope, pair_sums, statement


def of_all_pairs(people, scope):
    """Return what each owes each other: as the kept sums say, and as replayed."""
    return [
        [ask(one, other, scope).amount for one, other in permutations(people, 2)]
        for ask in (settlement.overview_between, settlement.statement_between)
    ]


def _by_part(found):
    parts = {part.evening: part.amount for part in found.parts if part.amount}
    return found.amount, parts


@pytest.fixture
def two_evenings(lay, record, people, owner):
    """Two closed ones: hands, one taken back, an adjustment, a fee, payments."""
    for count in (4, 5):
        table = lay(count)
        for _hand in range(3):
            version = record(table)
        journal.reverse_hand(version.hand, id=uuid4(), by=owner)
        scope = SettlementScope.of_evening(table.evening)
        by = {"id": uuid4(), "by": owner}
        journal.fine(scope, people[1], 50, reason="late", **by)
        journal.pay(scope, people[1], people[0], 30, id=uuid4(), by=owner)
        journal.close_evening(table.evening, by=owner)
    return table.evening


def test_the_kept_sums_are_what_a_replay_says(two_evenings, club, people, owner):
    journal.pay(
        SettlementScope.of_evening(two_evenings),
        people[3],
        people[0],
        7,
        id=uuid4(),
        by=owner,
    )
    everything = SettlementScope.everything(club, "PLN")
    journal.pay(everything, people[2], people[0], 11, id=uuid4(), by=owner)

    for scope in (everything, SettlementScope.of_season(two_evenings.season, "PLN")):
        kept, replayed = of_all_pairs(people[:5], scope)

        assert kept == replayed
        assert any(kept)


def test_the_balance_by_evening_is_what_a_replay_says(two_evenings, club, people):
    everything = SettlementScope.everything(club, "PLN")

    for player in people[:5]:
        whole = settlement.statement_of(player, everything, lines=False)
        short = settlement.overview_of(player, everything)

        assert _by_part(short) == _by_part(whole)


def test_no_hand_of_a_closed_evening_is_replayed(two_evenings, club, people, record):
    everything = SettlementScope.everything(club, "PLN")

    among = Entry.objects.filter(pk__in=pair_sums.unsummed_entries(everything))

    assert {entry.kind for entry in among} == {"payment"}


def test_a_reopened_evening_is_replayed_until_it_is_closed_again(
    two_evenings, club, people, owner, record
):
    everything = SettlementScope.everything(club, "PLN")
    journal.reopen_evening(two_evenings, by=owner, reason="a hand was forgotten")
    record(two_evenings.tables.get())
    dropped = PairSum.objects.filter(evening=two_evenings).exists()
    open_, replayed = of_all_pairs(people[:5], everything)
    journal.close_evening(two_evenings, by=owner)

    assert not dropped
    assert open_ == replayed
    assert of_all_pairs(people[:5], everything) == [replayed, replayed]


def test_the_audit_names_an_evening_whose_sums_were_changed(two_evenings, capsys):
    PairSum.objects.filter(evening=two_evenings).update(amount=999)

    with pytest.raises(CommandError):
        call_command("audit")

    assert f"{two_evenings} ({two_evenings.date}) does not keep who owes whom" in (
        capsys.readouterr().out
    )


def test_only_the_latest_evenings_are_told_one_by_one(
    two_evenings, club, people, monkeypatch
):
    everything = SettlementScope.everything(club, "PLN")

    whole = settlement.overview_between(people[0], people[1], everything)
    latest = settlement.overview_between(people[0], people[1], everything, latest=1)

    assert [part.amount for part in latest.parts] == [whole.parts[-1].amount]
    assert latest.earlier == whole.parts[0].amount
    assert (latest.amount, whole.earlier) == (whole.amount, None)


def test_cash_after_each_hand_is_the_same_however_far_back(
    two_evenings, club, people, record, lay
):
    """Two closed evenings from their kept sums, an open one from its hands."""
    record(lay(4))
    everything = SettlementScope.everything(club, "PLN")
    replayed = Counter()
    for moved in settlement.entries_in(everything):
        for coin in moved.transfers():
            replayed[coin.payer, coin.payee] += coin.amount
            replayed[coin.payee, coin.payer] -= coin.amount

    plan = settlement.plan(everything, Method.HANDS)

    due = {(row.payer.pk, row.payee.pk): row.amount for row in plan.rows}
    assert due == {pair: amount for pair, amount in replayed.items() if amount > 0}
    assert due


def test_evenings_played_for_different_things_are_kept_together(lay, record, owner):
    """Two win 3 of one each, at 20 grosze a point and at none."""
    closed = [lay(4, **played_for) for played_for in ({}, {"currency": "", "stake": 0})]
    for table in closed:
        record(table)
        journal.close_evening(table.evening, by=owner, store=False)

    kept = list(statistics.rebuild(table.evening for table in closed))

    assert kept == [table.evening for table in closed]
    for evening, each in zip(kept, (3 * 20, 3), strict=True):
        sums = PairSum.objects.filter(evening=evening).values_list("amount", flat=True)
        assert sorted(map(abs, sums)) == [0, 0, 0, 0, each, each]


@pytest.mark.parametrize("between", [False, True])
def test_a_statement_told_in_turn_is_the_whole_one(
    two_evenings, club, people, lay, record, owner, monkeypatch, between
):
    """Evening by evening, then what was paid outside of them."""
    monkeypatch.setattr(statement, "EVENINGS_AT_ONCE", 1)
    record(lay(4))
    everything = SettlementScope.everything(club, "PLN")
    journal.pay(everything, people[1], people[0], 11, id=uuid4(), by=owner)
    other = people[1] if between else None

    parts = list(settlement.statement_parts(people[0], other, everything))

    whole = (
        settlement.statement_between(people[0], people[1], everything)
        if between
        else settlement.statement_of(people[0], everything)
    )
    assert [(p.evening, p.amount) for p in parts] == [
        (p.evening, p.amount) for p in whole.parts
    ]
    assert [i.entry for p in parts for i in p.items] == [
        i.entry for p in whole.parts for i in p.items
    ]
    assert len(parts) == 4
