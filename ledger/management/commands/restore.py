"""Restore a backup in place of the database, in one transaction, and audit it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ledger import backups
from ledger.backups import BackupFit


class Command(BaseCommand):
    help = "Restore the ledger from FILE, made by `manage.py backup`, and audit it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--force",
            action="store_true",
            help="replace the ledger that is there, after a copy of it",
        )
        parser.add_argument(
            "--migrate",
            action="store_true",
            help="bring a backup of an older version up to date",
        )

    def handle(self, *, file: Path, force: bool, migrate: bool, **options: Any) -> None:
        fit = backups.fit_of(file)
        _refuse_newer(file, fit)
        if not backups.is_empty():
            self._back_up(force)
        backups.restore(file)
        self.stdout.write(f"Restored from {file}.")
        if fit.missing and not migrate:
            self.stdout.write(
                "It is of an older version: run `manage.py migrate`, "
                "then `manage.py audit`."
            )
            return
        if fit.missing:
            call_command("migrate", verbosity=0)
        call_command("audit", stdout=self.stdout)

    def _back_up(self, force: bool) -> None:
        """Back up the database that is about to be replaced."""
        if not force:
            raise CommandError(
                "There is a ledger here already: --force replaces it, "
                f"and keeps a copy of it in {settings.DATA_DIR}."
            )
        name = f"before-restore-{timezone.now():%Y%m%d-%H%M%S-%f}.backup"
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        backups.create(settings.DATA_DIR / name)
        self.stdout.write(f"The old ledger is in {settings.DATA_DIR / name}.")


def _refuse_newer(file: Path, fit: BackupFit) -> None:
    if fit.unknown:
        app, name = max(fit.unknown)
        raise CommandError(
            f"{file} is of a newer version, which has {app}.{name}: "
            "restore it with that version of Kontra."
        )
