"""Back, and sent once more: what was made is found, and nothing is there twice."""

from __future__ import annotations

import pytest
from django.urls import reverse

from ledger import journal
from ledger.models import Club, Evening
from tests.browser.conftest import NAMES

AGAIN_WHILE_IT_IS_SENT = """() => {
  const plate = document.querySelector(".dock .plate");
  plate.click();
  setTimeout(() => plate.click(), 30);
}"""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def new(owner):
    """Where an evening of a club with six players begins."""
    club = journal.found_club("Kozy", owner=owner)
    for name in NAMES:
        club.players.create(name=name)
    return reverse("evening_new", args=[club.pk])


def fill(page):
    """Choose the first four, of whom the last deals, for points only."""
    for seat in page.locator("#people .seat").all()[:4]:
        seat.locator(".chip").first.click()
    page.locator("#people .seat .deals").nth(3).click()


def test_start_back_start_is_one_evening(phone, owner, new):
    page = phone(user=owner)
    page.goto(new)
    fill(page)
    page.click("text=Start the evening")
    page.wait_for_url("**/tables/*/")
    table = page.url

    page.go_back()
    fill(page)
    page.click("text=Start the evening")
    page.wait_for_url("**/tables/*/")

    assert page.url == table
    assert page.get_by_text("This has already been saved").is_visible()
    assert Evening.objects.count() == 1


def test_the_next_evening_is_another(phone, owner, new):
    page = phone(user=owner)
    for _evening in range(2):
        page.goto(new)
        if not page.locator('#people input[name="player"]:checked').count():
            fill(page)
        else:
            page.locator("#people .seat .deals").nth(3).click()
        page.click("text=Start the evening")
        page.wait_for_url("**/tables/*/")

    assert Evening.objects.count() == 2


def test_create_back_create_is_one_club(phone, owner):
    page = phone(user=owner)
    page.goto(reverse("club_new"))
    page.fill('input[name="name"]', "Zamość")
    page.click("text=Create the club")
    page.wait_for_url("**/players/")

    page.go_back()
    page.fill('input[name="name"]', "Zamość")
    page.click("text=Create the club")
    page.wait_for_url("**/players/")

    assert Club.objects.filter(name="Zamość").count() == 1


def test_a_double_tap_on_the_password_keeps_this_phone_signed_in(phone, owner):
    owner.set_password("jedenaście taroków")
    owner.save()
    page = phone(user=owner)
    page.goto(reverse("password"))
    page.fill('input[name="old_password"]', "jedenaście taroków")
    page.fill('input[name="new_password1"]', "dwanaście taroków")
    page.fill('input[name="new_password2"]', "dwanaście taroków")

    page.evaluate(AGAIN_WHILE_IT_IS_SENT)

    page.get_by_text("The password has been saved").wait_for()
    owner.refresh_from_db()
    assert owner.check_password("dwanaście taroków")
