"""Whatever happens in an evening, the books follow from it, and undoing all of it ends
where it began."""

from __future__ import annotations

import datetime
import os
from collections import Counter
from contextlib import contextmanager, suppress
from fractions import Fraction
from uuid import UUID

import hypothesis
import pytest
from django.db import connection, transaction
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import scoring
from ledger import journal, tallies
from ledger.audit import Audit
from ledger.journal import Amendment, UndoStack
from ledger.models import Action, Hand, Player, User, Version
from ledger.table import changes
from ledger.text import amounts
from tests.support import evening_dump

EXAMPLES = int(os.environ.get("KONTRA_EXAMPLES", "6"))
STEPS = int(os.environ.get("KONTRA_STEPS", "25"))
NAMES = [
    "Ania",
    "Bartek",
    "Celina",
    "Darek",
    "Ewa",
    "Filip",
    "Gosia",
    "Hania",
    "Iza",
    "Jan",
    "Kasia",
    "Leon",
]
TABLES, ANY = st.integers(0, 1), st.integers(0, 11)
PASKIEVICS = ({}, {"preset": "pagat", "redeal": "round"})
STAKES = st.sampled_from([20, 5, Fraction(1, 2), Fraction(7, 4)])
CONTRACTS = {"paskievics": ("three", "two"), "taroki": ("1", "3")}


def in_points(table):
    """Return what was written down of a table without money: the stake may differ."""
    hands = [
        hand | {"posted": {who: won[0] for who, won in hand["posted"].items()}}
        for hand in table["hands"]
    ]
    return table | {"hands": hands}


class AnyEvening(RuleBasedStateMachine):
    """Five at Paskievics, with doubled deals and a Mayor; four at taroki."""

    stake = 20

    def __init__(self):
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.ids = 0
        self.owner = User.objects.create_user("owner")
        club = journal.found_club("Kozy", owner=self.owner)
        self.people = [Player.objects.create(club=club, name=n) for n in NAMES]
        self.evening = journal.start_evening(
            club,
            name="Friday",
            date=datetime.date(2026, 11, 20),
            edition=journal.edition_of(club, scoring.tariff("paskievics")),
            seats=self.people[:5],
            dealer=self.people[4],
            by=self.owner,
            currency="PLN",
            stake=self.stake,
        )
        journal.add_table(
            self.evening,
            seats=self.people[5:9],
            dealer=self.people[8],
            edition=journal.edition_of(club, scoring.tariff("taroki")),
        )
        tables = self.evening.tables.select_related("edition", "evening__club")
        self.tables = list(tables.order_by("number"))
        self.first = evening_dump.of_evening(self.evening)
        self.around = {}
        self.adjusted = {}
        self.amended = []
        earlier = club.seasons.create(name="2025", starts=datetime.date(2025, 1, 1))
        self.seasons = [self.evening.season, earlier]
        self.adjusted_money = {}

    # Hands

    @rule(at=TABLES, kind=ANY, dealer=st.none() | st.integers(0, 5), late=st.booleans())
    def record(self, at, kind, dealer, late):
        table = self.tables[at]
        deal = self._deal(table)
        if dealer is not None:
            dealer = deal.present[dealer % len(deal.present)]
        try:
            deal = journal.preview(table, {}, dealer=dealer).deal
        except journal.Refused:
            return
        more = {"players": deal.players} if late else {}
        hand = self._hand(table, deal.players, kind)
        with self._done(table) as id:
            version = journal.record_hand(
                table,
                id=id,
                record=hand,
                by=self.owner,
                dealer=dealer,
                override=True,
                **more,
            )
            again = journal.record_hand(
                table, id=id, record=hand, by=self.owner, dealer=dealer, **more
            )
            assert again == version

    @rule(at=TABLES, which=ANY, kind=ANY, dealer=st.none() | st.integers(0, 5))
    def correct(self, at, which, kind, dealer):
        if version := self._live(at, which):
            table = self.tables[at]
            players = [p for p in self.people if p.pk in version.players]
            players.sort(key=lambda player: version.players.index(player.pk))
            chosen = {}
            if dealer is not None:
                chosen = {"dealer": players[dealer % 4], "players": players}
            hand = self._hand(table, players, kind)
            self._apply(table, changes.Correct(version.hand, hand, **chosen), version)

    @rule(at=TABLES, which=ANY)
    def leave_untouched(self, at, which):
        if version := self._live(at, which):
            change = changes.Correct(version.hand, version.record, version.dealer)
            self._apply(self.tables[at], change, version, nothing=True)

    @rule(at=TABLES, which=ANY)
    def void(self, at, which):
        if version := self._live(at, which):
            self._apply(self.tables[at], changes.Void(version.hand), version)

    @rule(at=TABLES, which=ANY)
    def restore(self, at, which):
        voided = Hand.objects.filter(table=self.tables[at], voided=True)
        if hands := list(voided.order_by("number", "pk")):
            change = changes.Restore(hands[which % len(hands)])
            self._apply(self.tables[at], change)

    @rule(at=TABLES, which=ANY, kind=ANY)
    def insert(self, at, which, kind):
        table = self.tables[at]
        if version := self._live(at, which):
            number = version.hand.number
            players = [p for p in self.people if p.pk in version.players]
            change = changes.Insert(
                number, self._id(), self._hand(table, players, kind), players=players
            )
            self._apply(table, change, version)

    @rule(at=TABLES, which=ANY, other=ANY)
    def swap(self, at, which, other):
        one, two = self._live(at, which), self._live(at, other)
        if one and one != two:
            self._apply(self.tables[at], changes.Swap(one.hand, two.hand), one)

    @rule(at=TABLES, which=ANY)
    def swap_sides(self, at, which):
        if version := self._live(at, which):
            self._apply(self.tables[at], changes.SwapSides(version.hand), version)

    @rule(at=TABLES, which=ANY, one=ANY, two=ANY)
    def reseat(self, at, which, one, two):
        seats = self._deal(self.tables[at]).seats
        one, two = seats[one % len(seats)], seats[two % len(seats)]
        version = self._live(at, which)
        if version and one != two:
            change = changes.Reseat(version.hand.number, one, two)
            self._apply(self.tables[at], change, version)

    # Seats

    @rule(at=TABLES, who=ANY, place=st.none() | st.integers(0, 5))
    def join(self, at, who, place):
        self._seat(at, journal.join, self.people[who], place)

    @rule(at=TABLES, who=ANY)
    def leave(self, at, who):
        self._seat(at, journal.leave, self._seated(at, who))

    @rule(at=TABLES, who=ANY, by=ANY)
    def substitute(self, at, who, by):
        self._seat(at, journal.substitute, self._seated(at, who), self.people[by])

    @rule(at=TABLES, who=ANY)
    def rest(self, at, who):
        self._seat(at, journal.take_break, self._seated(at, who))

    @rule(at=TABLES, who=ANY)
    def come_back(self, at, who):
        self._seat(at, journal.return_from_break, self._seated(at, who))

    @rule(at=TABLES, who=ANY)
    def set_dealer(self, at, who):
        self._seat(at, journal.set_dealer, self._seated(at, who))

    @rule(at=TABLES, who=ANY)
    def move(self, at, who):
        here, there = self.tables[at], self.tables[1 - at]
        with self._done(here, there) as id:
            journal.move_table(here, self._seated(at, who), there, id=id, by=self.owner)

    # The evening

    @rule(winner=ANY, loser=ANY, points=st.integers(-9, 9), in_money=st.booleans())
    def adjust(self, winner, loser, points, in_money):
        gains = {self.people[winner]: points, self.people[loser]: -points}
        with self._done() as id:
            journal.adjust(
                self.evening,
                gains,
                reason="misdeal",
                id=id,
                by=self.owner,
                in_money=in_money,
            )
            self.adjusted[id] = {} if in_money else gains
            self.adjusted_money[id] = gains if in_money else {}

    @precondition(lambda self: self.adjusted)
    @rule(which=ANY)
    def cancel(self, which):
        id = sorted(self.adjusted)[which % len(self.adjusted)]
        with self._done() as undoing:
            journal.undo(Action.objects.get(pk=id), id=undoing, by=self.owner)
            del self.adjusted[id], self.adjusted_money[id]

    # What it is

    @rule(what=ANY, stake=STAKES, capped=st.booleans())
    def amend(self, what, stake, capped):
        """Correct the evening; its second table may get other rules, or its first."""
        rules = {"contra_cap": 2} if capped else {}
        games = (
            {},
            {1: scoring.tariff("paskievics", PASKIEVICS[capped])},
            {2: scoring.tariff("taroki", rules)},
        )[what % 3]
        asked = Amendment(
            name=f"Evening {what}",
            date=datetime.date(2026, 11, 1 + what),
            season=self.seasons[what % 2],
            currency="PLN",
            stake=stake,
            games=games,
        )
        self._amended(
            lambda id: journal.amend_evening(
                self.evening, asked, reason="typo", id=id, by=self.owner
            )
        )

    @rule()
    def remove(self):
        self._amended(
            lambda id: journal.remove_evening(self.evening, id=id, by=self.owner)
        )
        if self.evening.removed:
            self._turn_back(self.amended.pop())

    @precondition(lambda self: self.amended)
    @rule()
    def undo_amendment(self):
        """Whatever was corrected last is undone, or somebody has built on it."""
        with suppress(journal.Stale):
            self._turn_back(self.amended[-1])
            self.amended.pop()

    @rule()
    def close(self):
        journal.close_evening(self.evening, by=self.owner)

    @precondition(lambda self: self.evening.closed_at)
    @rule()
    def reopen(self):
        journal.reopen_evening(self.evening, by=self.owner, reason="forgot a hand")

    # Back

    @rule(at=TABLES)
    def undo(self, at):
        history = UndoStack.of(self.tables[at])
        if history.undo:
            self._undo(history, history.undo, 0)

    @rule(at=TABLES)
    def redo(self, at):
        history = UndoStack.of(self.tables[at])
        if history.redo:
            self._undo(history, history.redo, 1)

    @invariant()
    def the_tally_is_a_fold_over_the_hands(self):
        points, hands = Counter(), Counter()
        for version in self._versions():
            tariff = version.edition.tariff
            facts = scoring.parse(tariff, version.players, version.record)
            payments = scoring.score(tariff, facts).payments
            points.update(dict(zip(version.players, payments, strict=True)))
            hands.update(version.players)
        for gains in self.adjusted.values():
            points.update({player.pk: gain for player, gain in gains.items()})

        for row in tallies.tally(self.evening):
            assert (row.points, row.hands) == (
                points[row.player.pk],
                hands[row.player.pk],
            )

    @invariant()
    def money_is_the_worth_of_all_points_rounded_once(self):
        rows = tallies.tally(self.evening)
        points = {row.player.pk: row.points for row in rows}
        stake = self.evening.per_point
        worth = amounts.at_stake(points, stake)
        extra = Counter()
        for gains in self.adjusted_money.values():
            extra.update({player.pk: gain for player, gain in gains.items()})

        assert sum(worth.values()) == 0
        for row in rows:
            exact, won = row.points * stake, worth[row.player.pk]
            assert abs(won - exact) < 1
            assert row.money == won + extra[row.player.pk]

    @invariant()
    def whoever_deals_next_is_there(self):
        """46."""
        for table in self.tables:
            deal = self._deal(table)
            assert {deal.dealer, *deal.next_dealers} <= set(deal.present)
            assert len(deal.players) == 4

    @invariant()
    def the_audit_is_clean(self):
        assert list(Audit().differences()) == []

    def teardown(self):
        """Undo everything, and be where the evening began."""
        try:
            if self.evening.closed_at:
                journal.reopen_evening(self.evening, by=self.owner, reason="undo")
            while offers := [
                (history.original_of(action).number, history, action)
                for history in map(UndoStack.of, self.tables)
                if (action := history.undo)
            ]:
                offers.sort(key=lambda offer: offer[0], reverse=True)
                if not any(self._undo(*offer[1:], 0) for offer in offers):
                    return  # somebody would sit at two tables
            self._what_it_was()
            for id in self.adjusted:
                action = Action.objects.get(pk=id)
                journal.undo(action, id=self._id(), by=self.owner)
            last = evening_dump.of_evening(self.evening)
            connection.check_constraints()
            assert last == self.first
        finally:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    def _what_it_was(self):
        """Give the evening back all that was corrected and no table undoes."""
        first = Amendment(
            name="Friday",
            date=datetime.date(2026, 11, 20),
            season=self.seasons[0],
            stake=20,
        )
        more = {"reason": "back", "id": self._id(), "by": self.owner}
        journal.amend_evening(self.evening, first, **more)

    # What they share

    def _amended(self, write):
        """Correct the evening once, or be refused and change nothing."""
        id, before = self._id(), self._all()
        try:
            action = write(id)
        except journal.Refused:
            assert self._all() == before
            return
        if action is None:
            assert self._all() == before
            return
        after = self._all()
        assert write(id) == action
        assert self._all() == after
        self.amended.append((action, before))
        moved = {at.pk: n for n, at in enumerate(self.tables)}
        numbers = [moved[int(pk)] for pk in action.after.get("tables", {})]
        self.around[action.pk] = [
            {n: state[2]["tables"][n] for n in numbers} for state in (before, after)
        ]
        for table in self.tables:
            table.refresh_from_db()

    def _turn_back(self, done):
        """Undo a correction: the evening is what it was then, but for its hands."""
        action, before = done
        undoing = journal.undo(action, id=self._id(), by=self.owner)
        later = self.evening.actions.filter(number__gt=action.number)
        if later.exclude(pk=undoing.pk).exists():
            self.evening.refresh_from_db()
        else:
            assert self._all() == before
        for table in self.tables:
            table.refresh_from_db()

    def _all(self):
        self.evening.refresh_from_db()
        kept = journal.stored_values(self.evening)
        return kept, self.evening.closed_at, evening_dump.of_evening(self.evening)

    def _id(self):
        self.ids += 1
        return UUID(int=self.ids)

    @contextmanager
    def _done(self, *tables):
        """Do something to these tables once, or be refused and change nothing."""
        id, before = self._id(), evening_dump.of_evening(self.evening)
        try:
            yield id
        except (journal.Refused, journal.Closed, journal.Stale) as refused:
            closed = isinstance(refused, journal.Closed)
            assert closed is bool(self.evening.closed_at)
            assert evening_dump.of_evening(self.evening) == before
            assert not Action.objects.filter(pk=id).exists()
            return
        assert not self.evening.closed_at
        numbers = {table.number - 1 for table in tables}
        after = evening_dump.of_evening(self.evening)
        self.around[id] = [
            {n: state["tables"][n] for n in numbers} for state in (before, after)
        ]

    def _apply(self, table, change, seen=None, nothing=False):
        with self._done(table) as id:
            more = {"id": id, "by": self.owner, "seen": seen, "override": True}
            action = journal.correct(table, change, **more)
            done = evening_dump.of_table(table)
            if action is None or nothing:
                assert action is None
                return
            assert journal.correct(table, change, **more) == action
            assert evening_dump.of_table(table) == done

    def _seat(self, at, change, *people):
        with self._done(self.tables[at]) as id:
            change(self.tables[at], *people, id=id, by=self.owner)
            change(self.tables[at], *people, id=id, by=self.owner)

    def _undo(self, history, action, to):
        try:
            journal.undo(action, id=self._id(), by=self.owner)
        except journal.Closed:
            assert self.evening.closed_at
        except journal.Stale:
            assert action.other_table_id
        except journal.Refused:
            assert action.seating_before  # somebody sits at the other table by now
        else:
            around = self.around.get(history.original_of(action).pk, ({}, {}))
            for number, table in around[to].items():
                now = evening_dump.of_table(self.tables[number])
                assert in_points(now) == in_points(table)
            for at in self.tables:
                at.refresh_from_db()
            self.evening.refresh_from_db()  # an undo may give it its old stake
            return True
        return False

    def _deal(self, table):
        return journal.preview(table, {}).deal

    def _seated(self, at, who):
        seats = self._deal(self.tables[at]).seats
        return seats[who % len(seats)]

    def _versions(self):
        counting = Version.objects.in_force().filter(hand__table__in=self.tables)
        return counting.select_related("hand", "edition", "dealer").order_by(
            "hand__number"
        )

    def _live(self, at, which):
        versions = [
            v for v in self._versions() if v.hand.table_id == self.tables[at].pk
        ]
        return versions[which % len(versions)] if versions else None

    def _hand(self, table, players, kind):
        """Return one of a dozen hands."""
        variant = table.edition.variant
        one, two, three, _four = (player.pk for player in players)
        if kind == 0:
            return {} if variant == "taroki" else {"ending": "passed"}
        hand = {
            "contract": CONTRACTS[variant][kind % 2],
            "declarer": (one, two)[kind // 6],
            "card_points": 36 + kind if kind % 3 else 20,
            "contra": kind // 4,
        }
        if kind % 4:
            hand["partner"] = three
        if kind == 7 and variant == "paskievics":
            hand["bonuses"] = [{"bonus": "mond", "side": "declarer", "made": True}]
            hand["xxi_lost_by"] = one
        return hand


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("stake", [20, Fraction(1, 2), Fraction(7, 4)], ids=str)
def test_whatever_happens_the_books_follow_and_all_can_be_undone(stake):
    run_state_machine_as_test(
        type("AnyEvening", (AnyEvening,), {"stake": stake}),
        settings=hypothesis.settings(
            max_examples=EXAMPLES if stake == 20 else max(1, EXAMPLES // 2),
            stateful_step_count=STEPS,
            suppress_health_check=list(hypothesis.HealthCheck),
        ),
    )
