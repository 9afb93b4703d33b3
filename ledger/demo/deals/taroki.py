"""A deal of Taroki: bid by strength, announced, doubled and played out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import scoring
from ledger.demo.deals.deck import SUITS, Deck
from ledger.demo.deals.play import SEATS, DealtHand
from ledger.demo.deals.record import (
    Announcement,
    BonusOfSide,
    bonus_records,
    first_announcements,
    kontra_level,
)

PACK = scoring.get_variant("taroki").pack
DECK = Deck.of(PACK, ("4", "3", "2", "A", "7", "8", "9", "10", "J", "N", "Q", "K"))
TRUL = DECK.numbers(("T21", "T1", "F"))
XXI, PAGAT, _FOOL = TRUL
KINGS = DECK.numbers(("SK", "CK", "HK", "DK"))
NEVER_DISCARDED = frozenset({*TRUL, *KINGS})
GAME_POINTS = 36
LAST_TRICK = 12
TALON_CARDS = {"1": 3, "2": 2, "3": 1, "4": 0}
BIDS = ((5.3, "1"), (6.5, "2"), (8.0, "3"), (9.6, "4"))
"""Least strength for each contract; below the first a player passes."""
BOLDNESS = 2.0
"""Standard deviation of a bid, so that the strongest hand does not always play."""
DECLARED_TRUMPS = ("0", "1", "2", "10", "11", "12")


def play_deal(
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
    king = _called_king(deal, tariff)
    record = {
        "contract": contract,
        "declarer": players[deal.declarer],
        "called": SUITS[DECK.codes[king][0]],
    }
    in_talon = deal.holder(king) is None
    if in_talon and contract != "4" and rng.random() < 0.35:
        return record | {"ending": "surrendered"}
    return record | _play_out(deal, tariff, players, contract, king, strength)


def _play_out(
    deal: DealtHand,
    tariff: scoring.Tariff,
    players: Sequence[Any],
    contract: str,
    king: int,
    strength: Sequence[float],
) -> dict[str, Any]:
    """Announce, exchange, double and play; return what the scorer records of it."""
    holder = deal.holder(king)
    deal.play_with(None if holder == deal.declarer else holder)
    announcements = [*_announcements_before_exchange(deal, king, holder)]
    holdings = _declared_trumps(deal, players)
    deal.exchange(deal.declarer, TALON_CARDS[contract], NEVER_DISCARDED)
    announcements += _announcements_after_exchange(deal)
    announcements = first_announcements(deal, announcements)
    deal.play(0, _kept_for_last_trick(deal, announcements, king))
    made = {*_bonuses_made(deal, tariff, king)}
    level = partial(_bonus_kontra_level, deal, tariff)
    return {
        "bonuses": [*bonus_records(deal, players, made, announcements, level)],
        **_game_kontra(deal, tariff, contract, strength),
        **_partner(deal, players, holder),
        "holdings": holdings,
        **_result(deal),
    }


def _declared_trumps(deal: DealtHand, players: Sequence[Any]) -> dict[str, str]:
    return {
        str(players[seat]): str(number)
        for seat in SEATS
        if str(number := deal.trumps(seat)) in DECLARED_TRUMPS
        and deal.rng.random() < 0.8
    }


def _game_kontra(
    deal: DealtHand, tariff: scoring.Tariff, contract: str, strength: Sequence[float]
) -> dict[str, Any]:
    if contract not in ("3", "4"):
        return {}
    strongest = max(strength[seat] for seat in SEATS if not deal.ours[seat])
    chance = 0.7 if strongest > 6.8 else 0.08
    return {"contra": kontra_level(deal.rng, chance, tariff.variant.ladder.top)}


def _partner(
    deal: DealtHand, players: Sequence[Any], holder: int | None
) -> dict[str, Any]:
    """Return the partner, or the reason why the declarer plays alone."""
    if deal.partner is not None:
        return {"partner": players[deal.partner]}
    return {"alone": "king_in_talon" if holder is None else "own_king"}


def _called_king(deal: DealtHand, tariff: scoring.Tariff) -> int:
    """Return the king that the declarer calls, seldom one of his own."""
    mine = set(deal.hands[deal.declarer])
    others = [king for king in KINGS if king not in mine]
    free = tariff.options["own_king_call"] == "allowed"
    if not others or (free and len(others) < 4 and deal.rng.random() < 0.04):
        return deal.rng.choice([king for king in KINGS if king in mine])
    return deal.rng.choice(others)


def _announcements_before_exchange(
    deal: DealtHand, king: int, holder: int | None
) -> Iterator[Announcement]:
    rng = deal.rng
    partner = holder if holder != deal.declarer else None
    if partner is not None and deal.trumps(partner) > 4 and rng.random() < 0.35:
        yield "king_ultimo", partner
    for seat in SEATS:
        if deal.ours[seat] and deal.held(seat, KINGS) == 4:
            yield "kings", seat


def _announcements_after_exchange(deal: DealtHand) -> Iterator[Announcement]:
    rng = deal.rng
    for seat in SEATS:
        trumps = deal.trumps(seat)
        if deal.held(seat, TRUL) == 3 and rng.random() < 0.8:
            yield "trul", seat
        if deal.held(seat, (PAGAT,)) and rng.random() < (trumps - 5) * 0.1:
            yield "pagat_ultimo", seat
        if deal.force(seat) > 11.5 and rng.random() < 0.3:
            yield "walat", seat


def _kept_for_last_trick(
    deal: DealtHand, announcements: Sequence[Announcement], king: int
) -> dict[int, tuple[int, ...]]:
    """Return the cards that each seat keeps for the last trick."""
    kept: dict[int, tuple[int, ...]] = {}
    for bonus, seat in announcements:
        if bonus == "pagat_ultimo":
            kept[seat] = (*kept.get(seat, ()), PAGAT)
        if bonus == "king_ultimo":
            kept[seat] = (*kept.get(seat, ()), king)
    pagat = deal.holder(PAGAT)
    if pagat is not None and pagat not in kept and deal.trumps(pagat) > 5:
        kept[pagat] = (PAGAT,)
    return kept


def _bonuses_made(
    deal: DealtHand, tariff: scoring.Tariff, king: int
) -> Iterator[BonusOfSide]:
    with_xxi = tariff.options["xxi_captured"] == "on"
    for ours in (True, False):
        last = deal.took(ours, (LAST_TRICK,))
        if deal.has_won(ours, TRUL):
            yield "trul", ours
        if deal.has_won(ours, KINGS):
            yield "kings", ours
        if last and deal.wins_with(LAST_TRICK, PAGAT):
            yield "pagat_ultimo", ours
        if deal.captured(ours, PAGAT):
            yield "pagat_captured", ours
        if with_xxi and deal.captured(ours, XXI):
            yield "xxi_captured", ours
        if last and deal.took(ours, range(1, LAST_TRICK)):
            yield "walat", ours
    if deal.took(True, (LAST_TRICK,)) and deal.in_trick(LAST_TRICK, king):
        yield "king_ultimo", True
    if deal.captured(False, king):
        yield "king_captured", False


def _bonus_kontra_level(
    deal: DealtHand, tariff: scoring.Tariff, bonus: str, seat: int
) -> int:
    if not tariff.variant.bonus[bonus].contra:
        return 0
    others = [s for s in SEATS if deal.ours[s] is not deal.ours[seat]]
    chance = 0.6 if max(map(deal.trumps, others)) > 5 else 0.12
    return kontra_level(deal.rng, chance, tariff.variant.ladder.top)


def _result(deal: DealtHand) -> dict[str, Any]:
    """Return the card points, or only the winner."""
    points = PACK.count(DECK.code(deal.pile()))
    if deal.rng.random() < 0.7:
        return {"card_points": points}
    return {"won": points >= GAME_POINTS}
