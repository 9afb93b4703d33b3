"""A whole evening with faults thrown in: every hand once, in its place, and no draft.

KONTRA_FAULTS=100 plays each evening to its end with so many; without it a part of one
with a few. KONTRA_SEED draws others.
"""

from __future__ import annotations

import os
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command

import scoring
from ledger import journal, tallies
from ledger.models import Action, Hand, Player, User
from tests.browser.test_evenings import due, expected, table, told  # noqa: F401
from tests.browser.troubled import DRAFTS, KINDS, PASSWORD, PATIENCE, Troubled

FAULTS = int(os.environ.get("KONTRA_FAULTS", "0"))
SEED = os.environ.get("KONTRA_SEED", "1")
HANDS = None if FAULTS else 6
EVENINGS = ["kozy", "szeged", "vienna"] if FAULTS else ["kozy"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner():
    return User.objects.create_user("owner", password=PASSWORD)


@pytest.fixture
def rng(told):  # noqa: F811
    return Random(f"{told['name']} {SEED}")


@pytest.fixture
def scorer(table, owner, phone, rng):  # noqa: F811
    page = phone(user=owner)
    page.context.set_default_timeout(PATIENCE)
    page.goto(f"/tables/{table.pk}/")
    people = dict(Player.objects.values_list("name", "pk"))
    bands = scoring.bands(table.edition.tariff)
    return Troubled(page, people, bands, table=table, user=owner, rng=rng)


def drawn(rng, hands):
    """Return the faults of each hand: each kind in turn, spread by chance."""
    count = FAULTS or 2 * len(KINDS)
    kinds = [KINDS[number % len(KINDS)] for number in range(count)]
    rng.shuffle(kinds)
    faults = [[] for _hand in range(hands)]
    for kind in kinds:
        rng.choice(faults).append(kind)
    return faults


@pytest.mark.long
@pytest.mark.on_both
@pytest.mark.parametrize("told", EVENINGS, indirect=True)
def test_an_evening_of_faults_is_as_it_was_played(scorer, table, told, rng):  # noqa: F811
    hands = told["hands"][:HANDS]
    faults = drawn(rng, len(hands))
    mayor = None

    for played, some in zip(hands, faults, strict=True):
        assert due(scorer) == expected(played, mayor)
        scorer.record_through(played, some)
        mayor = played["hand"].get("xxi_lost_by") or mayor
    scorer.rest()

    assert dealt(table) == [(h["number"], h["dealer"], h["sits_out"]) for h in hands]
    assert sums(table) == hands[-1]["running"]
    assert Action.objects.filter(table=table).count() == len(hands)
    assert scorer.page.evaluate(DRAFTS) == []
    assert len(scorer.happened) == sum(map(len, faults))
    call_command("audit", stdout=StringIO())


def dealt(table):  # noqa: F811
    """Return who dealt and who sat out each hand that there is."""
    names = dict(Player.objects.values_list("pk", "name"))
    dealt = []
    for hand in Hand.objects.filter(table=table).order_by("number"):
        version = hand.versions.latest("number")
        seats = [seat.pk for seat in journal.preview(table, {}).deal.seats]
        out = [names[pk] for pk in seats if pk not in version.players]
        dealt.append((hand.number, names[version.dealer_id], out))
    return dealt


def sums(table):  # noqa: F811
    return {row.player.name: row.points for row in tallies.tally(table.evening)}
