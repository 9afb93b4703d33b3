"""The yellow button saves what stands on the page, or says why it cannot."""

from __future__ import annotations

import pytest

from ledger.models import Evening, Player, Table
from ledger.table.deals import deal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request, phone, owner):
    return phone(user=owner, javascript=request.param)


@pytest.fixture
def table(places):
    return Table.objects.select_related("evening__club").get(pk=places["table"])


def plate(page):
    page.locator(".plate:visible").tap()


def radio(page, group, name):
    page.get_by_role("group", name=group).get_by_role("radio", name=name).first.tap()


def test_who_comes_is_seated_by_the_main_button(page, table):
    page.goto(f"/tables/{table.pk}/seats/")
    page.locator("#comes > summary").tap()
    page.get_by_label("Name").fill("Gosia")
    radio(page, "Plays for", "Żaneta")

    plate(page)
    page.wait_for_selector(".deal")

    assert deal(table).seats[2].name == "Gosia"
    assert "Gosia plays for Żaneta" in page.locator(".toast").inner_text()


def test_the_main_button_asks_where_somebody_sits(page, table):
    page.goto(f"/tables/{table.pk}/seats/")
    page.locator("#comes > summary").tap()
    page.get_by_label("Name").fill("Gosia")

    plate(page)
    page.wait_for_selector(".dock .wrong")

    assert "Choose where the new player sits." in page.locator(".dock").inner_text()
    assert page.get_by_label("Name").input_value() == "Gosia"


def test_the_main_button_of_untouched_seats_leads_to_the_table(page, table):
    page.goto(f"/tables/{table.pk}/seats/")

    plate(page)
    page.wait_for_selector(".deal")

    assert page.locator(".toast").count() == 0


def test_mixed_up_seats_are_shown_by_the_main_button(page, table):
    page.goto(f"/tables/{table.pk}/seats/")
    page.locator("#mixed > summary").tap()
    radio(page, "First player", "Żaneta")
    radio(page, "Second player", "Ödön")

    plate(page)

    page.wait_for_url("**/reseat/**")


def test_a_new_player_plays_in_the_evening_that_is_started(page, table):
    table.evening.club.players.filter(name__in=("Ödön", "Ágnes")).update(retired=True)
    page.goto(f"/clubs/{table.evening.club_id}/evenings/new/")
    page.get_by_label("New player").fill("Gosia")
    for name in Player.objects.people().filter(retired=False):
        box = page.locator(f"[name=player][value='{name.pk}']")
        if not box.is_checked():
            box.tap()
    page.locator("[name=dealer]").first.tap()

    plate(page)
    page.wait_for_url("**/tables/**")

    started = Evening.objects.exclude(pk=table.evening_id).get()
    assert "Gosia" in [player.name for player in deal(started.tables.get()).seats]


def test_two_things_typed_on_the_page_of_players_are_both_saved(page, table):
    first = Player.objects.get(name="Żaneta")
    page.goto(f"/clubs/{table.evening.club_id}/players/")
    page.get_by_role("link", name="Żaneta").first.tap()
    page.get_by_label("Name", exact=True).fill("Żaneta N.")
    page.get_by_label("New player").fill("Gosia")

    plate(page)
    page.wait_for_selector("text=Gosia")

    first.refresh_from_db()
    assert first.name == "Żaneta N."


def test_the_day_that_was_typed_is_settled_up_to(page, table):
    page.goto(f"/clubs/{table.evening.club_id}/settle/")
    page.get_by_label("Up to a date").fill("2026-12-24")

    plate(page)
    page.wait_for_url("**sure=yes**")

    assert "24 December 2026" in page.locator("h1 + small").inner_text()
