"""Statistics of whole evenings, of what is kept of them, and the hands behind them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import groupby
from uuid import uuid4

import pytest
from django.conf import settings

from ledger import journal, settlement, statistics
from ledger.demo import evening_files
from ledger.models import Entry, Player
from ledger.statistics import FIGURES, HandFilter, drill_down
from tests.support.fixtures import enter, won

FILES = sorted((settings.BASE_DIR / "fixtures" / "evenings").glob("*.json"))

WINS_WITH = {"taroki": 36, "paskievics": 48, "palatine": 48}


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def told(request):
    return json.loads(request.param.read_text())


@pytest.mark.django_db
def test_three_evenings_come_to_what_their_files_say(told, club, owner):
    """Every number again, the slow way, from the file alone."""
    evening = evening_files.record_evening(club, told, owner)
    names = dict(club.players.values_list("pk", "name"))
    about = f"{told['variant']}/"

    found = statistics.read(HandFilter(club))

    slow = Slow(told)
    assert found.hands == len(slow.hands)
    for pk, name in names.items():
        mine = {
            id: {
                names[int(a)] if id in ("with", "against") else a.removeprefix(about): n
                for a, n in found.digest.sums.get(id, {}).get(str(pk), {}).items()
            }
            for id in Slow.FIGURES
        }
        assert mine == {id: dict(slow.sums[id, name]) for id in Slow.FIGURES}
        best, worst = (
            found.best(names_to(club, name)),
            found.worst(names_to(club, name)),
        )
        gains = slow.gains(name)
        assert (best.value, worst.value) == (max(gains), min(gains))
        runs = found.digest.streaks[str(pk)]
        assert [run.length if run else 0 for run in (runs.plus, runs.minus)] == [
            longest(gains, 1),
            longest(gains, -1),
        ]
    assert {row.player.name: row.points for row in found.ranking()} == told["totals"]
    assert {
        row.player.name: row.money[told["stake"]["currency"]] for row in found.ranking()
    } == told["money_minor"]
    swings = [sum(g for g in h["payments"].values() if g > 0) for h in slow.hands]
    record = next(r for r in found.records() if r.figure.id == "highest")
    assert record.value == max(swings)
    assert found.curve().points[-1].hands == len(slow.hands)
    assert found.curve().points[-1].evening == evening.pk


def names_to(club, name):
    return club.players.get(name=name)


def longest(gains, sign):
    runs = groupby(gains, key=lambda gain: (gain > 0) - (gain < 0))
    return max((len(list(run)) for of, run in runs if of == sign), default=0)


class Slow:
    """The figures of an evening from its file, without any of our own code."""

    FIGURES = (
        *("hands", "thrown_in", "as_declarer", "as_partner", "as_defender", "as_alone"),
        *("contract", "announced", "with", "against", "mayor"),
    )

    def __init__(self, told):
        self.sums = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
        self.hands = []
        for hand in told["hands"]:
            if hand["hand"].get("ending", "played") in ("passed", "annulled"):
                for name in hand["players"]:
                    self.add("thrown_in", name, "", False, 0)
            else:
                self.hands.append(hand)
                self.count(hand, WINS_WITH[told["variant"]])

    def gains(self, name):
        return [h["payments"][name] for h in self.hands if name in h["players"]]

    def add(self, figure, name, about, hit, points):
        row = self.sums[figure, name][about]
        row[0] += 1
        row[1] += hit
        row[2] += points

    def count(self, hand, wins_with):
        record, gains = hand["hand"], hand["payments"]
        declarer, partner = record["declarer"], record.get("partner")
        side = {declarer, partner or declarer}
        points = record.get("card_points")
        takes = record["won"] if points is None else points >= wins_with
        self.add("contract", declarer, record["contract"], takes, gains[declarer])
        for bonus in record.get("bonuses", []):
            if who := bonus.get("announced_by"):
                self.add("announced", who, bonus["bonus"], bonus["made"], 0)
        if lost := record.get("xxi_lost_by"):
            self.add("mayor", lost, "", True, gains[lost])
        for name in hand["players"]:
            gain = gains[name]
            self.add("hands", name, "", gain > 0, gain)
            role = (
                ("as_declarer" if partner else "as_alone")
                if name == declarer
                else "as_partner"
                if name == partner
                else "as_defender"
            )
            self.add(role, name, "", takes is (name in side), gain)
            for other in set(hand["players"]) - {name}:
                together = (other in side) is (name in side)
                figure = "with" if together else "against"
                self.add(figure, name, other, gain > 0, gain)


@pytest.mark.django_db
def test_behind_every_figure_are_as_many_hands_as_it_counts(told, club, owner):
    """Report 71: whether the evening is open or closed."""
    evening = evening_files.record_evening(club, told, owner)
    scope = HandFilter(club)
    open_ones = numbers_behind(scope)

    journal.close_evening(evening, by=owner)

    assert numbers_behind(scope) == open_ones
    for (figure, _player, _about), (count, behind) in open_ones.items():
        # Of one bonus both sides may have a line in one hand.
        assert len(behind) == count if figure not in BY_LINE else len(behind) <= count


BY_LINE = ("missed", "captured", "club_silent")
SAMPLE = (
    *("hands", "as_alone", "contract", "with", "seats"),
    *BY_LINE,
)


def numbers_behind(scope):
    sums = statistics.read(scope).digest.sums
    return {
        (figure, player, about): (
            row[0],
            [
                played.place.number
                for played in drill_down(
                    scope, figure, Player.objects.filter(pk=player).first(), about
                ).hands
            ],
        )
        for figure in SAMPLE
        for player, abouts in sorted(sums.get(figure, {}).items())[:2]
        for about, row in sorted(abouts.items())[:1]
    }


@pytest.mark.django_db
def test_a_game_or_a_table_alone_leaves_out_the_others(night, club, people, owner):
    night("2026-11-13", 2)
    table = night("2026-11-20", 3, variant="paskievics", close=False)
    enter(table.evening, owner, Entry.Kind.ADJUSTMENT, Ania=5, Bartek=-5)
    journal.close_evening(table.evening, by=owner)

    def hands(**limits):
        found = statistics.read(HandFilter(club, **limits))
        return found.hands, found.games, sum(map(abs, found.digest.adjusted.values()))

    assert hands() == (5, ("paskievics", "taroki"), 10)
    assert hands(variant="taroki") == (2, ("taroki",), 0)
    assert hands(variant="paskievics") == (3, ("paskievics",), 10)
    assert hands(table=1) == (5, ("paskievics", "taroki"), 0)
    assert hands(table=1, variant="paskievics") == (3, ("paskievics",), 0)
    assert hands(table=2) == (0, (), 0)


@pytest.mark.django_db
def test_ranks_are_shared_and_never_more_than_the_ranked(night, club, owner, people):
    """Reports 56, 94, 98, 125 and 128: leavers stay, absent evenings are no zeros."""
    night("2026-11-13", 2)
    table = night("2026-11-20", 1, seats=5, close=False)
    enter(table.evening, owner, Entry.Kind.ADJUSTMENT, Darek=30, Ewa=-30)
    settled = settlement.SettlementScope.of_evening(table.evening)
    journal.pay(settled, people[1], people[0], 60, id=uuid4(), by=owner)
    Player.objects.filter(name="Ania").update(retired=True)
    found = statistics.read(HandFilter(club))

    total = found.ranking()
    average = found.ranking("average", least=2)
    money = found.ranking("money", currency="PLN")

    # What Ania and Celina win by a hand Bartek and Darek win by the next: of three
    # hands Ania and Celina have 3 points.
    assert [(r.place, r.player.name, r.points, r.adjusted) for r in total] == [
        (1, "Darek", 27, 30),
        (2, "Ania", 3, 0),
        (2, "Celina", 3, 0),
        (4, "Bartek", -3, 0),
        (None, "Ewa", -30, -30),
    ]
    assert [(r.place, r.player.name, r.average) for r in average] == [
        (1, "Ania", 1),
        (1, "Celina", 1),
        (3, "Bartek", -1),
        (3, "Darek", -1),
        (None, "Ewa", None),
    ]
    assert [r.place for r in found.ranking("average", least=4)] == [None] * 5
    assert [(r.place, r.money["PLN"]) for r in money][:2] == [(1, 540), (2, 60)]
    assert sum(row.points for row in total) == 0
    assert {row.player.name: row.evenings for row in total}["Ania"] == 2


@pytest.mark.django_db
def test_two_tables_of_one_evening_are_one_evening_to_those_at_both(
    night, club, owner, people, record
):
    table = night("2026-11-20", 1, close=False)
    Player.objects.bulk_create(
        Player(club=club, name=name) for name in ("Gosia", "Henryk")
    )
    more = list(club.players.order_by("pk")[4:])
    other = journal.add_table(
        table.evening, seats=more, dealer=more[-1], edition=table.edition
    )
    record(other)
    journal.close_evening(table.evening, by=owner)

    found = statistics.read(HandFilter(club))

    assert (found.hands, found.evenings) == (2, 1)
    assert {row.evenings for row in found.ranking()} == {1}
    assert statistics.read(HandFilter(club, table=2)).hands == 1


@pytest.mark.django_db
def test_pages_of_hands_go_back_to_the_first(night, club, monkeypatch):
    """The latest hand first, page by page, whatever is open."""
    monkeypatch.setattr(statistics.drilldown, "PAGE_SIZE", 2)
    monkeypatch.setattr(statistics.drilldown, "MOST_EVENINGS", 2)
    night("2026-11-06", 1)
    night("2026-11-13", 0)
    night("2026-11-14", 0)
    night("2026-11-20", 2)
    night("2026-11-27", 3, close=False)
    ania = club.players.get(name="Ania")
    found, before = [], ""

    while True:
        page = drill_down(HandFilter(club), "hands", ania, before=before)
        found += [(hand.place.date, hand.place.number) for hand in page.hands]
        before = page.earlier
        if not before:
            break

    assert found == [
        ("2026-11-27", 3),
        ("2026-11-27", 2),
        ("2026-11-27", 1),
        ("2026-11-20", 2),
        ("2026-11-20", 1),
        ("2026-11-06", 1),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("before", ["x", "2026-11-20", "2026-11-20/1/x/1", "1/2/3/4"])
def test_a_place_that_no_page_said_is_refused(club, before):
    with pytest.raises(ValueError, match=r"."):
        drill_down(HandFilter(club), "hands", before=before)


@pytest.mark.django_db
def test_behind_a_run_and_a_record_are_its_hands(night, club, record, people):
    night("2026-11-06", 2)
    night("2026-11-13", 1)
    table = night("2026-11-20", 1, close=False)
    for _deal in range(2):
        record(table, {"ending": "passed"})
    scope, (ania, bartek) = HandFilter(club), people[:2]
    third = statistics.read(scope).records()[2]

    def behind(figure, player=None, about=""):
        hands = drill_down(scope, figure, player, about).hands
        return [(hand.place.date[-2:], hand.place.number) for hand in hands]

    assert behind("plus_streak", ania) == [("20", 1), ("13", 1)]
    assert behind("current_streak", bartek) == [("20", 1), ("13", 1)]
    assert behind("best", bartek) == [("06", 2)]
    assert behind("worst", ania) == [("06", 2)]
    assert behind("thrown_in_run") == [("20", 3), ("20", 2)]
    assert behind("highest") == [("06", 1)]
    assert behind("highest", about=third.about) == [("13", 1)]
    assert behind("highest", about="1/1/99") == []
    assert behind("plus_streak", people[5]) == []


QUERIES = 9


@pytest.mark.django_db
def test_reading_takes_the_same_queries_for_any_number_of_hands(
    night, club, record, django_assert_num_queries
):
    table = night("2026-11-20", 1, close=False)
    counted = []
    for hands in (0, 5):
        for day in range(hands):
            night(f"2026-11-{day + 1:02}", 1)
            record(table)

        with django_assert_num_queries(QUERIES) as queries:
            found = statistics.read(HandFilter(club))
            found.ranking()
            for player in found.people.values():
                found.player(player)
            found.partners(), found.records(), found.mayors(), found.curve()
        counted.append(len(queries))

    assert found.hands == 11
    assert counted == [QUERIES, QUERIES]


@pytest.mark.django_db
def test_a_long_season_has_a_curve_of_so_many_points(night, club):
    """The last evening always has one; who came later has none before."""
    for day in range(1, 8):
        night(f"2026-11-{day:02}", 1, seats=4 if day < 7 else 5)

    curve = statistics.read(HandFilter(club)).curve(most=4)

    assert [point.date.day for point in curve.points] == [1, 3, 5, 7]
    assert [point.hands for point in curve.points] == [1, 3, 5, 7]
    assert curve.thinned
    assert Counter(map(len, curve.series.values())) == {4: len(curve.series)}


@pytest.mark.django_db
def test_the_hat_goes_from_head_to_head(night, club, record, people):
    table = night("2026-11-20", 0, variant="paskievics", close=False)
    for loser in (0, 2, 0):
        record(table, mond(won(people), people[loser].pk))
    found = statistics.read(HandFilter(club))

    worn = [(w.player.name, w.number, w.until is None) for w in found.mayors()]

    assert worn == [("Ania", 3, True), ("Celina", 2, False), ("Ania", 1, False)]
    assert [w.number for w in found.mayors(people[0])] == [3, 1]
    (third, second, first) = found.mayors()
    assert (first.until, second.until) == (second.since, third.since)


def mond(hand, loser):
    side = [{"bonus": "mond", "side": "defenders", "made": True}]
    return hand | {
        "contract": "three",
        "card_points": 60,
        "bonuses": side,
        "xxi_lost_by": loser,
    }


def test_every_figure_has_an_id_of_its_own():
    assert all(figure.id == id for id, figure in FIGURES.items())
