"""A deal of Paskievics or Palatine: bid by strength, announced, doubled, played out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    side,
)

PACK = scoring.get_variant("paskievics").pack
DECK = Deck.of(PACK, ("10", "1", "V", "C", "Q", "K"))
HONOURS = DECK.numbers(("T21", "T1", "F"))
XXI, PAGAT, FOOL = HONOURS
XX = DECK.number["T20"]
KINGS = DECK.numbers(f"{letter}K" for letter in SUITS)
SUIT_OF = dict(zip(KINGS, SUITS.values(), strict=True))
NEVER_DISCARDED = frozenset({*HONOURS, *KINGS})
CALLABLE = DECK.numbers(f"T{number}" for number in range(20, 1, -1))
GAME_POINTS, HIGH_GAME_POINTS = 48, 71
LAST_TRICK = 9
ALL_TRICKS = range(1, LAST_TRICK + 1)
STOCK_CARDS = {
    "three": (3, 1, 1, 1),
    "two": (2, 2, 1, 1),
    "one": (1, 2, 2, 1),
    "without": (0, 2, 2, 2),
}
"""Cards that each player takes from the stock, the declarer first."""
BIDS = ((5.3, "three"), (7.3, "two"), (8.6, "one"), (9.8, "without"))
"""Least strength for each contract; below the first a player passes."""
BOLDNESS = 1.9
"""Standard deviation of a bid, so that the strongest hand does not always play."""
FIRST_TRICKS_BONUSES = {
    "first_five": (5, XX),
    "first_six": (6, XXI),
    "first_seven": (7, FOOL),
}
EIGHTH_TRICK = 8
KING_TRICKS = {"king_ultimo": LAST_TRICK, "king_penultimo": EIGHTH_TRICK}
DECLARED_TRUMPS = ("8", "9")


def play_deal(
    tariff: scoring.Tariff, rng: Random, players: Sequence[Any], skew: float
) -> dict[str, Any]:
    """Return the record of one deal."""
    deal = DealtHand(DECK, rng, skew)
    if annulled := _annulment(deal, players):
        return annulled
    strength = [deal.force(seat) + rng.gauss(0, BOLDNESS) for seat in SEATS]
    deal.declarer = strength.index(max(strength))
    bids = [bid for least, bid in BIDS if strength[deal.declarer] >= least]
    if not bids:
        return {"ending": "passed"}
    _exchange(deal, bids[-1])
    called = _called_trump(deal)
    holder = deal.holder(called)
    deal.play_with(None if holder == deal.declarer else holder)
    announcements = first_announcements(deal, [*_announcements(deal, tariff)])
    holdings = {
        str(players[seat]): str(number)
        for seat in SEATS
        if str(number := deal.trumps(seat)) in DECLARED_TRUMPS
        and _pays_trump_count(tariff)
    }
    deal.play(deal.declarer, _kept_for_last_tricks(deal, announcements))
    return {
        "contract": bids[-1],
        "declarer": players[deal.declarer],
        "called": DECK.codes[called][1:],
        "holdings": holdings,
        **_partner_and_kontra(deal, tariff, players, called, holder),
        **_result(deal, tariff, players, announcements),
    }


def _annulment(deal: DealtHand, players: Sequence[Any]) -> dict[str, Any] | None:
    """Return the record of an annulled deal, or None."""
    for seat in SEATS:
        trumps, kings = deal.trumps(seat), deal.held(seat, KINGS)
        reason = (
            "four_kings"
            if kings == len(KINGS)
            else "no_trumps"
            if not trumps
            else "only_pagat"
            if trumps == 1 and deal.held(seat, (PAGAT,))
            else "only_xxi"
            if trumps == 1 and deal.held(seat, (XXI,))
            else ""
        )
        if reason and deal.rng.random() < 0.9:
            return {
                "ending": "annulled",
                "annulled_by": players[seat],
                "annulled_because": reason,
            }
    return None


def _exchange(deal: DealtHand, contract: str) -> None:
    """Exchange cards with the stock, the declarer first; sometimes a player declines.

    Where the declarer takes none, all others must take theirs.
    """
    first, *others = STOCK_CARDS[contract]
    deal.exchange(deal.declarer, first, NEVER_DISCARDED)
    for turn, lifted in enumerate(others, start=1):
        if deal.rng.random() < 0.97 or not first:
            deal.exchange((deal.declarer + turn) & 3, lifted, NEVER_DISCARDED)


def _called_trump(deal: DealtHand) -> int:
    """Return the highest trump from the XX down that the declarer does not have."""
    hand, put = deal.hands[deal.declarer], deal.discards[deal.declarer]
    mine = {*hand, *put}
    own = [card for card in CALLABLE if card in hand]
    if own and deal.rng.random() < 0.02:
        return own[0]
    return next(card for card in CALLABLE if card not in mine)


def _announcements(deal: DealtHand, tariff: scoring.Tariff) -> Iterator[Announcement]:
    """Yield the announcements; with a slam its side announces nothing within it."""
    known, sweeping = tariff.variant.bonus, {True: False, False: False}
    for seat in sorted(SEATS, key=lambda seat: seat != deal.declarer):
        ours = deal.ours[seat]
        announcements = [*_hopes(deal, seat)]
        sweeping[ours] |= "slam" in announcements
        for bonus in announcements:
            covered = sweeping[ours] and bonus in known["slam"].not_with
            if bonus in known and known[bonus].announced is not None and not covered:
                yield bonus, seat


def _hopes(deal: DealtHand, seat: int) -> Iterator[str]:
    """Yield the bonuses that *seat* would announce; defenders are more careful."""
    rng, trumps = deal.rng, deal.trumps(seat)
    pluck = 1.0 if deal.ours[seat] else 0.35
    strong = max(0.0, deal.force(seat) - 7.5) * pluck
    if seat == deal.declarer and rng.random() < (strong - 1) * 0.04:
        yield "slam"
    if rng.random() < strong * 0.06:
        yield "high_game"
    if rng.random() < (deal.held(seat, HONOURS) - 1) * 0.4 * pluck:
        yield "honours"
    if rng.random() < (deal.held(seat, KINGS) - 2) * 0.25 * pluck:
        yield "kings"
    if deal.held(seat, (PAGAT,)) and rng.random() < (trumps - 5) * 0.2 * pluck:
        yield "pagat_ultimo"
    hopes = deal.held(seat, (FOOL,)) and not deal.held(seat, (XXI,))
    if hopes and rng.random() < 0.004 * trumps * pluck:
        yield "mond"
    yield from _trick_hopes(deal, seat, strong, pluck)


def _trick_hopes(
    deal: DealtHand, seat: int, strong: float, pluck: float
) -> Iterator[str]:
    rng = deal.rng
    for bonus, (_tricks, card) in FIRST_TRICKS_BONUSES.items():
        if deal.held(seat, (card,)) and rng.random() < strong * 0.02:
            yield bonus
    if deal.held(seat, (PAGAT,)) and rng.random() < strong * 0.01:
        yield "first_eight"
    for king, suit in SUIT_OF.items():
        if deal.held(seat, (king,)) and deal.trumps(seat) > 5:
            for bonus in KING_TRICKS:
                if rng.random() < 0.03 * pluck:
                    yield f"{bonus}_{suit}"


def _kept_for_last_tricks(
    deal: DealtHand, announcements: Sequence[Announcement]
) -> dict[int, tuple[int, ...]]:
    """Return the cards that each seat keeps for the last two tricks."""
    kept: dict[int, tuple[int, ...]] = {}
    for king, suit in SUIT_OF.items():
        lines = [f"{bonus}_{suit}" for bonus in KING_TRICKS]
        for bonus, seat in announcements:
            if bonus in lines and king in deal.hands[seat]:
                kept[seat] = (*kept.get(seat, ()), king)
    pagat = deal.holder(PAGAT)
    if pagat is not None:
        announced = ("pagat_ultimo", pagat) in announcements
        if announced or deal.trumps(pagat) > 5:
            kept[pagat] = (*kept.get(pagat, ()), PAGAT)
    return kept


def _partner_and_kontra(
    deal: DealtHand,
    tariff: scoring.Tariff,
    players: Sequence[Any],
    called: int,
    holder: int | None,
) -> dict[str, Any]:
    """Return the partner, or why the declarer plays alone, and the level of kontra."""
    top = tariff.variant.ladder.top
    others = max(deal.force(seat) for seat in SEATS if not deal.ours[seat])
    contra = kontra_level(deal.rng, 0.5 if others > 6.6 else 0.06, top)
    if deal.partner is not None:
        return {"partner": players[deal.partner], "contra": contra}
    if holder is not None:
        return {"alone": "own_card", "contra": contra}
    if any(called in cards for cards in deal.discards):
        return {"alone": "called_card_discarded", "contra": max(contra, 1)}
    return {"alone": "called_card_in_stock", "contra": contra}


def _result(
    deal: DealtHand,
    tariff: scoring.Tariff,
    players: Sequence[Any],
    announcements: Sequence[Announcement],
) -> dict[str, Any]:
    points = PACK.count(DECK.code(deal.pile()))
    announced = {(bonus, deal.ours[seat]) for bonus, seat in announcements}
    made = {
        line
        for line in _bonuses_made(deal, tariff, points)
        if (bonus := tariff.variant.bonus.get(line[0]))
        and (bonus.silent is not None or line in announced)
    }

    def level(_bonus: str, seat: int) -> int:
        others = [s for s in SEATS if deal.ours[s] is not deal.ours[seat]]
        chance = 0.5 if max(map(deal.trumps, others)) > 5 else 0.1
        return kontra_level(deal.rng, chance, tariff.variant.ladder.top)

    record: dict[str, Any] = {
        "bonuses": [
            *bonus_records(deal, players, made, announcements, level),
            *_beaten_pagat(deal, made, announced),
        ]
    }
    if (mayor := deal.loser(XXI)) is not None:
        record["xxi_lost_by"] = players[mayor]
    if deal.rng.random() < 0.7:
        return record | {"card_points": points}
    return record | {"won": points >= GAME_POINTS}


def _bonuses_made(
    deal: DealtHand, tariff: scoring.Tariff, points: int
) -> Iterator[BonusOfSide]:
    for ours in (True, False):
        if deal.has_won(ours, HONOURS):
            yield "honours", ours
        if deal.has_won(ours, KINGS):
            yield "kings", ours
        if (points if ours else PACK.points - points) >= HIGH_GAME_POINTS:
            yield "high_game", ours
        if deal.took(ours, ALL_TRICKS):
            yield "slam", ours
        if deal.captured(ours, XXI):
            yield "mond", ours
        if _wins_tricks_with(deal, ours, range(LAST_TRICK, LAST_TRICK + 1), PAGAT):
            yield "pagat_ultimo", ours
        for bonus, (tricks, card) in FIRST_TRICKS_BONUSES.items():
            if _wins_tricks_with(deal, ours, range(1, tricks + 1), card):
                yield bonus, ours
        only = tariff.options.get("first_eight_needs_all_tricks") == "off"
        if _wins_tricks_with(
            deal, ours, range(EIGHTH_TRICK if only else 1, EIGHTH_TRICK + 1), PAGAT
        ):
            yield "first_eight", ours
        for king, suit in SUIT_OF.items():
            for bonus, trick in KING_TRICKS.items():
                if _wins_tricks_with(deal, ours, range(trick, trick + 1), king):
                    yield f"{bonus}_{suit}", ours


def _wins_tricks_with(deal: DealtHand, ours: bool, tricks: range, card: int) -> bool:
    """Tell whether a side took the tricks, and *card* won the last of them."""
    return deal.wins_with(tricks[-1], card) and deal.took(ours, tricks)


def _beaten_pagat(
    deal: DealtHand, made: set[BonusOfSide], announced: set[BonusOfSide]
) -> Iterator[dict[str, Any]]:
    """Yield the record of a silent Pagat Ultimo that failed, if there is one."""
    if not deal.in_trick(LAST_TRICK, PAGAT):
        return
    line = "pagat_ultimo", deal.ours[deal.player[PAGAT]]
    if line not in made and line not in announced:
        yield {"bonus": line[0], "side": side(line[1]), "made": False}


def _pays_trump_count(tariff: scoring.Tariff) -> bool:
    """Tell whether the house rules pay for declared trumps."""
    return tariff.options["trump_count"] != "off"
