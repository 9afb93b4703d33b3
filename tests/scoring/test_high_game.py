"""How game, High Game and Slam meet: the table of the rules, cell by cell.

Multiples of the contract's value for the declarer's side.
"""

from __future__ import annotations

import pytest

import scoring
from tests.scoring.worked import PLAYERS

RESULTS = ("no trick", "≤ 23", "24-47", "48-70", "≥ 71", "all tricks")
HIGH_GAME, SLAM = ("high_game", "A", 0), ("slam", "A", 0)
TABLE = {
    # contra on the game and announcements: the six results
    (0,): (-3, -2, -1, +1, +2, +3),
    (0, HIGH_GAME): (-7, -6, -5, -4, +4, +7),
    (0, SLAM): (-9, -8, -7, -6, -6, +6),
    (0, HIGH_GAME, SLAM): (-13, -12, -11, -10, -2, +10),
    (1,): (-5, -4, -2, +2, +4, +5),
    (1, ("high_game", "C", 0)): (-9, -6, +2, +6, +8, +9),
    (0, ("high_game", "A", 1)): (-11, -10, -9, -8, +8, +11),
    (1, ("high_game", "A", 1)): (-13, -12, -10, -6, +10, +13),
}
CELLS = [
    pytest.param(contra, said, result, worth, id=f"{contra} {said} {result}")
    for (contra, *said), row in TABLE.items()
    for result, worth in zip(RESULTS, row, strict=True)
]
CONTRACTS = {"three": 1, "two": 2, "one": 3, "without": 4}
POINTS = {
    "no trick": (0,),
    "≤ 23": (0, 23),
    "24-47": (24, 47),
    "48-70": (48, 70),
    "≥ 71": (71, 94),
    "all tricks": (82, 94),
}
BOUNDS = {"three": (79, 12), "two": (74, 8), "one": (69, 4), "without": (72, 0)}


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("variant", ["paskievics", "palatine"])
@pytest.mark.parametrize(("contra", "said", "result", "worth"), CELLS)
def test_game_high_game_and_slam_meet_by_card_points(
    variant, contract, contra, said, result, worth
):
    for points in POINTS[result]:
        slip = _slip(contract, contra, said, result) | {"card_points": points}
        assert _units(variant, slip) == worth * CONTRACTS[contract]
        assert _units(variant, slip | {"partner": None}) == worth * CONTRACTS[contract]


@pytest.mark.parametrize(("contra", "said", "result", "worth"), CELLS)
def test_game_high_game_and_slam_meet_by_who_won(contra, said, result, worth):
    slip = _slip("two", contra, said, result) | {"won": RESULTS.index(result) > 2}
    side = {"no trick": "defenders", "≤ 23": "defenders"}.get(result, "declarer")
    if result not in ("24-47", "48-70"):
        slip["bonuses"] += _silent("high_game", side, slip)

    assert _units("paskievics", slip) == worth * 2


@pytest.mark.parametrize("result", ["≤ 23", "24-47", "48-70", "≥ 71"])
def test_all_points_of_a_band_pay_the_same(result):
    tariff = scoring.tariff("paskievics")
    low = POINTS[result][0]

    band = next(band for band in scoring.bands(tariff) if band.least == low)
    paid = {
        _units("paskievics", _slip("one", 0, [], result) | {"card_points": points})
        for points in range(band.least, band.most + 1)
    }

    assert (band.least, band.most) == POINTS[result]
    assert band.won is (low >= 48)
    assert paid == {TABLE[0,][RESULTS.index(result)] * 3}


@pytest.mark.parametrize("contract", BOUNDS)
@pytest.mark.parametrize("side", ["declarer", "defenders"])
def test_a_slam_leaves_the_others_only_their_pile(contract, side):
    least, most = BOUNDS[contract]
    slip = {"contract": contract, "declarer": "A", "partner": "B"}
    slip["bonuses"] = [{"bonus": "slam", "side": side, "made": True}]

    accepted = [
        points for points in range(95) if not _errors(slip | {"card_points": points})
    ]

    ours = side == "declarer"
    assert accepted == [*(range(least, 95) if ours else range(most + 1))]


def _slip(contract, contra, said, result):
    slip = {"contract": contract, "declarer": "A", "partner": "B", "contra": contra}
    slip["bonuses"] = [
        {
            "bonus": bonus,
            "announced_by": player,
            "contra": level,
            "made": _is_made(bonus, player, result),
        }
        for bonus, player, level in said
    ]
    swept = {"no trick": "defenders", "all tricks": "declarer"}.get(result)
    slip["bonuses"] += _silent("slam", swept, slip)
    return slip


def _is_made(bonus, player, result):
    ours = {"slam": ("all tricks",), "high_game": ("≥ 71", "all tricks")}[bonus]
    theirs = ("no trick", "≤ 23")
    return result in (ours if player == "A" else theirs)


def _silent(bonus, side, slip):
    """Return the silent line of *bonus*, unless that side announced it."""
    said = {
        line["bonus"]
        for line in slip["bonuses"]
        if ("A" if side == "declarer" else "C") == line.get("announced_by")
    }
    made = side is not None and bonus not in said
    return [{"bonus": bonus, "side": side, "made": True}] if made else []


def _units(variant, slip):
    tariff = scoring.tariff(variant)
    return scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip)).units


def _errors(slip):
    _, problems = scoring.examine(scoring.tariff("paskievics"), PLAYERS, slip)
    return problems
