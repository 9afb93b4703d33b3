"""Score hand records from standard input, one JSON object a line."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand

import scoring
from ledger.management import lines
from ledger.management.lines import Answer, Query, problems_as_json
from scoring import refuse
from scoring.text import Catalogue, _


class Command(BaseCommand):
    help = "Score hand records: one JSON object a line in, one a line out."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        lines.add_language(parser)

    def handle(self, *, language: str, **options: Any) -> None:
        catalogue = lines.catalogue(language)
        lines.answer_each(partial(score_hand, language=catalogue), catalogue)


def score_hand(query: Query, language: Catalogue) -> Answer:
    """Return payments, units and lines of a hand, or its problems."""
    tariff = _tariff(query)
    players = _players(tariff, query.get("players"))
    hand, problems = scoring.examine(tariff, players, query.get("hand"))
    errors = [problem for problem in problems if problem.is_error]
    if errors:
        return {"problems": problems_as_json(errors, language, players)}
    score = scoring.score(tariff, hand)
    return {
        "payments": dict(zip(players, score.payments, strict=True)),
        "units": score.units,
        "lines": [_line(line, players, language) for line in score.lines],
        "warnings": problems_as_json(problems, language, players),
    }


def _tariff(query: Query) -> scoring.Tariff:
    try:
        return scoring.tariff(query.get("variant", ""), query.get("rules"))
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
    """Return *line* as JSON; rare keys only where they have a value."""
    data: Answer = {"item": line.item, "side": line.side and line.side.value}
    if line.seat is not None and line.kind != "contract":
        data["player"] = players[line.seat]
    if line.contra:
        data |= {"base": line.base, "contra": line.contra, "factor": line.factor}
    data["points"] = line.points
    if line.personal:
        data["personal"] = line.personal
    data["why"] = line.why.render(language, players)
    return data
