"""Make the demo clubs: an evening each, the last one still going on."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from ledger import journal
from ledger.demo.evening_files import play
from ledger.demo.owners import owner_named
from ledger.models import Club

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
