"""The rating: who wins rises, chance is heavy, and what is kept follows from hands."""

from __future__ import annotations

from contextlib import suppress
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from ledger import journal
from ledger.models import EveningRating
from ledger.statistics import rating, rating_store
from ledger.statistics.load import PlayedEvening
from ledger.statistics.rating_model import START, games_of, rate
from tests.support.played_hands import played_hand, thrown_in, won

A, B, C, D = "1", "2", "3", "4"
WON = ([1, 3], [2, 4], 1)
LOST = ([1, 3], [2, 4], -1)
TIED = ([1, 3], [2, 4], 0)
ALONE = ([1], [2, 3, 4], 1)


def mu(state):
    return {who: kept[0] for who, kept in state.items()}


def games(*hands):
    return games_of(PlayedEvening(None, {1: ("taroki", hands)}, ()))


def test_who_won_against_whom_is_read_from_the_points():
    lost = played_hand(3, {"contract": "2", "declarer": 2, "card_points": 30})
    gave_up = played_hand(4, {"ending": "surrendered", "contract": "3", "declarer": 4})

    found = games(won(1), thrown_in(2), lost, gave_up)

    assert found == [
        ([1, 3], [2, 4], 1),
        ([2], [1, 3, 4], -1),
        ([4], [1, 2, 3], -1),
    ]


def test_a_tie_at_which_nobody_pays_is_a_draw():
    tie = {"contract": "two", "declarer": 3, "partner": 1, "card_points": 47}
    rules = {"tie_47": "no_payment"}

    found = games(
        played_hand(1, tie | {"called": "20"}, variant="paskievics", rules=rules)
    )

    assert found == [([1, 3], [2, 4], 0)]


def test_winners_rise_as_losers_fall_and_all_are_a_little_less_uncertain():
    state = rate({}, [WON])

    assert mu(state)[A] == mu(state)[C] > START > mu(state)[B] == mu(state)[D]
    assert mu(state)[A] + mu(state)[B] == pytest.approx(2 * START)
    assert {kept[1] for kept in state.values()} == {state[A][1]}
    assert state[A][1] < START / 3
    assert {kept[2] for kept in state.values()} == {1}


def test_a_side_may_be_named_first_or_last():
    assert rate({}, [WON]) == rate({}, [([2, 4], [1, 3], -1)])


def test_a_draw_of_equals_moves_nobody_and_of_others_brings_them_together():
    equal = rate({}, [TIED])
    before = rate({}, [WON, WON])
    after = rate(before, [TIED])

    assert set(mu(equal).values()) == {START}
    assert mu(after)[A] < mu(before)[A]
    assert mu(after)[B] > mu(before)[B]


def test_a_win_over_the_stronger_counts_more():
    before = rate({}, [LOST] * 5)

    upset, expected = (mu(rate(before, [game])) for game in (WON, LOST))

    assert upset[A] - mu(before)[A] > mu(before)[A] - expected[A] > 0


def test_a_lone_declarer_is_no_underdog():
    """He counts as three of himself: a lone win and a lone loss move him as much."""
    won_alone = mu(rate({}, [ALONE]))
    lost_alone = mu(rate({}, [(*ALONE[:2], -1)]))

    assert won_alone[A] - START == pytest.approx(START - lost_alone[A])
    assert won_alone[B] == won_alone[C] == won_alone[D] < START


def test_the_order_of_hands_and_evenings_is_that_of_play():
    together = rate({}, [WON, LOST, ALONE])

    one_by_one = {}
    for game in (WON, LOST, ALONE):
        one_by_one = rate(one_by_one, [game])

    assert mu(together) == pytest.approx(mu(one_by_one), abs=1e-5)
    assert mu(together) != pytest.approx(mu(rate({}, [ALONE, LOST, WON])))


SIDES = st.permutations([1, 2, 3, 4, 5, 6]).flatmap(
    lambda order: st.sampled_from([(order[:2], order[2:4]), (order[:1], order[1:4])])
)
GAMES = st.lists(st.builds(lambda s, w: (*s, w), SIDES, st.sampled_from([-1, 0, 1])))


@given(some=GAMES)
def test_every_name_is_as_good_as_another(some):
    other = {1: 4, 2: 6, 3: 1, 4: 5, 5: 2, 6: 3}
    renamed = [
        ([other[p] for p in ours], [other[p] for p in theirs], won)
        for ours, theirs, won in some
    ]

    state = rate({}, some)

    assert {str(other[int(who)]): kept for who, kept in state.items()} == rate(
        {}, renamed
    )


def test_chance_outweighs_strength_at_first():
    """Who wins ten hands of ten is not yet sure to be stronger than the losers."""
    state = rate({}, [WON] * 10)

    first, last = (rating.Strength(None, *state[who]) for who in (A, B))

    assert first.value > 1000 > last.value
    assert first.value - first.plus_minus < last.value + last.plus_minus
    assert rating.Strength(None, *rate({}, [WON])[A]).plus_minus > 300


# What is kept


@pytest.fixture
def rated(club):
    rating_store.switch(club, on=True)
    club.refresh_from_db()
    return club


def strengths(club):
    return {one.player.name: (one.mu, one.hands) for one in rating.strengths(club)}


def audited():
    out = StringIO()
    with suppress(CommandError):
        call_command("audit", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_nobody_is_rated_unless_the_club_wants_it(night, club):
    night("2026-10-30", 2)

    assert rating.strengths(club) == []
    assert EveningRating.objects.get().state is None


@pytest.mark.django_db
def test_turned_on_it_knows_all_evenings_and_an_open_one(night, club):
    night("2026-11-06", 1)
    night("2026-10-30", 2)
    night("2026-11-20", 1, close=False)

    rating_store.switch(club, on=True)

    club.refresh_from_db()
    assert {hands for _mu, hands in strengths(club).values()} == {4}
    assert EveningRating.objects.filter(state=None).count() == 0
    assert "Nothing differs." in audited()


@pytest.mark.django_db
def test_an_evening_opened_and_closed_again_is_followed_anew(
    night, rated, owner, record, undo
):
    """Number 34: what is derived stays true whatever is put right."""
    first = night("2026-10-30", 2).evening.tables.get()
    night("2026-11-06", 1)
    before, kept = strengths(rated), list(EveningRating.objects.values_list("state"))

    journal.reopen_evening(first.evening, by=owner, reason="One hand more")
    opened = EveningRating.objects.get().state
    record(first)
    journal.close_evening(first.evening, by=owner)
    changed = strengths(rated)
    journal.reopen_evening(first.evening, by=owner, reason="It was not")
    undo(first)
    journal.close_evening(first.evening, by=owner)

    assert {kept[2] for kept in opened.values()} == {1}
    assert {hands for _mu, hands in changed.values()} == {4}
    assert strengths(rated) == before
    assert sorted(EveningRating.objects.values_list("state"), key=str) == sorted(
        kept, key=str
    )
    assert "Nothing differs." in audited()


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"state": {}}, {"games": []}])
def test_the_audit_finds_a_rating_changed_behind_its_back(night, rated, change):
    night("2026-10-30", 2)
    EveningRating.objects.update(**change)

    said = audited()

    assert "makes them anew" in said
    call_command("statistics", anew=True, stdout=StringIO())
    assert "Nothing differs." in audited()


@pytest.mark.django_db
def test_reading_asks_as_often_for_many_evenings_as_for_one(
    night, rated, django_assert_num_queries
):
    night("2026-10-30", 1)
    with django_assert_num_queries(3):
        rating.strengths(rated)
    night("2026-11-06", 3)

    with django_assert_num_queries(3):
        rating.strengths(rated)


# On the page


@pytest.mark.django_db
def test_below_a_hundred_hands_nobody_has_a_place(night, rated, monkeypatch):
    night("2026-10-30", 2)

    few = [one.place for one in rating.strengths(rated)]
    monkeypatch.setattr(rating, "FEW", 2)
    enough = [one.place for one in rating.strengths(rated)]

    assert few == [None] * 4
    assert enough[0] == 1
    assert len(enough) == 4


@pytest.mark.django_db
def test_the_owner_turns_it_on_and_off(as_, owner, club, night):
    season = night("2026-10-30", 2).evening.season
    client, page = as_(owner), reverse("statistics", args=[club.pk])
    pages = [page, reverse("season", args=[season.pk])]
    url = reverse("rating", args=[club.pk])

    on = client.post(url, {"rating": "on"})
    shown = [client.get(page).content.decode() for page in pages]
    off = client.post(url, {"rating": "off"})
    hidden = [client.get(page).content.decode() for page in pages]

    assert on.url == off.url == f"{page}#rating"
    assert all("± " in text and "starts at 1000" in text for text in shown)
    assert all("± " not in text for text in hidden)
    assert EveningRating.objects.get().state is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("who", "status"), [("scorer", 403), ("member", 403), ("stranger", 404)]
)
def test_nobody_else_turns_it_on(as_, club, who, status, request):
    client = as_(request.getfixturevalue(who))

    answer = client.post(reverse("rating", args=[club.pk]), {"rating": "on"})

    club.refresh_from_db()
    assert answer.status_code == status
    assert client.get(reverse("rating", args=[club.pk])).status_code == 405
    assert not club.rating
