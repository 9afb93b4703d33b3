"""Give an empty installation its first user, and a demo club if wanted.

Every start passes here: what is kept is taken from others' eyes again, and who was
signed in too long ago is forgotten.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from ledger.models import User
from ledger.security.file_modes import tighten


class Command(BaseCommand):
    help = "Make the first user and load the demo club; do nothing if a user exists."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_false", dest="demo")
        parser.add_argument("--owner", default="owner", help="name of the first user")

    def handle(self, *, demo: bool, owner: str, **options: Any) -> None:
        tighten()
        call_command("clearsessions")
        if User.objects.exists():
            return
        # No password: the way in is a link from `manage.py signin`.
        User.objects.create_superuser(owner)
        if demo:
            call_command("demo", stdout=self.stdout)
