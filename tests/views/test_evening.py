"""New evening and new table, the tally, the plan, the file."""

from __future__ import annotations

import pytest
from django.urls import reverse

from ledger import journal
from ledger.journal import found_club
from ledger.models import Evening, Table


@pytest.fixture
def new(club):
    return reverse("evening_new", args=[club.pk])


@pytest.fixture
def path(table):
    return reverse("evening", args=[table.evening_id])


@pytest.fixture
def filled(people):
    """A form as five people fill it in."""
    seats = [people[at].pk for at in (4, 0, 1, 2, 3)]
    return {
        "name": "Friday at Kozy",
        "date": "2020-11-20",
        "variant": "taroki",
        "currency": "PLN",
        "stake": "0,20",
        "order": [*seats, people[5].pk],
        "player": seats,
        "dealer": people[3].pk,
    }


def seated(table):
    return list(table.lineups.get().seats.values_list("player__name", flat=True))


def test_an_evening_starts_as_it_was_filled_in(as_, scorer, new, filled):
    response = as_(scorer).post(new, filled)

    evening = Evening.objects.get()
    table = evening.tables.get()
    assert response.headers["Location"] == reverse("table", args=[table.pk])
    assert (evening.name, str(evening.date)) == ("Friday at Kozy", "2020-11-20")
    assert (evening.currency, evening.stake) == ("PLN", 20)
    assert seated(table) == ["Ewa", "Ania", "Bartek", "Celina", "Darek"]
    assert table.lineups.get().dealer.name == "Darek"
    assert evening.created_by == scorer


def test_house_rules_become_the_evenings_tariff(as_, scorer, new, filled):
    as_(scorer).post(
        new,
        filled
        | {
            "variant": "paskievics",
            "paskievics-preset": "pagat",
            "paskievics-contra_cap": "3",
            "taroki-tarok_bonus_to": "player",
        },
    )

    edition = Evening.objects.get().edition
    assert edition.variant == "paskievics"
    assert edition.rules == {"preset": "pagat", "contra_cap": 3}


def test_an_evening_can_be_for_points_only(as_, scorer, new, filled):
    as_(scorer).post(new, filled | {"currency": "", "stake": "12,5"})

    evening = Evening.objects.get()
    assert (evening.currency, evening.stake) == ("", 0)


@pytest.mark.parametrize("stake", ["", "0", "-1", "1/3", "1,234", "0.000005", "abc"])
def test_an_unclear_stake_is_refused_and_kept(as_, scorer, new, filled, stake):
    response = as_(scorer).post(new, filled | {"stake": stake})

    page = response.content.decode()
    assert response.status_code == 422
    assert not Evening.objects.exists()
    assert "Friday at Kozy" in page
    assert f'value="{stake}"' in page or not stake


@pytest.mark.parametrize("count", [0, 3])
def test_too_few_people_are_refused(as_, scorer, new, filled, count):
    response = as_(scorer).post(new, filled | {"player": filled["player"][:count]})

    assert response.status_code == 422
    assert "Four to six people" in response.content.decode()


def test_seven_people_are_refused(as_, scorer, club, new, filled):
    more = [club.players.create(name=name).pk for name in ("Gosia", "Hania")]

    response = as_(scorer).post(new, filled | {"player": filled["player"] + more})

    assert response.status_code == 422


def test_a_dealer_who_does_not_play_is_refused(as_, scorer, people, new, filled):
    response = as_(scorer).post(new, filled | {"dealer": people[5].pk})

    assert response.status_code == 422
    assert "Choose who deals the first hand" in response.content.decode()


def test_rules_that_a_game_does_not_know_are_refused(as_, scorer, new, filled):
    response = as_(scorer).post(new, filled | {"taroki-tarok_bonus_to": "nobody"})

    assert response.status_code == 422
    assert not Evening.objects.exists()


def test_a_player_of_another_club_takes_no_seat(as_, scorer, new, filled, stranger):
    other = found_club("Elsewhere", owner=stranger)
    spy = other.players.create(name="Spy")

    response = as_(scorer).post(
        new, filled | {"player": [*filled["player"][:3], spy.pk]}
    )

    assert response.status_code == 422
    assert "Spy" not in response.content.decode()


def test_last_times_people_and_stake_are_proposed(as_, scorer, new, table, people):
    page = as_(scorer).get(new).content.decode()

    chosen = [f'name="player" value="{player.pk}" checked' in page for player in people]
    assert chosen == [True] * 4 + [False] * 2
    assert 'value="0.20"' in page


def test_a_seat_moves_up_without_a_script(as_, scorer, new, filled, people):
    response = as_(scorer).post(new, filled | {"up": people[0].pk})

    page = response.content.decode()
    assert response.status_code == 200
    assert page.index("Ania one seat up") < page.index("Ewa one seat up")
    assert 'value="Friday at Kozy"' in page
    assert not Evening.objects.exists()


def test_a_new_player_takes_a_seat_without_leaving_the_page(
    as_, scorer, club, new, filled
):
    response = as_(scorer).post(
        new,
        filled | {"new_player": "Gosia", "add": "yes"},
        headers={"HX-Request": "true"},
    )

    page = response.content.decode()
    gosia = club.players.get(name="Gosia")
    assert f'name="player" value="{gosia.pk}" checked' in page
    assert "<html" not in page


def test_a_new_player_with_a_taken_name_is_told_beside_the_field(
    as_, scorer, club, new, filled
):
    response = as_(scorer).post(new, filled | {"new_player": "ewa", "add": "yes"})

    assert "Ewa already plays here" in response.content.decode()
    assert club.players.count() == 6


def test_who_was_typed_and_not_added_plays(as_, scorer, new, filled):
    as_(scorer).post(new, filled | {"new_player": "Gosia"})

    assert seated(Table.objects.get()) == [
        "Ewa",
        "Ania",
        "Bartek",
        "Celina",
        "Darek",
        "Gosia",
    ]


def test_a_taken_name_that_was_typed_and_not_added_is_told(as_, scorer, new, filled):
    response = as_(scorer).post(new, filled | {"new_player": "filip"})

    assert response.status_code == 422
    assert response.text.count("Filip already plays here") == 2
    assert 'href="#id_new_player"' in response.text


def test_only_writers_start_an_evening(as_, member, stranger, new, filled):
    assert as_(member).get(new).status_code == 403
    assert as_(member).post(new, filled).status_code == 403
    assert as_(stranger).post(new, filled).status_code == 404
    assert not Evening.objects.exists()


def test_another_table_plays_the_evenings_game(as_, scorer, club, table, filled):
    more = [club.players.create(name=name).pk for name in ("Gosia", "Hania", "Iga")]
    seats = [filled["player"][0], *more]
    path = reverse("table_new", args=[table.evening_id])

    as_(scorer).post(path, filled | {"player": seats, "dealer": more[0]})

    second = Table.objects.get(number=2)
    assert second.edition == table.edition
    assert seated(second) == ["Ewa", "Gosia", "Hania", "Iga"]


def test_nobody_is_offered_two_tables_of_an_evening(as_, scorer, table, filled):
    path = reverse("table_new", args=[table.evening_id])

    response = as_(scorer).post(path, filled)

    assert response.status_code == 422
    assert "Ania" not in response.content.decode()
    assert Table.objects.count() == 1


def test_no_table_is_added_to_a_closed_evening(as_, scorer, table, filled):
    journal.close_evening(table.evening, by=table.evening.created_by)

    response = as_(scorer).post(reverse("table_new", args=[table.evening_id]), filled)

    assert response.status_code == 409
    assert Table.objects.count() == 1


def test_only_writers_add_a_table(as_, member, stranger, table, filled):
    path = reverse("table_new", args=[table.evening_id])

    assert as_(member).post(path, filled).status_code == 403
    assert as_(stranger).post(path, filled).status_code == 404


def test_the_evening_shows_tally_plan_and_text(as_, member, table, record, path):
    record(table)

    page = as_(member).get(path).content.decode()

    assert "sum 0" in page
    assert "2 payments, and fewer are not possible." in page
    assert "Ania +3 · Celina +3 · Bartek −3 · Darek −3" in page
    assert "Bartek → Ania" in page
    assert "PLN\xa00.60" in page


def test_an_evening_before_its_first_hand_owes_nothing(as_, member, path):
    assert "Nobody owes anybody anything." in as_(member).get(path).content.decode()


def test_an_evening_for_points_settles_points(as_, member, lay, record):
    table = lay(currency="", stake=0)
    record(table)

    path = reverse("evening", args=[table.evening_id])
    assert "Bartek → Ania 3" in as_(member).get(path).content.decode()


def test_a_stranger_sees_no_evening(as_, stranger, path):
    client = as_(stranger)

    assert client.get(path).status_code == 404
    assert client.get(path + "hands.csv").status_code == 404


def test_the_evening_rejects_post(as_, owner, path):
    assert as_(owner).post(path).status_code == 405


def test_evening_pages_are_never_kept(as_, owner, path):
    response = as_(owner).get(path)

    assert "no-store" in response.headers["Cache-Control"]


def test_the_evening_asks_the_database_the_same_number_of_times(
    as_, owner, table, record, path, django_assert_num_queries
):
    client = as_(owner)
    record(table)
    with django_assert_num_queries(13):
        client.get(path)
    for _again in range(4):
        record(table)

    with django_assert_num_queries(13):
        client.get(path)
