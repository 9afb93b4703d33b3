"""Corrections of an evening: read from a request, and the plan as it is answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import scoring
from ledger.api import problems
from ledger.journal import (
    WHOLE,
    Amendment,
    AmendmentPlan,
    FieldValues,
    RefusedHand,
    Rescored,
)
from ledger.models import Action, Edition, Evening
from ledger.text.amounts import Stake
from ledger.text.messages import say

FACTS = ("name", "date", "season", "currency", "stake")


def is_known(sent: Mapping[str, Any]) -> bool:
    """Whether a request with this id was carried out: it is then answered again."""
    return "id" in sent and Action.objects.filter(pk=sent["id"]).exists()


def amendment(sent: Mapping[str, Any], numbers: Iterable[int]) -> Amendment:
    """Return the correction that was sent for an evening with tables of *numbers*."""
    games: dict[int, scoring.Tariff] = {}
    if tariff := sent.get("tariff"):
        games = dict.fromkeys([*numbers] or [WHOLE], tariff)
    games |= {table["number"]: table["tariff"] for table in sent.get("tables", ())}
    facts = {key: sent.get(key) for key in FACTS}
    return Amendment(**facts, games=games)


def problems_of(plan: AmendmentPlan) -> Iterator[dict[str, str]]:
    """Yield the problems of *plan*; of a hand with the reasons of the rules."""
    refusals = {str(one.hand): one for one in plan.refusals}
    for problem in plan.problems:
        data = problems.data_of(problem)
        if refusal := refusals.get(problem.about):
            data["message"] = f"{data['message']} {_reasons(refusal)}"
        yield data


def _reasons(refusal: RefusedHand) -> str:
    names = [player.name for player in refusal.players]
    return " ".join(say(problem.message, names) for problem in refusal.problems)


def answer(
    plan: AmendmentPlan, action: Action | None, evening: Evening
) -> dict[str, Any]:
    """Return the answer for *plan*, which an *action* has carried out or none yet."""
    return {
        "action": action and action.pk,
        "before": _facts(plan.before, plan.tables),
        "after": _facts(plan.after, plan.tables),
        "hands": [*_hands(plan.tables)],
        "sums": plan.moving,
        "evening": evening,
    }


def _facts(values: FieldValues, tables: Iterable[Rescored]) -> dict[str, Any]:
    facts = {key: values[key] for key in values if key not in ("edition", "tables")}
    if "season" in facts:
        facts["season"] = facts["season"].pk
    if "stake" in facts:
        facts |= _stake(facts["stake"])
    numbers = {at.table.pk: at.table.number for at in tables}
    if "tables" in values:
        facts["tables"] = [
            {"number": numbers[pk], **_game(edition)}
            for pk, edition in values["tables"].items()
        ]
    elif "edition" in values:
        facts |= _game(values["edition"])
    return facts


def _stake(stake: Stake) -> dict[str, int]:
    parts = {"stake_parts": stake.denominator} if stake.denominator > 1 else {}
    return {"stake": stake.numerator, **parts}


def _game(edition: Edition) -> dict[str, Any]:
    return {"variant": edition.variant, "rules": edition.rules}


def _hands(tables: Iterable[Rescored]) -> Iterator[dict[str, Any]]:
    for at in tables:
        for row in at.rows:
            yield {
                "hand": row.hand,
                "table": at.table.number,
                "number": row.number_after,
                "before": row.gains_before,
                "after": row.gains_after,
            }
