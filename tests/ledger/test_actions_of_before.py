"""Books from before actions were kept are told as actions, and go on from there."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from ledger import corrections, guards, journal, seating
from ledger.audit import Audit
from ledger.models import Action, Hand, Version
from tests.ledger import dump

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def before():
    """Return a function that goes back to when no actions were kept."""

    def went_back():
        call_command("migrate", "ledger", "0003", verbosity=0)
        loader = MigrationLoader(connection)
        return loader.project_state(("ledger", "0003_tokens")).apps.get_model

    yield went_back
    forwards()


def forwards():
    call_command("migrate", verbosity=0)


def differences():
    return list(Audit().differences())


def test_corrected_books_go_back_and_forwards_unchanged(
    lay, record, correct, people, owner, before
):
    at = lay(5, "paskievics")
    hands = [record(at, {"ending": "passed"}).hand for _hand in range(4)]
    correct(at, corrections.Void(hands[1]))
    seating.join(at, people[5], id=uuid4(), by=owner)
    gains = {people[0]: 5, people[1]: -5}
    more = {"reason": "late", "by": owner}
    adjustment = journal.adjust(at.evening, gains, id=uuid4(), **more)
    journal.cancel(adjustment, id=uuid4(), by=owner)
    record(at, {"ending": "passed"})
    kept = dump.of_evening(at.evening)
    journal.close(at.evening, by=owner)

    before()
    forwards()

    assert differences() == []
    assert guards.missing(connection) == []
    assert dump.of_evening(at.evening) == kept
    journal.reopen(at.evening, by=owner, reason="forgot one")
    correct(at, corrections.Restore(hands[1]))
    assert differences() == []


def test_gaps_are_closed_and_dealers_stay(lay, record, owner, before):
    """A hand taken back between others kept its number then."""
    at = lay(4)
    hands = [record(at).hand for _hand in range(4)]
    journal.reverse_hand(hands[3], id=uuid4(), by=owner)
    last = record(at).hand
    _take_back(before(), hands[1].pk, owner)
    forwards()

    assert differences() == []
    assert list(
        Hand.objects.filter(voided=False).order_by("number").values_list("pk", "number")
    ) == [(hands[0].pk, 1), (hands[2].pk, 2), (last.pk, 3)]
    flagged = Version.objects.filter(dealer_set=True)
    assert [version.hand for version in flagged] == [hands[2]]
    assert Action.objects.filter(kind="void").count() == 2


@transaction.atomic
def _take_back(model, hand, by):
    entry = model("ledger", "Entry").objects.get(version__hand=hand)
    values = {
        "club_id": entry.club_id,
        "evening_id": entry.evening_id,
        "kind": "reversal",
        "currency": entry.currency,
        "created_by_id": by.pk,
    }
    back = model("ledger", "Entry").objects.create(id=uuid4(), reverses=entry, **values)
    for posting in entry.postings.all():
        model("ledger", "Posting").objects.create(
            entry=back,
            player_id=posting.player_id,
            points=-posting.points,
            money=-posting.money,
        )
    model("ledger", "Hand").objects.filter(pk=hand).update(voided=True)
