"""Do a piece of long work; the site starts it, in a process of its own."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from ledger import jobs


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Do the long work that a page asked for; the site itself runs this."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", type=UUID)

    def handle(self, *, id: UUID, **options: Any) -> None:
        try:
            job = jobs.get(id)
        except LookupError as error:
            raise CommandError(str(error)) from None
        os.nice(10)  # the tables come first
        jobs.do(job)
