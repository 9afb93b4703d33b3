"""Every page as it lies in the hand: nothing sideways, nothing axe objects to."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User

import scoring
from ledger import evenings, journal
from ledger.models import Player

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = (
    "Őry-Szentgyörgyi Ágnes",
    "Łucja Brzęczyszczykiewicz",
    "Żaneta",
    "Jürgen-Friedrich Großmann",
    "Ödön",
    "Ágnes",
)
PAGES = {
    "home": "/",
    "club": "/clubs/{club}/",
    "new club": "/clubs/new/",
    "players": "/clubs/{club}/players/",
    "new evening": "/clubs/{club}/evenings/new/",
    "evening": "/evenings/{evening}/",
    "new table": "/evenings/{evening}/tables/new/",
    "table": "/tables/{table}/",
    "rules": "/tables/{table}/rules/",
    "slip": "/tables/{table}/hands/new/",
    "hand": "/hands/{hand}/",
}


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


@pytest.fixture
def places(owner):
    """A Palatine evening of six with long names and a hand of five bonuses."""
    club = evenings.found_club("Szegedi Tarokk Kör", owner=owner)
    people = [Player.objects.create(club=club, name=name) for name in NAMES]
    evening = evenings.start_evening(
        club,
        name="Szent Miklós-napi tarokkest",
        date=datetime.date(2026, 12, 6),
        edition=evenings.edition_of(
            club, scoring.tariff("palatine", {"preset": "pagat"})
        ),
        seats=people,
        dealer=people[5],
        by=owner,
        currency="HUF",
        stake=1000,
    )
    table = evening.tables.get()
    version = journal.record_hand(
        table, id=uuid4(), record=five_bonuses(people), by=owner, override=True
    )
    return {
        "club": club.pk,
        "evening": evening.pk,
        "table": table.pk,
        "hand": version.hand_id,
    }


def five_bonuses(people):
    first, second, third, fourth = (player.pk for player in people[:4])
    announced = (
        ("honours", first, 1, False),
        ("king_ultimo_hearts", second, 3, False),
        ("king_penultimo_clubs", third, 5, False),
        ("first_seven", fourth, 0, False),
    )
    return {
        "contract": "without",
        "declarer": first,
        "partner": third,
        "card_points": 51,
        "contra": 2,
        "holdings": {str(second): "8"},
        "bonuses": [
            {"bonus": b, "announced_by": who, "contra": contra, "made": made}
            for b, who, contra, made in announced
        ]
        + [{"bonus": "kings", "side": "defenders", "made": True}],
    }


@pytest.fixture(params=list(PAGES))
def path(request, places):
    return PAGES[request.param].format(**places)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(phone, owner, path, scheme):
    page = phone(user=owner, scheme=scheme)
    page.goto(path)

    found = Axe().run(page, options={"runOnly": TAGS})

    assert found.violations_count == 0, found.generate_report()


TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_sticks_out_sideways(phone, owner, path, width):
    page = phone(user=owner, width=width)

    page.goto(path)

    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_text_of_double_size_fits(phone, owner, path):
    page = phone(user=owner)
    page.goto(path)

    page.evaluate("document.documentElement.style.fontSize = '32px'")

    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.fixture
def filled(phone, owner, places):
    """A slip with an open panel, a contra, grey chips and a contradiction."""

    def opened(scheme):
        page = phone(user=owner, scheme=scheme)
        page.goto(PAGES["slip"].format(**places))
        for name, place in (
            ("contract", 1),
            ("declarer", 0),
            ("partner", 2),
            ("won", 2),
        ):
            page.locator(f"[name={name}]").nth(place).tap()
        page.locator("#bonus-mond > summary").tap()
        page.locator("[name=mond-made]").nth(1).tap()
        page.locator(".ladder:has([name^=mond-contra]) .contra").tap()
        page.locator("#bonus-honours > summary").tap()
        page.wait_for_selector("[name=honours-made]:disabled")
        return page

    return opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_slip_being_filled_in(filled, scheme):
    found = Axe().run(filled(scheme), options={"runOnly": TAGS})

    assert found.violations_count == 0, found.generate_report()


def test_a_hand_is_recorded_without_a_script(phone, owner, places):
    page = phone(user=owner, javascript=False)
    page.goto(PAGES["table"].format(**places))
    page.locator("a.plate").tap()
    for name, place in (("contract", 1), ("declarer", 0), ("partner", 2), ("won", 2)):
        page.locator(f"[name={name}]").nth(place).tap()

    page.get_by_role("button", name="Show what it pays").tap()
    shown = page.locator(".plate").text_content()
    page.locator("button.plate").tap()

    assert "Save hand 2" in shown
    assert "+2" in shown
    assert page.locator(".toast").text_content().strip().startswith("Hand 2 saved")


def test_the_table_page_shows_last_hand_first_with_its_five_bonuses(
    phone, owner, places
):
    page = phone(user=owner)
    page.goto(PAGES["hand"].format(**places))

    assert page.locator("li.why").count() == 7
