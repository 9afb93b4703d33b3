"""Score hand records from standard input, one JSON object a line."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand

import scoring
from ledger.management import lines
from ledger.management.lines import Answer, Asked, told
from scoring import refuse
from scoring.text import Catalogue, _


class Command(BaseCommand):
    help = "Score hand records: one JSON object a line in, one a line out."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        lines.add_language(parser)

    def handle(self, *, language: str, **options: Any) -> None:
        catalogue = lines.catalogue(language)
        lines.answer_each(partial(scored, language=catalogue), catalogue)


def scored(asked: Asked, language: Catalogue) -> Answer:
    """Return payments, units and lines of the hand that was asked about."""
    tariff = _tariff(asked)
    players = _players(tariff, asked.get("players"))
    hand, problems = scoring.examine(tariff, players, asked.get("hand"))
    errors = [problem for problem in problems if problem.is_error]
    if errors:
        return {"problems": told(errors, language, players)}
    score = scoring.score(tariff, hand)
    return {
        "payments": dict(zip(players, score.payments, strict=True)),
        "units": score.units,
        "lines": [_line(line, players, language) for line in score.lines],
        "warnings": told(problems, language, players),
    }


def _tariff(asked: Asked) -> scoring.Tariff:
    try:
        return scoring.tariff(asked.get("variant", ""), asked.get("rules"))
    except LookupError:
        message = _("Choose the variant, one of: {known}.")
        known = ", ".join(scoring.VARIANTS)
        refuse("variant", message, known=known)


def _players(tariff: scoring.Tariff, players: object) -> list[str]:
    active = tariff.variant.active
    if (
        isinstance(players, list)
        and all(isinstance(name, str) for name in players)
        and len(players) == len(set(players)) == active
    ):
        return players
    message = _("Name the {count} players, all different, in seat order.")
    refuse("players", message, count=active)


def _line(line: scoring.Line, players: Sequence[str], language: Catalogue) -> Answer:
    """Return *line* in JSON's terms; the rarer keys only where they say something."""
    spelled: Answer = {"item": line.item, "side": line.side and line.side.value}
    if line.seat is not None and line.kind != "contract":
        spelled["player"] = players[line.seat]
    if line.contra:
        spelled |= {"base": line.base, "contra": line.contra, "factor": line.factor}
    spelled["points"] = line.points
    if line.personal:
        spelled["personal"] = line.personal
    spelled["why"] = line.why.render(language, players)
    return spelled
