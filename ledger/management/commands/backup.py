"""Back up the database into one file, while the server runs; or verify such a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger import backups


class Command(BaseCommand):
    help = "Write a copy of the ledger into FILE. The server may go on meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--force", action="store_true", help="write over a file that is there"
        )
        parser.add_argument(
            "--verify",
            action="store_true",
            help="make no copy: restore FILE into an empty place and audit it there",
        )

    def handle(self, *, file: Path, force: bool, verify: bool, **options: Any) -> None:
        if verify:
            backups.fit_of(file)
            self.stdout.write(backups.verify(file))
            self.stdout.write(f"{file} can be restored.")
            return
        if file.exists() and not force:
            raise CommandError(f"{file} is there already: --force writes over it.")
        backups.create(file)
        self.stdout.write(f"The ledger is in {file}, {file.stat().st_size:,} bytes.")
