"""What holds for every slip that the form accepts, under any tariff."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import scoring
from scoring.hand import BonusLine, Hand
from tests.scoring import oracle
from tests.scoring.slips import accepted, filled, fits, rules
from tests.scoring.worked import PLAYERS

examples = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
FIELDS = list(Hand.__dataclass_fields__)
MOSTLY_FIELDS = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=9), JSON)
LINE_LIKE = st.fixed_dictionaries(
    {"bonus": st.sampled_from(["trul", "high_game", "first_six"]) | JSON},
    optional=dict.fromkeys(("announced_by", "side", "contra", "made"), JSON),
)
pytestmark = pytest.mark.parametrize("variant", scoring.VARIANTS)


@examples
@given(data=st.data())
def test_payments_add_up_to_nothing_and_lines_to_the_units(variant, data):
    tariff, slip = _slip(data, variant)

    hand = scoring.parse(tariff, PLAYERS, slip)
    score = scoring.score(tariff, hand)

    assert sum(score.payments) == 0
    assert sum(line.points for line in score.lines) * hand.multiplier == score.units
    assert all(line.base << line.contra == line.points for line in score.lines)
    assert all(line.factor == 1 << line.contra for line in score.lines)
    assert all(str(line.why) and str(line.name) for line in score.lines)
    personal = [line.personal * hand.multiplier for line in score.lines]
    if not any(personal):
        assert {abs(gain) for gain in score.payments} <= {
            abs(score.units),
            abs(score.units) * (1 if slip.get("partner") else 3),
        }


@examples
@given(data=st.data())
def test_a_second_reading_of_the_rules_pays_the_same(variant, data):
    tariff, slip = _slip(data, variant)
    chosen = tariff.rules.get("preset")
    values = tariff.rules.get("values", {})

    paid = scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip)).payments

    if variant == "taroki":
        assert paid == oracle.taroki(slip, tariff.options, values)
    else:
        assert paid == oracle.hungarian(slip, tariff.options, values, chosen)


@examples
@given(data=st.data(), seats=st.permutations(PLAYERS))
def test_swapping_seats_swaps_payments(variant, data, seats):
    tariff, slip = _slip(data, variant)

    before, after = (
        scoring.score(tariff, scoring.parse(tariff, players, slip))
        for players in (PLAYERS, seats)
    )

    assert before.units == after.units
    assert dict(zip(PLAYERS, before.payments, strict=True)) == dict(
        zip(seats, after.payments, strict=True)
    )


@examples
@given(data=st.data())
def test_one_more_contra_doubles_that_line_and_no_other(variant, data):
    tariff, slip = _slip(data, variant, ending="played")
    top, game = tariff.variant.ladder.top, tariff.variant.game
    raised = [slip | {"contra": slip.get("contra", 0) + 1}] + [
        slip | {"bonuses": _raised(slip["bonuses"], number)}
        for number in range(len(slip["bonuses"]))
    ]
    if slip.get("card_points") == game.tie:
        raised[0] = slip  # the last doubler may lose: another winner

    before = _lines(tariff, slip)
    for higher in raised:
        levels = [higher.get("contra", 0), *_levels(higher)]
        if max(levels) > top or not fits(tariff, higher):
            continue
        after = _lines(tariff, higher)
        assert before.keys() == after.keys()
        for item, line in before.items():
            now = after[item]
            if now.contra > line.contra >= 1:
                assert now.points == 2 * line.points
            elif now.contra == line.contra and not _was_first(before, after):
                assert (now.points, now.why) == (line.points, line.why)


@examples
@given(data=st.data())
def test_a_hand_is_the_same_after_json_there_and_back(variant, data):
    tariff, slip = _slip(data, variant)

    hand = scoring.parse(tariff, PLAYERS, slip)
    record = json.loads(json.dumps(hand.record(PLAYERS)))

    assert scoring.parse(tariff, PLAYERS, record) == hand
    assert record == scoring.parse(tariff, PLAYERS, record).record(PLAYERS)


@examples
@given(data=st.data())
def test_a_refused_hand_says_why(variant, data):
    chosen = data.draw(rules(variant))
    tariff = scoring.tariff(variant, chosen)
    slip = data.draw(filled(variant, chosen))

    _, problems = scoring.examine(tariff, PLAYERS, slip)

    for problem in problems:
        said = str(problem.message)
        assert problem.field in FIELDS
        assert problem.code
        assert said[0].isupper() or said[0] in "“0123456789"
        assert said[-1] in ".?"
        assert "{" not in said
        values = problem.message.values.values()
        named = [v for v in values if isinstance(v, (scoring.Text, scoring.Who))]
        assert len(set(named)) == len(named), said
    assert len(set(problems)) == len(problems)


@examples
@given(data=st.data())
def test_a_field_of_any_kind_is_a_problem_or_a_fact(variant, data):
    tariff = scoring.tariff(variant, data.draw(rules(variant)))
    record = data.draw(JSON | MOSTLY_FIELDS)
    if isinstance(record, dict) and data.draw(st.booleans()):
        record["bonuses"] = data.draw(st.lists(LINE_LIKE))

    hand, problems = scoring.examine(tariff, PLAYERS, record)

    assert all(str(problem.message) for problem in problems)
    if not any(problem.is_error for problem in problems):
        assert sum(scoring.score(tariff, hand).payments) == 0


@examples
@given(data=st.data())
def test_a_barred_bonus_contradicts_and_no_other_does(variant, data):
    tariff, slip = _slip(data, variant, ending="played")
    hand = scoring.parse(tariff, PLAYERS, slip)

    barred = scoring.barred(tariff, hand)

    for line in _offered(tariff, hand):
        if line not in hand.bonuses:
            assert (line in barred) is not fits(tariff, _with(hand, line)), line
    assert all(str(reason) for reason in barred.values())


def _slip(data, variant, ending=None):
    chosen = data.draw(rules(variant))
    tariff = scoring.tariff(variant, chosen)
    slip = data.draw(accepted(variant, chosen))
    assume(ending in (None, slip["ending"]))
    return tariff, slip


def _raised(lines, number):
    raised = lines[number] | {"contra": lines[number].get("contra", 0) + 1}
    return [*lines[:number], raised, *lines[number + 1 :]]


def _levels(slip):
    return [line.get("contra", 0) for line in slip["bonuses"]]


def _lines(tariff, slip):
    score = scoring.score(tariff, scoring.parse(tariff, PLAYERS, slip))
    return {(line.item, line.kind, line.side, line.seat): line for line in score.lines}


def _was_first(before, after):
    """Whether the game was contra'd for the first time: it may count again then."""
    return any(after[item].contra > line.contra == 0 for item, line in before.items())


def _offered(tariff, hand):
    ours = (hand.declarer, hand.partner)
    for bonus in tariff.variant.bonuses:
        if bonus.announced is not None:
            for seat in range(4):
                side = scoring.Side.DECLARER if seat in ours else scoring.Side.DEFENDERS
                yield BonusLine(bonus.id, side, seat, 0, True)
                yield BonusLine(bonus.id, side, seat, 0, False)
        if bonus.silent is not None:
            for side in bonus.silent_by:
                yield BonusLine(bonus.id, side)


def _with(hand, line):
    record = hand.record(PLAYERS)
    kept = [b for b in hand.bonuses if (b.bonus, b.side) != (line.bonus, line.side)]
    changed = Hand(bonuses=(*kept, line)).record(PLAYERS)["bonuses"]
    return record | {"bonuses": changed}
