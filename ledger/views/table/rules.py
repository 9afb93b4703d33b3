"""Page of the rules that a table plays, from the declaration that scores its hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render

import scoring
from ledger.access import Request, table_of
from ledger.text.messages import say
from ledger.views.decorators import signed_in_page
from ledger.views.table.slip.chips import values
from scoring import Tariff, Text
from scoring.fields import offered
from scoring.items import Bonus


@dataclass(frozen=True)
class RuleWorth:
    name: str
    help: str
    announced: str
    silent: str
    contra: bool


@dataclass(frozen=True)
class ChosenOption:
    """Option of the game, and the choice that the table plays by."""

    name: str
    help: str
    choice: str


@signed_in_page
def rules(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk)
    return render(
        request,
        "ledger/table/rules.html",
        {
            "table": table,
            "evening": table.evening,
            **rules_context(table.edition.tariff),
        },
    )


def rules_context(tariff: Tariff) -> Mapping[str, object]:
    """Return the context of the page for *tariff*."""
    variant = tariff.variant
    fields = {field.id: field for field in scoring.fields(tariff)}
    ladder = variant.ladder
    return {
        "variant": variant,
        "preset": _preset(tariff),
        "contracts": fields["contract"].answers,
        "bonuses": [_worth(bonus) for bonus in offered(variant)],
        "holdings": variant.holdings if "holdings" in fields else None,
        "ladder": [
            (say(ladder.word(level)), 1 << level) for level in range(1, ladder.top + 1)
        ],
        "endings": fields["ending"].answers,
        "chosen": list(_chosen(tariff)),
    }


def _preset(tariff: Tariff) -> str:
    for preset in tariff.variant.presets:
        if preset.id == tariff.rules.get("preset", tariff.variant.presets[0].id):
            return say(Text(preset.name))
    return ""


def _worth(bonus: Bonus) -> RuleWorth:
    announced, silent = (value or "–" for value in values(bonus))
    return RuleWorth(
        name=say(Text(bonus.name)),
        help=say(Text(bonus.help)),
        announced=announced,
        silent=silent,
        contra=bonus.contra and bonus.announced is not None,
    )


def _chosen(tariff: Tariff) -> Iterator[ChosenOption]:
    for option in tariff.variant.options:
        for choice in option.choices:
            if choice.value == tariff.options[option.id]:
                texts = (option.name, option.help, choice.name)
                yield ChosenOption(*(say(Text(text)) for text in texts))
