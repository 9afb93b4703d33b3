"""The demo clubs: an evening each, recorded from the files of the fixtures.

A file has the evening's name, date, variant, rules, stake, players and hands; a hand
has its number, its dealer and its record with names of players.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.conf import settings
from django.db import transaction
from django.utils import timezone

import scoring
from ledger import journal
from ledger.journal import Batch
from ledger.models import Club, Evening, Hand, Player, User, locks
from ledger.text import amounts

CLUBS = (
    ("Kozy", "pl", "kozy.json"),
    ("Szegedi Tarokk Kör", "hu", "szeged.json"),
    ("Café Ritter", "de", "vienna.json"),
)
"""Name, language and evening of each."""


@transaction.atomic
def create_demo_clubs(owner: User) -> list[Evening]:
    """Create the demo clubs; return the evening of each, of which the last is open.

    Raise `ValueError` where there is a club already.
    """
    if Club.objects.exists():
        raise ValueError("There are clubs already: the demo needs an empty ledger.")
    evenings = []
    for name, language, file in CLUBS:
        club = journal.found_club(name, owner=owner, language=language)
        path = settings.BASE_DIR / "fixtures" / "evenings" / file
        evening = record_evening(club, json.loads(path.read_text()), owner)
        if file == CLUBS[-1][-1]:
            evening.date = timezone.localdate()
            evening.save(update_fields=["date"])
        else:
            journal.close_evening(evening, by=owner)
        evenings.append(evening)
    return evenings


def summary(evening: Evening) -> str:
    """Return the line that a command prints about the evening of a demo club."""
    hands = Hand.objects.filter(table__evening=evening).count()
    return f"{evening.club}: {evening}, {hands} hands, owner {evening.created_by}"


def record_evening(club: Club, data: Mapping[str, Any], by: User) -> Evening:
    """Record the evening of a file in *club*, each hand as an action of its own."""
    evening = start_evening(club, data, by)
    ids = dict(club.players.values_list("name", "pk"))
    with transaction.atomic():
        batch = Batch(locks.locked_table(evening.tables.get()))
        for hand in data["hands"]:
            record = scoring.renamed(hand["hand"], ids.__getitem__)
            id = _hand_id(evening, hand["number"])
            problems = batch.add(record, id=id, played_at=timezone.now())
            assert not any(problem.is_error for problem in problems), problems
        batch.write_each(by)
    return evening


def start_evening(club: Club, data: Mapping[str, Any], by: User) -> Evening:
    """Start the evening of a file, with players of its own."""
    seats = [Player.objects.create(club=club, name=name) for name in data["players"]]
    first = data["players"].index(data["hands"][0]["dealer"])
    currency = data["stake"]["currency"]
    tariff = scoring.tariff(data["variant"], data["rules"])
    return journal.start_evening(
        club,
        name=data["name"],
        date=date.fromisoformat(data["date"]),
        edition=journal.edition_of(club, tariff),
        seats=seats,
        dealer=seats[first],
        by=by,
        currency=currency,
        stake=amounts.parse_stake(data["stake"]["per_point"], currency),
    )


def record_hand(evening: Evening, hand: Mapping[str, Any], by: User) -> None:
    """Record one hand of a file at the first table of *evening*."""
    ids = dict(evening.club.players.values_list("name", "pk"))
    journal.record_hand(
        evening.tables.get(number=1),
        id=_hand_id(evening, hand["number"]),
        record=scoring.renamed(hand["hand"], ids.__getitem__),
        by=by,
        number=hand["number"],
        override=True,
    )


def _hand_id(evening: Evening, number: int) -> UUID:
    return uuid5(NAMESPACE_URL, f"evening:{evening.pk}/{number}")
