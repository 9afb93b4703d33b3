"""Whatever happens to a club, every address of it can be opened afterwards.

What happens is drawn by a seed, from the rules of random evenings and payments. A step
often touches what the one before it touched, as at a table: a draw of 0 is nearest to
it. An evening that fails tells its seed and its steps: KONTRA_SEED plays it again.
"""

from __future__ import annotations

import datetime
import json
import os
from random import Random
from uuid import uuid4

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

import scoring
from ledger import jobs, journal, tallies
from ledger.api import responses
from ledger.models import Action, OldSheet, ShareLink, Version
from ledger.security import sign_in_links
from ledger.settlement import Method
from ledger.table import changes, deals
from ledger.text.amounts import at_stake
from tests.journal.test_any_evening import ANY, TABLES, AnyEvening
from tests.settlement.test_any_money import AnyPayment
from tests.support.fixtures import restake, won
from tests.support.site_urls import POSTED, Book, routes

EXAMPLES = int(os.environ.get("KONTRA_EXAMPLES", "2"))
STEPS = int(os.environ.get("KONTRA_STEPS", "15"))
SEED = int(os.environ.get("KONTRA_SEED", "1"))
HOW = ("after", "for")
HOURS = st.integers(-3, 2)

NEXT = {
    None: ("record", "record", "adjust"),
    "record": (
        *("void", "void", "leave", "move", "move", "join"),
        *("adjust", "adjust", "come_by_the_page", "set_the_clock"),
    ),
    "join": ("leave", "record", "record"),
    "void": ("substitute", "substitute", "leave", "come_by_the_page", "insert"),
    "restore": ("record", "leave", "void"),
    "leave": ("restore", "reseat", "reseat"),
    "substitute": ("restore", "restore", "reseat"),
    "come_by_the_page": ("restore", "restore", "leave"),
    "move": ("reseat", "reseat", "reseat", "restore"),
    "reseat": ("undo", "join", "record"),
    "adjust": ("restake", "restake", "cancel", "leave"),
    "cancel": ("leave", "leave", "record"),
    "set_the_clock": ("restake",),
    "restake": ("cancel", "cancel", "join", "record"),
    "close": ("reopen",),
}
"""What people often do after something else, as it touches the same."""


def near(random):
    """Draw a number under 12, mostly 0 or 1."""
    return random.choice((0, 0, 1, random.randrange(12)))


DRAWN = {
    "at": lambda random: random.random() < 0.2,
    "kind": lambda random: random.randrange(12),
    "dealer": lambda random: random.choice((None, None, near(random) % 6)),
    "place": lambda random: random.choice((None, near(random) % 6)),
    "scope": lambda random: near(random) % 5,
    "payer": lambda random: random.randrange(6),
    "payee": lambda random: random.randrange(6),
    "amount": lambda random: random.randrange(1, 50),
    "points": lambda random: random.randrange(1, 9),
    "part": lambda random: random.randrange(1, 4),
    "method": lambda random: random.choice([*Method][:4]),
    "stake": lambda random: random.choice((20, 30, 5)),
    "hours": lambda random: random.randrange(-3, 3),
    "how": lambda random: random.choice(HOW),
    **dict.fromkeys(
        ("late", "capped", "in_money", "prize", "to"),
        lambda random: random.random() < 0.5,
    ),
}
"""What a step is told, by name; any other is a number that is `near`."""


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
        self.actions, self.done = [], []
        self.at, self.last, self.seated = 0, None, set()
        self.earlier = self._earlier()
        _link, secret = ShareLink.make(self.evening, by=self.owner)
        self.client = Client()
        self.client.force_login(self.owner, backend=sign_in_links.BACKEND)
        sheet = self._sheet()
        job = jobs.start(
            nothing, title="Book", user=self.owner, club=self.club, params={}
        )
        self.book = Book(self.club, self.owner, secret, job.id, sheet)
        self.book.at = self.tables[0]

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
        """Sit down as the page of seats has it; the first one asked is the pot."""
        people = [journal.pot_of(self.club), *self.people]
        form = {
            "id": str(self._id()),
            "do": "join",
            "player": people[who].pk,
            "where": f"{how}-{self._seated(at, host).pk}",
        }
        path = f"/tables/{self.tables[at].pk}/seats/"
        self._post(path, form, {400} if people[who].is_pot else {302, 409, 422})
        self.around.clear()  # nobody noted how it was before

    @rule(at=TABLES, which=ANY, one=ANY, two=ANY)
    def reseat(self, at, which, one, two):
        """Put seats right of whoever has sat here, also of who left or moved."""
        here = self.tables[at]
        been = [p for s in deals.line_ups_of(here) for p in s.order]
        seats = self._deal(here).seats
        been = sorted(set(been), key=lambda player: (player in seats, player.pk))
        one, two = been[one % len(been)], been[two % len(been)]
        version = self._live(at, which % 3)
        if version and one != two:
            change = changes.Reseat(version.hand.number, one, two)
            self._apply(here, change, version)

    # What is always so

    @invariant()
    def what_is_shown_is_worth_the_stake(self):
        people = {player.pk: player for player in self.people}
        for at in self.tables:
            for row in tallies.hands_of(at):
                worth = at_stake(row.gains, self.evening.per_point)
                told = responses.hand_response(row.version.hand, people)
                assert row.money == worth == {p.player: p.money for p in told.payments}

    @invariant()
    def every_slip_can_be_tapped(self):
        at = self.tables[self.at]
        players = deals.next_deal(at).players
        hand = self._hand(at, players, 1)
        path = f"/api/tables/{at.pk}/hands/preview/"
        self._post(path, {"hand": hand}, {200}, "application/json")
        self._post(f"/tables/{at.pk}/hands/preview/", self._tap(at), {200})
        for hand in self.book.hands():
            for what in ("correct", "insert"):
                path = f"/hands/{hand.pk}/{what}/"
                self._post(path, self._tap(hand.table) | {"preview": "yes"}, {200})

    # An evening of them

    def play(self, random, steps):
        """Do so many things, each followed by a look; then look at everything."""
        try:
            for _ in range(steps):
                while not self._do(random):
                    pass
                self.look()
            self._open(all_of_them=True)
            self._post_nonsense()
            connection.check_constraints()
        except BaseException as wrong:
            wrong.add_note("\n".join(self.done))
            raise

    def look(self):
        self._open()
        for one in self.invariants:
            one.function(self)

    def teardown(self):
        self.clock.stop()
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    def _do(self, random):
        """Do something; return whether anything changed."""
        step = self._step(random)
        told = {name: self._drawn(name, random) for name in step.arguments_strategies}
        before = Action.objects.count()
        self.done.append(f"{step.function.__name__}({told})")
        step.function(self, **told)
        if Action.objects.count() == before and "hours" not in told:
            return False
        self.last = step.function.__name__
        self._order_people()
        return True

    def _step(self, random):
        """Draw what people often do next, or anything."""
        open_ = [one for one in self.rules if all(p(self) for p in one.preconditions)]
        often = [
            one for one in open_ if one.function.__name__ in NEXT.get(self.last, ())
        ]
        return random.choice(often if often and random.random() < 0.8 else open_)

    def _drawn(self, name, random):
        drawn = DRAWN.get(name, near)(random)
        if name == "at":
            self.at ^= drawn
            self.book.at = self.tables[self.at]
            return self.at
        return drawn

    def _order_people(self):
        """Put first who sits nowhere, before all who left last."""
        seated = {p for at in self.tables for p in self._deal(at).seats}
        left = self.seated - seated
        self.people.sort(key=lambda player: (player in seated, player not in left))
        self.seated = seated

    def _seated(self, at, who):
        """Count seats from who dealt the hand that was touched last."""
        seats = self._deal(self.tables[at]).seats
        touched = Version.objects.filter(hand__table=self.tables[at])
        last = touched.order_by("-hand__steps__action__number", "-number").first()
        start = seats.index(last.dealer) if last and last.dealer in seats else 0
        return seats[(start + who) % len(seats)]

    def _live(self, at, which):
        """Count hands from the last."""
        versions = [
            v for v in self._versions() if v.hand.table_id == self.tables[at].pk
        ]
        return versions[-1 - which % len(versions)] if versions else None

    # What they share

    def _open(self, **more):
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
        evening = journal.start_evening(
            self.club,
            name="Week before",
            date=datetime.date(2026, 11, 13),
            edition=journal.edition_of(self.club, scoring.tariff("taroki")),
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
    return jobs.JobOutcome(file="book.xlsx")


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(SEED, SEED + EXAMPLES))
def test_whatever_happens_every_address_can_be_opened(seed, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    club = AnyPage()
    try:
        club.play(Random(seed), STEPS)
    finally:
        club.teardown()
