"""The rules once more, written straight down from the articles: a second opinion.

Nothing here is shared with scoring/; a slip is what the form accepted.
"""

from __future__ import annotations

PLAYERS = ("A", "B", "C", "D")

TAROKI = {
    # announced, silent
    "trul": (4, 2),
    "kings": (8, 2),
    "pagat_ultimo": (2, 1),
    "king_ultimo": (2, 1),
    "king_captured": (None, 1),
    "pagat_captured": (None, 1),
    "xxi_captured": (None, 1),
    "walat": (20, 5),
}
HUNGARIAN = {
    "honours": (2, 1),
    "kings": (2, 1),
    "high_game": (4, 2),
    "slam": (6, 3),
    "pagat_ultimo": (10, 5),
    "mond": (40, 20),
    "first_five": (10, 5),
    "first_six": (12, 6),
    "first_seven": (14, 7),
    "first_eight": (20, 10),
    **{
        f"king_{which}_{suit}": (worth, None)
        for which, worth in (("ultimo", 15), ("penultimo", 20))
        for suit in ("hearts", "diamonds", "spades", "clubs")
    },
}
PAGAT = {
    "mond": (42, 21),
    "first_five": (10, None),
    "first_six": (10, None),
    "first_seven": (10, None),
    "first_eight": (20, None),
}
HELD = {
    "taroki": {"12": 3, "11": 2, "10": 1, "2": 1, "1": 2, "0": 3},
    "hungarian": {"9": 2, "8": 1},
}


class Slip:
    """A slip with the questions that the articles ask of it."""

    def __init__(self, slip, worth):
        self.slip = slip
        self.worth = worth
        self.ours = {slip.get("declarer"), slip.get("partner")}
        self.lines = slip.get("bonuses", [])
        self.contra = 2 ** slip.get("contra", 0)

    def side(self, line):
        if "announced_by" in line:
            return 1 if line["announced_by"] in self.ours else -1
        return 1 if line["side"] == "declarer" else -1

    def made(self, bonus, side):
        return any(
            line["bonus"] == bonus and self.side(line) == side and line["made"]
            for line in self.lines
        )

    def said(self, bonus, side, made=(True, False)):
        return any(
            line["bonus"] == bonus
            and "announced_by" in line
            and self.side(line) == side
            and line["made"] in made
            for line in self.lines
        )

    def value(self, line):
        """Return what a line is worth to the declarer's side."""
        announced, silent = self.worth[line["bonus"]]
        value = announced if "announced_by" in line else silent
        sign = self.side(line) * (1 if line["made"] else -1)
        return sign * value * 2 ** line.get("contra", 0)

    def pay(self, units, personal=()):
        """Return everybody's gain: *personal* are holders and what each pays them."""
        times, lone = self.slip.get("multiplier", 1), self.slip.get("partner") is None
        gains = []
        for player in PLAYERS:
            gain = units * (3 if lone else 1) if player in self.ours else -units
            for holder, points in personal:
                gain += 3 * points if holder == player else -points
            gains.append(gain * times)
        return tuple(gains)


def taroki(record, options, values):
    slip = Slip(record, _with_values(TAROKI, values))
    if record["ending"] == "passed":
        return (0, 0, 0, 0)
    bid = _valued(values, record["contract"], int(record["contract"]))
    if record["ending"] == "surrendered":
        flat = _valued(values, "surrendered", 2)
        price = {
            "flat": flat,
            "contract": bid,
            "contract_times_contra": bid * slip.contra,
        }
        return slip.pay(-price[options["surrender_price"]])
    won = record["won"] if "won" in record else record["card_points"] >= 36
    walat = {side for side in (1, -1) if slip.made("walat", side)}
    scope = options["walat_scope"] if walat else "adds"
    alone = scope == "replaces_everything"
    units = 0
    if not alone and scope != "replaces_contract":
        units += (bid if won else -bid) * slip.contra
    for line in slip.lines:
        bonus, side = line["bonus"], slip.side(line)
        silenced = scope == "silences_trul_and_kings" and side in walat
        if bonus == "walat" or not (
            alone
            or (silenced and bonus in ("trul", "kings"))
            or (options["fail_absorbs_loss"] == "on" and _absorbed(slip, bonus, side))
        ):
            units += slip.value(line)
    held = {} if alone else record.get("holdings", {})
    worth = HELD["taroki"] | values.get("holdings", {})
    return _with_held(slip, units, held, options["tarok_bonus_to"] == "player", worth)


def _absorbed(slip, bonus, side):
    by = {"pagat_captured": ("trul", "pagat_ultimo"), "king_captured": ("king_ultimo",)}
    return any(slip.said(other, -side, made=(False,)) for other in by.get(bonus, ()))


def hungarian(record, options, values, preset):
    worth = HUNGARIAN | ({} if preset in (None, "classic") else PAGAT)
    if preset == "tournament":
        worth = worth | {"first_eight": (15, None)}
    slip = Slip(record, _with_values(worth, values))
    if record["ending"] != "played":
        return (0, 0, 0, 0)
    bid = {"three": 1, "two": 2, "one": 3, "without": 4}[record["contract"]]
    bid = _valued(values, record["contract"], bid)
    if options["lone_base"] == "without" and record.get("partner") is None:
        bid = 4
    points = record.get("card_points")
    high = {
        side: slip.made("high_game", side)
        if points is None
        else (points if side == 1 else 94 - points) >= 71
        and slip.worth["high_game"][1] is not None
        for side in (1, -1)
    }
    game, silent = 0, {1: False, -1: False}
    present = [1]
    for side in (1, -1):
        for line in slip.lines:
            multiplies = line["bonus"] in ("high_game", "slam")
            if multiplies and slip.side(line) == side and "announced_by" in line:
                game += bid * slip.value(line)
                present.append(slip.worth[line["bonus"]][0])
        claimed = slip.said("high_game", side) or slip.said("slam", side)
        if slip.made("slam", side) and not slip.said("slam", side):
            game += side * slip.worth["slam"][1] * bid
            silent[side] = True
            present.append(slip.worth["slam"][1])
        elif high[side] and not claimed:
            game += side * slip.worth["high_game"][1] * bid
            silent[side] = True
            present.append(slip.worth["high_game"][1])
    winner = _winner(record, options)
    claimed = slip.said("high_game", winner) or slip.said("slam", winner)
    if winner and (slip.contra > 1 or not (silent[winner] or claimed)):
        game += winner * bid * slip.contra
    others = sum(_other(slip, line, options) for line in slip.lines)
    times = max(present) if options["factor_scope"] == "whole_hand" else 1
    held = record.get("holdings", {})
    personal = options["trump_count"] == "all_others"
    worth = HELD["hungarian"] | values.get("holdings", {})
    return _with_held(slip, game + times * others, held, personal, worth)


def _winner(record, options):
    if "card_points" not in record:
        return 1 if record["won"] else -1
    if record["card_points"] == 47 and options["tie_47"] == "no_payment":
        return 0
    if record["card_points"] == 47 and options["tie_47"] == "last_doubler_loses":
        return 1 if record.get("contra", 0) % 2 else -1
    return 1 if record["card_points"] >= 48 else -1


def _other(slip, line, options):
    """Return what a bonus other than High Game and Slam is worth."""
    bonus, announced = line["bonus"], "announced_by" in line
    if bonus in ("high_game", "slam"):
        return 0
    if not (announced or line["made"] or options["silent_pagat_loss"] == "on"):
        return 0
    all_silenced = options["slam_silences"] == "all" or not announced
    slam = line["made"] and slip.made("slam", slip.side(line))
    if bonus in ("honours", "kings") and slam and all_silenced:
        return 0
    return slip.value(line)


def _with_values(worth, values):
    return {
        bonus: (new.get("announced", announced), new.get("silent", silent))
        for bonus, (announced, silent) in worth.items()
        for new in [values.get(bonus, {})]
    }


def _valued(values, item, value):
    return values.get(item, {}).get("value", value)


def _with_held(slip, units, held, personal, worth):
    if personal:
        each = [(player, worth[number]) for player, number in held.items()]
        return slip.pay(units, each)
    for player, number in held.items():
        units += worth[number] * (1 if player in slip.ours else -1)
    return slip.pay(units)
