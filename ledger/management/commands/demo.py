"""Make the demo clubs: an evening each, the last one still going on."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ledger.demo.evening_files import create_demo_clubs, summary
from ledger.demo.owners import owner_called


class Command(BaseCommand):
    help = "Make three demo clubs with an evening each. Refuses when there is a club."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--owner", default="", help="name of the user who owns them"
        )

    def handle(self, *, owner: str, **options: Any) -> None:
        try:
            with transaction.atomic():
                evenings = create_demo_clubs(owner_called(owner))
        except ValueError as error:
            raise CommandError(str(error)) from None
        for evening in evenings:
            self.stdout.write(summary(evening))
