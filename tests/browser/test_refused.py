"""New evening, refused: the reason stands at the button and leads to the field."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from ledger.models import Player
from tests.browser.test_pages import TAGS, sideways

pytestmark = pytest.mark.django_db(transaction=True)


def refused(page, places):
    page.goto(f"/clubs/{places['club']}/evenings/new/")
    page.get_by_role("radio", name="PLN").tap()
    page.locator("#id_stake").fill("a lot")
    page.locator(".plate").tap()
    page.wait_for_selector(".dock .wrong")


def seen(page, selector):
    """Return whether the whole of it lies inside the window."""
    box = page.locator(selector).first.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= 844


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no script"])
def test_the_reason_is_seen_and_leads_to_the_field(phone, owner, places, javascript):
    page = phone(user=owner, javascript=javascript)
    refused(page, places)

    told = page.locator(".dock .wrong").inner_text()
    beside = seen(page, ".dock .wrong a") and seen(page, ".plate")
    page.get_by_role("link", name="Stake per point").tap()
    page.wait_for_function("scrollY > 0") if javascript else page.wait_for_url("**#*")

    assert "Stake per point: Enter an amount in figures" in told
    assert beside
    assert seen(page, "#id_stake")
    if javascript:
        assert page.locator("#id_stake").evaluate("it => it === document.activeElement")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_refused_evening_is_in_order(phone, owner, places, scheme):
    page = phone(user=owner, scheme=scheme)
    refused(page, places)

    found = Axe().run(page, options={"runOnly": TAGS})

    assert found.violations_count == 0, found.generate_report()
    assert list(sideways(page)) == []


def test_retiring_is_asked_about_on_a_phone(phone, owner, places):
    page = phone(user=owner)
    page.goto(f"/clubs/{places['club']}/players/?player={places['first']}")
    page.get_by_role("button", name="Retire").tap()
    page.wait_for_selector("[form=retire]")

    found = Axe().run(page, options={"runOnly": TAGS})
    wide = list(sideways(page))
    page.locator(".plate").tap()
    page.wait_for_selector("text=retired")

    assert found.violations_count == 0, found.generate_report()
    assert wide == []
    assert Player.objects.get(retired=True).pk == places["first"]
