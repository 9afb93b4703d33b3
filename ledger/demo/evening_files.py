"""Evenings of the fixtures, recorded hand by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction
from django.utils import timezone

import scoring
from ledger import journal
from ledger.journal import Batch
from ledger.models import Club, Evening, Player, User, locks
from ledger.text import amounts


def play(club: Club, told: Mapping[str, Any], by: User) -> Evening:
    """Record the evening of a file in *club*, each hand by an action of its own."""
    evening = begin(club, told, by)
    ids = dict(club.players.values_list("name", "pk"))
    with transaction.atomic():
        sheet = Batch(locks.locked(evening.tables.get()))
        for hand in told["hands"]:
            record = scoring.renamed(hand["hand"], ids.__getitem__)
            id = _id_of(evening, hand["number"])
            problems = sheet.add(record, id=id, played_at=timezone.now())
            assert not any(problem.is_error for problem in problems), problems
        sheet.write_each(by)
    return evening


def begin(club: Club, told: Mapping[str, Any], by: User) -> Evening:
    """Start the evening of a file: its players, tariff, stake, first dealer."""
    seats = [Player.objects.create(club=club, name=name) for name in told["players"]]
    first = told["players"].index(told["hands"][0]["dealer"])
    currency = told["stake"]["currency"]
    tariff = scoring.tariff(told["variant"], told["rules"])
    return journal.start_evening(
        club,
        name=told["name"],
        date=date.fromisoformat(told["date"]),
        edition=journal.edition_of(club, tariff),
        seats=seats,
        dealer=seats[first],
        by=by,
        currency=currency,
        stake=amounts.parse_stake(told["stake"]["per_point"], currency),
    )


def record_told(evening: Evening, hand: Mapping[str, Any], by: User) -> None:
    """Record one hand of a file; who deals and sits out the table knows by itself."""
    ids = dict(evening.club.players.values_list("name", "pk"))
    journal.record_hand(
        evening.tables.get(number=1),
        id=_id_of(evening, hand["number"]),
        record=scoring.renamed(hand["hand"], ids.__getitem__),
        by=by,
        number=hand["number"],
        override=True,
    )


def _id_of(evening: Evening, number: int) -> UUID:
    return uuid5(NAMESPACE_URL, f"evening:{evening.pk}/{number}")
