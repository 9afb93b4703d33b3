"""Run the pending jobs; the site starts it, in a process of its own."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ledger import jobs


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Do the long work that pages asked for; the site itself runs this."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("lock", type=int, help="the lock that it inherits")

    def handle(self, *, lock: int, **options: Any) -> None:
        os.nice(10)  # behind the processes that answer the tables
        jobs.run_jobs(lock)
