"""Three whole evenings: after every hand everything is as the file says."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.core.management import call_command

from ledger import tallies
from ledger.demo import evening_files
from ledger.table import deals as tables
from scoring.settlement import transfers

FILES = sorted((settings.BASE_DIR / "fixtures" / "evenings").glob("*.json"))


def state(deal):
    return {
        "dealer": deal.dealer.name,
        "sits_out": [player.name for player in deal.sitting_out],
        "players": [player.name for player in deal.players],
        "multiplier": deal.multiplier,
    }


@pytest.mark.django_db
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_hand_leaves_what_the_file_says(file, club, owner):
    told = json.loads(file.read_text())
    evening = evening_files.start_evening(club, told, owner)
    at = evening.tables.select_related("edition").get()
    mayor = None
    for hand in told["hands"]:
        deal = tables.deal(at)
        assert state(deal) == {
            "dealer": hand["dealer"],
            "sits_out": hand["sits_out"],
            "players": hand["players"],
            "multiplier": hand["hand"].get("multiplier", 1),
        }

        evening_files.record_hand(evening, hand, owner)

        mayor = hand["hand"].get("xxi_lost_by") or mayor
        after = tables.deal(at)
        tally = tallies.tally(evening)
        assert {s.player.name: s.points for s in tally} == hand["running"]
        assert (after.mayor and after.mayor.name) == mayor
        row = tallies.hands_of(at, limit=1)[0]
        assert (row.version.hand.number, list(row.gains.values())) == (
            hand["number"],
            [hand["payments"][name] for name in sorted_by_id(at, row.gains)],
        )

    assert mayor == told["mayor"]
    assert {s.player.name: s.points for s in tally} == told["totals"]
    assert {s.player.name: s.money for s in tally} == told["money_minor"]
    plan = transfers({s.player.pk: s.money for s in tally})
    assert len(plan) == told["fewest_transfers"]
    call_command("audit")


def sorted_by_id(at, payments):
    names = dict(at.evening.club.players.values_list("pk", "name"))
    return [names[player] for player in payments]
