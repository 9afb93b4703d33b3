"""Page of a hand: its facts, every line with its reason, and who pays whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

import scoring
from ledger.access import Request, hand_of, may_write
from ledger.models import Evening, Hand, Player, Version
from ledger.presenters.hand_history import gains_of, hand_history, side_by_side
from ledger.text import amounts, messages
from ledger.text.amounts import plain
from ledger.text.hands import People, name_of
from ledger.views.decorators import signed_in_page
from ledger.views.table.undo import last_action
from scoring.settlement import hand_transfers


@dataclass(frozen=True)
class SeatCell:
    player: Player
    points: int = 0
    sat_out: bool = False
    was: int | None = None
    """Points before the last correction, if that changed them."""


@dataclass(frozen=True)
class HandLine:
    name: str
    contra: int
    sum: str
    points: int
    why: str


@dataclass(frozen=True)
class HandTotal:
    words: str
    points: int


@dataclass(frozen=True)
class HandTransfer:
    payer: Player
    payee: Player
    amount: int


@signed_in_page
def hand(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk)
    evening = hand.table.evening
    people = evening.club.players.in_bulk()
    versions = _versions(hand)
    before, version = versions[-2:] if len(versions) > 1 else versions * 2
    tariff = version.edition.tariff
    score = scoring.score(
        tariff, scoring.parse(tariff, version.players, version.record)
    )
    cells = _cells(hand, before, version, people)
    writes = may_write(hand) and not evening.closed_at
    toast = last_action(request, hand.table, people, writes=writes).toast
    page = {
        "hand": hand,
        "table": hand.table,
        "evening": evening,
        "version": version,
        "cells": cells,
        "seated": [cell.player for cell in cells],
        "facts": side_by_side(before, version, people, lines=False),
        "lines": [_line(line, version, people) for line in score.lines],
        "total": _total(version, people),
        "gives": _transfers(version, people, score, evening),
        "how_paid": _how_paid(version),
        "past": hand_history(hand, {v.pk: v for v in versions}, people),
        "may_write": writes,
        "toast": toast,
        "played": version.record.get("ending", "played") == "played",
        "around": _neighbours(hand) if writes and not hand.voided else {},
    }
    return render(request, "ledger/table/hand.html", page)


def _versions(hand: Hand) -> list[Version]:
    versions = hand.versions.select_related("edition", "recorded_by")
    return list(versions.order_by("number"))


def _neighbours(hand: Hand) -> dict[str, Hand]:
    """Return the hands right before and after, by the name of their button."""
    near = {hand.number - 1: "earlier", hand.number + 1: "later"}
    live = hand.table.hands.filter(voided=False, number__in=near)
    return {near[other.number]: other for other in live}


def _cells(
    hand: Hand, before: Version, version: Version, people: Mapping[int, Player]
) -> list[SeatCell]:
    """Return who played or sat out, in seat order, with the points of each."""
    won, old = gains_of(version), gains_of(before)
    lineup = hand.table.lineups.filter(from_hand__lte=hand.number)
    seats = lineup.latest("from_hand").seats.values_list("player", flat=True)
    there = [*won, *version.resting]
    at = [*(pk for pk in seats if pk in there), *there]
    return [
        SeatCell(
            people[pk],
            won.get(pk, 0),
            sat_out=pk not in won,
            was=old[pk] if pk in old and old[pk] != won.get(pk) else None,
        )
        for pk in dict.fromkeys(at)
    ]


def _line(line: scoring.Line, version: Version, people: People) -> HandLine:
    names = [name_of(people, pk) for pk in version.players]
    sum = f"{plain(line.base)} × {line.factor}" if line.factor > 1 else ""
    return HandLine(
        name=messages.say(line.name, names),
        contra=line.contra,
        sum=sum,
        points=line.points or line.personal,
        why=messages.say(line.why, names),
    )


def _total(version: Version, people: People) -> HandTotal:
    record = version.record
    if record.get("declarer") is None:
        return HandTotal(_("Nobody pays"), 0)
    declarer = name_of(people, record["declarer"])
    if record.get("partner") is None:
        message = _("{declarer}, from each opponent")
        total = message.format(declarer=declarer)
    else:
        partner = name_of(people, record["partner"])
        message = _("{declarer} and {partner}, each")
        total = message.format(declarer=declarer, partner=partner)
    if version.multiplier > 1:
        total += " " + _("(deal counts ×{times})").format(times=version.multiplier)
    return HandTotal(total, version.units)


def _transfers(
    version: Version,
    people: Mapping[int, Player],
    score: scoring.Score,
    evening: Evening,
) -> list[HandTransfer]:
    seats = dict(enumerate(score.payments))
    worth = amounts.at_stake(seats, evening.per_point) if evening.currency else seats
    return [
        HandTransfer(
            people[version.players[give.payer]],
            people[version.players[give.payee]],
            give.amount,
        )
        for give in hand_transfers([worth[seat] for seat in seats])
    ]


def _how_paid(version: Version) -> str:
    if version.record.get("partner") is None:
        return _("A lone player settles with each of the others.")
    return _("Each loser pays the winner next to them.")
