"""The three evenings, hand by hand through the pages, on a phone."""

from __future__ import annotations

import json
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

import scoring
from ledger import journal
from ledger.models import Evening, Player, Table, User
from tests.browser.scorer import Scorer

FIXTURES = Path(__file__).parents[2] / "fixtures" / "evenings"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


@pytest.fixture(params=["kozy", "szeged", "vienna"])
def told(request):
    return json.loads((FIXTURES / f"{request.param}.json").read_text())


@pytest.fixture
def table(told, owner):
    """The evening as it was before its first hand."""
    club = journal.found_club("Club", owner=owner)
    people = [Player.objects.create(club=club, name=n) for n in told["players"]]
    dealer = told["hands"][0]["dealer"]
    stake = told["stake"]
    evening = journal.start_evening(
        club,
        name=told["name"],
        date=told["date"],
        edition=journal.edition_of(
            club, scoring.tariff(told["variant"], told["rules"])
        ),
        seats=people,
        dealer=next(player for player in people if player.name == dealer),
        by=owner,
        currency=stake["currency"],
        stake=int(Decimal(stake["per_point"]) * 100),
    )
    return Table.objects.get(evening=evening)


@pytest.fixture
def scorer(table, told, owner, phone):
    page = phone(user=owner)
    page.goto(f"/tables/{table.pk}/")
    people = dict(Player.objects.values_list("name", "pk"))
    return Scorer(page, people, scoring.bands(table.edition.tariff))


@pytest.mark.long
def test_the_pages_tell_the_evening_as_it_was_played(scorer, table, told):
    mayor = None
    for played in told["hands"]:
        assert due(scorer) == expected(played, mayor)

        taps = scorer.record(played["hand"])

        mayor = played["hand"].get("xxi_lost_by") or mayor
        board = scorer.board()
        assert {n: row[0] for n, row in board.items()} == played["running"]
        assert scorer.preview == played["payments"]
        assert taps <= budget(played["hand"])

    assert {n: minor(row[1]) for n, row in board.items()} == told["money_minor"]
    assert mayor == told["mayor"]
    scorer.page.goto(f"/evenings/{table.evening_id}/")
    assert scorer.page.locator(".give").count() == told["fewest_transfers"]
    out = StringIO()
    call_command("audit", stdout=out)


def due(scorer):
    """Return what the table page says of the hand to come."""
    board = scorer.board()

    def who(role):
        return [name for name, row in board.items() if any(role in r for r in row[2])]

    badge = scorer.page.locator(".deal .badge")
    return {
        "dealer": who("deals"),
        "sits_out": who("sits out"),
        "mayor": who("Mayor"),
        "multiplier": int(badge.text_content().split("×")[1]) if badge.count() else 1,
        "button": scorer.page.locator("a.plate").text_content().strip(),
    }


def expected(played, mayor):
    return {
        "dealer": [played["dealer"]],
        "sits_out": played["sits_out"],
        "mayor": [mayor] if mayor else [],
        "multiplier": played["hand"].get("multiplier", 1),
        "button": f"Record hand {played['number']}",
    }


def budget(hand):
    """Return how many taps a hand may take: 6, two a bonus, one a step of contra."""
    if hand.get("ending", "played") != "played":
        return 5
    bonuses = hand["bonuses"]
    steps = hand.get("contra", 0) + sum(line.get("contra", 0) for line in bonuses)
    extras = 2 * (len(hand.get("holdings", {})) + bool(hand.get("xxi_lost_by")))
    return 6 + bool(hand.get("alone")) + 2 * len(bonuses) + steps + extras


def minor(text):
    """Return money as shown in minor units, whatever the currency's decimals."""
    digits = "".join(c for c in text if c.isdigit() or c in "-−.")
    return int(Decimal(digits.replace("−", "-")) * 100)


def test_nothing_is_left_of_an_evening_after_it_was_taken_back(scorer, table, told):
    first = told["hands"][0]
    before = due(scorer)

    scorer.record(first["hand"])
    scorer.page.locator(".toast button").tap()
    scorer.page.wait_for_url("**done=**")

    assert due(scorer) == before
    assert {row[0] for row in scorer.board().values()} == {0}
    assert Evening.objects.get().entries.count() == 2


def test_a_plot_tells_what_it_shows_where_it_is_tapped_or_slid_to(phone, owner, places):
    page = phone(user=owner)
    page.goto(f"/evenings/{places['evening']}/")
    said = page.locator("#run [data-said]")

    page.locator("#run svg").tap(position={"x": 200, "y": 60})
    tapped = said.text_content()
    page.locator("#run [type=range]").press("ArrowLeft")

    assert tapped.startswith("Hand 1 · ")
    assert said.text_content() == tapped
    assert page.locator("#run [type=range]").get_attribute("aria-valuetext") == tapped
