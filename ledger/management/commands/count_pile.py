"""Count piles of cards from standard input, one JSON object a line."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

import scoring
from ledger.management import lines
from ledger.management.lines import Answer, Query
from scoring import refuse
from scoring.text import _, quoted


class Command(BaseCommand):
    help = "Count piles of the pack of 54 in threes: one JSON object a line."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        lines.add_language(parser)

    def handle(self, *, language: str, **options: Any) -> None:
        lines.answer_each(count_pile, lines.catalogue(language))


def count_pile(query: Query) -> Answer:
    """Return the points of a pile."""
    pack = _pack(query.get("rule"))
    cards = query.get("cards")
    if not isinstance(cards, list):
        refuse("cards", _("Give the cards as a list of codes."))
    seen = set()
    for card in cards:
        if not isinstance(card, str) or card not in pack.values:
            message = _("The pack has no card “{card}”.")
            refuse("cards", message, card=quoted(card))
        if card in seen:
            message = _("The card {card} is in the pile twice.")
            refuse("cards", message, card=card)
        seen.add(card)
    return {"points": pack.count(cards)}


def _pack(rule: object) -> scoring.Pack:
    rules = {} if rule is None else {"count_rule": rule}
    try:
        return scoring.tariff("taroki", rules).variant.pack
    except scoring.Refused:
        message = _("Choose the rule of counting: kozy or austrian.")
        refuse("rule", message)
