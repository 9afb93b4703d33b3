"""Make the demo clubs: an evening each, the last one still going on."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

import scoring
from ledger import journal
from ledger.journal import Batch
from ledger.models import Club, Evening, Player, User, locks
from ledger.text import amounts

CLUBS = (
    ("Kozy", "pl", "kozy.json"),
    ("Szegedi Tarokk Kör", "hu", "szeged.json"),
    ("Café Ritter", "de", "vienna.json"),
)


class Command(BaseCommand):
    help = "Make three demo clubs with an evening each. Refuses when there is a club."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--owner", default="", help="name of the user who owns them"
        )

    @transaction.atomic
    def handle(self, *, owner: str, **options: Any) -> None:
        if Club.objects.exists():
            raise CommandError(
                "There are clubs already: the demo needs an empty ledger."
            )
        user = owner_named(owner)
        for name, language, file in CLUBS:
            club = journal.found_club(name, owner=user, language=language)
            told = json.loads(
                (settings.BASE_DIR / "fixtures/evenings" / file).read_text()
            )
            evening = play(club, told, user)
            if (name, language, file) == CLUBS[-1]:
                evening.date = timezone.localdate()
                evening.save(update_fields=["date"])
            else:
                journal.close_evening(evening, by=user)
            hands = len(told["hands"])
            self.stdout.write(f"{club}: {evening}, {hands} hands, owner {user}")


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


def owner_named(name: str) -> User:
    most = User._meta.get_field("username").max_length
    if most and len(name) > most:
        raise CommandError(f"The name of a user has no more than {most} characters.")
    if name:
        return User.objects.get_or_create(username=name)[0]
    return User.objects.order_by("pk").first() or User.objects.create_user("owner")
