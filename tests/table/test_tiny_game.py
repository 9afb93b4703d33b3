"""A game that only a test declares has its slip, preview, help and pages at once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

import scoring
from ledger import tallies
from ledger.models import Version
from tests.scoring.tiny import TINY, WORKED


@pytest.fixture(autouse=True)
def _tiny(monkeypatch):
    monkeypatch.setattr(scoring, "VARIANTS", {**scoring.VARIANTS, "tiny": TINY})


@pytest.fixture
def table(lay):
    """Four at a table for three: the dealer sits out, and Ania leads."""
    return lay(4, variant="tiny")


@pytest.fixture
def path(table):
    return reverse("slip", args=[table.pk])


@pytest.fixture
def slip(people):
    """The third worked hand, as a phone posts it."""
    ania, _bartek, celina, _darek = (str(player.pk) for player in people[:4])
    return {
        "id": str(uuid4()),
        "number": "1",
        "contract": "small",
        "declarer": celina,
        "partner": celina,
        "card_points": "20",
        "contra": "2",
        "last-failed": ania,
    }


def test_the_form_asks_what_the_game_declares(as_, scorer, path):
    page = as_(scorer).get(path).content.decode()

    for text in ("small", "great", "Last king", "Sweep", "no knock", "≥ 13"):
        assert text in page
    assert page.count('name="declarer"') == 3


def test_the_preview_pays_as_worked_by_hand(as_, scorer, path, slip):
    page = as_(scorer).post(path, slip | {"preview": "on"}).content.decode()

    assert WORKED[2][1] == (-8, -8, 16)
    assert page.count("<b>−8</b>") == 2
    assert "<b>+16</b>" in page


def test_the_hand_is_kept_and_told(as_, scorer, member, path, slip, table):
    as_(scorer).post(path, slip)

    version = Version.objects.get()
    page = as_(member).get(reverse("hand", args=[version.hand_id])).content.decode()
    assert [s.points for s in tallies.tally(table.evening)] == [-8, -8, 16, 0]
    assert "Announced by Ania and failed" in page
    assert "knock back" in page


def test_the_help_is_its_declaration(as_, member, table):
    page = as_(member).get(reverse("rules", args=[table.pk])).content.decode()

    for text in ("A king wins the last trick.", "×6", "knock back", "two points"):
        assert text in page


def test_an_evening_of_it_can_be_started(as_, scorer, club):
    page = as_(scorer).get(reverse("evening_new", args=[club.pk])).content.decode()

    assert "Tiny" in page
