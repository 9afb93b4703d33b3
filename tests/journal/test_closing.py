"""A closed evening or season takes nothing more, until an owner reopens it."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from ledger import journal, tallies
from ledger.journal import SeasonClosed
from ledger.models import Action, Evening
from ledger.table import changes
from tests.support import evening_dump
from tests.support.fixtures import won


def test_a_closed_evening_takes_no_change(table, record, undo, owner, people):
    """27, 29: no correction and no undo, and the same again after reopening."""
    record(table)
    hand = record(table).hand
    before = evening_dump.of_evening(table.evening)
    journal.close_evening(table.evening, by=owner)
    version = hand.versions.get()

    for change in (
        changes.Correct(hand, version.record | {"card_points": 30}),
        changes.Void(hand),
        changes.Restore(hand),
        changes.Insert(1, uuid4(), won(people)),
        changes.Swap(hand, hand),
        changes.SwapSides(hand),
        changes.Reseat(1, people[0], people[1]),
    ):
        with pytest.raises(journal.Closed):
            journal.correct(table, change, id=uuid4(), by=owner)
    with pytest.raises(journal.Closed):
        undo(table)
    journal.reopen_evening(table.evening, by=owner, reason="forgot one")
    assert evening_dump.of_evening(table.evening) == before
    undo(table)


def test_closing_and_reopening_are_on_record(table, owner, scorer):
    closed = journal.close_evening(table.evening, by=scorer, id=(first := uuid4()))
    again = journal.close_evening(table.evening, by=owner)
    opened = journal.reopen_evening(
        table.evening, by=owner, reason=" forgot one ", id=(id := uuid4())
    )

    assert (closed.pk, again) == (first, closed)
    assert table.evening.closed_at is None
    assert journal.reopen_evening(table.evening, by=owner, reason="", id=id) == opened
    assert list(
        Action.objects.order_by("number").values_list("kind", "by", "reason")
    ) == [("close", scorer.pk, ""), ("reopen", owner.pk, "forgot one")]


def test_only_an_owner_reopens_and_says_why(table, owner, scorer, club):
    journal.close_evening(table.evening, by=owner)

    with pytest.raises(PermissionDenied):
        journal.reopen_evening(table.evening, by=scorer, reason="why not")
    with pytest.raises(journal.Refused, match="Give a reason"):
        journal.reopen_evening(table.evening, by=owner, reason=" ")
    assert Evening.objects.get().closed_at is not None


def test_an_open_evening_is_not_reopened(table, owner):
    with pytest.raises(journal.Refused, match="already open"):
        journal.reopen_evening(table.evening, by=owner, reason="why not")


def test_closing_is_not_undone_but_reopened(table, owner):
    action = journal.close_evening(table.evening, by=owner)
    journal.reopen_evening(table.evening, by=owner, reason="forgot one")

    with pytest.raises(journal.Refused, match="Only an adjustment can be cancelled"):
        journal.undo(action, id=uuid4(), by=owner)


def test_an_evening_open_for_more_than_a_day_is_listed(lay):
    """114: it is closed without another hand, and doesn't block a new one."""
    old, new = lay().evening, lay().evening
    Evening.objects.filter(pk=old.pk).update(
        opened_at=timezone.now() - datetime.timedelta(hours=25)
    )

    assert list(tallies.long_open(Evening.objects.all())) == [old]
    journal.close_evening(old, by=old.created_by)
    assert list(tallies.long_open(Evening.objects.all())) == []
    assert new.closed_at is None


# Seasons


def test_no_evening_begins_in_a_closed_season(club, lay, owner):
    season = club.seasons.get()
    closed = journal.close_season(season, by=owner)

    with pytest.raises(SeasonClosed) as refused:
        lay()
    assert refused.value.season == season
    assert journal.close_season(season, by=owner) == closed
    journal.begin_season(club, name="2027", starts=datetime.date(2027, 1, 1))
    assert lay().evening.season.name == "2027"


def test_no_evening_of_a_closed_season_is_reopened(club, lay, owner):
    evening = lay().evening
    journal.close_evening(evening, by=owner)
    season = club.seasons.get()
    journal.close_season(season, by=owner)

    with pytest.raises(SeasonClosed):
        journal.reopen_evening(evening, by=owner, reason="forgot one")
    opened = journal.reopen_season(season, by=owner, reason="a", id=(id := uuid4()))
    assert journal.reopen_season(season, by=owner, reason="", id=id) == opened
    journal.reopen_evening(evening, by=owner, reason="forgot one")


def test_a_season_is_the_owners(club, owner, scorer):
    season = club.seasons.get()

    with pytest.raises(PermissionDenied):
        journal.close_season(season, by=scorer)
    with pytest.raises(journal.Refused, match="already open"):
        journal.reopen_season(season, by=owner, reason="why not")
    journal.close_season(season, by=owner)
    with pytest.raises(PermissionDenied):
        journal.reopen_season(season, by=scorer, reason="why not")
    with pytest.raises(journal.Refused, match="Give a reason"):
        journal.reopen_season(season, by=owner, reason="")
