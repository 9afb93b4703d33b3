"""Corrections, seats, adjustments and closing, on a phone and without a script."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from ledger import journal, tallies
from ledger.models import Evening, Hand, Player, Table
from ledger.table.deals import deal
from tests.browser.test_pages import TAGS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request, phone, owner):
    return phone(user=owner, javascript=request.param)


@pytest.fixture
def table(places):
    return Table.objects.select_related("evening").get(pk=places["table"])


def points(table):
    return [row.points for row in tallies.tally(table.evening)]


def press(page, name, role="button"):
    page.get_by_role(role, name=name).first.tap()


@pytest.mark.on_both
def test_a_hand_is_taken_back_and_restored(page, places, table):
    before = points(table)
    page.goto(f"/hands/{places['hand']}/")

    press(page, "Take hand 1 back", "link")
    page.get_by_label("Reason").fill("Written twice")
    changes = page.locator(".shift tbody tr").count()
    page.locator("button.plate").tap()
    page.wait_for_selector(".toast")

    assert changes == sum(1 for point in before if point)
    assert page.locator(".toast").text_content().strip().startswith("Hand 1 taken back")
    assert set(points(table)) == {0}
    page.locator(".hands a").first.tap()
    press(page, "Restore the hand", "link")
    page.locator("button.plate").tap()
    page.wait_for_selector(".toast")
    assert points(table) == before


def test_undo_is_one_tap_and_so_is_redo(page, places, table):
    before = points(table)
    page.goto(f"/tables/{places['table']}/")

    press(page, "Undo: Hand 1 recorded")
    page.wait_for_selector(".toast")
    undone = points(table)
    press(page, re.compile("^Redo"))
    page.wait_for_selector(".toast >> text=Redone")

    assert set(undone) == {0}
    assert points(table) == before


def test_somebody_new_comes_for_another(page, places, table):
    page.goto(f"/tables/{places['table']}/seats/")
    page.locator("#comes > summary").tap()
    page.get_by_label("Name").fill("Großherzogin Wilhelmine von und zu Liechtenstein")
    plays_for = page.get_by_role("group", name="Plays for")
    plays_for.get_by_role("radio", name="Żaneta").tap()
    press(page, "Plays from hand 2 on")
    page.wait_for_selector(".toast")

    assert "Wilhelmine" in deal(table).seats[2].name
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_two_mixed_up_seats_are_put_right(page, places, table):
    hand = Hand.objects.get(pk=places["hand"])
    played = hand.versions.latest("number").players
    rests, plays = (Player.objects.get(name=name).pk for name in ("Ödön", "Żaneta"))
    page.goto(f"/hands/{hand.pk}/")
    press(page, "Two seats were mixed up", "link")
    for group, player in (("First player", "Żaneta"), ("Second player", "Ödön")):
        chips = page.get_by_role("group", name=group, exact=True)
        chips.get_by_role("radio", name=player, exact=True).tap()
    press(page, "Show what changes")

    page.locator("button.plate").tap()
    page.wait_for_selector(".toast")

    after = hand.versions.latest("number").players
    assert after == [rests if player == plays else player for player in played]
    assert "swapped seats from hand 1 on" in page.locator(".toast").text_content()


def test_an_adjustment_says_what_is_missing(phone, owner, places, table):
    page = phone(user=owner)
    page.goto(f"/evenings/{places['evening']}/adjust/")
    page.get_by_label("What for").fill("Penalty")
    rows = page.locator("fieldset:has([inputmode])")
    rows.nth(0).get_by_role("radio", name="pays").tap()
    rows.nth(0).locator("[inputmode]").fill("9")
    rows.nth(1).locator("[inputmode]").fill("5")

    page.wait_for_selector("#sum >> text=4 points more is paid than received.")
    rows.nth(3).locator("[inputmode]").fill("4")
    page.wait_for_selector("#sum >> text=It balances")
    before = points(table)
    page.locator("button.plate").tap()
    page.wait_for_selector("#adjusted >> text=Penalty")

    moved = [now - was for now, was in zip(points(table), before, strict=True)]
    assert moved == [-9, 5, 0, 4, 0, 0]


def test_an_evening_is_closed_and_reopened(page, places):
    page.goto(f"/evenings/{places['evening']}/")
    press(page, "Close the evening", "link")
    page.locator("button.plate").tap()
    page.wait_for_selector(".closed")
    closed = Evening.objects.get(pk=places["evening"]).closed_at
    page.goto(f"/tables/{places['table']}/")
    buttons = page.get_by_role("link", name="Record hand").count()
    page.goto(reverse("reopen", args=[places["evening"]]))
    page.get_by_label("Why it is reopened").fill("One hand is missing")
    page.locator("button.plate").tap()
    page.wait_for_selector("a.plate >> text=Continue")

    assert closed is not None
    assert buttons == 0
    assert Evening.objects.get(pk=places["evening"]).closed_at is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_opened_seats(phone, owner, places, scheme):
    page = phone(user=owner, scheme=scheme, width=320)
    page.goto(f"/tables/{places['table']}/seats/")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")

    found = Axe().run(page, options={"runOnly": TAGS})

    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_closed_evening(phone, owner, places, scheme):
    evening = Evening.objects.get(pk=places["evening"])
    journal.close_evening(evening, by=owner)
    page = phone(user=owner, scheme=scheme)

    for path in (f"/evenings/{evening.pk}/", f"/evenings/{evening.pk}/reopen/"):
        page.goto(path)
        found = Axe().run(page, options={"runOnly": TAGS})
        assert found.violations_count == 0, found.generate_report()
