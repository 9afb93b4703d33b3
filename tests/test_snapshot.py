"""Snapshots: a page shows one state while another phone writes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse

from ledger import journal, snapshot
from ledger.models import Hand
from ledger.table import changes

pytestmark = pytest.mark.django_db(transaction=True)


def elsewhere(call):
    """Make the call on another phone's connection, and wait for it."""

    def made():
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as phone:
        return phone.submit(made).result()


def test_what_is_saved_meanwhile_is_seen_afterwards(table, record):
    record(table)

    with snapshot.read_snapshot():
        before = Hand.objects.count()
        elsewhere(lambda: record(table))
        during = Hand.objects.count()

    assert (before, during, Hand.objects.count()) == (1, 1, 2)


def test_a_hand_that_is_changed_while_its_page_is_read_is_shown_as_it_was(
    as_, scorer, owner, table, record
):
    hand = record(table).hand
    page = as_(scorer)
    changed = []

    def interrupt(execute, sql, params, many, context):
        if "ledger_step" in sql and not changed:
            change = changes.SwapSides(hand)
            seen = hand.versions.get()
            changed.append(
                elsewhere(
                    lambda: journal.correct(
                        table, change, id=uuid4(), by=owner, seen=seen
                    )
                )
            )
        return execute(sql, params, many, context)

    with connection.execute_wrapper(interrupt):
        answer = page.get(reverse("hand", args=[hand.pk]))

    assert answer.status_code == 200
    assert len(changed) == 1
    assert hand.versions.count() == 2


def test_a_page_can_still_save(as_, scorer, club):
    typed = {"action": "add", "name": "Gusta", "nickname": ""}

    answer = as_(scorer).post(reverse("players", args=[club.pk]), typed)

    assert answer.status_code == 302
    assert club.players.filter(name="Gusta").exists()
