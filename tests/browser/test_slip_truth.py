"""The slip tells the truth: the plate shows what Save sends, or that it cannot."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal
from ledger.models import Hand, Player, Table, User, Version
from ledger.table.deals import deal
from tests.browser.network import Network

pytestmark = pytest.mark.django_db(transaction=True)

PROMISE = """() => [...document.querySelectorAll(".plate .pay")].map(pay => {
  const b = pay.querySelector("b");
  return getComputedStyle(b).visibility === "visible" ? b.textContent : null;
})"""
FRESH = "() => !document.querySelector('[data-slip]').dataset.answer"
CHOSEN = """() => [...document.querySelectorAll("[data-slip] input:checked")]
  .filter(input => input.value && input.type !== "hidden")
  .map(input => `${input.name}=${input.value}`)"""
PATIENCE = "('hx-config', 'timeout:2000')"
DENIED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("denied", "SecurityError"); } })"""
FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError"); }"""


@pytest.fixture
def owner():
    return User.objects.create_user("owner", password="tarock")


@pytest.fixture
def table(places):
    return Table.objects.select_related("evening__club").get(pk=places["table"])


@pytest.fixture
def path(table):
    return reverse("slip", args=[table.pk])


@pytest.fixture
def slip(phone, owner, path):
    page = phone(user=owner, troubled=True)
    page.goto(path)
    return page


def chip(page, name, value):
    page.locator(f'[name="{name}"][value="{value}"]').tap()


def seat(page, name, place):
    page.locator(f"[name={name}]").nth(place).tap()


def a_hand(page, *, contract="without", won=2):
    chip(page, "contract", contract)
    seat(page, "declarer", 0)
    seat(page, "partner", 2)
    chip(page, "won", won)


def fresh(page):
    page.wait_for_function(FRESH)


def promise(page):
    """Return what the plate promises to each, None where it promises nothing."""
    return page.evaluate(PROMISE)


def label(page):
    return page.locator("button.plate").inner_text().split("\n")[-1]


def save(page):
    page.locator("button.plate").tap()
    page.wait_for_selector(".toast")


def record(table, owner, **more):
    """Record the next hand from another phone."""
    players = [player.pk for player in deal(table).players]
    hand = {"contract": "without", "declarer": players[0], "partner": players[2]}
    hand |= {"card_points": 51}
    return journal.record_hand(table, id=uuid4(), record=hand, by=owner, **more)


# Late answers


def test_an_answer_that_comes_late_is_dropped(slip):
    net = Network(slip)
    chip(slip, "contract", "without")
    seat(slip, "declarer", 0)
    seat(slip, "partner", 2)
    chip(slip, "won", 2)
    net.wait(4)

    net.answer(3)
    fresh(slip)
    at_once = promise(slip), label(slip), slip.evaluate(CHOSEN)
    for _late in range(3):
        net.answer()
        slip.wait_for_timeout(20)

    assert at_once[1] == "Save hand 2"
    assert (promise(slip), label(slip), slip.evaluate(CHOSEN)) == at_once


def test_three_changes_of_mind_lose_nothing(slip):
    """Played, Passed, Played on a slow network: nothing that was tapped is lost."""
    a_hand(slip)
    fresh(slip)
    before = slip.evaluate(CHOSEN), promise(slip)
    net = Network(slip)
    for ending in ("passed", "annulled", "played"):
        chip(slip, "ending", ending)
    net.wait(3)

    net.answer(2)
    fresh(slip)
    net.answer()
    net.answer()
    slip.wait_for_timeout(20)

    assert (slip.evaluate(CHOSEN), promise(slip)) == before


def test_an_answer_to_an_older_change_is_no_answer(slip):
    net = Network(slip)
    a_hand(slip)
    net.wait(4)
    net.answer(3)
    fresh(slip)

    chip(slip, "won", 0)
    net.wait(1 + 3)
    net.repeat(3)
    slip.wait_for_selector("[data-answer=unanswered]")

    assert set(promise(slip)) == {None}
    assert label(slip) == "Not worked out"


def test_what_is_written_meanwhile_stays(slip):
    """An answer that comes while the scorer writes does not take a figure away."""
    a_hand(slip)
    fresh(slip)
    net = Network(slip)
    slip.locator(".counter > summary").tap()
    points = slip.locator("[name=card_points]")
    points.press_sequentially("5")
    net.wait(1)
    points.press_sequentially("1")

    while_written = promise(slip)
    net.answer()
    slip.wait_for_timeout(20)

    assert set(while_written) == {None}
    assert points.input_value() == "51"
    assert slip.evaluate("document.activeElement.name") == "card_points"
    net.wait(1)
    net.answer()
    fresh(slip)
    assert points.input_value() == "51"
    assert slip.locator("details.counter[open]").count() == 1
    assert slip.locator(".aside >> text=51 counted").count() == 1


def test_a_chip_that_the_server_takes_away_is_seen_to_go(slip):
    """htmx leaves a chip as it was tapped, whatever the answer says of it."""
    a_hand(slip)
    fresh(slip)
    slip.locator("#bonus-mond > summary").tap()
    seat(slip, "mond-made", 0)
    fresh(slip)
    slip.route("**/hands/preview/", lambda route: unchecked(route, "mond-made"))

    seat(slip, "won", 3)
    fresh(slip)

    assert slip.locator("[name=mond-made]:checked").count() == 0


def unchecked(route, name):
    response = route.fetch()
    body = re.sub(rf'(name="{name}"[^>]*) checked', r"\1", response.text())
    route.fulfill(response=response, body=body)


# No answer


@pytest.mark.parametrize("how", ["lose", "fail", "keep_waiting"])
def test_a_plate_that_is_not_up_to_date_promises_nothing(slip, how):
    a_hand(slip)
    fresh(slip)
    net = Network(slip)
    slip.evaluate(f"document.querySelector('[data-slip]').setAttribute{PATIENCE}")

    chip(slip, "won", 0)
    net.wait(1)
    working = promise(slip), label(slip), slip.locator("#lines").is_visible()
    getattr(net, how)()
    slip.wait_for_selector("[data-answer=unreached]")

    assert working == ([None] * len(working[0]), "Working it out …", False)
    assert set(promise(slip)) == {None}
    assert label(slip) == "Not worked out: no connection"
    save(slip)
    assert Version.objects.latest("recorded_at").record["won"] is False


def test_the_plate_is_worked_out_when_the_connection_is_back(slip):
    net = Network(slip)
    a_hand(slip)
    net.wait(4)
    net.lose(3)
    slip.wait_for_selector("[data-answer=unreached]")

    slip.evaluate("dispatchEvent(new Event('online'))")
    net.wait(4)
    net.answer(3)
    fresh(slip)

    assert label(slip) == "Save hand 2"


def test_a_warning_that_nobody_has_seen_is_not_overridden(slip, table, owner):
    a_hand(slip)
    save(slip)
    slip.locator("a.plate").tap()
    players = deal(table).players
    chip(slip, "contract", "without")
    chip(slip, "declarer", players[0].pk)
    chip(slip, "partner", players[2].pk)
    chip(slip, "won", 2)
    fresh(slip)
    slip.evaluate(
        """() => document.querySelector("[data-slip]").insertAdjacentHTML(
          "beforeend", '<input type="hidden" name="override" value="on">')"""
    )
    net = Network(slip)
    chip(slip, "won", 0)
    net.wait(1)

    sent = slip.evaluate(
        "new FormData(document.querySelector('[data-slip]')).get('override')"
    )

    assert sent is None


# Back, and a lost answer


def test_a_slip_gone_back_to_is_blank(slip, table, path):
    """The browser fills in what stood in the fields of a page that it goes back to."""
    slip.locator("details.more > summary").last.tap()
    seat(slip, "dealer", 2)
    fresh(slip)
    a_hand(slip)
    save(slip)
    slip.goto(path)
    blank = slip.evaluate(CHOSEN)
    a_hand(slip)
    slip.evaluate("localStorage.clear()")
    slip.goto(reverse("table", args=[table.pk]))

    slip.go_back()
    slip.wait_for_selector("[data-slip]")

    assert slip.locator("h1").inner_text() == "Hand 3"
    assert slip.evaluate(CHOSEN) == blank
    assert slip.get_by_role("link", name="Correct hand 2").is_visible()


def test_a_tap_after_going_back_keeps_no_dealer(slip, table):
    """Save hand 2, Back, another result, Save: no hand with the dealer of hand 2."""
    slip.goto(reverse("table", args=[table.pk]))
    slip.locator("a.plate").tap()
    a_hand(slip)
    save(slip)
    due = deal(table).dealer
    slip.go_back()
    if "hands/new" not in slip.url:
        slip.go_forward()
        slip.goto(reverse("slip", args=[table.pk]))

    a_hand(slip, won=0)
    save(slip)

    assert Version.objects.latest("recorded_at").dealer == due
    assert Hand.objects.count() == 3


def test_a_page_kept_by_the_browser_is_not_shown_again(slip, table):
    a_hand(slip)
    fresh(slip)
    slip.route("**/hands/new/", lambda route: route.fulfill(status=204))
    slip.locator("button.plate").tap()
    slip.wait_for_timeout(50)
    slip.unroute("**/hands/new/")
    slip.evaluate("localStorage.clear()")

    slip.evaluate(
        "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
    )
    slip.wait_for_selector("[data-blank]")

    assert slip.locator("[name=contract]:checked").count() == 0
    assert slip.get_by_role("link", name="Correct hand 1").is_visible()


def test_a_draft_whose_hand_has_arrived_is_gone(slip, table):
    """The hand is saved, the answer is lost, and the scorer goes on from the table."""
    a_hand(slip)
    fresh(slip)
    lost = []
    slip.route("**/hands/new/", lambda route: lose_answer(route, lost))
    slip.locator("button.plate").tap()
    while not lost:
        slip.wait_for_timeout(20)
    slip.unroute("**/hands/new/")

    slip.goto(reverse("table", args=[table.pk]))
    slip.locator("a.plate").tap()
    slip.wait_for_function("() => !document.querySelector('[data-slip]').inert")

    assert Hand.objects.count() == 2
    assert slip.locator("h1").inner_text() == "Hand 3"
    assert slip.locator("[name=contract]:checked").count() == 0
    assert slip.locator("[data-kept]").is_hidden()
    assert slip.evaluate("Object.keys(localStorage)") == []


def lose_answer(route, lost):
    if route.request.method != "POST":
        return route.continue_()
    lost.append(route.fetch(max_redirects=0))
    route.abort()


def test_another_tab_adds_no_hand_and_brings_no_draft_back(slip, table):
    a_hand(slip)
    fresh(slip)
    second = slip.context.new_page()
    second.goto(reverse("slip", args=[table.pk]))
    second.wait_for_selector("[data-kept]:not([hidden])")
    save(slip)

    chip(second, "won", 0)
    second.wait_for_selector("text=Hand 2 has already been saved")
    second.get_by_role("button", name="Correct hand 2").tap()
    second.wait_for_selector("h1 >> text=Correct hand 2")
    second.locator("button.plate").tap()
    second.wait_for_selector(".toast")

    assert Hand.objects.count() == 2
    assert Version.objects.latest("recorded_at").record["won"] is False
    slip.locator("a.plate").tap()
    slip.wait_for_function("() => !document.querySelector('[data-slip]').inert")
    assert slip.locator("[name=contract]:checked").count() == 0


# Signed out


def test_a_tap_after_the_session_has_expired_leads_to_signing_in_and_back(
    slip, table, owner, path
):
    a_hand(slip)
    fresh(slip)
    before = slip.evaluate(CHOSEN)
    slip.context.clear_cookies(name="sessionid")

    chip(slip, "won", 0)
    slip.wait_for_selector("[data-answer=unanswered]")

    assert slip.locator("[name=password]").count() == 0
    assert set(promise(slip)) == {None}
    slip.get_by_role("link", name="Open again").tap()
    slip.get_by_label("Username").fill("owner")
    slip.get_by_label("Password").fill("tarock")
    slip.locator("button.plate").tap()
    slip.wait_for_selector("[data-kept]:not([hidden])")
    assert slip.url.endswith(path)
    assert slip.evaluate(CHOSEN) == [said.replace("won=2", "won=0") for said in before]
    assert "password" not in slip.evaluate("JSON.stringify(localStorage)")


def test_saving_after_the_session_has_expired_leads_back_too(slip, owner, path):
    a_hand(slip)
    fresh(slip)
    before = slip.evaluate(CHOSEN)
    slip.context.clear_cookies(name="sessionid")

    slip.locator("button.plate").tap()
    slip.get_by_label("Username").fill("owner")
    slip.get_by_label("Password").fill("tarock")
    slip.locator("button.plate").tap()
    slip.wait_for_selector("[data-kept]:not([hidden])")

    assert slip.evaluate(CHOSEN) == before
    assert Hand.objects.count() == 1


@pytest.fixture
def signed_in_anew(slip, owner):
    """A slip whose token was good until somebody signed in in another tab."""
    a_hand(slip)
    fresh(slip)
    second = slip.context.new_page()
    second.goto("/sign-in/")
    second.get_by_label("Username").fill("owner")
    second.get_by_label("Password").fill("tarock")
    second.locator("button.plate").tap()
    second.wait_for_url(re.compile("/$"))
    return slip


def test_a_tap_after_signing_in_in_another_tab_is_answered(signed_in_anew):
    slip = signed_in_anew

    chip(slip, "won", 0)
    fresh(slip)

    assert label(slip) == "Save hand 2"


def test_a_slip_is_saved_after_signing_in_in_another_tab(signed_in_anew):
    save(signed_in_anew)

    assert Hand.objects.count() == 2


@pytest.mark.parametrize("status", [400, 403, 404, 409, 429, 500])
def test_no_answer_but_its_own_gets_into_the_slip(slip, status):
    a_hand(slip)
    fresh(slip)
    before = slip.evaluate(CHOSEN)
    net = Network(slip)

    chip(slip, "won", 0)
    net.wait(1)
    net.fail(status=status)
    slip.wait_for_selector("[data-answer=unanswered]")

    assert slip.locator("text=Bad gateway").count() == 0
    assert slip.evaluate(CHOSEN) == [said.replace("won=2", "won=0") for said in before]
    assert slip.get_by_role("link", name="Open again").is_visible()


def test_a_correction_takes_no_other_answer_either(phone, owner, places):
    page = phone(user=owner)
    page.goto(reverse("correct", args=[places["hand"]]))
    net = Network(page)
    seat(page, "declarer", 1)
    seat(page, "declarer", 3)
    net.wait(2)

    net.answer(1)
    fresh(page)
    shown = page.locator(".moves").inner_text(), page.evaluate(CHOSEN)
    net.answer()
    page.wait_for_timeout(20)

    assert (page.locator(".moves").inner_text(), page.evaluate(CHOSEN)) == shown
    page.context.clear_cookies(name="sessionid")
    seat(page, "declarer", 0)
    net.wait(1)
    net.answer()
    page.wait_for_selector("[data-answer=unanswered]")
    assert page.locator("[name=password]").count() == 0


def test_an_adjustment_takes_no_other_answer(phone, owner, places):
    page = phone(user=owner)
    page.goto(reverse("adjust", args=[places["evening"]]))
    page.context.clear_cookies(name="sessionid")

    page.locator("[inputmode]").first.fill("9")
    page.wait_for_selector("[data-answer=unanswered]")

    assert page.locator("[name=password]").count() == 0
    assert page.locator("[inputmode]").first.input_value() == "9"
    assert not page.locator("#sum").is_visible()
    assert page.get_by_role("link", name="Sign in").is_visible()


def test_new_seats_take_no_other_answer(phone, owner, places):
    page = phone(user=owner)
    page.goto(reverse("evening_new", args=[places["club"]]))
    page.context.clear_cookies(name="sessionid")

    page.locator("[name=new_player]").fill("Newcomer")
    page.locator("[name=add]").tap()
    page.wait_for_selector("[data-answer=unanswered]")

    assert page.locator("[name=password]").count() == 0
    assert page.locator("[name=new_player]").input_value() == "Newcomer"
    assert page.locator("#people").is_enabled()


def test_who_adds_a_player_can_go_on_writing(phone, owner, places):
    page = phone(user=owner)
    page.goto(reverse("evening_new", args=[places["club"]]))

    page.locator("[name=new_player]").fill("Newcomer")
    page.locator("[name=new_player]").press("Enter")
    page.wait_for_selector(".seat >> text=Newcomer")
    page.wait_for_selector("#people:enabled")

    assert page.evaluate("document.activeElement.name") == "new_player"


# Another phone


def test_what_was_tapped_stays_where_it_is_still_possible(slip, table, owner):
    """Another phone saves the hand; mine goes on where it can, and says where not."""
    due = deal(table)
    after = deal(table).next_dealers[0]
    declarer = next(p for p in due.players if p == after)
    partner = next(p for p in due.players[1:] if p != after)
    chip(slip, "contract", "without")
    chip(slip, "declarer", declarer.pk)
    fresh(slip)
    record(table, owner)

    chip(slip, "partner", partner.pk)
    fresh(slip)

    page = slip.locator("[data-slip]").inner_text()
    assert "Hand 2 is already recorded, on another phone" in page
    assert f"{declarer.name} is not playing this hand: choose again" in page
    assert "available choices" not in page
    chosen = slip.evaluate(CHOSEN)
    assert "contract=without" in chosen
    assert f"partner={partner.pk}" in chosen


# A browser that keeps nothing


@pytest.mark.parametrize("fault", [DENIED, FULL], ids=["denied", "full"])
def test_without_a_store_the_slip_goes_on(phone, owner, path, fault):
    page = phone(user=owner)
    page.add_init_script(fault)
    page.goto(path)

    a_hand(page)
    page.locator(".contra").first.tap()
    fresh(page)
    page.locator(".slip .toast, button.plate").tap()
    page.wait_for_selector(".toast")

    assert Version.objects.latest("recorded_at").record["contra"] == 1


# Surrendered


@pytest.fixture
def taroki(phone, owner):
    import datetime

    import scoring
    from ledger import journal

    club = journal.found_club("Kozy", owner=owner)
    people = [Player.objects.create(club=club, name=name) for name in "ABCD"]
    edition = journal.edition_of(club, scoring.tariff("taroki"))
    evening = journal.start_evening(
        club,
        name="Friday",
        date=datetime.date(2026, 11, 20),
        edition=edition,
        seats=people,
        dealer=people[3],
        by=owner,
    )
    page = phone(user=owner)
    page.goto(reverse("slip", args=[evening.tables.get().pk]))
    return page


def test_a_surrender_says_what_is_missing_and_greys_what_cannot_be(taroki):
    chip(taroki, "ending", "surrendered")
    fresh(taroki)
    said = [label(taroki)]
    barred = taroki.locator("[name=contract]:disabled")
    greyed = [barred.nth(n).get_attribute("value") for n in range(barred.count())]
    contra = taroki.locator("button.contra").is_disabled()
    chip(taroki, "contract", "3")
    fresh(taroki)
    said.append(label(taroki))
    seat(taroki, "declarer", 0)
    fresh(taroki)
    said.append(label(taroki))

    assert said == ["Choose the contract", "Choose the declarer", "Save hand 1"]
    assert greyed == ["4"]
    assert contra
    text = taroki.locator("[data-slip]").inner_text()
    assert (
        "Contract 4 takes no cards, so nobody can surrender it." not in text or greyed
    )
    assert "costs the same with and without kontra" in text
