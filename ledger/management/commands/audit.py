"""Audit the ledger: recompute everything and compare; exit 1 on any difference."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger.audit import Audit
from ledger.models import Club


class Command(BaseCommand):
    help = "Score every hand again, sum every entry, replay every table, and compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", type=int, help="only the club of this number")

    def handle(self, *, club: int | None, **options: Any) -> None:
        audit = Audit(_club(club))
        differences = 0
        for differences, sentence in enumerate(audit.differences(), start=1):  # noqa: B007
            self.stdout.write(_printable(sentence))
        for remark in audit.remarks():
            self.stdout.write(_printable(f"Remark: {remark}"))
        counts = ", ".join(f"{count} {what}" for what, count in audit.checked.items())
        self.stdout.write(f"Compared {counts}.")
        if differences:
            raise CommandError(f"{differences} differences.")
        self.stdout.write("Nothing differs.")


def _club(pk: int | None) -> Club | None:
    if pk is None:
        return None
    if (club := Club.objects.only("name").filter(pk=pk).first()) is None:
        raise CommandError(f"There is no club {pk}.")
    return club


def _printable(sentence: str) -> str:
    """Return *sentence* with lone surrogates escaped: terminals cannot show them."""
    return sentence.encode(errors="backslashreplace").decode()
