"""Statistics where those of other programs went wrong; reports.md has the numbers."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger import journal, statistics
from ledger.models import Hand, Player
from ledger.statistics import HandFilter, digest, drill_down
from ledger.statistics.played_hand import OtherEntry
from ledger.statistics.ranking import ranking
from tests.support.fixtures import won
from tests.support.played_hands import won as played

pytestmark = pytest.mark.django_db


def test_without_hands_nothing_is_left_of_them(night, club, undo):
    """Report 81: every hand taken back one after another."""
    empty = statistics.read(HandFilter(club))
    table = night("2026-11-20", 2, close=False)
    assert statistics.read(HandFilter(club)).hands == 2

    for _hand in range(2):
        undo(table)

    found = statistics.read(HandFilter(club))
    assert found.digest == empty.digest
    assert (found.ranking(), found.records(), found.evenings) == ([], (), 0)
    assert found.curve().points == ()
    assert found.tempo().hands_an_hour is None


def test_who_never_played_can_go_though_others_are_kept(night, club, people):
    """Report 99: no digest holds on to a player."""
    night("2026-11-20", 1)

    Player.objects.get(name="Filip").delete()

    found = statistics.read(HandFilter(club))
    assert {row.player.name for row in found.ranking()} == {
        *("Ania", "Bartek", "Celina", "Darek")
    }
    assert people[5].pk not in found.people


def test_hands_count_in_the_order_of_their_numbers(night, club, people):
    """Report 112: whatever the clock of a phone said."""
    table = night("2026-11-20", 2, close=False)
    late = datetime.datetime(2026, 11, 20, 23, tzinfo=datetime.UTC)
    for hand in Hand.objects.filter(table=table):
        hand.played_at = late - datetime.timedelta(minutes=10 * hand.number)
        hand.save()

    found = statistics.read(HandFilter(club))

    # Ania wins the first hand and loses the second.
    current = found.digest.streaks[str(people[0].pk)].tail
    assert (current.sign, current.first.number) == (-1, 2)
    assert found.tempo().duration == datetime.timedelta(minutes=10)
    hands = drill_down(HandFilter(club), "hands", people[0]).hands
    assert [hand.place.number for hand in hands] == [2, 1]


def test_an_hour_is_an_hour_when_the_clocks_go_back(night, club):
    """Reports 108 and 113: in Budapest both hands are played at half past two."""
    table = night("2026-10-24", 2, close=False)
    for hand, hour in zip(table.hands.order_by("number"), (0, 1), strict=True):
        hand.played_at = datetime.datetime(2026, 10, 25, hour, 30, tzinfo=datetime.UTC)
        hand.save()

    tempo = statistics.read(HandFilter(club)).tempo()

    assert tempo.hands_an_hour == Fraction(1)
    assert (tempo.start.hour, tempo.end.hour) == (0, 1)


def test_an_evening_belongs_to_the_season_and_the_day_it_began(night, club, owner):
    """Report 110: from New Year's Eve into January it is in one season only."""
    table = night("2026-12-31", 2, close=False)
    midnight = datetime.datetime(2027, 1, 1, 0, 30, tzinfo=datetime.UTC)
    table.hands.filter(number=2).update(played_at=midnight)
    journal.close_evening(table.evening, by=owner)
    other = club.seasons.create(name="2027", starts=datetime.date(2027, 1, 1))

    hands = {
        season.name: statistics.read(HandFilter(club, season)).hands
        for season in club.seasons.all()
    }
    january = HandFilter(club, since=other.starts)

    assert hands == {"2026": 2, "2027": 0}
    assert statistics.read(january).hands == 0


def test_who_comes_late_has_no_zero_before(night, club, record, people):
    """Reports 55 and 124: a curve begins where somebody does."""
    night("2026-11-13", 1)
    night("2026-11-20", 1, seats=5)
    table = night("2026-11-27", 0, seats=5, close=False)
    record(table, won([people[1], None, people[4]]), resting=[people[0]])

    curve = statistics.read(HandFilter(club)).curve()

    assert curve.series[people[4].pk] == (None, None, 3)
    assert curve.series[people[0].pk] == (3, 6, 6)
    assert [point.hands for point in curve.points] == [1, 2, 3]


def test_old_sheets_count_in_totals_and_by_hand_in_averages():
    """What only a sheet tells is in no role, contract or bonus."""
    day = "2026-11-20/1"
    whole = digest.of_other_entries(
        [
            OtherEntry(day=day, gains={1: (10, 200), 2: (-10, -200)}, currency="PLN"),
            OtherEntry(day=day, gains={1: (-5, 0), 3: (5, 0)}, is_hand=True),
            OtherEntry(day=day, gains={1: (7, 0), 4: (-7, 0)}, is_adjustment=True),
        ]
    )
    whole.add(digest.of_table([played(1)]))
    whole.complete()
    people = {pk: Player(pk=pk, name=str(pk)) for pk in (1, 2, 3, 4)}

    rows = {row.player.pk: row for row in ranking(whole, people)}

    # 1 by the hand, 10 by the evening's sheet, -5 by a hand on a sheet, 7 adjusted.
    assert (rows[1].points, rows[1].hands, rows[1].average) == (13, 2, -2)
    assert (rows[2].points, rows[2].hands, rows[2].evenings) == (-11, 1, 1)
    assert (rows[4].points, rows[4].hands, rows[4].adjusted) == (-8, 1, -7)
    assert whole.sums["as_declarer"] == {"1": {"": [1, 1, 1]}}
    assert whole.running_totals.totals == {"1": 13, "2": -11, "3": 6, "4": -8}
    assert whole.running_totals.hands == 2


def test_the_hands_behind_take_the_same_queries_for_any_number(night, club, people):
    night("2026-11-06", 1)
    counted = []
    for day in (13, 14, 15):
        night(f"2026-11-{day}", 3)
        with CaptureQueriesContext(connection) as queries:
            drill_down(HandFilter(club), "hands", people[0])
        counted.append(len(queries))

    assert len(set(counted)) == 1


def test_a_digest_of_no_hands_is_empty():
    assert digest.of_table([]) == digest.Digest()
    assert digest.merged([digest.of_table([played(1)])]) == digest.of_table([played(1)])
