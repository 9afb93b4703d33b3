"""Store the digests of closed evenings: of those without one, or all anew."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from ledger import statistics
from ledger.models import Evening


class Command(BaseCommand):
    help = "Keep what closed evenings come to, so that nobody adds it up again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", type=int, help="only the club of this number")
        parser.add_argument(
            "--anew", action="store_true", help="what is kept already too"
        )

    @transaction.atomic
    def handle(
        self, *, club: int | None, anew: bool, verbosity: int, **options: Any
    ) -> None:
        closed = Evening.objects.not_removed().filter(closed_at__isnull=False)
        closed = closed.select_related("club", "edition").order_by("date", "pk")
        if club is not None:
            closed = closed.filter(club=club)
        evenings = closed if anew else statistics.without_digest(closed)
        count = 0
        done = statistics.rebuild(evenings.iterator(chunk_size=100))
        for count, _evening in enumerate(done, start=1):  # noqa: B007
            pass
        if verbosity:
            self.stdout.write(f"Kept {count} evenings.")
