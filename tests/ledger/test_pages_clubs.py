"""A club's page, how it begins, and its players."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal, payments, settling
from ledger.models import Club, Member, Player


@pytest.fixture
def path(club):
    return reverse("club", args=[club.pk])


@pytest.fixture
def players(club):
    return reverse("players", args=[club.pk])


def test_a_club_begins_with_its_owner_and_a_season(as_, stranger):
    response = as_(stranger).post(
        "/clubs/new/", {"name": "  Szegedi   Tarokk Kör ", "language": "hu"}
    )

    club = Club.objects.get()
    assert (club.name, club.language) == ("Szegedi Tarokk Kör", "hu")
    assert club.members.get().role == Member.Role.OWNER
    assert club.seasons.count() == 1
    assert response.headers["Location"] == reverse("players", args=[club.pk])


@pytest.mark.parametrize("name", ["", "   ", "x" * 81])
def test_a_club_without_a_fit_name_is_refused(as_, stranger, name):
    response = as_(stranger).post("/clubs/new/", {"name": name, "language": "hu"})

    assert response.status_code == 422
    assert not Club.objects.exists()
    assert 'value="hu" ' in response.content.decode()


def test_the_club_lists_its_evenings(as_, member, path, table, record):
    record(table)

    page = as_(member).get(path).content.decode()

    assert "Friday" in page
    assert "1 hand" in page
    assert "New evening" not in page


def test_who_writes_may_start_an_evening(as_, scorer, path):
    assert "New evening" in as_(scorer).get(path).content.decode()


def test_a_stranger_finds_no_club(as_, stranger, path, players):
    client = as_(stranger)

    assert client.get(path).status_code == 404
    assert client.get(players).status_code == 404
    assert client.post(players, {"action": "add", "name": "Ola"}).status_code == 404


def test_a_club_that_does_not_exist_is_404(as_, owner):
    assert as_(owner).get("/clubs/999999/").status_code == 404


def test_a_club_page_rejects_post(as_, owner, path):
    assert as_(owner).post(path).status_code == 405


def test_evenings_beyond_a_page_are_a_tap_away(as_, owner, path, lay):
    for _again in range(31):
        lay()

    client = as_(owner)

    assert client.get(path).content.decode().count("Friday") == 30
    assert client.get(path + "?page=2").content.decode().count("Friday") == 1


def test_the_club_asks_the_database_the_same_number_of_times(
    as_, owner, path, lay, record, django_assert_num_queries
):
    client = as_(owner)
    record(lay())
    with django_assert_num_queries(17):
        client.get(path)
    for _again in range(3):
        record(lay(5, "paskievics"), {"ending": "passed"})

    with django_assert_num_queries(17):
        client.get(path)


def test_a_player_needs_only_a_name(as_, scorer, club, players):
    response = as_(scorer).post(players, {"action": "add", "name": " Łucja  Ő "})

    assert response.status_code == 302
    assert Player.objects.get(club=club).name == "Łucja Ő"


@pytest.mark.parametrize("name", ["Ania", "ania", " ANIA "])
def test_two_players_of_one_name_are_refused_beside_the_field(
    as_, scorer, people, players, name
):
    response = as_(scorer).post(players, {"action": "add", "name": name})

    assert response.status_code == 422
    assert "Ania already plays here" in response.content.decode()


@pytest.mark.parametrize(
    "name", ["Őry Ágnes", "O'Brien", "Žofia 🂡", "נעמה", "x" * 60, "=1+1", "<b>"]
)
def test_any_name_is_a_name(as_, scorer, club, players, name):
    as_(scorer).post(players, {"action": "add", "name": name})

    assert Player.objects.get(club=club).name == name
    assert as_(scorer).get(players).status_code == 200


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
def test_an_unfit_name_is_refused_and_kept(as_, scorer, club, players, name):
    response = as_(scorer).post(players, {"action": "add", "name": name})

    assert response.status_code == 422
    assert not Player.objects.filter(club=club).exists()


def test_a_player_is_renamed(as_, scorer, people, players):
    as_(scorer).post(
        players,
        {"action": "rename", "player": people[0].pk, "name": "Anna", "nickname": "An"},
    )

    people[0].refresh_from_db()
    assert (people[0].name, people[0].nickname) == ("Anna", "An")


def test_a_player_keeps_his_own_name(as_, scorer, people, players):
    response = as_(scorer).post(
        players,
        {"action": "rename", "player": people[0].pk, "name": "ANIA", "nickname": ""},
    )

    assert response.status_code == 302


def test_renaming_to_a_taken_name_is_refused(as_, scorer, people, players):
    response = as_(scorer).post(
        players,
        {"action": "rename", "player": people[0].pk, "name": "Ewa", "nickname": ""},
    )

    people[0].refresh_from_db()
    assert response.status_code == 422
    assert people[0].name == "Ania"


def test_a_player_retires_and_comes_back(as_, scorer, people, players):
    client = as_(scorer)

    client.post(players, {"action": "retire", "player": people[0].pk})
    retired = Player.objects.filter(retired=True).get()
    client.post(players, {"action": "return", "player": people[0].pk})

    assert retired == people[0]
    assert not Player.objects.filter(retired=True).exists()


def test_a_member_may_look_at_players_but_not_write(as_, member, club, people, players):
    client = as_(member)

    assert "Ania" in client.get(players).content.decode()
    assert client.post(players, {"action": "add", "name": "Ola"}).status_code == 403
    assert club.players.count() == len(people)


@pytest.mark.parametrize("asked", ["", "x", "999999"])
def test_a_player_of_nowhere_is_404(as_, scorer, players, asked):
    response = as_(scorer).post(players, {"action": "retire", "player": asked})

    assert response.status_code == 404


def test_closed_and_settled_evenings_are_folded_away(
    as_, owner, path, club, lay, record
):
    """Report 126: what is done clutters nothing, and is a tap away."""
    tables = [lay() for _again in range(3)]
    for table in tables:
        record(table)
    for table in tables[:2]:
        journal.close(table.evening, by=owner)
    settling_one = settling.Scope.of_evening(tables[0].evening)
    for row in settling.plan(settling_one).rows:
        payments.pay(
            *(settling_one, row.payer, row.payee, row.amount), id=uuid4(), by=owner
        )

    page = as_(owner).get(path).content.decode()

    shown, folded = page.split("Closed and settled")
    evenings = [reverse("evening", args=[table.evening_id]) for table in tables]
    assert [evening in shown for evening in evenings] == [False, True, True]
    assert evenings[0] in folded


def test_the_club_leads_to_its_seasons_players_and_statistics(as_, owner, path, club):
    page = as_(owner).get(path).content.decode()

    assert reverse("season", args=[club.seasons.get().pk]) in page
    assert reverse("statistics", args=[club.pk]) in page
