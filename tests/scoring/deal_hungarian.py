"""A deal of Paskievics or Palatine, played at random, and the slip that tells it."""

from __future__ import annotations

import random

import scoring
from tests.scoring.deals import HONOURS, SUIT, Deal, Rules, lines
from tests.scoring.worked import PLAYERS

PACK = scoring.get_variant("palatine").pack
LIFTS = {"three": 3, "two": 2, "one": 1, "without": 0}
KINGS = ("SK", "CK", "HK", "DK")
RULES = Rules(values=PACK.values, tricks=9, order="KQCV1", lifts=LIFTS)
FIRST = {
    "first_five": (5, "T20"),
    "first_six": (6, "T21"),
    "first_seven": (7, "F"),
    "first_eight": (8, "T1"),
}


def happened(seed, tariff):
    """Return the slip of the deal of that *seed*."""
    rng = random.Random(seed)
    deal = Deal(RULES, rng)
    deal.deal()
    contract = rng.choice([*LIFTS])
    _exchange(deal, rng, contract)
    called = rng.choice([f"T{n}" for n in range(20, 1, -1)])
    holder = deal.holder(called)
    deal.partner = None if holder == deal.declarer else holder
    said = _announced(deal, rng, tariff)
    deal.play(deal.declarer, lambda *turn: _choose(rng, said, *turn))
    points = PACK.count(deal.won(True) + deal.discards[deal.declarer])
    made = _made(deal, tariff, points, said)
    slip = {
        "contract": contract,
        "declarer": PLAYERS[deal.declarer],
        "called": called[1:],
        "contra": rng.choice([0, 0, 1, 2]),
        "holdings": _holdings(deal, rng, tariff),
        "bonuses": lines(deal, made, said, lambda bonus: rng.choice([0, 0, 1, 2]))
        + _beaten_pagat(deal, made, said),
    }
    if deal.partner is not None:
        slip["partner"] = PLAYERS[deal.partner]
    else:
        slip["alone"] = _why_alone(deal, called, holder)
        if slip["alone"] == "called_card_discarded":
            slip["contra"] = max(slip["contra"], 1)
    if (mayor := deal.loser("T21")) is not None:
        slip["xxi_lost_by"] = PLAYERS[mayor]
    counted = {"card_points": points} if rng.random() < 0.5 else {"won": points >= 48}
    return slip | counted


def _exchange(deal, rng, contract):
    """The declarer lifts, then the others: the rest lies with the defenders."""
    deal.exchange(deal.declarer, LIFTS[contract], _may_go)
    each = 2 if contract == "without" else 1
    for turn in range(1, 4):
        lifted = each if contract == "without" else rng.randint(0, each)
        deal.exchange((deal.declarer + turn) % 4, lifted, _may_go)


def _may_go(card):
    return card not in HONOURS and card not in KINGS


def _why_alone(deal, called, holder):
    if holder is not None:
        return "own_card"
    put_away = any(called in cards for cards in deal.discards.values())
    return "called_card_discarded" if put_away else "called_card_in_stock"


def _announced(deal, rng, tariff):
    """Each side announces a few bonuses, once each, whatever its cards."""
    said = []
    known = [b for b in tariff.variant.bonuses if b.announced is not None]
    for ours in (True, False):
        players = [seat for seat in range(4) if deal.ours(seat) is ours]
        picked = [b.id for b in known if rng.random() < 0.08]
        if "slam" in picked:
            picked = [id for id in picked if id not in ("honours", "kings")]
        said += [(id, rng.choice(players)) for id in picked]
    return said


def _choose(rng, said, seat, cards, left):
    """Keep the Pagat for the last trick at times; else play at random, or to win."""
    kept = (
        {"T1"} if left > 1 and (("pagat_ultimo", seat) in said or seat == 3) else set()
    )
    able = [card for card in cards if card not in kept] or cards
    if seat % 2 and rng.random() < 0.6:
        return max(able, key=RULES.strength)
    return rng.choice(able)


def _made(deal, tariff, points, said):
    made = set()
    for ours in (True, False):
        pile = {*deal.won(ours)}
        theirs = points if ours else 94 - points
        happened = {
            "honours": {*HONOURS} <= pile,
            "kings": {*KINGS} <= pile,
            "high_game": theirs >= 71,
            "slam": deal.took(ours, *range(1, 10)),
            "pagat_ultimo": deal.took(ours, 9) and deal.wins_with(9, "T1"),
            "mond": deal.captured(ours, "T21"),
        }
        for bonus, (last, card) in FIRST.items():
            first = 8 if _needs_only_the_eighth(bonus, tariff) else 1
            numbers = range(first, last + 1)
            happened[bonus] = deal.took(ours, *numbers) and deal.wins_with(last, card)
        for letter, suit in SUIT.items():
            for bonus, number in (("king_ultimo", 9), ("king_penultimo", 8)):
                happened[f"{bonus}_{suit}"] = deal.took(ours, number) and (
                    deal.wins_with(number, f"{letter}K")
                )
        made |= {(bonus, ours) for bonus, did in happened.items() if did}
    return {line for line in made if _is_scored(line, deal, tariff, said)}


def _needs_only_the_eighth(bonus, tariff):
    option = tariff.options.get("first_eight_needs_all_tricks")
    return bonus == "first_eight" and option == "off"


def _is_scored(line, deal, tariff, said):
    """Whether the game has the bonus, and in silence where nobody announced it."""
    bonus = tariff.variant.bonus.get(line[0])
    announced = {(id, deal.ours(seat)) for id, seat in said}
    return bonus is not None and (bonus.silent is not None or line in announced)


def _beaten_pagat(deal, made, said):
    """Return the silent attempt at Pagat Ultimo that was beaten, if there was one."""
    _, played = deal.tricks[8]
    for seat, card in played.items():
        ours = deal.ours(seat)
        announced = ("pagat_ultimo", ours) in {(id, deal.ours(s)) for id, s in said}
        if card == "T1" and ("pagat_ultimo", ours) not in made and not announced:
            side = deal.name(ours)
            return [{"bonus": "pagat_ultimo", "side": side, "made": False}]
    return []


def _holdings(deal, rng, tariff):
    held = {}
    for seat, hand in enumerate(deal.hands):
        trumps = str(sum(card[0] in "TF" for card in hand))
        if trumps in ("8", "9") and tariff.options["trump_count"] != "off":
            held[PLAYERS[seat]] = trumps
    return held
