"""Played hands for statistics, from records without a database; players are numbers."""

from __future__ import annotations

import datetime
from uuid import UUID

import scoring
from ledger.statistics.played_hand import HandPosition, PlayedHand, ScoredLine

START = datetime.datetime(2026, 11, 20, 19, tzinfo=datetime.UTC)


def played_hand(
    number,
    record,
    players=(1, 2, 3, 4),
    *,
    variant="taroki",
    rules=None,
    evening=1,
    table=1,
    day="2026-11-20",
):
    """Return the hand of *record*; the game is scored by the rules, as ever."""
    tariff = scoring.tariff(variant, rules)
    score = scoring.score(tariff, scoring.parse(tariff, players, record))
    lines = [scored_line(line, players) for line in score.lines]
    gave_up = record.get("ending") == "surrendered"
    game = [line.made for line in lines if line.kind == "contract"]
    return PlayedHand(
        id=UUID(int=evening * 10_000 + table * 1000 + number),
        place=HandPosition(day, evening, table, number),
        game=tariff.variant,
        players=tuple(players),
        declarer=record.get("declarer"),
        partner=record.get("partner"),
        contract=record.get("contract", ""),
        thrown_in=record.get("ending") in tariff.variant.thrown_in,
        gave_up=gave_up,
        won=False if gave_up else game[0] if game else None,
        gains=dict(zip(players, score.payments, strict=True)),
        money={p: 20 * g for p, g in zip(players, score.payments, strict=True)},
        currency="PLN",
        lines=tuple(lines),
        xxi_lost_by=record.get("xxi_lost_by"),
        played_at=START + datetime.timedelta(minutes=5 * number),
    )


def scored_line(line, players):
    return ScoredLine(
        line.item,
        line.kind,
        line.side.value if line.side else "",
        None if line.seat is None else players[line.seat],
        line.announced,
        line.made,
        line.contra,
        line.points,
    )


def won(number, declarer=1, partner=3, **more):
    """The declarer's side wins 1 point from each opponent."""
    record = {
        "contract": "1",
        "declarer": declarer,
        "partner": partner,
        "card_points": 41,
    }
    return played_hand(number, record, **more)


def thrown_in(number, **more):
    return played_hand(number, {"ending": "passed"}, **more)
