"""Print a link that signs a user in, once.

At a start, the link is printed only until somebody has signed in: the output may be in
a log.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ledger.models import User
from ledger.security import sign_in_links

COMMAND = "`.venv/bin/python manage.py signin`"


class Command(BaseCommand):
    help = "Print a link that signs somebody in, once: by default the first user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?")
        parser.add_argument("--site", help="by default where `make run` was started")
        parser.add_argument(
            "--starting",
            action="store_true",
            help="say where Kontra is, and keep it; with a link until somebody came",
        )

    def handle(
        self, *, username: str | None, site: str | None, starting: bool, **options: Any
    ) -> None:
        if starting:
            site = settings.SITE
            settings.SITE_FILE.write_text(site)
            self.stdout.write(f"Kontra is at {site}/.")
            if User.objects.exclude(last_login=None).exists():
                self.stdout.write(f"{COMMAND} prints a link that signs you in.")
                return
            self.stdout.write("This link signs you in, once:")
        self.stdout.write(
            (site or _site()).rstrip("/") + sign_in_links.link_path(_user(username))
        )


def _site() -> str:
    """Return the URL of the last start, which may differ from the settings."""
    kept = settings.SITE_FILE
    return kept.read_text() if kept.exists() else settings.SITE


def _user(username: str | None) -> User:
    users = User.objects.filter(is_active=True).order_by("pk")
    if username is not None:
        users = users.filter(username=username)
    user = users.first()
    if user is None:
        raise CommandError(f"no active user {username or ''}".rstrip())
    return user
