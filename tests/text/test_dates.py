"""The day of an evening is when it began, whatever clocks say; by reports.md."""

from __future__ import annotations

import datetime
import re

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from ledger.imports import cell_values
from ledger.models import Evening, Hand
from ledger.text import dates
from tests.api.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _club_in_budapest_and_server_in_utc(settings):
    settings.TIME_ZONE = "Europe/Budapest"
    with timezone.override("Europe/Budapest"):
        yield


@pytest.fixture
def new(club):
    return reverse("evening_new", args=[club.pk])


@pytest.fixture
def filled(people):
    return {
        "name": "Friday",
        "date": "2020-11-20",
        "variant": "taroki",
        "currency": "",
        "stake": "",
        "order": [player.pk for player in people],
        "player": [player.pk for player in people[:4]],
        "dealer": people[3].pk,
    }


def test_a_hand_after_midnight_belongs_to_the_evening_before(
    as_, scorer, new, filled, record
):
    """Report 109: begun at 19:00, a hand at 00:30; 18:00 and 23:30 in UTC."""
    with time_machine.travel(datetime.datetime(2026, 11, 20, 18, tzinfo=datetime.UTC)):
        proposed = as_(scorer).get(new).context["form"]["date"].value()
        as_(scorer).post(new, filled | {"date": proposed})
        table = Evening.objects.get().tables.get()
    with time_machine.travel(
        datetime.datetime(2026, 11, 20, 23, 30, tzinfo=datetime.UTC)
    ):
        record(table)
        page = as_(scorer).get(reverse("evening", args=[table.evening_id]))
        heading = page.content.decode().partition("<main")[0]

    hand = Hand.objects.get()
    assert hand.table.evening.date == proposed == datetime.date(2026, 11, 20)
    assert timezone.localtime(hand.played_at).day == 21
    assert re.findall(r"Kozy, ([^<]*)</small>", heading) == ["20 November 2026"]


@pytest.mark.parametrize(
    ("now", "day"),
    [("2026-11-20T22:59", 20), ("2026-11-20T23:01", 21), ("2026-07-20T22:01", 21)],
)
def test_today_is_the_clubs_day_and_not_the_servers(as_, scorer, new, now, day):
    """Report 109: an hour before midnight of UTC in winter, two in summer."""
    with time_machine.travel(datetime.datetime.fromisoformat(f"{now}+00:00")):
        proposed = as_(scorer).get(new).context["form"]["date"].value()

    assert proposed.day == day


def test_an_evening_is_written_down_later_with_its_own_date(as_, scorer, new, filled):
    """Report 111."""
    as_(scorer).post(new, filled)

    assert Evening.objects.get().date == datetime.date(2020, 11, 20)


def test_no_evening_is_written_down_before_it_is_played(as_, scorer, club, new, filled):
    """Report 111: the form keeps all that was filled in."""
    page = as_(scorer).post(new, filled | {"date": "2090-11-20"})
    sent = {
        "name": "Friday",
        "date": "2090-11-20",
        "variant": "taroki",
        "seats": filled["player"],
        "dealer": filled["dealer"],
    }
    answer = client_of(scorer).post(f"/api/clubs/{club.pk}/evenings/", sent)

    assert page.status_code == 422
    assert page.context["form"].errors["date"] == ["This date is in the future."]
    assert 'value="2090-11-20"' in page.content.decode()
    assert answer.status_code == 422
    assert "This date is in the future." in answer.content.decode()
    assert not Evening.objects.exists()


@pytest.mark.parametrize(("hour", "begun"), [(9, False), (10, True)])
def test_a_day_begins_where_the_first_phones_are(hour, begun):
    """At ten in UTC it is midnight on the Line Islands."""
    now = datetime.datetime(2026, 11, 20, hour, tzinfo=datetime.UTC)

    with time_machine.travel(now):
        found = dates.has_begun(datetime.date(2026, 11, 21))

    assert found is begun


BEFORE = ["0001-01-01", "0026-11-20", "1899-12-31"]


@pytest.mark.parametrize("day", BEFORE)
def test_no_evening_is_of_a_year_that_nobody_means(as_, scorer, club, new, filled, day):
    page = as_(scorer).post(new, filled | {"date": day})
    sent = {
        "name": "Friday",
        "date": day,
        "variant": "taroki",
        "seats": filled["player"],
        "dealer": filled["dealer"],
    }
    answer = client_of(scorer).post(f"/api/clubs/{club.pk}/evenings/", sent)

    says = "Look at the year: nothing is kept from before 1900."
    assert page.status_code == answer.status_code == 422
    assert page.context["form"].errors["date"] == [says]
    assert f'value="{day}"' in page.content.decode()
    assert answer.json()["detail"] == says
    assert not Evening.objects.exists()


@pytest.mark.parametrize("day", [*BEFORE, "2200-01-02"])
def test_what_counts_is_not_looked_for_in_such_a_year(as_, scorer, club, day):
    page = as_(scorer).get(reverse("statistics", args=[club.pk]), {"since": day})

    assert page.status_code == 422
    assert page.text.count("Look at the year") == 1


@pytest.mark.parametrize("day", BEFORE)
def test_nothing_is_settled_up_to_such_a_year(as_, scorer, club, day):
    page = as_(scorer).get(reverse("settle", args=[club.pk]), {"until": day})

    assert page.context["scope"].until is None


@pytest.mark.parametrize("day", BEFORE)
def test_no_season_starts_in_such_a_year(admin_client, club, day):
    season = club.seasons.get()
    address = reverse("admin:ledger_season_change", args=[season.pk])

    page = admin_client.post(address, {"name": "2026", "starts": day})

    assert "Look at the year" in page.text


@pytest.mark.parametrize("day", BEFORE)
def test_no_old_sheet_is_of_such_a_year(day):
    with pytest.raises(cell_values.UnclearCell, match="too far in the past"):
        cell_values.parse_date(day)
