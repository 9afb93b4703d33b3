"""A deal of Paskievics or Palatine: bid by strength, announced, doubled, played out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import scoring
from ledger.demo.deals.deck import SUITS, Deck
from ledger.demo.deals.play import SEATS, DealtHand
from ledger.demo.deals.record import Line, Said, doubled, lines, once, side

PACK = scoring.get_variant("paskievics").pack
DECK = Deck.of(PACK, ("10", "1", "V", "C", "Q", "K"))
HONOURS = DECK.numbers(("T21", "T1", "F"))
XXI, PAGAT, FOOL = HONOURS
XX = DECK.number["T20"]
KINGS = DECK.numbers(f"{letter}K" for letter in SUITS)
SUIT_OF = dict(zip(KINGS, SUITS.values(), strict=True))
STAYS = frozenset({*HONOURS, *KINGS})
CALLED = DECK.numbers(f"T{number}" for number in range(20, 1, -1))
WINS, HIGH = 48, 71
LAST = 9
ALL = range(1, LAST + 1)
LIFTS = {
    "three": (3, 1, 1, 1),
    "two": (2, 2, 1, 1),
    "one": (1, 2, 2, 1),
    "without": (0, 2, 2, 2),
}
"""How many cards everybody takes from the stock, the declarer first."""
BIDS = ((5.3, "three"), (7.3, "two"), (8.6, "one"), (9.8, "without"))
"""From what strength somebody bids a contract; below the first he passes."""
BOLDNESS = 1.9
"""How far somebody trusts his luck, so that it isn't always the strongest who plays."""
FIRST = {"first_five": (5, XX), "first_six": (6, XXI), "first_seven": (7, FOOL)}
EIGHT = 8
KING_TRICKS = {"king_ultimo": LAST, "king_penultimo": EIGHT}
COUNTS = ("8", "9")


def happened(
    tariff: scoring.Tariff, rng: Random, players: Sequence[Any], skew: float
) -> dict[str, Any]:
    """Return the record of one deal."""
    deal = DealtHand(DECK, rng, skew)
    if annulled := _annulled(deal, players):
        return annulled
    strength = [deal.force(seat) + rng.gauss(0, BOLDNESS) for seat in SEATS]
    deal.declarer = strength.index(max(strength))
    bids = [bid for least, bid in BIDS if strength[deal.declarer] >= least]
    if not bids:
        return {"ending": "passed"}
    _exchange(deal, bids[-1])
    called = _called(deal)
    holder = deal.holder(called)
    deal.play_with(None if holder == deal.declarer else holder)
    said = once(deal, [*_announced(deal, tariff)])
    holdings = {
        str(players[seat]): str(number)
        for seat in SEATS
        if str(number := deal.trumps(seat)) in COUNTS and _paid(tariff)
    }
    deal.play(deal.declarer, _kept(deal, said))
    return {
        "contract": bids[-1],
        "declarer": players[deal.declarer],
        "called": DECK.codes[called][1:],
        "holdings": holdings,
        **_company(deal, tariff, players, called, holder),
        **_result(deal, tariff, players, said),
    }


def _annulled(deal: DealtHand, players: Sequence[Any]) -> dict[str, Any] | None:
    """Return the record if somebody may annul the deal, and does."""
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
    """The declarer lifts, then the others; now and then somebody leaves his cards.

    Where the declarer lifts nothing all the others have to take theirs.
    """
    first, *others = LIFTS[contract]
    deal.exchange(deal.declarer, first, STAYS)
    for turn, lifted in enumerate(others, start=1):
        if deal.rng.random() < 0.97 or not first:
            deal.exchange((deal.declarer + turn) & 3, lifted, STAYS)


def _called(deal: DealtHand) -> int:
    """Return the highest trump from the XX down that the declarer misses."""
    hand, put = deal.hands[deal.declarer], deal.discards[deal.declarer]
    mine = {*hand, *put}
    own = [card for card in CALLED if card in hand]
    if own and deal.rng.random() < 0.02:
        return own[0]
    return next(card for card in CALLED if card not in mine)


def _announced(deal: DealtHand, tariff: scoring.Tariff) -> Iterator[Said]:
    """Yield what is said; with a slam nobody of its side says what lies in it."""
    known, sweeping = tariff.variant.bonus, {True: False, False: False}
    for seat in sorted(SEATS, key=lambda seat: seat != deal.declarer):
        ours = deal.ours[seat]
        said = [*_would_announce(deal, seat)]
        sweeping[ours] |= "slam" in said
        for bonus in said:
            covered = sweeping[ours] and bonus in known["slam"].not_with
            if bonus in known and known[bonus].announced is not None and not covered:
                yield bonus, seat


def _would_announce(deal: DealtHand, seat: int) -> Iterator[str]:
    """Yield what *seat* trusts his cards with; the defenders are more careful."""
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
    yield from _would_announce_tricks(deal, seat, strong, pluck)


def _would_announce_tricks(
    deal: DealtHand, seat: int, strong: float, pluck: float
) -> Iterator[str]:
    rng = deal.rng
    for bonus, (_tricks, card) in FIRST.items():
        if deal.held(seat, (card,)) and rng.random() < strong * 0.02:
            yield bonus
    if deal.held(seat, (PAGAT,)) and rng.random() < strong * 0.01:
        yield "first_eight"
    for king, suit in SUIT_OF.items():
        if deal.held(seat, (king,)) and deal.trumps(seat) > 5:
            for bonus in KING_TRICKS:
                if rng.random() < 0.03 * pluck:
                    yield f"{bonus}_{suit}"


def _kept(deal: DealtHand, said: Sequence[Said]) -> dict[int, tuple[int, ...]]:
    """Return what who keeps to the end: what he announced, or would like."""
    kept: dict[int, tuple[int, ...]] = {}
    for king, suit in SUIT_OF.items():
        lines = [f"{bonus}_{suit}" for bonus in KING_TRICKS]
        for bonus, seat in said:
            if bonus in lines and king in deal.hands[seat]:
                kept[seat] = (*kept.get(seat, ()), king)
    pagat = deal.holder(PAGAT)
    if pagat is not None:
        announced = ("pagat_ultimo", pagat) in said
        if announced or deal.trumps(pagat) > 5:
            kept[pagat] = (*kept.get(pagat, ()), PAGAT)
    return kept


def _company(
    deal: DealtHand,
    tariff: scoring.Tariff,
    players: Sequence[Any],
    called: int,
    holder: int | None,
) -> dict[str, Any]:
    """Return who played with the declarer, or why nobody did, and who doubled."""
    top = tariff.variant.ladder.top
    others = max(deal.force(seat) for seat in SEATS if not deal.ours[seat])
    contra = doubled(deal.rng, 0.5 if others > 6.6 else 0.06, top)
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
    said: Sequence[Said],
) -> dict[str, Any]:
    points = PACK.count(DECK.code(deal.pile()))
    announced = {(bonus, deal.ours[seat]) for bonus, seat in said}
    made = {
        line
        for line in _made(deal, tariff, points)
        if (bonus := tariff.variant.bonus.get(line[0]))
        and (bonus.silent is not None or line in announced)
    }

    def level(_bonus: str, seat: int) -> int:
        others = [s for s in SEATS if deal.ours[s] is not deal.ours[seat]]
        chance = 0.5 if max(map(deal.trumps, others)) > 5 else 0.1
        return doubled(deal.rng, chance, tariff.variant.ladder.top)

    told: dict[str, Any] = {
        "bonuses": [
            *lines(deal, players, made, said, level),
            *_beaten_pagat(deal, made, announced),
        ]
    }
    if (mayor := deal.loser(XXI)) is not None:
        told["xxi_lost_by"] = players[mayor]
    if deal.rng.random() < 0.7:
        return told | {"card_points": points}
    return told | {"won": points >= WINS}


def _made(deal: DealtHand, tariff: scoring.Tariff, points: int) -> Iterator[Line]:
    for ours in (True, False):
        if deal.has_won(ours, HONOURS):
            yield "honours", ours
        if deal.has_won(ours, KINGS):
            yield "kings", ours
        if (points if ours else PACK.points - points) >= HIGH:
            yield "high_game", ours
        if deal.took(ours, ALL):
            yield "slam", ours
        if deal.captured(ours, XXI):
            yield "mond", ours
        if _wins(deal, ours, range(LAST, LAST + 1), PAGAT):
            yield "pagat_ultimo", ours
        for bonus, (tricks, card) in FIRST.items():
            if _wins(deal, ours, range(1, tricks + 1), card):
                yield bonus, ours
        only = tariff.options.get("first_eight_needs_all_tricks") == "off"
        if _wins(deal, ours, range(EIGHT if only else 1, EIGHT + 1), PAGAT):
            yield "first_eight", ours
        for king, suit in SUIT_OF.items():
            for bonus, trick in KING_TRICKS.items():
                if _wins(deal, ours, range(trick, trick + 1), king):
                    yield f"{bonus}_{suit}", ours


def _wins(deal: DealtHand, ours: bool, tricks: range, card: int) -> bool:
    """Whether a side took the tricks, and *card* won the last of them."""
    return deal.wins_with(tricks[-1], card) and deal.took(ours, tricks)


def _beaten_pagat(
    deal: DealtHand, made: set[Line], announced: set[Line]
) -> Iterator[dict[str, Any]]:
    """Yield the silent attempt at Pagat Ultimo that was beaten, if there was one."""
    if not deal.in_trick(LAST, PAGAT):
        return
    line = "pagat_ultimo", deal.ours[deal.player[PAGAT]]
    if line not in made and line not in announced:
        yield {"bonus": line[0], "side": side(line[1]), "made": False}


def _paid(tariff: scoring.Tariff) -> bool:
    """Whether the club pays for trumps that are declared."""
    return tariff.options["trump_count"] != "off"
