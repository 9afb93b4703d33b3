"""A club with its evening, and the cast: owner, scorer, member and stranger."""

from __future__ import annotations

from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from ledger import journal
from ledger.models import Member, Player, User
from tests.support.tables import start_table

NAMES = ("Łucja", "Bartek", "Żaneta", "Darek", "Ewa")


@pytest.fixture
def owner(db):
    return User.objects.create_user("owner")


@pytest.fixture
def club(owner):
    club = journal.found_club("Kozy", owner=owner, language="pl")
    for role in ("scorer", "player"):
        user = User.objects.create_user(role)
        Member.objects.create(club=club, user=user, role=role)
    return club


@pytest.fixture
def as_owner(club, owner):
    return client_of(owner)


@pytest.fixture
def as_scorer(club):
    return client_of(User.objects.get(username="scorer"))


@pytest.fixture
def as_member(club):
    return client_of(User.objects.get(username="player"))


@pytest.fixture
def as_stranger(db):
    user = User.objects.create_user("stranger")
    journal.found_club("Elsewhere", owner=user)
    return client_of(user)


@pytest.fixture
def signed_out(db):
    return APIClient()


def client_of(user):
    client = APIClient()
    client.force_login(user)
    return client


@pytest.fixture
def people(club):
    return [Player.objects.create(club=club, name=name) for name in NAMES]


@pytest.fixture
def lay(club, people, owner):
    """Return a function that starts an evening and returns its table."""

    def laid(variant="taroki", rules=None, seats=4):
        money = {"currency": "PLN", "stake": 20}
        game = {"variant": variant, "rules": rules}
        return start_table(club, people[:seats], owner, **game, **money)

    return laid


@pytest.fixture
def table(lay):
    return lay()


@pytest.fixture
def won(people):
    """A hand that can be sent: forehand and the third win contract 3 with kontra."""
    return {
        "id": str(uuid4()),
        "hand": {
            "contract": "3",
            "declarer": people[0].pk,
            "partner": people[2].pk,
            "card_points": 41,
            "contra": 1,
        },
    }
