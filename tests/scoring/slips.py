"""Slips as the form lets them be filled in, for any tariff: hypothesis's strategies."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

import scoring
from scoring.fields import Asks
from tests.scoring.worked import PLAYERS


@st.composite
def rules(draw, variant):
    """Some options chosen, a preset and a value or two changed."""
    game = scoring.get_variant(variant)
    chosen = {
        option.id: draw(st.sampled_from([choice.value for choice in option.choices]))
        for option in draw(st.lists(st.sampled_from(game.options), max_size=4))
    }
    if game.presets and draw(st.booleans()):
        chosen["preset"] = draw(st.sampled_from([preset.id for preset in game.presets]))
    if draw(st.integers(0, 3)) == 0:
        id = draw(st.sampled_from([b.id for b in game.bonuses if b.announced]))
        chosen["values"] = {id: {"announced": draw(st.integers(0, 50))}}
    return chosen


@st.composite
def accepted(draw, variant, rules):
    """A slip without errors: each further answer stays only where it fits."""
    tariff = scoring.tariff(variant, rules)
    fields = {field.id: field for field in scoring.fields(tariff)}
    slip = {"ending": draw(_answer(fields["ending"]))}
    for id in ("contract", "declarer"):
        if slip["ending"] in fields[id].endings:
            slip[id] = draw(_answer(fields[id]))
    if slip["ending"] in fields["won"].endings:
        result = fields[draw(st.sampled_from(["won", "card_points"]))]
        slip[result.id] = draw(_answer(result))
    assume(fits(tariff, slip))
    slip["bonuses"] = []
    for field in [fields["partner"], fields["contra"], *fields.values()]:
        if field.id in slip or slip["ending"] not in field.endings:
            continue
        if field.asks is not Asks.WHOLE and draw(st.booleans()):
            _keep(tariff, slip, {field.id: draw(_answer(field))})
    for line in draw(st.lists(_lines(fields["bonuses"]), max_size=6)):
        _keep(tariff, slip, {"bonuses": [*slip["bonuses"], line]})
    return slip | {"multiplier": draw(st.sampled_from([1, 1, 1, 2, 8]))}


@st.composite
def filled(draw, variant, rules):
    """A slip with answers of the form that need not fit each other."""
    tariff = scoring.tariff(variant, rules)
    slip = {}
    for field in scoring.fields(tariff):
        if draw(st.integers(0, 2)):
            slip[field.id] = draw(_answer(field))
    return slip


def fits(tariff, slip):
    _, problems = scoring.examine(tariff, PLAYERS, slip)
    return not any(problem.is_error for problem in problems)


def _keep(tariff, slip, more):
    if fits(tariff, slip | more):
        slip |= more


def _answer(field):
    match field.asks:
        case Asks.CHOICE:
            return st.sampled_from([answer.value for answer in field.answers])
        case Asks.PLAYER:
            return st.sampled_from(PLAYERS)
        case Asks.FLAG:
            return st.booleans()
        case Asks.WHOLE | Asks.LEVEL:
            return st.integers(0, field.most)
        case Asks.BONUSES:
            return st.lists(_lines(field), max_size=5)
        case Asks.HOLDINGS:
            held = st.sampled_from([answer.value for answer in field.answers])
            return st.dictionaries(st.sampled_from(PLAYERS), held, max_size=2)


def _lines(field):
    return _line(
        tuple((b.id, b.announced, b.silent, b.silent_can_fail) for b in field.bonuses)
    )


@st.composite
def _line(draw, bonuses):
    id, announced, silent, silent_can_fail = draw(st.sampled_from(bonuses))
    if silent is None or (announced is not None and draw(st.booleans())):
        return {
            "bonus": id,
            "announced_by": draw(st.sampled_from(PLAYERS)),
            "contra": draw(st.integers(0, 4)),
            "made": draw(st.booleans()),
        }
    return {
        "bonus": id,
        "side": draw(st.sampled_from(["declarer", "defenders"])),
        "made": not silent_can_fail or draw(st.booleans()),
    }
