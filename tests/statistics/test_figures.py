"""Every figure counts what its definition says, in hands whose values are known."""

from __future__ import annotations

import json
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.statistics import FIGURES, digest
from ledger.statistics.digest import Best, Digest
from ledger.statistics.played_hand import HandPosition
from ledger.statistics.running_totals import RunningTotals
from tests.support.played_hands import played_hand, thrown_in, won

A, B, C, D = 1, 2, 3, 4
CLUB = 0

TIE = {"tie_47": "no_payment"}

HANDS = [
    # A and C win a doubled three: A +6, B -6, C +6, D -6.
    played_hand(1, {"contract": "3", "declarer": A, "partner": C, "card_points": 41}
         | {"contra": 1}),
    # B alone loses a two, and the others make the trul: B -12, the others +4.
    played_hand(2, {"contract": "2", "declarer": B, "card_points": 30}
         | {"bonuses": [{"bonus": "trul", "side": "defenders", "made": True}]},
         (B, C, D, A)),
    thrown_in(3, players=(C, D, A, B)),
    # C and D win a one, D's pagat against a contra: C +5, D +5, A -5, B -5.
    played_hand(4, {"contract": "1", "declarer": C, "partner": D, "card_points": 55}
         | {"bonuses": [
             {"bonus": "pagat_ultimo", "announced_by": D, "contra": 1, "made": True}
         ]},
         (C, D, A, B)),
    # A and B win a one; B's king fails at a rekontra and is captured:
    # A -8, B -8, C +8, D +8.
    played_hand(5, {"contract": "1", "declarer": A, "partner": B, "card_points": 36}
         | {"bonuses": [
             {"bonus": "king_ultimo", "announced_by": B, "contra": 2, "made": False},
             {"bonus": "king_captured", "side": "defenders", "made": True},
         ]},
         (D, A, B, C)),
    # B and D win a three, and B loses the XXI: A +19, B -19, C +19, D -19.
    played_hand(6, {"contract": "three", "declarer": B, "partner": D, "card_points": 60}
         | {"called": "19", "xxi_lost_by": B}
         | {"bonuses": [{"bonus": "mond", "side": "defenders", "made": True}]},
         variant="paskievics"),
    # 47 to 47: nobody pays.
    played_hand(7, {"contract": "two", "declarer": C, "partner": A, "card_points": 47}
         | {"called": "20"}, variant="paskievics", rules=TIE),
    # D gives up: D -6, the others +2.
    played_hand(8, {"ending": "surrendered", "contract": "3", "declarer": D}),
]  # fmt: skip

VALUES = {
    ("hands", A): {"": [7, 4, 18]},
    ("hands", B): {"": [7, 1, -48]},
    ("hands", C): {"": [7, 6, 44]},
    ("hands", D): {"": [7, 3, -14]},
    ("thrown_in", A): {"": [1, 0, 0]},
    ("as_declarer", A): {"": [2, 2, -2]},
    ("as_declarer", B): {"": [1, 1, -19]},
    ("as_declarer", C): {"": [2, 1, 5]},
    ("as_declarer", D): {"": [1, 0, -6]},
    ("as_partner", A): {"": [1, 0, 0]},
    ("as_partner", D): {"": [2, 2, -14]},
    ("as_defender", A): {"": [4, 2, 20]},
    ("as_defender", B): {"": [4, 1, -9]},
    ("as_defender", C): {"": [4, 2, 33]},
    ("as_defender", D): {"": [4, 1, 6]},
    ("as_alone", A): {},
    ("as_alone", B): {"": [1, 0, -12]},
    ("contract", A): {"taroki/3": [1, 1, 6], "taroki/1": [1, 1, -8]},
    ("contract", B): {"taroki/2": [1, 0, -12], "paskievics/three": [1, 1, -19]},
    ("contract", C): {"taroki/1": [1, 1, 5], "paskievics/two": [1, 0, 0]},
    ("contract", D): {"taroki/3": [1, 0, -6]},
    ("announced", A): {},
    ("announced", B): {"taroki/king_ultimo": [1, 0, 0]},
    ("announced", D): {"taroki/pagat_ultimo": [1, 1, 0]},
    ("silent", A): {"taroki/trul": [1, 1, 0], "paskievics/mond": [1, 1, 0]},
    ("silent", B): {},
    ("silent", D): {"taroki/trul": [1, 1, 0], "taroki/king_captured": [1, 1, 0]},
    # A captured king cannot be announced, so that nobody misses it.
    ("missed", C): {"taroki/trul": [1, 1, 0], "paskievics/mond": [1, 1, 0]},
    ("missed", D): {"taroki/trul": [1, 1, 0]},
    ("contra_given", A): {
        "taroki/pagat_ultimo": [1, 0, 0],
        "taroki/king_ultimo": [1, 0, 0],
    },
    ("contra_given", C): {"taroki/king_ultimo": [1, 1, 0]},
    ("contra_given", D): {"taroki/3": [1, 0, 0], "taroki/king_ultimo": [1, 1, 0]},
    ("contra_received", A): {
        "taroki/3": [1, 1, 0],
        "taroki/king_ultimo": [1, 0, 0],
    },
    ("contra_received", B): {"taroki/king_ultimo": [1, 0, 0]},
    ("contra_received", D): {
        "taroki/pagat_ultimo": [1, 1, 0],
        "taroki/king_ultimo": [1, 1, 0],
    },
    ("captured", A): {"paskievics/mond": [1, 1, 0]},
    ("captured", D): {"taroki/king_captured": [1, 1, 0]},
    ("suffered", B): {
        "taroki/king_captured": [1, 1, 0],
        "paskievics/mond": [1, 1, 0],
    },
    ("suffered", C): {},
    ("mayor", A): {},
    ("mayor", B): {"": [1, 1, -19]},
    ("with", A): {"2": [3, 1, -11], "3": [5, 4, 31], "4": [1, 1, 4]},
    ("against", A): {"2": [4, 3, 29], "3": [2, 0, -13], "4": [6, 3, 14]},
    ("contracts", CLUB): {
        "taroki/1": [2, 2, -3],
        "taroki/2": [1, 0, -12],
        "taroki/3": [2, 1, 0],
        "paskievics/three": [1, 1, -19],
        "paskievics/two": [1, 0, 0],
    },
    ("seats", CLUB): {
        "0": [3, 2, -1],
        "1": [2, 2, -27],
        "2": [1, 0, 0],
        "3": [1, 0, -6],
    },
    ("club_announced", CLUB): {
        "taroki/king_ultimo": [1, 0, 0],
        "taroki/pagat_ultimo": [1, 1, 0],
    },
    ("club_silent", CLUB): {
        "taroki/trul": [1, 1, 0],
        "taroki/king_captured": [1, 1, 0],
        "paskievics/mond": [1, 1, 0],
    },
}
"""Count, successes and points of each row, worked out by hand."""


@pytest.fixture(scope="module")
def counted():
    return digest.of_table(HANDS)


@pytest.mark.parametrize(("figure", "player"), VALUES)
def test_a_figure_counts_what_it_says(counted, figure, player):
    """Reports 71 and 122."""
    abouts = counted.sums.get(figure, {}).get(str(player), {})

    assert abouts == VALUES[figure, player]


def test_every_figure_is_defined_and_every_one_that_counts_is_proved():
    proved = {figure for figure, _player in VALUES}

    assert all(str(figure.name) and str(figure.definition) for figure in ALL)
    assert {figure.id for figure in ALL if figure.counter} == proved


ALL = FIGURES.values()


def test_best_and_worst_hands_are_the_first_of_equal_ones():
    again = [*HANDS, played_hand(9, HANDS_LIKE_SIX, variant="paskievics")]
    found = digest.of_table(again)

    bests = {who: (best.value, best.last) for who, best in found.best.items()}
    worsts = {who: (worst.value, worst.last) for who, worst in found.worst.items()}

    assert bests == {"1": (19, 6), "2": (2, 8), "3": (19, 6), "4": (8, 5)}
    assert worsts == {"1": (-8, 5), "2": (-19, 6), "3": (0, 7), "4": (-19, 6)}


HANDS_LIKE_SIX = {
    "contract": "three",
    "declarer": B,
    "partner": D,
    "card_points": 60,
    "called": "19",
    "bonuses": [{"bonus": "mond", "side": "defenders", "made": True}],
}


@pytest.mark.parametrize(
    ("player", "plus", "minus", "current"),
    [
        (A, (2, 1, 2), (2, 4, 5), (1, 1)),
        (B, (1, 8, 8), (5, 1, 6), (1, 1)),
        (C, (5, 1, 6), None, (1, 1)),
        (D, (3, 2, 5), (1, 1, 1), (-1, 1)),
    ],
)
def test_runs_end_with_a_hand_of_nothing_and_not_with_a_deal_thrown_in(
    counted, player, plus, minus, current
):
    runs = counted.streaks[str(player)]

    spans = [
        run and (run.length, run.first.number, run.last.number)
        for run in (runs.plus, runs.minus)
    ]

    assert spans == [plus, minus]
    assert (runs.tail.sign, runs.tail.length) == current


def test_records_are_the_largest_swing_the_longest_run_and_the_biggest_comeback(
    counted,
):
    values = {
        id: [(best.value, best.place.number, best.last, best.player) for best in some]
        for id, some in counted.records.items()
    }

    assert values == {
        "highest": [(38, 6, 6, None), (16, 5, 5, None), (12, 1, 1, None)],
        "thrown_in_run": [(1, 3, 3, None)],
        # A was at -3 after hand 5 and ended with 18, B rose from -50 to -48.
        "comeback": [(21, 5, 8, A), (2, 6, 8, B)],
    }


def test_deals_thrown_in_run_on_at_their_table_only():
    one = digest.of_table([thrown_in(1), won(2), thrown_in(3), thrown_in(4)])
    other = digest.of_table([thrown_in(1, table=2), won(2, table=2)])

    both = digest.merged([one, other])

    assert [best.value for best in both.records["thrown_in_run"]] == [2, 1, 1]


def test_days_money_pace_and_the_hat_follow_from_the_hands(counted):
    """Reports 55 and 113."""
    assert counted.days == {
        "2026-11-20/1": {
            "0": [0, 7, 1],
            "1": [18, 7, 1],
            "2": [-48, 7, 1],
            "3": [44, 7, 1],
            "4": [-14, 7, 1],
        }
    }
    assert counted.money == {
        "1": {"PLN": 360},
        "2": {"PLN": -960},
        "3": {"PLN": 880},
        "4": {"PLN": -280},
    }
    # Eight deals, five minutes apart.
    assert counted.pace == [7, 35 * 60]
    assert [(hat.player, hat.place.number) for hat in counted.hats] == [(B, 6)]


def evening(number, hands):
    """An evening of its own day, from kinds of hands."""
    day = f"2026-11-{number:02}"
    kinds = {
        "won": lambda n: won(n, evening=number, day=day),
        "lost": lambda n: won(n, B, D, evening=number, day=day),
        "thrown in": lambda n: thrown_in(n, evening=number, day=day),
        "mond": lambda n: played_hand(
            n,
            HANDS_LIKE_SIX | {"xxi_lost_by": B},
            variant="paskievics",
            evening=number,
            day=day,
        ),
    }
    return [kinds[kind](n) for n, kind in enumerate(hands, start=1)]


KINDS = st.lists(st.sampled_from(["won", "lost", "thrown in", "mond"]), max_size=4)


@given(st.lists(KINDS, min_size=1, max_size=6), st.data())
def test_digests_come_to_the_same_however_they_are_put_together(evenings, data):
    digests = [
        digest.of_table(evening(number, hands)).dump()
        for number, hands in enumerate(evenings, start=1)
    ]
    cut = data.draw(st.integers(0, len(digests)))

    one_by_one = list(accumulate(digests, _put, initial=Digest().dump()))[-1]
    in_two = _put(
        digest.merged(map(Digest.load, digests[:cut])).dump(),
        digest.merged(map(Digest.load, digests[cut:])).dump(),
    )

    assert in_two == one_by_one


def _put(one, other):
    return digest.merged([Digest.load(one), Digest.load(other)]).dump()


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), max_size=40), st.data())
def test_a_thinned_course_is_the_same_however_it_was_put_together(moves, data):
    """Evening after evening, or by months put together first; thinned in between."""
    days = [
        (f"2026-11-20/{number}", {"0": [0, 1, 1], "1": [won, 1, int(was_there)]})
        for number, (won, was_there) in enumerate(moves, start=1)
    ]
    one, whole, month = RunningTotals(), RunningTotals(), RunningTotals()
    for day in days:
        one.add_day(*day)
        one.thin(5)
        month.add_day(*day)
        if data.draw(st.booleans()):
            whole.add(month)
            month = RunningTotals()
    whole.add(month)
    whole.thin(5)

    assert one == whole
    assert one.dump() == RunningTotals.load(json.loads(json.dumps(one.dump()))).dump()
    totals = list(accumulate((won for won, _was_there in moves), initial=0))
    assert [p.totals["1"] for p in one.points] == [
        totals[p.ordinal] for p in one.points
    ]
    assert [p.ordinal for p in one.points][-1:] == [len(days)][: len(days)]
    assert len(one.points) <= 6


@given(st.lists(KINDS, min_size=1, max_size=5))
def test_runs_over_evenings_are_those_of_all_the_hands_in_a_row(evenings):
    nights = [evening(number, hands) for number, hands in enumerate(evenings, start=1)]
    gains = [hand.gain(A) for night in nights for hand in night if not hand.thrown_in]
    longest = max(
        (len(run) for run in "".join(map(_sign, gains)).split("-")), default=0
    )

    whole = digest.merged(map(digest.of_table, nights))

    runs = whole.streaks.get(str(A))
    assert (runs.plus.length if runs and runs.plus else 0) == longest


def _sign(gain):
    return "+" if gain > 0 else "-"


def test_of_equal_records_the_first_stands_before_the_others():
    night = digest.of_table([won(1), won(2), won(3), won(4)])

    found = night.records["highest"]

    place = HandPosition("2026-11-20", 1, 1, 1)
    assert found[0] == Best(2, place, 1, None, str(won(1).id))
    assert [best.place.number for best in found] == [1, 2, 3]
