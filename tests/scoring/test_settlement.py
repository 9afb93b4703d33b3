"""The plan is as short as can be, the same every time, and stays when it is paid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.settlement import Transfer, at_least, hand_transfers, transfers


def balances(most, size=12):
    """Balances of up to *most* people, often with small sums that cancel out."""
    return st.lists(st.integers(-size, size), min_size=1, max_size=most - 1).map(
        lambda some: dict(enumerate([*some, -sum(some)]))
    )


def fewest(left):
    """Try every payment that clears the first open balance: the plain search."""
    left = [balance for balance in left if balance]
    if not left:
        return 0
    first, *others = left
    return 1 + min(
        fewest([*others[:i], other + first, *others[i + 1 :]])
        for i, other in enumerate(others)
        if (other < 0) != (first < 0)
    )


def best(left, known, avoided=()):
    """Try everybody who can be done with one payment, and then all of the others.

    How many payments the shortest plan there is has, how many of them are avoided
    where possible, the amounts, largest first, and the payments.
    """
    if left not in known:
        owe = [i for i, balance in enumerate(left) if balance < 0]
        owed = [i for i, balance in enumerate(left) if balance > 0]
        plans = [(0, 0, (), ())] if not owe else []
        for payer in owe:
            for payee in owed:
                paid = min(-left[payer], left[payee])
                then = list(left)
                then[payer] += paid
                then[payee] -= paid
                count, shunned, amounts, payments = best(tuple(then), known, avoided)
                shunned += (payer, payee) in avoided
                amounts = tuple(sorted((*amounts, paid), reverse=True))
                payments = tuple(sorted((*payments, (payer, payee, paid))))
                plans.append((count + 1, shunned, amounts, payments))
        known[left] = min(plans)
    return known[left]


def settled(left, plan):
    left = dict(left)
    for transfer in plan:
        left[transfer.payer] += transfer.amount
        left[transfer.payee] -= transfer.amount
    return left


@given(balances(7))
def test_the_plan_is_as_short_as_the_plain_search_finds(left):
    assert len(transfers(left)) == fewest(left.values())


@given(balances(7))
@settings(deadline=None)
def test_of_the_shortest_plans_it_is_the_most_even_one(left):
    """Nobody has to pay and to receive there, so that is as rare as can be."""
    _count, _shunned, amounts, payments = best(tuple(left.values()), {})

    plan = transfers(left)

    assert sorted((t.amount for t in plan), reverse=True) == list(amounts)
    assert [(t.payer, t.payee, t.amount) for t in plan] == list(payments)


PAIRS = st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8)


@given(balances(7, size=6), PAIRS)
@settings(deadline=None)
def test_of_the_shortest_plans_it_is_the_one_that_avoids_most(left, avoided):
    _count, _shunned, _amounts, payments = best(tuple(left.values()), {}, avoided)

    plan = transfers(left, avoided)

    assert [(t.payer, t.payee, t.amount) for t in plan] == list(payments)


@given(balances(12))
def test_the_plan_clears_everybody_whatever_is_avoided(left):
    avoided = [(t.payer, t.payee) for t in transfers(left)]

    plan = transfers(left, avoided)

    assert set(settled(left, plan).values()) == {0}
    assert len(plan) == len(avoided)


@given(balances(24))
def test_the_plan_clears_everybody(left):
    plan = transfers(left)

    assert set(settled(left, plan).values()) == {0}
    assert all(transfer.amount > 0 for transfer in plan)
    assert len(plan) <= max(0, sum(map(bool, left.values())) - 1)


@given(balances(24))
def test_nobody_both_pays_and_receives(left):
    for transfer in transfers(left):
        assert left[transfer.payer] < 0 < left[transfer.payee]


@given(balances(12), st.randoms(use_true_random=False))
def test_the_order_of_the_balances_does_not_matter(left, random):
    shuffled = list(left.items())
    random.shuffle(shuffled)

    assert transfers(dict(shuffled)) == transfers(left)


@given(balances(8, size=6), st.data())
def test_the_rest_of_the_plan_stays_when_one_payment_is_made(left, data):
    plan = transfers(left)
    if not plan:
        return
    paid = data.draw(st.sampled_from(plan))

    rest = transfers(settled(left, [paid]))

    assert rest == [transfer for transfer in plan if transfer != paid]


@given(balances(7), st.integers(2, 1000))
def test_a_higher_stake_changes_the_amounts_alone(left, stake):
    dearer = transfers({who: points * stake for who, points in left.items()})

    assert dearer == [
        Transfer(plain.payer, plain.payee, plain.amount * stake)
        for plain in transfers(left)
    ]


@pytest.mark.parametrize(
    ("left", "plan"),
    [
        ({}, []),
        ({"Ania": 0}, []),
        ({"Ania": 0, "Bartek": 0}, []),
        ({"Ania": -1, "Bartek": 1}, [Transfer("Ania", "Bartek", 1)]),
        (
            {"Ania": -(10**15), "Bartek": 10**15 - 1, "Celina": 1},
            [
                Transfer("Ania", "Bartek", 10**15 - 1),
                Transfer("Ania", "Celina", 1),
            ],
        ),
        (  # in the order of the names Ania would pay 6 to Celina, and 1 to Darek
            {"Ania": -7, "Bartek": -4, "Celina": 6, "Darek": 5},
            [
                Transfer("Ania", "Celina", 2),
                Transfer("Ania", "Darek", 5),
                Transfer("Bartek", "Celina", 4),
            ],
        ),
        (  # two pairs, although the first who is owed could be paid by the first
            {"Ania": -3, "Bartek": 5, "Celina": -5, "Darek": 3},
            [Transfer("Ania", "Darek", 3), Transfer("Celina", "Bartek", 5)],
        ),
    ],
)
def test_a_plan(left, plan):
    assert transfers(left) == plan


def test_balances_that_do_not_cancel_out_are_refused():
    with pytest.raises(ValueError, match=r"sum to 0, they sum to -2"):
        transfers({"Ania": -5, "Bartek": 3})


@given(st.integers(17, 40), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_many_pairs_are_found_at_any_size(pairs, random):
    amounts = [random.randint(1, 10**9) for _ in range(pairs)]
    left = dict(enumerate([*amounts, *(-amount for amount in amounts)]))

    assert len(transfers(left)) == pairs


def test_threes_are_found_among_many():
    threes = [(3**n, 3**n * 4, -5 * 3**n) for n in range(9)]
    left = dict(enumerate(balance for three in threes for balance in three))

    assert len(transfers(left)) == 18


def test_sixteen_who_can_pair_off_in_thousands_of_ways_make_eight_payments():
    left = {person: 5 if person % 2 else -5 for person in range(16)}

    plan = transfers(left)

    people = [person for row in plan for person in (row.payer, row.payee)]
    assert sorted(people) == [*range(16)]
    assert {row.amount for row in plan} == {5}


@pytest.mark.parametrize(
    ("gains", "expected"),
    [
        ((-6, 6, -6, 6), [(0, 1, 6), (2, 3, 6)]),
        ((6, -6, 6, -6), [(1, 2, 6), (3, 0, 6)]),
        ((-6, -6, 6, 6), [(0, 3, 6), (1, 2, 6)]),
        ((6, -6, -6, 6), [(1, 0, 6), (2, 3, 6)]),
        ((-2, 6, -2, -2), [(0, 1, 2), (2, 1, 2), (3, 1, 2)]),
        ((24, -8, -8, -8), [(1, 0, 8), (2, 0, 8), (3, 0, 8)]),
        ((0, 0, 0, 0), []),
    ],
)
def test_coins_go_to_the_neighbour(gains, expected):
    assert [(t.payer, t.payee, t.amount) for t in hand_transfers(gains)] == expected


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=3))
def test_after_the_coins_everybody_has_what_the_hand_moved(three):
    gains = [*three, -sum(three)]

    moved = [0] * 4
    for coin in hand_transfers(gains):
        moved[coin.payer] -= coin.amount
        moved[coin.payee] += coin.amount

    assert moved == gains


def test_the_least_number_of_payments_is_exact_among_few_and_a_bound_among_many():
    few = {"A": -5, "B": 8, "C": -3}
    pairs = {person: 5 if person % 2 else -5 for person in range(18)}
    one_owes_all = {**dict.fromkeys(range(17), 1), 17: -17}

    assert (at_least(few), at_least(pairs), at_least(one_owes_all)) == (2, 9, 17)


def test_gains_of_no_two_sides_are_settled_with_the_fewest_payments():
    assert hand_transfers([8, -5, -3, 0]) == (Transfer(1, 0, 5), Transfer(2, 0, 3))


def test_a_circle_of_many_whose_balances_do_not_cancel_out_is_settled_as_one():
    left = {person: 2**person for person in range(17)}
    left[17] = -sum(left.values())

    plan = transfers(left)

    assert [row.amount for row in plan] == [2**person for person in range(17)]
