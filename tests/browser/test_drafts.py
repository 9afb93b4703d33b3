"""A slip half filled in outlives whatever happens to the phone."""

from __future__ import annotations

import pytest

from tests.browser.test_pages import PAGES

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def slip(phone, owner, places):
    page = phone(user=owner)
    page.goto(PAGES["slip"].format(**places))
    return page


def tap(page, *chips):
    for name, place in chips:
        page.locator(f"[name={name}]").nth(place).tap()


def chosen(page):
    return page.evaluate(
        """() => [...document.querySelectorAll("[data-slip] input:checked")]
          .map(input => `${input.name}=${input.value}`)"""
    )


def test_a_reload_keeps_every_tap(slip):
    tap(slip, ("contract", 1), ("declarer", 0), ("partner", 2))
    slip.locator("#bonus-mond > summary").tap()
    tap(slip, ("mond-made", 1))
    slip.locator(".ladder:has([name^=mond-contra]) .contra").tap()
    slip.wait_for_function("() => !document.querySelector('.htmx-request')")
    before = chosen(slip)

    slip.reload()
    slip.wait_for_selector("[data-kept]:not([hidden])")

    assert chosen(slip) == before


def test_a_draft_comes_back_however_late_the_script_comes(slip):
    tap(slip, ("contract", 1), ("declarer", 0))
    slip.wait_for_function("() => !document.querySelector('.htmx-request')")
    before = chosen(slip)
    held = []
    slip.route("**/slip.js", lambda route: held.append(route))

    slip.reload(wait_until="commit")
    slip.wait_for_selector("[data-slip][data-htmx-powered]", state="attached")
    held[0].continue_()
    slip.wait_for_selector("[data-kept]:not([hidden])")

    assert chosen(slip) == before


@pytest.mark.on_both
def test_a_saved_hand_leaves_no_draft(slip):
    tap(slip, ("contract", 1), ("declarer", 0), ("partner", 2), ("won", 2))
    slip.locator("button.plate").tap()
    slip.wait_for_selector(".toast")
    slip.locator("table.hands tbody").nth(1).wait_for()
    saved = slip.url
    reloaded = slip.reload()

    assert (saved, slip.url) == (reloaded.url, reloaded.url)
    assert reloaded.request.method == "GET"
    assert slip.locator(".toast").count() == 0
    slip.locator("a.plate").tap()
    slip.wait_for_selector("h1")

    assert slip.evaluate("Object.keys(localStorage)") == []
    assert slip.locator("[name=contract]:checked").count() == 0


def test_a_slip_can_be_started_afresh(slip):
    tap(slip, ("contract", 1))
    slip.reload()
    slip.wait_for_selector("[data-kept]:not([hidden])")

    slip.locator("[data-afresh]").tap()
    slip.wait_for_selector("[data-blank]")

    assert slip.locator("[name=contract]:checked").count() == 0


def test_turning_the_phone_changes_nothing(slip):
    tap(slip, ("contract", 1), ("declarer", 0))
    slip.wait_for_function("() => !document.querySelector('.htmx-request')")
    before = chosen(slip)

    slip.set_viewport_size({"width": 844, "height": 390})

    assert chosen(slip) == before
    assert slip.evaluate("document.documentElement.scrollWidth") == 844
