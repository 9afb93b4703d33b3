"""A deal of Taroki: bid by strength, announced, doubled and played out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import scoring
from ledger.demo.deals.deck import SUITS, Deck
from ledger.demo.deals.play import SEATS, DealtHand
from ledger.demo.deals.record import Line, Said, doubled, lines, once

PACK = scoring.get_variant("taroki").pack
DECK = Deck.of(PACK, ("4", "3", "2", "A", "7", "8", "9", "10", "J", "N", "Q", "K"))
TRUL = DECK.numbers(("T21", "T1", "F"))
XXI, PAGAT, _FOOL = TRUL
KINGS = DECK.numbers(("SK", "CK", "HK", "DK"))
STAYS = frozenset({*TRUL, *KINGS})
WINS = 36
LAST = 12
LIFTS = {"1": 3, "2": 2, "3": 1, "4": 0}
BIDS = ((5.3, "1"), (6.5, "2"), (8.0, "3"), (9.6, "4"))
"""From what strength somebody bids a contract; below the first he passes."""
BOLDNESS = 2.0
"""How far somebody trusts his luck, so that it isn't always the strongest who plays."""
COUNTS = ("0", "1", "2", "10", "11", "12")


def happened(
    tariff: scoring.Tariff, rng: Random, players: Sequence[Any], skew: float
) -> dict[str, Any]:
    """Return the record of one deal."""
    deal = DealtHand(DECK, rng, skew)
    strength = [deal.force(seat) + rng.gauss(0, BOLDNESS) for seat in SEATS]
    deal.declarer = strength.index(max(strength))
    bids = [bid for least, bid in BIDS if strength[deal.declarer] >= least]
    if not bids:
        return {"ending": "passed"}
    contract = bids[-1]
    king = _called(deal, tariff)
    holder = deal.holder(king)
    record = {
        "contract": contract,
        "declarer": players[deal.declarer],
        "called": SUITS[DECK.codes[king][0]],
    }
    if holder is None and contract != "4" and rng.random() < 0.35:
        return record | {"ending": "surrendered"}
    deal.play_with(None if holder == deal.declarer else holder)
    said = [*_before_the_exchange(deal, king, holder)]
    holdings = {
        str(players[seat]): str(number)
        for seat in SEATS
        if str(number := deal.trumps(seat)) in COUNTS and rng.random() < 0.8
    }
    deal.exchange(deal.declarer, LIFTS[contract], STAYS)
    said = once(deal, [*said, *_after_the_exchange(deal)])
    deal.play(0, _kept(deal, said, king))
    record["bonuses"] = [
        *lines(
            deal,
            players,
            {*_made(deal, tariff, king)},
            said,
            lambda bonus, seat: _level(deal, tariff, bonus, seat),
        )
    ]
    if contract in ("3", "4"):
        others = max(strength[seat] for seat in SEATS if not deal.ours[seat])
        chance = 0.7 if others > 6.8 else 0.08
        record["contra"] = doubled(rng, chance, tariff.variant.ladder.top)
    if deal.partner is not None:
        record["partner"] = players[deal.partner]
    else:
        record["alone"] = "king_in_talon" if holder is None else "own_king"
    return record | {"holdings": holdings} | _result(deal)


def _called(deal: DealtHand, tariff: scoring.Tariff) -> int:
    """Return the king that the declarer calls: one of the others', if he can."""
    mine = set(deal.hands[deal.declarer])
    others = [king for king in KINGS if king not in mine]
    free = tariff.options["own_king_call"] == "allowed"
    if not others or (free and len(others) < 4 and deal.rng.random() < 0.04):
        return deal.rng.choice([king for king in KINGS if king in mine])
    return deal.rng.choice(others)


def _before_the_exchange(
    deal: DealtHand, king: int, holder: int | None
) -> Iterator[Said]:
    rng = deal.rng
    partner = holder if holder != deal.declarer else None
    if partner is not None and deal.trumps(partner) > 4 and rng.random() < 0.35:
        yield "king_ultimo", partner
    for seat in SEATS:
        if deal.ours[seat] and deal.held(seat, KINGS) == 4:
            yield "kings", seat


def _after_the_exchange(deal: DealtHand) -> Iterator[Said]:
    rng = deal.rng
    for seat in SEATS:
        trumps = deal.trumps(seat)
        if deal.held(seat, TRUL) == 3 and rng.random() < 0.8:
            yield "trul", seat
        if deal.held(seat, (PAGAT,)) and rng.random() < (trumps - 5) * 0.1:
            yield "pagat_ultimo", seat
        if deal.force(seat) > 11.5 and rng.random() < 0.3:
            yield "walat", seat


def _kept(
    deal: DealtHand, said: Sequence[Said], king: int
) -> dict[int, tuple[int, ...]]:
    """Return what who keeps for the last trick: what he announced, or would like."""
    kept: dict[int, tuple[int, ...]] = {}
    for bonus, seat in said:
        if bonus == "pagat_ultimo":
            kept[seat] = (*kept.get(seat, ()), PAGAT)
        if bonus == "king_ultimo":
            kept[seat] = (*kept.get(seat, ()), king)
    pagat = deal.holder(PAGAT)
    if pagat is not None and pagat not in kept and deal.trumps(pagat) > 5:
        kept[pagat] = (PAGAT,)
    return kept


def _made(deal: DealtHand, tariff: scoring.Tariff, king: int) -> Iterator[Line]:
    with_xxi = tariff.options["xxi_captured"] == "on"
    for ours in (True, False):
        last = deal.took(ours, (LAST,))
        if deal.has_won(ours, TRUL):
            yield "trul", ours
        if deal.has_won(ours, KINGS):
            yield "kings", ours
        if last and deal.wins_with(LAST, PAGAT):
            yield "pagat_ultimo", ours
        if deal.captured(ours, PAGAT):
            yield "pagat_captured", ours
        if with_xxi and deal.captured(ours, XXI):
            yield "xxi_captured", ours
        if last and deal.took(ours, range(1, LAST)):
            yield "walat", ours
    if deal.took(True, (LAST,)) and deal.in_trick(LAST, king):
        yield "king_ultimo", True
    if deal.captured(False, king):
        yield "king_captured", False


def _level(deal: DealtHand, tariff: scoring.Tariff, bonus: str, seat: int) -> int:
    if not tariff.variant.bonus[bonus].contra:
        return 0
    others = [s for s in SEATS if deal.ours[s] is not deal.ours[seat]]
    chance = 0.6 if max(map(deal.trumps, others)) > 5 else 0.12
    return doubled(deal.rng, chance, tariff.variant.ladder.top)


def _result(deal: DealtHand) -> dict[str, Any]:
    """Return the card points, or merely who won."""
    points = PACK.count(DECK.code(deal.pile()))
    if deal.rng.random() < 0.7:
        return {"card_points": points}
    return {"won": points >= WINS}
