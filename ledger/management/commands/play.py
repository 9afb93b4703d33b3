"""Make a club that plays as many hands as one likes: to try things on."""

from __future__ import annotations

import datetime
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.template.defaultfilters import pluralize

from ledger.demo.deals.games import GAMES
from ledger.demo.owners import owner_called
from ledger.demo.play import ClubSpec, play_club
from ledger.demo.spec import LAST_EVENING

ALL = "all"


class Command(BaseCommand):
    help = (
        "Let a club play random hands by the rules: evening after evening, with seats "
        "that change, corrections and payments. The same seed plays the same hands."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--club", default="Kontra", help="its name; made if need be"
        )
        parser.add_argument("--hands", type=int, default=1000)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--game", default="taroki", choices=[*GAMES, ALL])
        parser.add_argument("--players", type=int, default=8)
        parser.add_argument(
            "--seasons", type=int, default=0, help="how many; by itself, one a year"
        )
        parser.add_argument(
            "--until",
            type=datetime.date.fromisoformat,
            default=LAST_EVENING,
            metavar="DATE",
            help="the day of the last evening; they are a week apart",
        )
        parser.add_argument("--owner", default="", help="name of the user who owns it")

    def handle(self, *, club: str, game: str, owner: str, **options: Any) -> None:
        spec = ClubSpec(
            name=club,
            games=tuple(GAMES) if game == ALL else (game,),
            **{key: options[key] for key in KEYS},
        )
        begin = time.monotonic()
        try:
            with transaction.atomic():
                evenings = sum(1 for _evening in play_club(spec, owner_called(owner)))
        except ValueError as error:
            raise CommandError(str(error)) from None
        seconds = time.monotonic() - begin
        self.stdout.write(
            f"{club}: {spec.hands} hands in {evenings} evening{pluralize(evenings)}, "
            f"{seconds:.1f} s."
        )


KEYS = ("hands", "seed", "players", "seasons", "until")
