"""Hands go in by one door: once, whole, and never behind anybody's back."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection

from ledger import journal, tallies
from ledger.models import Entry, Hand, Line, Posting, Version
from ledger.table import deals
from tests.support.fixtures import won


def postings(entry):
    rows = entry.postings.values_list("player__name", "points", "money")
    return {name: (points, money) for name, points, money in rows}


def counts():
    models = (Hand, Version, Line, Entry, Posting)
    return [model.objects.count() for model in models]


def test_a_hand_is_kept_with_its_lines_and_balanced_postings(
    table, people, owner, record
):
    version = record(
        table,
        won(people) | {"contra": 1, "holdings": {str(people[0].pk): "2"}},
    )

    assert (version.hand.number, version.number, version.units) == (1, 1, 7)
    assert version.record == {
        "ending": "played",
        "contract": "3",
        "declarer": people[0].pk,
        "partner": people[2].pk,
        "card_points": 41,
        "contra": 1,
        "holdings": {str(people[0].pk): "2"},
    }
    assert (version.dealer, version.recorded_by) == (people[3], owner)
    assert list(
        version.lines.values_list(
            "item", "kind", "side", "player", "base", "factor", "points"
        )
    ) == [
        ("3", "contract", "declarer", people[0].pk, 3, 2, 6),
        ("holdings_2", "holding", "declarer", people[0].pk, 1, 1, 1),
    ]
    entry = version.entries.get()
    assert (entry.kind, entry.currency, entry.club) == (
        "hand",
        "PLN",
        table.evening.club,
    )
    assert postings(entry) == {
        "Ania": (7, 140),
        "Bartek": (-7, -140),
        "Celina": (7, 140),
        "Darek": (-7, -140),
    }


def test_for_points_only_no_money_moves(lay, record):
    version = record(lay(currency="", stake=0))

    assert version.entries.get().currency == ""
    assert {money for _points, money in postings(version.entries.get()).values()} == {0}


def test_a_deal_thrown_in_is_a_hand_that_moves_nothing(lay, record):
    at = lay(4, "paskievics")
    version = record(at, {"ending": "passed"})

    assert version.thrown_in
    assert set(postings(version.entries.get()).values()) == {(0, 0)}
    assert not version.lines.exists()


def test_the_multiplier_is_derived_and_never_taken(lay, record, people):
    at = lay(4, "paskievics")
    record(at, {"ending": "passed", "multiplier": 8})
    version = record(at, won(people, "two") | {"card_points": 50, "multiplier": 8})

    assert (version.multiplier, version.record["multiplier"]) == (2, 2)


def test_the_new_mayor_is_kept_beside_the_record(lay, record, people):
    hand = won(people, "two") | {"card_points": 50, "xxi_lost_by": people[1].pk}
    hand["bonuses"] = [{"bonus": "mond", "side": "declarer", "made": True}]
    version = record(lay(4, "paskievics"), hand)

    assert version.xxi_lost_by == people[1]


def test_the_same_id_again_gives_the_same_hand(table, record):
    id = uuid4()
    version = record(table, id=id)
    before = counts()

    again = [
        record(table, id=id, hand=version.record, number=number) for number in (1, None)
    ]

    assert {v.pk for v in again} == {version.pk}
    assert counts() == before


def test_the_same_id_with_other_facts_is_not_dropped_in_silence(lay, record, people):
    table = lay(5)
    version = record(table, id=(id := uuid4()))
    other = version.record | {"card_points": 60}

    for change in (
        {"hand": other},
        {"hand": version.record, "dealer": people[0]},
        {"hand": version.record, "resting": people[:1]},
    ):
        with pytest.raises(journal.Taken) as taken:
            record(table, id=id, **change)
        assert taken.value.hand == version.hand


def test_the_id_of_another_table_is_refused_and_not_shown(lay, record, club):
    version = record(lay())

    with pytest.raises(journal.Refused) as refused:
        record(lay(), id=version.pk)

    assert [problem.code for problem in refused.value.problems] == ["id_used"]


def test_a_number_that_is_another_hand_is_taken(table, record):
    first = record(table, number=1)

    with pytest.raises(journal.Taken) as taken:
        record(table, number=1)

    assert taken.value.hand == first.hand


def test_a_number_that_is_not_the_next_is_refused(table, record):
    with pytest.raises(journal.Refused, match="Hand 1 comes next"):
        record(table, number=3)


def test_a_hand_with_errors_is_refused_whole(table, people, record):
    with pytest.raises(journal.Refused) as refused:
        record(table, won(people) | {"partner": people[0].pk, "card_points": 99})

    assert {p.field for p in refused.value.problems} >= {"partner", "card_points"}
    assert counts() == [0] * 5


@pytest.mark.parametrize("nonsense", [None, [], "hand", 7, {"declarer": {}}, {"x": 1}])
def test_a_record_that_is_none_is_refused(table, owner, nonsense):
    with pytest.raises(journal.Refused):
        journal.record_hand(table, id=uuid4(), record=nonsense, by=owner)


def test_a_warning_can_be_overridden(lay, owner, people):
    at = lay(4, "paskievics")
    unlikely = won(people, "two") | {"card_points": 50, "xxi_lost_by": people[1].pk}
    problems = journal.preview(at, unlikely).problems
    assert [problem.code for problem in problems] == ["mayor_without_capture"]

    with pytest.raises(journal.Refused) as refused:
        journal.record_hand(at, id=uuid4(), record=unlikely, by=owner)
    version = journal.record_hand(
        at, id=uuid4(), record=unlikely, by=owner, override=True
    )

    assert refused.value.problems == problems
    assert version.xxi_lost_by == people[1]


def test_a_player_who_sits_out_cannot_have_played(lay, record, people):
    with pytest.raises(journal.Refused, match="is not playing this hand"):
        record(lay(5), won(people) | {"declarer": people[4].pk})


def test_a_preview_is_what_will_be_written(lay, record):
    at = lay(6)
    preview = journal.preview(at, won(journal.preview(at, {}).deal.players))
    version = record(at)

    assert preview.hand.record(version.players) == version.record
    assert preview.score.units == version.units
    assert [player.pk for player in preview.deal.players] == version.players


def test_a_preview_tells_everything_that_is_wrong(table, people):
    preview = journal.preview(
        table, {"contract": "nine"}, dealer=people[4], resting=[people[0]]
    )

    assert {"dealer", "contract"} <= {problem.field for problem in preview.problems}
    assert preview.score is None
    assert preview.deal.dealer == people[3]


def test_a_closed_evening_takes_nothing_more(table, record, owner):
    version = record(table, id=(id := uuid4()))
    journal.close_evening(table.evening, by=table.evening.created_by)

    with pytest.raises(journal.Closed):
        record(table)
    with pytest.raises(journal.Closed):
        journal.reverse_hand(version.hand, id=uuid4(), by=owner)
    with pytest.raises(journal.Closed):
        journal.add_table(
            table.evening,
            seats=list(table.evening.club.players.all()[:4]),
            dealer=version.dealer,
        )
    assert record(table, id=id, hand=version.record) == version


def test_reversing_a_hand_restores_every_balance(table, record, owner):
    record(table)
    before = tallies.tally(table.evening)
    version = record(table)

    entry = journal.reverse_hand(version.hand, id=uuid4(), by=owner)

    assert tallies.tally(table.evening) == before
    assert (entry.kind, entry.reverses) == ("reversal", version.entries.get())
    assert Hand.objects.get(pk=version.hand_id).voided


def test_a_hand_is_reversed_once(table, record, owner):
    hand = record(table).hand
    entry = journal.reverse_hand(hand, id=(id := uuid4()), by=owner)
    before = counts()

    again = journal.reverse_hand(hand, id=id, by=owner)
    other_phone = journal.reverse_hand(hand, id=uuid4(), by=owner)

    assert again == other_phone == entry
    assert counts() == before


def test_a_reversal_cannot_take_the_id_of_anything_else(table, record, owner):
    first, second = record(table), record(table)
    journal.reverse_hand(second.hand, id=(undo := uuid4()), by=owner)

    for id in (first.pk, second.pk, undo):
        with pytest.raises(journal.Refused, match="used elsewhere"):
            journal.reverse_hand(first.hand, id=id, by=owner)


def test_the_number_of_an_undone_hand_is_free_again(table, record, owner):
    undone = record(table)
    journal.reverse_hand(undone.hand, id=uuid4(), by=owner)

    version = record(table, number=1)

    assert version.hand.number == 1
    assert Hand.objects.filter(table=table, number=1).count() == 2


def test_somebody_who_comes_in_without_the_lock_is_met(table, record):
    """A hand that appears between the look and the write: the constraint speaks."""
    intruder = record(table)
    due = deals.next_deal

    def blind(at):
        looks.append(at)
        if len(looks) != 2:  # the first is the preview's
            return due(at)
        Hand.objects.filter(pk=intruder.hand_id).update(voided=True)
        deal = due(at)
        Hand.objects.filter(pk=intruder.hand_id).update(voided=False)
        return deal

    looks = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "next_deal", blind)
        with pytest.raises(journal.Taken) as taken:
            record(table, hand=intruder.record, number=1)

    assert taken.value.hand == intruder.hand


def test_a_saved_hand_takes_the_same_queries_at_any_length(
    table, record, owner, django_assert_num_queries
):
    for hands in (0, 1, 50):
        for _hand in range(hands):
            record(table)
        hand = won(journal.preview(table, {}).deal.players)

        with django_assert_num_queries(
            15 + connection.features.has_select_for_update
        ):  # two of them begin and end the savepoint
            journal.record_hand(table, id=uuid4(), record=hand, by=owner)
