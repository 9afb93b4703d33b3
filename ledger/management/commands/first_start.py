"""Give an empty installation its first user, and the demo clubs if wanted.

Runs at every start: file modes are tightened, and expired sessions deleted.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from ledger.demo.evening_files import summary
from ledger.demo.first_start import set_up
from ledger.security.file_modes import make_private


class Command(BaseCommand):
    help = "Make the first user and load the demo club; do nothing if a user exists."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_false", dest="demo")
        parser.add_argument("--owner", default="owner", help="name of the first user")

    def handle(self, *, demo: bool, owner: str, **options: Any) -> None:
        make_private()
        call_command("clearsessions")
        for evening in set_up(owner, demo=demo):
            self.stdout.write(summary(evening))
