"""What the database refuses of money, whoever asks: every test goes round the ORM."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from ledger import journal
from ledger.models import Action, Player, ShareLink
from ledger.settlement import SettlementScope
from tests.models.test_triggers import enter, refused, run


@pytest.fixture
def evening(table, record):
    record(table)
    return table.evening


@pytest.fixture
def action(evening, people, owner):
    """An action of money, for entries that lack one."""
    scope = SettlementScope.of_evening(evening)
    return journal.pay(scope, people[1], people[0], 5, id=uuid4(), by=owner)


@pytest.fixture
def pot(club):
    return journal.pot_of(club)


@pytest.mark.parametrize(
    ("kind", "gains", "says"),
    [
        ("payment", [(0, 1, 0), (1, -1, 0)], "points only where"),
        ("payment", [(0, 0, 2), (1, 0, -1), (2, 0, -1)], "one pays, one receives"),
        ("payment", [(0, 0, 0), (1, 0, 0)], "more than nothing"),
        ("fee", [(0, 0, 5), (1, 0, -5)], "a fee goes into the pot"),
        ("fee", [(0, 0, 5), (None, 0, -5)], "a fee goes into the pot"),
        ("prize", [(0, 0, -5), (None, 0, 5)], "a prize comes out of it"),
    ],
)
def test_money_that_goes_astray_is_refused(
    evening, people, owner, action, pot, kind, gains, says
):
    moved = [(pot if who is None else people[who], p, m) for who, p, m in gains]

    with refused(says):
        enter(evening, owner, moved, kind=kind, action_id=action.pk.hex)


def test_a_payment_without_an_action_is_refused(evening, people, owner):
    with refused("money_has_an_action"):
        enter(evening, owner, [(people[0], 0, 1), (people[1], 0, -1)], kind="payment")


def test_a_closed_evening_takes_payments_and_no_fees(
    evening, people, owner, action, pot
):
    journal.close_evening(evening, by=owner)
    more = {"action_id": action.pk.hex}

    enter(
        evening, owner, [(people[0], 0, 1), (people[1], 0, -1)], kind="payment", **more
    )

    with refused("is closed"):
        enter(evening, owner, [(people[0], 0, -1), (pot, 0, 1)], kind="fee", **more)
    with refused("is closed"), transaction.atomic():
        Action.objects.create(
            id=uuid4(), kind="fee", evening=evening, number=99, by=owner
        )


def test_there_is_one_pot_and_it_stays_one(pot, people):
    with refused("one_pot|UNIQUE"), transaction.atomic():
        Player.objects.create(club=pot.club, name="second", kind=Player.Kind.POT)
    with refused("a player stays one"):
        run(f"UPDATE ledger_player SET kind = 'pot' WHERE id = {people[0].pk}")


def test_the_treasurer_is_of_the_club(club, pot, owner):
    other = journal.found_club("Elsewhere", owner=owner)
    stranger = Player.objects.create(club=other, name="Stranger")

    for nobody in (pot.pk, stranger.pk):
        change = f"SET treasurer_id = {nobody} WHERE id = {club.pk}"
        with refused("treasurer is a player"):
            run(f"UPDATE ledger_club {change}")


def test_a_link_shows_its_evening_until_it_is_over(evening, owner):
    link, secret = ShareLink.make(evening, by=owner)
    old, gone = ShareLink.make(evening, by=owner, lasts=timedelta(seconds=-1))

    assert ShareLink.objects.find(secret) == link
    assert ShareLink.objects.find(gone) is None
    assert ShareLink.objects.find("guess") is None
    assert secret not in str(vars(link))
    assert old.expires_at < timezone.now()
    link.revoke()
    assert ShareLink.objects.find(secret) is None


def test_the_season_of_another_club_is_refused(evening, people, owner, action):
    other = journal.found_club("Elsewhere", owner=owner)

    with pytest.raises(IntegrityError, match="season is another club"):
        enter(
            evening,
            owner,
            [(people[0], 0, 1), (people[1], 0, -1)],
            kind="payment",
            action_id=action.pk.hex,
            evening_id=None,
            season_id=other.seasons.get().pk,
            date="2026-11-20",
        )
