"""Invented clubs: as ordered, by the rules, the same for the same seed."""

from __future__ import annotations

import datetime
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from ledger.demo import play
from ledger.demo.deals.games import GAMES
from ledger.demo.play import ClubSpec
from ledger.models import Action, Club, Entry, Evening, Hand, Season, User, Version

SPEC = ClubSpec("Kozy", hands=150, seed=3, games=tuple(GAMES), players=9, seasons=2)


def with_(**changes):
    values = {name: getattr(SPEC, name) for name in ClubSpec.__slots__}
    return ClubSpec(**values | changes)


def test_the_programme_has_all_the_hands_a_week_apart():
    seasons = SPEC.evenings_by_season()

    evenings = [evening for season in seasons for evening in season]
    tables = [hands for evening in evenings for hands in evening.hands]
    assert sum(tables) == 150
    assert all(25 <= hands <= 40 for hands in tables[:-1])
    assert len(seasons) == 2
    days = [evening.day for evening in evenings]
    assert days[-1] == datetime.date(2026, 6, 26)
    assert {(b - a).days for a, b in pairwise(days)} == {7}


def test_a_year_is_a_season_where_nobody_says_otherwise():
    years = [
        {evening.day.year for evening in season}
        for season in with_(hands=5000, seasons=0).evenings_by_season()
    ]

    assert years == [{2024}, {2025}, {2026}]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": " "}, "1 to 80 characters"),
        ({"hands": 0}, "1 to 1000000 hands"),
        ({"hands": 10**7}, "1 to 1000000 hands"),
        ({"players": 3}, "4 to 40 players"),
        ({"players": 41}, "4 to 40 players"),
        ({"until": datetime.date.min}, "from 1900-01-01 to 2200-01-01"),
        ({"until": datetime.date.max}, "from 1900-01-01 to 2200-01-01"),
        ({"seasons": -1}, "no fewer seasons"),
        ({"games": ("skat",)}, "Nobody can play skat"),
        ({"games": ()}, "Choose a game"),
    ],
)
def test_a_wish_that_cannot_be_is_refused(changes, says):
    assert says in with_(**changes).problem()
    assert SPEC.problem() == ""


ENTRY = ("created_at", "kind", "evening__name", "date", "note")
POSTING = ("postings__player__name", "postings__points", "postings__money")
ACTION = ("pk", "kind", "number", "at")
VERSION = ("pk", "hand__number", "hand__played_at", "recorded_at", "units")


def played():
    """Return all that a club did, told without the database's own numbers."""
    asked = {Entry: ENTRY + POSTING, Action: ACTION, Version: VERSION}
    return {
        model: list(model.objects.order_by(*names).values_list(*names))
        for model, names in asked.items()
    }


@pytest.mark.django_db
def test_the_same_seed_plays_the_same_club_and_its_books_are_right(owner):
    with transaction.atomic():
        list(play.play_club(SPEC, owner))
        first = played()
        transaction.set_rollback(True)

    evenings = list(play.play_club(SPEC, owner))

    assert played() == first
    assert len(evenings) == Evening.objects.count()
    assert Hand.objects.filter(voided=False).count() == 150
    assert not Evening.objects.filter(closed_at=None).exists()
    assert Season.objects.filter(closed_at=None).count() == 1
    assert set(Club.objects.get().editions.values_list("variant", flat=True)) <= set(
        GAMES
    )
    last = Entry.objects.latest("created_at").created_at
    assert last.date() == datetime.date(2026, 6, 26)
    call_command("audit", stdout=StringIO())


@pytest.mark.django_db
def test_a_club_plays_on_with_another_seed_and_not_with_the_same(owner):
    said = StringIO()
    asked = {"club": "Kozy", "hands": 20, "stdout": said}
    call_command("play", seed=1, **asked)
    call_command("play", seed=2, **asked)

    with pytest.raises(CommandError, match="has played the seed 1 before"):
        call_command("play", seed=1, **asked)

    assert Club.objects.get().members.get().user == owner
    assert Hand.objects.filter(voided=False).count() == 40
    assert "20 hands in 1 evening," in said.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wish", "says"),
    [({"players": 2}, "4 to 40 players"), ({"owner": "x" * 151}, "no more than 150")],
)
def test_a_wish_that_cannot_be_leaves_nothing_behind(wish, says):
    with pytest.raises(CommandError, match=says):
        call_command("play", **wish)

    assert not Club.objects.exists()
    assert not User.objects.exists()
