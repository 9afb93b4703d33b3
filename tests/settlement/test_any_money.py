"""Whatever is played, corrected, paid, charged and settled: every column sums to 0, and
no payment of nothing is ever planned."""

from __future__ import annotations

import datetime
import html
import os
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from uuid import UUID

import hypothesis
import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import scoring
from ledger import journal, settlement
from ledger.audit import Audit
from ledger.journal import Amendment
from ledger.models import Action, Entry, Hand, Player, ShareLink, User
from ledger.security import sign_in_links
from ledger.settlement import Method, SettlementScope
from ledger.table import changes
from tests.scoring.test_settlement import fewest
from tests.support import shown_debts
from tests.support.club_balances import club_balances
from tests.support.fixtures import NAMES, won

EXAMPLES = int(os.environ.get("KONTRA_EXAMPLES", "3"))
STEPS = int(os.environ.get("KONTRA_STEPS", "15"))
EVENINGS, WHO = st.integers(0, 1), st.integers(0, 5)
SCOPES, METHODS = st.integers(0, 4), st.sampled_from([*Method][:4])
REFUSED = (journal.Refused, journal.Closed, journal.Stale)


class AnyPayment:
    """What may happen to the money of two evenings, each with a book of its own."""

    @rule(
        scope=SCOPES,
        payer=WHO,
        payee=WHO,
        amount=st.integers(0, 90),
        by=WHO | st.none(),
    )
    def pay(self, scope, payer, payee, amount, by):
        for_him = None if by is None else self.people[by]
        self._paid(
            journal.pay,
            self._scopes()[scope],
            self.people[payer],
            self.people[payee],
            amount,
            paid_by=for_him,
        )

    @rule(scope=SCOPES, which=WHO, part=st.integers(1, 3))
    def pay_by_the_plan(self, scope, which, part):
        scope = self._scopes()[scope]
        rows = settlement.plan(scope, Method.FEWEST).rows
        if not rows:
            return
        paid = rows[which % len(rows)]
        amount = max(1, paid.amount // part)
        journal.pay(scope, paid.payer, paid.payee, amount, id=self._id(), by=self.owner)
        due = [row.key for row in rows if row != paid]
        if amount < paid.amount:
            due.append((*paid.key[:2], paid.amount - amount))
        now = settlement.plan(scope, Method.FEWEST).rows
        if len(now) == len(due):
            assert sorted(row.key for row in now) == sorted(due)
        else:
            assert len(now) < len(due)
            assert amount < paid.amount

    @rule(scope=SCOPES, method=METHODS)
    def settle(self, scope, method):
        scope = self._scopes()[scope]
        self._paid(journal.settle, scope, method)
        assert set(settlement.sums_of(scope).values()) <= {0}
        again = journal.settle(scope, method, id=self._id(), by=self.owner)
        assert again is None

    @rule(scope=SCOPES, who=WHO)
    def settle_one(self, scope, who):
        scope = self._scopes()[scope]
        self._paid(journal.settle_one, scope, self.people[who])
        assert settlement.sums_of(scope).get(self.people[who].pk, 0) == 0

    @rule(scope=SCOPES, who=WHO, amount=st.integers(1, 50), prize=st.booleans())
    def charge(self, scope, who, amount, prize):
        charge = journal.prize if prize else journal.fine
        scope, player = self._scopes()[scope], self.people[who]
        self._paid(charge, scope, player, amount, reason="late")

    @rule(to=st.booleans())
    def carry(self, to):
        first, second = self._evenings()
        self._paid(journal.carry, first, second if to else None)
        assert set(settlement.sums_of(SettlementScope.of_evening(first)).values()) <= {
            0
        }

    @precondition(lambda self: self.actions)
    @rule(which=st.integers(0, 99))
    def take_back(self, which):
        action = Action.objects.get(pk=self.actions[which % len(self.actions)])
        self._paid(journal.undo, action)
        for evening in self._evenings():
            evening.refresh_from_db()

    def _scopes(self):
        first, second = self._evenings()
        return [
            SettlementScope.of_evening(first),
            SettlementScope.of_evening(second),
            SettlementScope.up_to(self.club, datetime.date(2026, 11, 15), "PLN"),
            SettlementScope.of_season(first.season, "PLN"),
            SettlementScope.everything(self.club, "PLN"),
        ]

    def _paid(self, write, *what, **more):
        """Write it twice with one id, or be refused and change nothing."""
        id = self._id()
        before = [settlement.sums_of(scope) for scope in self._scopes()]
        try:
            action = write(*what, **more, id=id, by=self.owner)
        except REFUSED:
            assert [settlement.sums_of(scope) for scope in self._scopes()] == before
            return
        if action is not None:
            after = [settlement.sums_of(scope) for scope in self._scopes()]
            assert write(*what, **more, id=id, by=self.owner) == action
            assert [settlement.sums_of(scope) for scope in self._scopes()] == after
            self.actions.append(action.pk)


class AnyMoney(AnyPayment, RuleBasedStateMachine):
    """Two evenings of one season, five at the first table and four at the second."""

    def __init__(self):
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.ids = 0
        self.owner = User.objects.create_user("owner")
        self.club = journal.found_club("Kozy", owner=self.owner)
        self.people = [Player.objects.create(club=self.club, name=n) for n in NAMES]
        self.club.treasurer = self.people[5]
        self.club.save()
        self.tables = [self.laid(5, 13), self.laid(4, 20)]
        self.actions = []
        evenings_ = [table.evening for table in self.tables]
        self.links = [ShareLink.make(e, by=self.owner)[1] for e in evenings_]
        self.names = {player.pk: player.name for player in self.people}
        self.names |= {("evening", e.pk): e.name for e in evenings_}
        self.names |= {("season", s.pk): f"Season {s}" for s in self.club.seasons.all()}
        self.names[journal.pot_of(self.club).pk] = "Pot"
        self.client = Client()
        self.client.force_login(self.owner, backend=sign_in_links.BACKEND)

    def laid(self, seats, day):
        evening = journal.start_evening(
            self.club,
            name=f"{day}",
            date=datetime.date(2026, 11, day),
            edition=journal.edition_of(self.club, scoring.tariff("taroki")),
            seats=self.people[:seats],
            dealer=self.people[seats - 1],
            by=self.owner,
            currency="PLN",
            stake=20,
        )
        return evening.tables.select_related("edition", "evening__club").get()

    # What happens

    @rule(at=EVENINGS, contract=st.sampled_from(["1", "2", "3"]))
    def play(self, at, contract):
        players = journal.preview(self.tables[at], {}).deal.players
        with suppress(journal.Closed):
            journal.record_hand(
                self.tables[at],
                id=self._id(),
                record=won(players, contract),
                by=self.owner,
                override=True,
            )

    @rule(at=EVENINGS, which=WHO, contra=st.integers(0, 2), void=st.booleans())
    def correct(self, at, which, contra, void):
        hands = list(Hand.objects.filter(table=self.tables[at], voided=False))
        if not hands:
            return
        hand = hands[which % len(hands)]
        record = hand.versions.latest("number").record | {"contra": contra}
        change = changes.Void(hand) if void else changes.Correct(hand, record)
        with suppress(*REFUSED):
            journal.correct(
                self.tables[at], change, id=self._id(), by=self.owner, override=True
            )

    @rule(at=EVENINGS, stake=st.sampled_from([20, 5, Fraction(1, 2), Fraction(7, 4)]))
    def restake(self, at, stake):
        evening = self.tables[at].evening
        asked = Amendment(currency="PLN", stake=stake)
        self._paid(journal.amend_evening, evening, asked, reason="typo")
        evening.refresh_from_db()

    @rule(at=EVENINGS)
    def close(self, at):
        journal.close_evening(self.tables[at].evening, by=self.owner)

    # What is always so

    @invariant()
    def every_column_sums_to_nothing(self):
        for scope in self._scopes():
            assert sum(settlement.sums_of(scope).values()) == 0
        column = club_balances(self.club)
        assert sum(balance.money.get("PLN", 0) for balance in column) == 0

    @invariant()
    def narrower_books_make_up_the_wider(self):
        everything = self._scopes()[-1]
        books = settlement.sums_by_scope(everything).values()
        for player, amount in settlement.sums_of(everything).items():
            assert amount == sum(book.get(player, 0) for book in books)

    @invariant()
    def every_plan_clears_everybody_with_no_payment_of_nothing(self):
        for scope in self._scopes():
            for method in [*Method][:4]:
                plan = settlement.plan(scope, method)
                left = {b.player.pk: b.amount for b in plan.balances}
                for row in plan.rows:
                    assert row.amount > 0
                    assert row.payer != row.payee
                    left[row.payer.pk] = left.get(row.payer.pk, 0) + row.amount
                    left[row.payee.pk] = left.get(row.payee.pk, 0) - row.amount
                assert set(left.values()) <= {0}
                if method == Method.FEWEST:
                    open_ = [b.amount for b in plan.balances]
                    assert len(plan.rows) == plan.least == fewest(open_)

    @invariant()
    def every_place_tells_the_same_of_every_debt(self):
        csv = shown_debts.in_csv(self.client, self.club)
        book = shown_debts.in_book(self.tables[0].evening.season)
        for table, link in zip(self.tables, self.links, strict=True):
            evening = table.evening
            told = shown_debts.on_page(self._page("evening", evening.pk), evening)
            api = self._get("api_tally", evening.pk).json()
            assert shown_debts.on_page(self._page("shared", link), evening) == told
            assert shown_debts.in_api(api, evening, self.names) == told
            assert csv.get(evening.name, []) == told
            assert book.get(evening.name, []) == told
            self._balances_are_what_is_open(evening, told)
            self._payments_and_carryings_are_in_the_history(evening, told)
            self._statements_end_in_the_plan(evening, told)
            self._what_is_open_elsewhere_is_owed_there(told)

    def _balances_are_what_is_open(self, evening, told):
        left = settlement.sums_of(SettlementScope.of_evening(evening))
        owed = Counter()
        for state, payer, payee, amount, _open, _where in told:
            if state == "open":
                owed.update({payer: -amount, payee: amount})
        assert {p: n for p, n in owed.items() if n} == {
            self.names[player]: amount for player, amount in left.items() if amount
        }

    def _payments_and_carryings_are_in_the_history(self, evening, told):
        live = Entry.objects.filter(evening=evening, reversal=None)
        page = html.unescape(self._page("history", evening.pk))
        paid = Counter(row[:4] for row in told if row[0] == "paid")
        assert paid.total() == live.filter(kind="payment").count()
        for _state, payer, payee, amount in paid:
            assert f"{payer} paid {payee} PLN\xa0{amount / 100:.2f}" in page
        assert ("Carried over" in page) == (
            Entry.objects.filter(evening=evening, kind="carry").exists()
        )
        for where in {row[5] for row in told if row[0] == "carried"}:
            assert where in page or "Carried over to" in page

    def _statements_end_in_the_plan(self, evening, told):
        player = self.people[self.ids % 4]
        path = reverse("statement", args=[self.club.pk, player.pk])
        page = html.unescape(self.client.get(f"{path}?evening={evening.pk}").text)
        mine = [row for row in told if player.name in row[1:3]]
        for state, payer, payee, amount, is_open, where in mine:
            money = f"PLN\xa0{amount / 100:.2f}"
            if state == "open":
                assert f"In the plan {payer} pays {payee} {money}." in page
            if state == "carried":
                how = "still open there" if is_open else "no longer open"
                said = f"{payer} → {payee} {money}: carried to {where}: {how}"
                assert said in page

    def _what_is_open_elsewhere_is_owed_there(self, told):
        scopes = {scope.title: scope for scope in self._scopes()}
        for state, payer, _payee, _amount, is_open, where in told:
            if state == "carried" and is_open:
                rows = settlement.plan(scopes[where], Method.FEWEST).rows
                assert payer in {row.payer.name for row in rows}

    def _page(self, name, *args):
        return self._get(name, *args).text

    def _get(self, name, *args):
        answer = self.client.get(reverse(name, args=args))
        assert answer.status_code == 200
        return answer

    @invariant()
    def the_audit_is_clean(self):
        assert list(Audit().differences()) == []

    def teardown(self):
        try:
            connection.check_constraints()
        finally:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    def _evenings(self):
        return [table.evening for table in self.tables]

    def _id(self):
        self.ids += 1
        return UUID(int=self.ids)


@pytest.mark.long
@pytest.mark.django_db
def test_whatever_is_paid_all_adds_up():
    """Numbers 72, 74, 75, 82 and 85."""
    run_state_machine_as_test(
        AnyMoney,
        settings=hypothesis.settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            suppress_health_check=list(hypothesis.HealthCheck),
        ),
    )
