"""Who sees and who writes: the stranger 404, the member 403, the signed out 401."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from ledger import journal
from ledger.models import Hand, Player

PROBLEM = "application/problem+json"

READS = [
    "/api/clubs/{club}/balances/",
    "/api/clubs/{club}/",
    "/api/clubs/{club}/players/",
    "/api/clubs/{club}/players/{player}/",
    "/api/clubs/{club}/evenings/",
    "/api/evenings/{evening}/",
    "/api/evenings/{evening}/tally/",
    "/api/evenings/{evening}/tables/",
    "/api/tables/{table}/",
    "/api/tables/{table}/tariff/",
    "/api/tables/{table}/hands/",
    "/api/hands/{hand}/",
]
WRITES = [
    ("post", "/api/clubs/{club}/players/"),
    ("patch", "/api/clubs/{club}/players/{player}/"),
    ("post", "/api/clubs/{club}/evenings/"),
    ("patch", "/api/clubs/{club}/"),
    ("post", "/api/clubs/{club}/undo/"),
    ("patch", "/api/evenings/{evening}/"),
    ("delete", "/api/evenings/{evening}/"),
    ("post", "/api/evenings/{evening}/tables/"),
    ("post", "/api/tables/{table}/hands/"),
    ("post", "/api/hands/{hand}/reverse/"),
]
OPEN = ["/api/variants/", "/api/variants/taroki/", "/api/clubs/"]


@pytest.fixture
def address(as_scorer, club, table, people, won):
    as_scorer.post(f"/api/tables/{table.pk}/hands/", won)
    known = {
        "club": club.pk,
        "player": people[0].pk,
        "evening": table.evening_id,
        "table": table.pk,
        "hand": won["id"],
    }
    return lambda path: path.format(**known)


@pytest.mark.parametrize("path", READS)
@pytest.mark.parametrize("reader", ["as_owner", "as_scorer", "as_member"])
def test_a_member_reads(path, reader, address, request):
    answer = request.getfixturevalue(reader).get(address(path))

    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("path", READS)
def test_a_stranger_finds_nothing(path, address, as_stranger):
    answer = as_stranger.get(address(path))

    assert (answer.status_code, answer["Content-Type"]) == (404, PROBLEM)
    assert answer.json()["type"] == "urn:kontra:not-found"


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_stranger_has_nothing_to_write_to(method, path, address, as_stranger):
    answer = getattr(as_stranger, method)(address(path), {})

    assert (answer.status_code, answer["Content-Type"]) == (404, PROBLEM)


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_member_may_not_write(method, path, address, as_member):
    answer = getattr(as_member, method)(address(path), {})

    assert (answer.status_code, answer["Content-Type"]) == (403, PROBLEM)
    assert (
        answer.json()["detail"]
        == "Only owners and scorers of the club may record anything."
    )


@pytest.mark.parametrize("path", [*OPEN, *READS])
def test_signed_out_nothing_is_read(path, address, signed_out):
    answer = signed_out.get(address(path))

    assert (answer.status_code, answer["Content-Type"]) == (401, PROBLEM)
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_signed_out_nothing_is_written(method, path, address, signed_out):
    answer = getattr(signed_out, method)(address(path), {})

    assert answer.status_code == 401


@pytest.mark.parametrize("path", {*OPEN, *READS} - {"/api/evenings/{evening}/"})
def test_what_is_read_is_not_deleted(path, address, as_owner):
    assert as_owner.delete(address(path)).status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "/api/variants/chess/",
        "/api/clubs/99999999999999999999/",
        "/api/evenings/0/",
        "/api/tables/99999999999999999999/hands/",
        "/api/hands/00000000-0000-4000-8000-000000000000/",
    ],
)
def test_what_is_not_there_is_not_found(path, as_owner):
    assert as_owner.get(path).status_code == 404


def test_a_member_previews(as_member, table, won):
    answer = as_member.post(
        f"/api/tables/{table.pk}/hands/preview/", {"hand": won["hand"]}
    )

    assert answer.status_code == 200
    assert not Hand.objects.exists()


def test_only_ones_own_clubs_are_listed_with_ones_role(as_scorer, as_stranger, club):
    mine, theirs = (
        who.get("/api/clubs/").json()["results"] for who in (as_scorer, as_stranger)
    )

    assert mine == [{"id": club.pk, "name": "Kozy", "language": "pl", "role": "scorer"}]
    assert [(c["name"], c["role"]) for c in theirs] == [("Elsewhere", "owner")]


@pytest.mark.parametrize("path", {path for _method, path in WRITES})
@pytest.mark.parametrize("reader", ["as_owner", "as_member", "as_stranger"])
def test_options_tell_of_no_fields(path, reader, address, request):
    answer = request.getfixturevalue(reader).options(address(path))

    assert answer.status_code == 200
    assert set(answer.json()) == {"name", "description", "renders", "parses"}


def test_a_player_of_another_club_takes_no_seat(as_owner, as_stranger, club, people):
    elsewhere = as_stranger.get("/api/clubs/").json()["results"][0]["id"]
    guest = Player.objects.create(club_id=elsewhere, name="Guest")
    seats = [*(player.pk for player in people[:3]), guest.pk]

    answer = as_owner.post(
        f"/api/clubs/{club.pk}/evenings/",
        {
            "name": "Friday",
            "date": "2020-11-20",
            "variant": "taroki",
            "seats": seats,
            "dealer": seats[0],
        },
    )

    assert answer.status_code == 422
    assert answer.json()["problems"] == [
        {
            "code": "unknown",
            "field": "seats.3",
            "about": "",
            "severity": "error",
            "message": f"The club has no player with the id {guest.pk}.",
        }
    ]


def test_a_session_without_a_csrf_token_writes_nothing(owner, table, won):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(owner)

    answer = client.post(f"/api/tables/{table.pk}/hands/", won)

    assert (answer.status_code, answer["Content-Type"]) == (403, PROBLEM)
    assert not Hand.objects.exists()


@pytest.mark.parametrize("size", ["x", "0", "-1", "1.5", "", "9" * 12])
def test_a_page_of_no_size_is_refused(as_scorer, club, size):
    answer = as_scorer.get(f"/api/clubs/{club.pk}/players/?page_size={size}")

    assert answer.status_code == 400
    assert answer["Content-Type"] == PROBLEM
    assert answer.json()["detail"] == "page_size is a whole number from 1 to 200."


def test_a_page_holds_no_more_than_it_says(as_scorer, club):
    Player.objects.bulk_create(
        Player(club=club, name=f"Player {n}") for n in range(210)
    )

    shown = as_scorer.get(f"/api/clubs/{club.pk}/players/?page_size=500").json()

    assert len(shown["results"]) == 200


def test_the_pot_is_no_player_of_the_api(as_scorer, club):
    pot = journal.pot_of(club)
    address = f"/api/clubs/{club.pk}/players/{pot.pk}/"

    listed = as_scorer.get(f"/api/clubs/{club.pk}/players/").json()["results"]
    answers = [
        as_scorer.get(address),
        as_scorer.patch(address, {"name": "Kitty"}),
        as_scorer.patch(address, {"retired": True}),
    ]

    assert pot.pk not in {row["id"] for row in listed}
    assert [answer.status_code for answer in answers] == [404] * 3
    pot.refresh_from_db()
    assert (pot.name, pot.retired) == ("Pula", False)


def test_the_schema_says_how_long_a_text_is(as_scorer):
    schemas = as_scorer.get("/api/schema/?format=json").json()["components"]["schemas"]

    for kind, field, most in (
        ("NewPlayer", "name", 60),
        ("NewEvening", "name", 80),
        ("NewEvening", "variant", 40),
        ("PatchedAmendClub", "name", 80),
    ):
        told = schemas[kind]["properties"][field]
        assert (told["minLength"], told["maxLength"]) == (1, most)
    assert "minLength" not in schemas["NewPlayer"]["properties"]["nickname"]
