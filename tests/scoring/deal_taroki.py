"""A deal of Taroki, played at random, and the slip that tells it."""

from __future__ import annotations

import random

import scoring
from tests.scoring.deals import HONOURS, SUIT, Deal, Rules, lines
from tests.scoring.worked import PLAYERS

PACK = scoring.get_variant("taroki").pack
LIFTS = {"1": 3, "2": 2, "3": 1, "4": 0}
KINGS = ("SK", "CK", "HK", "DK")
RULES = Rules(values=PACK.values, tricks=12, order="KQNJ1987A234", lifts=LIFTS)
COUNTS = ("0", "1", "2", "10", "11", "12")


def happened(seed, tariff):
    """Return the slip of the deal of that *seed*."""
    rng = random.Random(seed)
    deal = Deal(RULES, rng)
    deal.deal()
    contract = rng.choice([*LIFTS])
    four_kings = next(
        (seat for seat in range(4) if {*KINGS} <= {*deal.hands[seat]}), None
    )
    king = rng.choice(KINGS)
    holder = deal.holder(king)
    deal.partner = None if holder == deal.declarer else holder
    said = _before_the_exchange(deal, rng, king, holder, four_kings)
    deal.exchange(deal.declarer, LIFTS[contract], lambda card: card not in HONOURS)
    said += _after_the_exchange(deal, rng)
    deal.play(0, lambda seat, cards, left: _choose(rng, said, seat, cards, left))
    made = _made(deal, king, tariff)
    slip = {
        "contract": contract,
        "declarer": PLAYERS[deal.declarer],
        "called": SUIT[king[0]],
        "contra": rng.choice([0, 0, 1, 3]) if contract in "34" else 0,
        "holdings": _holdings(deal, rng),
        "bonuses": lines(deal, made, said, lambda bonus: _level(rng, bonus)),
    }
    if deal.partner is not None:
        slip["partner"] = PLAYERS[deal.partner]
    elif rng.random() < 0.7:
        slip["alone"] = "king_in_talon" if holder is None else "own_king"
    points = tariff.variant.pack.count(deal.won(True) + deal.discards[deal.declarer])
    result = {"card_points": points} if rng.random() < 0.5 else {"won": points >= 36}
    return slip | result


def _before_the_exchange(deal, rng, king, holder, four_kings):
    said = []
    if holder is not None and rng.random() < 0.3:
        said.append(("king_ultimo", holder))
    if four_kings is not None and deal.ours(four_kings) and rng.random() < 0.7:
        said.append(("kings", four_kings))
    return said


def _after_the_exchange(deal, rng):
    said = []
    pagat = deal.holder("T1")
    if pagat is not None and rng.random() < 0.3:
        said.append(("pagat_ultimo", pagat))
    for seat in range(4):
        if {*HONOURS} <= {*deal.hands[seat]} and rng.random() < 0.8:
            said.append(("trul", seat))
    if rng.random() < 0.1:
        said.append(("walat", rng.randrange(4)))
    return said


def _choose(rng, said, seat, cards, left):
    """Keep what was announced for the last trick; else play at random, or to win."""
    keeps = left > 1 and (("pagat_ultimo", seat) in said or seat == 3)
    able = [card for card in cards if not keeps or card != "T1"] or cards
    if seat % 2 and rng.random() < 0.5:
        return max(able, key=RULES.strength)
    return rng.choice(able)


def _made(deal, king, tariff):
    made = set()
    for ours in (True, False):
        pile = {*deal.won(ours)}
        happened = {
            "trul": {*HONOURS} <= pile,
            "kings": {*KINGS} <= pile,
            "pagat_ultimo": deal.took(ours, 12) and deal.wins_with(12, "T1"),
            "king_ultimo": ours
            and deal.took(ours, 12)
            and king in deal.tricks[11][1].values(),
            "king_captured": not ours and king in pile and deal.captured(ours, king),
            "pagat_captured": deal.captured(ours, "T1"),
            "xxi_captured": tariff.options["xxi_captured"] == "on"
            and deal.captured(ours, "T21"),
            "walat": deal.took(ours, *range(1, 13)),
        }
        made |= {(bonus, ours) for bonus, did in happened.items() if did}
    return made


def _holdings(deal, rng):
    held = {}
    for seat, hand in enumerate(deal.hands):
        taroks = str(sum(card[0] in "TF" for card in hand))
        if taroks in COUNTS and rng.random() < 0.8:
            held[PLAYERS[seat]] = taroks
    return held


def _level(rng, bonus):
    return 0 if bonus in ("kings", "walat") else rng.choice([0, 0, 0, 1, 2])
