"""Every combination of a game's options, and the hands that tell a change of one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import chain, combinations, islice, product
from random import Random

import scoring
from tests.scoring.worked import PLAYERS

NO_HAND = {}
"""A change may show at the table before anything is played."""
WITNESSES = 4
"""Hands that tell a change: where other options hide it in one, another tells it."""


# Rules


def every_combination(game):
    """Return all of them in a random order, in each a preset if the game has some."""
    variant = scoring.get_variant(game)
    points = {"preset": [preset.id for preset in variant.presets]}
    points |= {o.id: [choice.value for choice in o.choices] for o in variant.options}
    points = {id: choices for id, choices in points.items() if choices}
    every = [dict(zip(points, row, strict=True)) for row in product(*points.values())]
    Random(0).shuffle(every)
    return every


def every_pair(game):
    """Return combinations enough for any two choices to stand in one of them."""
    left = {pair for rules in every_combination(game) for pair in _pairs(rules)}
    chosen = []
    for rules in every_combination(game):
        if not left.isdisjoint(_pairs(rules)):
            left.difference_update(_pairs(rules))
            chosen.append(rules)
    return chosen


def _pairs(rules):
    return set(combinations(rules.items(), 2))


def some_values(game, rng):
    """Return values that a club could have changed, for about every third item."""
    variant, values = scoring.get_variant(game), {}
    for bonus in variant.bonuses:
        worth = {k for k in ("announced", "silent") if getattr(bonus, k) is not None}
        values[bonus.id] = {key: rng.randint(0, 50) for key in sorted(worth)}
    for item in (*variant.contracts, *variant.endings):
        if item.value:
            values[item.id] = {"value": rng.randint(0, 9)}
    values["holdings"] = {n: rng.randint(0, 9) for n in variant.holdings.values}
    return {id: new for id, new in values.items() if new and rng.random() < 0.3}


# Changes, by option, choice and place


def changes(variant, options=None):
    """Return what the choices in *options* change, or what any choice does."""
    return [
        (option.id, choice.value, place)
        for option in variant.options
        for choice in option.choices
        if options is None or choice.value == options[option.id]
        for place, _change in enumerate(choice.changes)
    ]


def shows(variant, change, rules):
    """Whether a scorer sees that *change* is one of the rules; None: not by these."""
    needs, hands = _told_by(variant, change)
    if not needs.items() <= scoring.Tariff.of(variant, rules).options.items():
        return None
    return any(True for _hand in _telling(variant, change, rules, hands))


@cache
def _told_by(variant, change):
    """Return the choices beside which *change* is seen, and hands that tell it."""
    own = {change[0]: change[1]}
    others = ({o.id: c.value} for o in variant.options for c in o.choices[1:])
    for needs in ({}, *others):
        told = _telling(variant, change, own | needs, _slips(variant, change))
        if (first := next(told, None)) == NO_HAND:
            return needs, [first]
        if first:
            return needs, [first, *islice(told, WITNESSES - 1)]
    raise AssertionError(f"no hand tells {change} of {variant}")


def _telling(variant, change, rules, hands):
    """Yield those *hands* that are not the same without *change*."""
    with_it = scoring.Tariff.of(variant, rules)
    without = scoring.Tariff.of(_lacking(variant, change), rules)
    for hand in hands:
        if _seen(with_it, hand) != _seen(without, hand):
            yield hand


@cache
def _lacking(variant, change):
    """Return *variant* with all that its choices change but *change*."""
    id, value, place = change

    def kept(choice):
        left = (*choice.changes[:place], *choice.changes[place + 1 :])
        return replace(choice, changes=left) if choice.value == value else choice

    return replace(
        variant,
        options=tuple(
            replace(o, choices=tuple(map(kept, o.choices))) if o.id == id else o
            for o in variant.options
        ),
    )


def _at_the_table(tariff):
    """Return what a scorer sees without a hand."""
    asked = {field.id: field.most for field in scoring.fields(tariff)}
    return asked, tariff.redeal, tariff.variant.pack.count(["SK"])


def _seen(tariff, slip):
    if slip == NO_HAND:
        return _at_the_table(tariff)
    hand, problems = scoring.examine(tariff, PLAYERS, slip)
    told = [(problem.code, problem.severity) for problem in problems]
    errors = any(problem.is_error for problem in problems)
    return told, () if errors else scoring.score(tariff, hand).payments


# Hands to tell changes by: small ones, every bonus with every other


def _slips(variant, change):
    id, value, place = change
    choices = {o.id: {c.value: c for c in o.choices} for o in variant.options}
    changed = choices[id][value].changes[place].of
    lines = [line for bonus in variant.bonuses for line in _lines(bonus)]
    first = [line for line in lines if line["bonus"] == changed] or lines
    return chain(
        [NO_HAND], _without_bonuses(variant), _with_bonuses(variant, first, lines)
    )


def _without_bonuses(variant):
    tie = variant.game.tie
    results = [{"won": True}, {"won": False}]
    results += [{"card_points": tie}] if tie else []
    sides = [{"partner": "B"}, *({"alone": reason.id} for reason in variant.alone)]
    held = [{}, {"holdings": {"A": next(iter(variant.holdings.values))}}]
    for contract, contra in product(variant.contract, (0, 1)):
        begun = {"contract": contract, "declarer": "A", "contra": contra}
        for ending in variant.endings:
            yield begun | {"ending": ending.id}
        for side, result, more in product(sides, results, held):
            yield begun | side | result | more


def _with_bonuses(variant, first, lines):
    contract = variant.contracts[-1].id
    begun = {"contract": contract, "declarer": "A", "partner": "B"}
    held = {"A": next(iter(variant.holdings.values))}
    for won in (True, False):
        for line in lines:
            yield begun | {"won": won, "bonuses": [line]}
            yield begun | {"won": won, "bonuses": [line], "holdings": held}
        for pair in product(first, lines):
            yield begun | {"won": won, "bonuses": list(pair)}


def _lines(bonus):
    if bonus.announced is not None:
        for player, made in product("AC", (True, False)):
            yield {"bonus": bonus.id, "announced_by": player, "made": made}
    for side, made in product(("declarer", "defenders"), (True, False)):
        yield {"bonus": bonus.id, "side": side, "made": made}
