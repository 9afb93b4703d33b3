"""A club's page, how it begins, and its players."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from ledger import journal, settlement
from ledger.models import Club, Member, Player
from tests.support.fixtures import squeezed


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
    assert client.post(players, {"action": "save", "name": "Ola"}).status_code == 404


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
    response = as_(scorer).post(players, {"action": "save", "name": " Łucja  Ő "})

    assert response.status_code == 302
    assert Player.objects.get(club=club).name == "Łucja Ő"


@pytest.mark.parametrize("name", ["Ania", "ania", " ANIA "])
def test_two_players_of_one_name_are_refused_beside_the_field(
    as_, scorer, people, players, name
):
    response = as_(scorer).post(players, {"action": "save", "name": name})

    assert response.status_code == 422
    assert "Ania already plays here" in response.content.decode()


@pytest.mark.parametrize(
    "name", ["Őry Ágnes", "O'Brien", "Žofia 🂡", "נעמה", "x" * 60, "=1+1", "<b>"]
)
def test_any_name_is_a_name(as_, scorer, club, players, name):
    as_(scorer).post(players, {"action": "save", "name": name})

    assert Player.objects.get(club=club).name == name
    assert as_(scorer).get(players).status_code == 200


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
def test_an_unfit_name_is_refused_and_kept(as_, scorer, club, players, name):
    response = as_(scorer).post(players, {"action": "save", "name": name})

    assert response.status_code == 422
    assert not Player.objects.filter(club=club).exists()


def test_a_player_is_renamed(as_, scorer, people, players):
    as_(scorer).post(
        players,
        {
            "action": "save",
            "player": people[0].pk,
            "its-name": "Anna",
            "its-nickname": "An",
        },
    )

    people[0].refresh_from_db()
    assert (people[0].name, people[0].nickname) == ("Anna", "An")


def test_a_player_keeps_his_own_name(as_, scorer, people, players):
    response = as_(scorer).post(
        players,
        {
            "action": "save",
            "player": people[0].pk,
            "its-name": "ANIA",
            "its-nickname": "",
        },
    )

    assert response.status_code == 302


def test_renaming_to_a_taken_name_is_refused(as_, scorer, people, players):
    response = as_(scorer).post(
        players,
        {
            "action": "save",
            "player": people[0].pk,
            "its-name": "Ewa",
            "its-nickname": "",
        },
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


def test_every_button_saves_all_that_was_typed(as_, scorer, club, people, players):
    typed = {"its-name": "Anna", "its-nickname": "", "name": "Gosia"}

    as_(scorer).post(players, {"player": people[0].pk, "action": "retire", **typed})

    people[0].refresh_from_db()
    assert (people[0].name, people[0].retired) == ("Anna", True)
    assert club.players.filter(name="Gosia").exists()


def test_of_two_names_of_which_one_is_refused_neither_is_saved(
    as_, scorer, club, people, players
):
    typed = {"its-name": "Anna", "its-nickname": "", "name": "ewa"}

    page = as_(scorer).post(players, {"player": people[0].pk, **typed})

    people[0].refresh_from_db()
    assert (page.status_code, people[0].name) == (422, "Ania")
    assert 'value="Anna"' in page.text
    assert "Ewa already plays here" in page.text


def test_who_owes_or_sits_is_asked_about_before_retiring(
    as_, scorer, club, people, players, table, record
):
    record(table)
    client = as_(scorer)
    retire = {"action": "retire", "player": people[1].pk}

    page = client.post(players, retire)
    still_plays = not Player.objects.filter(retired=True).exists()
    client.post(players, retire | {"sure": "yes"})

    assert page.status_code == 200
    assert still_plays
    told = squeezed(page.text).split("<main")[1]
    assert "−0.60" in told.replace("PLN", "").replace("\xa0", "")
    assert "Friday, table I" in told
    assert Player.objects.get(retired=True) == people[1]


def test_somebody_retired_is_listed_until_even(
    as_, scorer, club, people, path, table, record, owner
):
    record(table)
    people[1].retired = people[5].retired = True
    Player.objects.bulk_update(people, ["retired"])
    rows = [f'data-player="{people[at].pk}"' for at in (1, 5)]
    settle = reverse("settle", args=[club.pk])

    before = [as_(scorer).get(page).text for page in (path, settle)]
    scope = settlement.SettlementScope.everything(club, "PLN")
    journal.settle(scope, "fewest", id=uuid4(), by=owner)
    after = [as_(scorer).get(page).text for page in (path, settle)]

    assert [[row in page for row in rows] for page in before] == [[True, False]] * 2
    assert [[row in page for row in rows] for page in after] == [[False, False]] * 2


def test_a_member_may_look_at_players_but_not_write(as_, member, club, people, players):
    client = as_(member)

    assert "Ania" in client.get(players).content.decode()
    assert client.post(players, {"action": "save", "name": "Ola"}).status_code == 403
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
        journal.close_evening(table.evening, by=owner)
    settling_one = settlement.SettlementScope.of_evening(tables[0].evening)
    for row in settlement.plan(settling_one).rows:
        journal.pay(
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
