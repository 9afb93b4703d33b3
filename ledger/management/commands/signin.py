"""Print a link that signs somebody in, once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from ledger import links


class Command(BaseCommand):
    help = "Print a link that signs somebody in, once: by default the first user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?")
        parser.add_argument("--site", default="http://127.0.0.1:8000")

    def handle(self, *, username: str | None, site: str, **options: Any) -> None:
        self.stdout.write(site.rstrip("/") + links.path(_user(username)))


def _user(username: str | None) -> User:
    users = User.objects.filter(is_active=True).order_by("pk")
    if username is not None:
        users = users.filter(username=username)
    user = users.first()
    if user is None:
        raise CommandError(f"no active user {username or ''}".rstrip())
    return user
