"""The three evenings settled on a phone, each way, to exactly nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger import journal, settlement
from ledger.demo import evening_files
from ledger.models import Entry, User
from ledger.settlement import Method, SettlementScope

FIXTURES = Path(__file__).parents[2] / "fixtures" / "evenings"

pytestmark = pytest.mark.django_db(transaction=True)

OPEN, PAID = '.give [aria-pressed="false"]', '.give [aria-pressed="true"]'


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


@pytest.fixture
def told(which):
    return json.loads((FIXTURES / f"{which}.json").read_text())


each = pytest.mark.parametrize("which", ["kozy", "szeged", "vienna"])


@pytest.fixture
def which():
    """The evening where the game makes no difference: the one with most to pay."""
    return "szeged"


@pytest.fixture
def evening(told, owner):
    club = journal.found_club("Club", owner=owner)
    evening = evening_files.record_evening(club, told, owner)
    club.treasurer = club.players.order_by("pk").last()
    club.save()
    return evening


@pytest.fixture
def page(phone, owner, evening):
    page = phone(user=owner)
    page.goto(f"/evenings/{evening.pk}/")
    return page


def open_(evening):
    return {
        b.player.name: b.amount
        for b in settlement.balances_of(SettlementScope.of_evening(evening))
    }


def rows(page):
    """Return the plan as the page shows it: who, how much, whether it is paid."""
    return [
        (give.locator(".who").inner_text(), give.locator("b").inner_text())
        for give in page.locator("[data-plan] .give").all()
    ]


@each
def test_an_evening_is_settled_each_way_and_each_is_undone(page, evening, told):
    before = open_(evening)
    assert page.locator(OPEN).count() == told["fewest_transfers"]

    for method in Method:
        page.get_by_text("Settle another way").tap()
        page.get_by_role("link", name=method.label, exact=True).tap()
        page.get_by_role("link", name="Settle all…").tap()
        page.wait_for_selector("[form=settle]")
        listed = page.locator("li.give").count()
        page.locator("button.plate").tap()
        page.wait_for_selector(".toast")
        assert set(open_(evening).values()) == {0}
        if method != Method.CARRY:
            made = Entry.objects.filter(kind="payment", reversal=None)
            assert made.count() == listed
        page.locator(".toast button").tap()
        page.wait_for_selector(OPEN)
        after = {name: amount for name, amount in open_(evening).items() if amount}
        assert after == {name: amount for name, amount in before.items() if amount}


@pytest.mark.on_both
def test_payments_are_tapped_one_by_one_and_the_others_stay(page, evening):
    planned = rows(page)

    for number in range(len(planned)):
        page.locator(OPEN).first.tap()
        page.wait_for_selector(f"{PAID} >> nth={number}")
        assert sorted(rows(page)) == sorted(planned)

    assert set(open_(evening).values()) == {0}
    page.locator(PAID).first.tap()
    page.wait_for_selector(OPEN)
    assert page.locator(OPEN).count() == 1


@each
def test_a_part_is_paid_and_later_the_rest(page, evening):
    planned = rows(page)
    page.locator(".give a.num").first.tap()
    whole = page.locator("[name=amount]").input_value()
    page.locator("[name=amount]").fill("0,50")
    page.locator("button.plate").tap()
    page.wait_for_selector(PAID)

    assert float(whole) > 0.5
    assert len(rows(page)) == len(planned) + 1
    page.get_by_role("link", name="Settle all…").tap()
    page.locator("button.plate").tap()
    page.wait_for_selector(".toast")
    assert set(open_(evening).values()) == {0}


@each
def test_a_correction_after_a_payment_leaves_the_payment(page, evening, told):
    page.locator(OPEN).first.tap()
    page.wait_for_selector(PAID)
    paid = Entry.objects.get(kind="payment")
    hand = evening.tables.get().hands.order_by("number").last()
    untouched = open_(evening)

    page.goto(f"/hands/{hand.pk}/void/")
    page.locator("button.plate").tap()
    page.wait_for_url("**done=**")
    page.goto(f"/evenings/{evening.pk}/")

    changed = {name for name, now in open_(evening).items() if now != untouched[name]}
    played = {p.player.name for p in hand.versions.get().entries.first().postings.all()}
    assert changed <= played
    assert page.locator(PAID).count() == 1
    assert not hasattr(Entry.objects.get(pk=paid.pk), "reversal")
    page.get_by_role("link", name="Settle all…").tap()
    page.locator("button.plate").tap()
    page.wait_for_selector(".toast")
    assert set(open_(evening).values()) == {0}


def test_any_balance_is_three_taps_from_the_line_of_the_hand(page, evening):
    club = evening.club_id
    for start in (
        f"/clubs/{club}/",
        f"/clubs/{club}/settle/",
        f"/evenings/{evening.pk}/",
    ):
        page.goto(start)
        page.locator(".score td a").first.tap()
        taps = 1
        page.wait_for_selector(".statement")
        if not page.locator(".items").count():
            page.locator(".statement a.link").first.tap()
            page.wait_for_selector(".items")
            taps += 1
        page.locator(".items summary").first.tap()
        taps += 1

        assert page.locator(".items .why").first.is_visible()
        assert taps <= 3


def test_a_plan_is_paid_without_a_script(phone, owner, evening):
    page = phone(user=owner, javascript=False)
    page.goto(f"/evenings/{evening.pk}/")
    count = page.locator(OPEN).count()

    page.locator(OPEN).first.tap()
    page.wait_for_selector(PAID)
    assert page.locator(OPEN).count() == count - 1
    page.locator(PAID).first.tap()
    page.wait_for_selector(f"{OPEN} >> nth={count - 1}")

    assert page.locator(PAID).count() == 0


def test_a_link_shows_the_plan_to_anybody(phone, page, evening):
    planned = rows(page)
    page.get_by_role("link", name="Link to share").tap()
    page.locator("button.plate").tap()
    link = page.locator("#secret").input_value()

    other = phone()
    other.goto(link)

    assert [
        (give.locator(".who").inner_text(), give.locator("b").inner_text())
        for give in other.locator(".give").all()
    ] == planned
    assert other.locator("main a").count() == 0
