"""Load a club from a file of `manage.py save_club` or of its owner's page."""

from __future__ import annotations

import gzip
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from ledger import clubfile


class Command(BaseCommand):
    help = "Load the club in FILE, whole or not at all, and audit it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--same-users",
            action="store_true",
            help="users of these names are here already, and are the same people",
        )
        parser.add_argument(
            "--no-audit", action="store_true", help="compare nothing afterwards"
        )

    def handle(
        self, *, file: Path, same_users: bool, no_audit: bool, **options: Any
    ) -> None:
        try:
            with _open(file) as opened:
                club = clubfile.load(
                    opened, same_users=same_users, progress=self._show_progress
                )
        except clubfile.NameTaken as taken:
            message = f"{taken}: --same-users takes them for the same people."
            raise CommandError(f"Nothing was loaded. {message}") from None
        except clubfile.WrongValue as wrong:
            raise CommandError(f"Nothing was loaded. {wrong}.") from None
        except OSError as error:
            raise CommandError(f"Nothing was loaded: {error}.") from None
        finally:
            self._show_progress("")
        self.stdout.write(f"The club {club} is loaded, as club {club.pk}.")
        if not no_audit:
            call_command("audit", club=club.pk, stdout=self.stdout)

    def _show_progress(self, how_far: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r\033[K{how_far}", ending="")


def _open(file: Path) -> IO[bytes]:
    packed = file.suffix == ".gz"
    return gzip.open(file, "rb") if packed else file.open("rb")  # type: ignore[return-value]  # it reads bytes
