"""Fixtures of the browser tests: Chromium as a phone, and the live server."""

from __future__ import annotations

import datetime
import os
import shutil
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import sync_playwright

import scoring
from ledger import journal
from ledger.models import Player, User

NAMES = (
    "Őry-Szentgyörgyi Ágnes",
    "Łucja Brzęczyszczykiewicz",
    "Żaneta",
    "Jürgen-Friedrich Großmann",
    "Ödön",
    "Ágnes",
)

QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-software-rasterizer",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def chromium():
    # Playwright's loop runs in this thread, and Django would take us for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=QUIET
        )
        yield browser
        browser.close()


@pytest.fixture
def phone(chromium, live_server):
    """Open pages, each in a phone of its own; nothing may go wrong in their consoles.

    `phone(user=scorer, language="pl", scheme="dark", width=320).goto("/")`; one that is
    *troubled* meets errors of the server on purpose.
    """
    phones, complaints = [], []

    def phone(
        *,
        user=None,
        language="en",
        scheme="light",
        width=390,
        height=844,
        javascript=True,
        troubled=False,
        **options,
    ):
        context = chromium.new_context(
            base_url=live_server.url,
            locale=language,
            color_scheme=scheme,
            viewport={"width": width, "height": height},
            device_scale_factor=2,
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",  # a tap waits until nothing moves
            java_script_enabled=javascript,
            **options,
        )
        phones.append(context)
        context.set_default_timeout(10_000)
        if user:
            context.add_cookies([_session(user, live_server.url)])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: _listen(message, complaints))
        if not troubled:
            page.on("response", lambda response: _look(response, complaints))
        return page

    yield phone

    for context in phones:
        context.close()
    assert complaints == []


@pytest.fixture
def page(phone):
    return phone()


def _session(user, url):
    client = Client()
    client.force_login(user)
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}


def _listen(message, complaints):
    if message.type == "error" and "Content Security Policy" in message.text:
        complaints.append(message.text)


def _look(response, complaints):
    """A page may be missing on purpose, a style or script may not."""
    asset = response.request.resource_type != "document"
    if response.status >= 500 or (response.status == 404 and asset):
        complaints.append(f"{response.status} {response.url}")


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


@pytest.fixture
def places(owner):
    """A Palatine evening of six with long names and a hand of five bonuses."""
    club = journal.found_club("Szegedi Tarokk Kör", owner=owner)
    people = [Player.objects.create(club=club, name=name) for name in NAMES]
    evening = journal.start_evening(
        club,
        name="Szent Miklós-napi tarokkest",
        date=datetime.date(2026, 12, 6),
        edition=journal.edition_of(
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
        "season": evening.season_id,
        "evening": evening.pk,
        "table": table.pk,
        "hand": version.hand_id,
        "first": people[0].pk,
        "second": people[1].pk,
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
