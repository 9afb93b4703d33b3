"""Whatever happens to a club, every address of it can be opened afterwards."""

from __future__ import annotations

import datetime
import json
import os
from uuid import uuid4

import hypothesis
import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

import scoring
from ledger import (
    corrections,
    evenings,
    jobs,
    journal,
    links,
    payments,
    seating,
    standings,
    table,
)
from ledger.api import shown
from ledger.models import OldSheet, ShareLink
from tests.ledger.addresses import POSTED, Book, routes
from tests.ledger.conftest import restake, won
from tests.ledger.test_any_evening import ANY, TABLES, AnyEvening
from tests.ledger.test_any_money import AnyPayment

EXAMPLES = int(os.environ.get("KONTRA_EXAMPLES", "2"))
STEPS = int(os.environ.get("KONTRA_STEPS", "5"))
HOW = ("after", "for")
HOURS = st.integers(-3, 2)


class AnyPage(AnyPayment, AnyEvening):
    """An evening of two tables and the one before it; pages are opened at each step."""

    def __init__(self):
        self.now = timezone.now()
        self.clock = time_machine.travel(self.now)
        self.clock.start()
        super().__init__()
        self.club = self.evening.club
        self.club.treasurer = self.people[5]
        self.club.save()
        self.actions = []
        self.earlier = self._earlier()
        _link, secret = ShareLink.make(self.evening, by=self.owner)
        self.client = Client()
        self.client.force_login(self.owner, backend=links.BACKEND)
        sheet = self._sheet()
        job = jobs.start(
            nothing, title="Book", user=self.owner, club=self.club, asked={}
        )
        self.book = Book(self.club, self.owner, secret, job.id, sheet)

    # What happens besides

    @rule(stake=st.sampled_from([20, 30, 5]))
    def restake(self, stake):
        self._paid(restake, self.evening, "PLN", stake, reason="typo")
        self.evening.refresh_from_db()

    @rule(hours=HOURS)
    def set_the_clock(self, hours):
        self.clock.stop()
        self.clock = time_machine.travel(self.now + datetime.timedelta(hours=hours))
        self.clock.start()

    @rule(at=TABLES, who=st.integers(0, 12), host=ANY, how=st.sampled_from(HOW))
    def come_by_the_page(self, at, who, host, how):
        """Sit down as the page of seats has it; the last one asked is the pot."""
        people = [*self.people, payments.pot(self.club)]
        seats = self._deal(self.tables[at]).seats
        form = {
            "id": str(self._id()),
            "do": "join",
            "player": people[who].pk,
            "where": f"{how}-{seats[host % len(seats)].pk}",
        }
        path = f"/tables/{self.tables[at].pk}/seats/"
        self._post(path, form, {302, 400, 409, 422})
        self.around.clear()  # nobody noted how it was before

    @rule(at=TABLES, which=ANY, by=ANY)
    def take_back_and_play_for_the_dealer(self, at, which, by):
        if version := self._live(at, which):
            self._apply(self.tables[at], corrections.Void(version.hand), version)
            self._seat(at, seating.substitute, version.dealer, self.people[by])

    @rule(at=TABLES, which=ANY, one=ANY, two=ANY)
    def reseat(self, at, which, one, two):
        """Put seats right of whoever has sat here, also of who left or moved."""
        here = self.tables[at]
        been = [p for s in table.sittings_of(here) for p in s.order]
        been = sorted(set(been), key=lambda player: player.pk)
        one, two = been[one % len(been)], been[two % len(been)]
        version = self._live(at, which % 3)
        if version and one != two:
            change = corrections.Reseat(version.hand.number, one, two)
            self._apply(here, change, version)

    # What is always so

    @invariant()
    def what_is_shown_is_worth_the_stake(self):
        people = {player.pk: player for player in self.people}
        for at in self.tables:
            for row in standings.hands_of(at):
                worth = {pk: n * self.evening.stake for pk, n in row.payments.items()}
                told = shown.shown_hand(row.version.hand, people)
                assert row.money == worth == {p.player: p.money for p in told.payments}

    @invariant()
    def every_address_can_be_opened(self):
        self._open()

    @invariant()
    def every_slip_can_be_tapped(self):
        for at in self.tables:
            players = table.next_deal(at).players
            hand = self._hand(at, players, 1)
            path = f"/api/tables/{at.pk}/hands/preview/"
            self._post(path, {"hand": hand}, {200}, "application/json")
            self._post(f"/tables/{at.pk}/hands/preview/", self._tap(at), {200})
        for hand in self.book.hands():
            for what in ("correct", "insert"):
                path = f"/hands/{hand.pk}/{what}/"
                self._post(path, self._tap(hand.table) | {"preview": "yes"}, {200})

    def teardown(self):
        """Open all there is once more."""
        try:
            if hasattr(self, "book"):
                self._open(all_of_them=True)
                self._post_nonsense()
            connection.check_constraints()
        finally:
            self.clock.stop()
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    # What they share

    def _open(self, **more):
        cache.clear()  # nobody is throttled
        wrong = []
        for address in self.book.addresses(**more):
            answer = self.client.get(address.path)
            if answer.streaming:
                b"".join(answer.streaming_content)
            if answer.status_code not in address.answers:
                wrong.append((answer.status_code, address))
        assert not wrong

    def _post(self, path, said, codes, kind=None):
        more = {"content_type": kind} if kind else {}
        said = json.dumps(said) if kind else said
        answer = self.client.post(path, said, **more)
        assert answer.status_code in codes, (path, answer.status_code)

    def _post_nonsense(self):
        """Ask what is only posted to for no page, and for nothing of ours."""
        for name, route in routes():
            if name in POSTED - {"sign_out"} and "<" not in route:
                form = {"id": str(self._id()), "next": "abc"}
                answer = self.client.post(f"/{route}", form)
                assert answer.status_code in {200, 302, 400}, name

    def _tap(self, at):
        return {
            "id": str(uuid4()),
            "contract": "3" if at.edition.variant == "taroki" else "two",
            "declarer": "",
        }

    def _evenings(self):
        return [self.earlier, self.evening]

    def _earlier(self):
        """Start the evening of the week before, with a hand that counts."""
        evening = evenings.start_evening(
            self.club,
            name="Week before",
            date=datetime.date(2026, 11, 13),
            edition=evenings.edition_of(self.club, scoring.tariff("taroki")),
            seats=self.people[:4],
            dealer=self.people[3],
            by=self.owner,
            currency="PLN",
            stake=20,
        )
        at = evening.tables.select_related("edition", "evening__club").get()
        hand = won(self.people[:4])
        journal.record_hand(at, id=self._id(), record=hand, by=self.owner)
        return evening

    def _sheet(self):
        rows = b"date,Ania,Bartek,Celina,Darek\n2026-01-02,3,-3,0,0\n"
        id = self._id()
        self.client.post(
            f"/clubs/{self.club.pk}/import/",
            {
                "id": str(id),
                "mode": "points",
                "variant": "taroki",
                "currency": "PLN",
                "stake": "0,20",
                "file": SimpleUploadedFile("old.csv", rows),
            },
        )
        return OldSheet.objects.get(pk=id).pk


def nothing(job):
    """Make a file for the pages of long work."""
    job.result.write_bytes(b"")
    return jobs.Outcome(file="book.xlsx")


@pytest.mark.long
@pytest.mark.django_db
def test_whatever_happens_every_address_can_be_opened(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    run_state_machine_as_test(
        AnyPage,
        settings=hypothesis.settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            suppress_health_check=list(hypothesis.HealthCheck),
        ),
    )
