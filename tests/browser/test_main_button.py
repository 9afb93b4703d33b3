"""The yellow button saves what stands on the page, or says why it cannot."""

from __future__ import annotations

import pytest

from ledger.models import Evening, Player, Table
from ledger.table import deal

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
