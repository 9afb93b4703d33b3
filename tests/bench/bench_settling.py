"""How often the fewest payments beat the usual greedy plan, and what a plan takes."""

from __future__ import annotations

import random

import pytest

from scoring.settlement import at_least, transfers

EVENINGS = 1000
HANDS = 40


def evening(some, people):
    """Return what everybody has after an evening of hands, each for 1 to 24 points."""
    left = dict.fromkeys(range(people), 0)
    for _hand in range(HANDS):
        one, two, *others = some.sample(range(people), 4)
        won = some.choice((1, -1)) * some.choice((1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 24))
        left[one] += won
        left[two] += won
        for other in others:
            left[other] -= won
    return left


def greedy(balances):
    """Return how many payments there are when who owes most pays who is owed most."""
    left, payments = dict(balances), 0
    while any(left.values()):
        payer, payee = min(left, key=left.get), max(left, key=left.get)
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        payments += 1
    return payments


@pytest.mark.parametrize("people", [8, 10, 12])
def test_fewer_than_greedy(benchmark, people):
    some = random.Random(people)
    evenings = [evening(some, people) for _ in range(EVENINGS)]

    plans = [len(transfers(left)) for left in evenings]

    usual = [greedy(left) for left in evenings]
    saved = [more - less for more, less in zip(usual, plans, strict=True)]
    assert min(saved) >= 0
    better = sum(map(bool, saved))
    benchmark.extra_info |= {"better": better, "saved": sum(saved)}
    print(
        f"\n{people} players: the fewest plan is shorter than the greedy one in "
        f"{better} of {EVENINGS} evenings, by {sum(saved) / max(better, 1):.2f} "
        f"payments each; {sum(usual) / EVENINGS:.2f} and {sum(plans) / EVENINGS:.2f} "
        "on average"
    )
    benchmark(transfers, evenings[0])


@pytest.mark.parametrize("people", [16, 30, 60])
def test_many_people(benchmark, people):
    some = random.Random(people)
    left = evening(some, people)
    for _more in range(people // 4):
        left = {
            who: had + won
            for (who, had), won in zip(
                left.items(), evening(some, people).values(), strict=True
            )
        }

    plan = benchmark(transfers, left)

    print(f"\n{people} people: {len(plan)} payments, at least {at_least(left)}")
    assert at_least(left) <= len(plan) < people
