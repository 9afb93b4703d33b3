"""Save a whole club into one file, for another installation to load."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger import backups, clubfile, snapshot
from ledger.models import Club


class Command(BaseCommand):
    help = (
        "Write the club of this number into FILE, as JSON; packed where FILE ends in "
        ".gz. The server may go on meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", type=int, nargs="?", help="the number of the club")
        parser.add_argument("file", type=Path, nargs="?")
        parser.add_argument(
            "--force", action="store_true", help="write over a file that is there"
        )
        parser.add_argument(
            "--schema",
            action="store_true",
            help="write the schema of such files to the output instead",
        )

    def handle(self, *, club: int | None, file: Path | None, **options: Any) -> None:
        if options["schema"]:
            self.stdout.write(
                json.dumps(clubfile.schema(), indent=2, ensure_ascii=False)
            )
            return
        if club is None or file is None:
            raise CommandError("Say which club, and into which file.")
        if file.exists() and not options["force"]:
            raise CommandError(f"{file} is there already: --force writes over it.")
        found = Club.objects.filter(pk=club).first()
        if found is None:
            raise CommandError(f"There is no club {club}.")
        _write(found, file)
        size = f"{file.stat().st_size:,}"
        self.stdout.write(f"The club {found} is in {file}, {size} bytes.")


def _write(club: Club, file: Path) -> None:
    chunks = snapshot.stream_snapshot(lambda: clubfile.dump(club))
    with backups.atomic_file(file) as draft, draft.open("wb") as opened:
        if file.suffix != ".gz":
            opened.writelines(chunks)
            return
        with gzip.GzipFile("", "wb", 6, opened, mtime=0) as packed:
            packed.writelines(chunks)
