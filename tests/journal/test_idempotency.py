"""Whatever is made is made once: sent twice, at once, or after a lost answer."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connection
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver

from ledger import journal
from ledger.audit import Audit
from ledger.models import Evening, Player, Season, Table, User
from ledger.security import sign_in_links
from ledger.serving.refused_requests import RefusalMiddleware
from tests.support.creations import (
    CREATIONS,
    ID,
    OTHER_POSTS,
    World,
    begins,
    id_of_blank,
    opens,
    post,
)

pytestmark = pytest.mark.django_db
PHONES = 6
SHOWN_ONCE = {"tokens", "share"}
"""What they make has a secret: who asks again is told that it cannot be shown."""


@pytest.fixture
def world(db):
    return World(User.objects.create_user("owner"))


@pytest.fixture
def phone(world):
    """Return a function that gives another phone of the owner, signed in."""

    def signed_in():
        client = Client(raise_request_exception=False)
        client.force_login(world.owner, backend=sign_in_links.BACKEND)
        return client

    return signed_in


@pytest.fixture
def at_once(phone):
    """Return a function that posts each of *bodies* at the same moment, by phones."""

    def sent(address, bodies):
        start = Barrier(len(bodies))
        phones = [phone() for _body in bodies]

        def send(client, body):
            try:
                start.wait(timeout=20)
                return post(client, address, body)
            finally:
                connection.close()

        with ThreadPoolExecutor(len(bodies)) as pool:
            return list(pool.map(send, phones, bodies))

    return sent


def told(answer):
    """Return what a phone does with an answer: where it goes, or what it reads."""
    if answer.status_code in (301, 302):
        return answer.headers["Location"]
    if answer.headers["Content-Type"] == "application/json":
        return answer.json()
    return answer.status_code


def made(way, world, phone):
    """Return where *way* leads, what is sent there, and how many there are before."""
    way.before(world)
    address = way.at(world)
    sent = way.sent(world) | {"id": id_of_blank(phone(), way, address)}
    return address, sent, way.count()


def copied(sent):
    """Return the same body for another phone: each reads a file from its beginning."""
    return {k: _copied(v) if isinstance(v, BytesIO) else v for k, v in sent.items()}


def _copied(file):
    copy = BytesIO(file.getvalue())
    copy.name = file.name
    return copy


@pytest.mark.parametrize("name", CREATIONS)
def test_what_is_sent_again_is_answered_and_not_made_again(world, phone, name):
    way = CREATIONS[name]
    address, sent, before = made(way, world, phone)

    answers = [post(phone(), address, sent) for _again in range(3)]

    assert [answer.status_code < 400 for answer in answers] == [True] * 3, answers
    assert len({str(told(answer)) for answer in answers}) == 1
    assert way.count() == before + 1


@pytest.mark.parametrize("name", CREATIONS)
def test_what_is_sent_again_after_the_closing_is_still_answered(world, phone, name):
    """The answer was lost; meanwhile somebody else closed the evening."""
    way = CREATIONS[name]
    address, sent, before = made(way, world, phone)
    post(phone(), address, sent)
    for evening in Evening.objects.filter(closed_at=None, removed=False):
        journal.close_evening(evening, by=world.owner)
    after = way.count()

    answer = post(phone(), address, sent)

    assert answer.status_code < 500
    assert way.count() == after >= before + 1


@pytest.mark.parametrize("name", CREATIONS)
@pytest.mark.django_db(transaction=True)
def test_what_is_sent_from_six_phones_at_once_is_made_once(world, phone, at_once, name):
    way = CREATIONS[name]
    address, sent, before = made(way, world, phone)

    answers = at_once(address, [copied(sent) for _phone in range(PHONES)])

    assert [answer.status_code < 400 for answer in answers] == [True] * PHONES, answers
    assert len({str(told(answer)) for answer in answers}) == 1
    assert way.count() == before + 1
    assert list(Audit().differences()) == []


@pytest.mark.parametrize("name", CREATIONS)
def test_an_id_that_something_else_has_is_refused_with_a_sentence(world, phone, name):
    way = CREATIONS[name]
    address, sent, before = made(way, world, phone)

    answer = post(phone(), address, sent | {"id": str(world.used)})

    assert answer.status_code in (409, 422) or name in IDS_OF_THEIR_OWN
    assert answer.status_code < 500
    assert way.count() == before or name in IDS_OF_THEIR_OWN


IDS_OF_THEIR_OWN = {
    "players",
    "evening_new with a newcomer",
    "table_new with a newcomer",
    "slip with a newcomer",
    "import_sheet",
}
"""What is made follows from the id of the form, or stands in the address."""


@pytest.mark.parametrize("name", [n for n in CREATIONS if CREATIONS[n].blank])
def test_every_blank_form_carries_an_id_of_its_own(world, phone, name):
    way = CREATIONS[name]
    way.before(world)
    address = way.at(world)
    if address.startswith("/api/") or name == "import_sheet":
        return

    pages = [phone().get(address).content.decode() for _again in range(2)]

    one, other = (ID.search(page)[1] for page in pages)
    assert UUID(one) != UUID(other)


def test_every_address_that_takes_a_post_is_known_here(world, phone):
    """Who adds one says what it makes, or that it makes nothing."""
    taking = {name for name, path in _addresses() if _takes_post(phone(), path)}

    known = {name.split()[0] for name in CREATIONS} | OTHER_POSTS.keys()
    assert taking == known


VALUES = {"int": "0", "uuid": str(UUID(int=0)), "str": "x", "slug": "x"}


def _addresses(resolver=None, before="/"):
    for pattern in (resolver or get_resolver()).url_patterns:
        path = before + str(pattern.pattern)
        if path.startswith("/admin/"):
            continue
        if isinstance(pattern, URLResolver):
            yield from _addresses(pattern, path)
        else:
            yield pattern.name, re.sub(r"<(\w+):\w+>", lambda m: VALUES[m[1]], path)


def _takes_post(client, path):
    return client.post(path, {}).status_code != 405


@pytest.mark.parametrize("name", ["club_new", "table_new", "season_new", "share"])
def test_what_was_made_by_an_id_is_not_taken_for_something_else(world, phone, name):
    address, sent, before = made(CREATIONS[name], world, phone)
    other = CREATIONS["tokens"]
    post(phone(), other.at(world), other.sent(world) | {"id": sent["id"]})

    answer = post(phone(), address, sent)

    assert answer.status_code == 422
    assert "This id is used elsewhere" in answer.text
    assert CREATIONS[name].count() == before


def test_what_is_refused_for_its_id_can_be_sent_again_as_it_stands(world, phone):
    """Nothing that was typed is lost, and the page has another id."""
    address, sent, before = made(CREATIONS["evening_new"], world, phone)
    page = post(phone(), address, sent | {"id": str(world.used)}).text

    kept = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    again = {
        name: [value for key, value in kept if key == name]
        for name, _value in kept
        if name not in ("csrfmiddlewaretoken", "next")
    }

    assert again["name"] == [sent["name"]]
    assert post(phone(), address, again).status_code == 302
    assert Evening.objects.count() == before + 1


@pytest.mark.parametrize("name", ["club_new", "evening_new", "table_new", "players"])
def test_who_sends_a_form_again_is_told_that_it_is_there(world, phone, name):
    address, sent, _before = made(CREATIONS[name], world, phone)
    client = phone()

    pages = [client.post(address, sent, follow=True).text for _again in range(2)]

    assert ["has already been saved" in page for page in pages] == [False, True]


@pytest.mark.parametrize("name", sorted(SHOWN_ONCE))
def test_a_secret_is_shown_once_and_who_asks_again_is_told_how(world, phone, name):
    address, sent, _before = made(CREATIONS[name], world, phone)

    first, again = (post(phone(), address, sent).text for _again in range(2))

    assert 'id="secret"' in first
    assert 'id="secret"' not in again
    assert "revoke it and make another" in again
    assert ID.search(again)[1] != sent["id"]


def test_the_next_name_from_the_same_form_is_another_player(world, phone):
    """Back may bring the old form; who is typed there now is not thrown away."""
    address, sent, _before = made(CREATIONS["players"], world, phone)
    post(phone(), address, sent)

    post(phone(), address, sent | {"name": "Gosia"})

    assert Player.objects.filter(name__in=["Żaneta", "Gosia"]).count() == 2


# Different phones, each with an id of its own


def statuses(answers):
    return sorted(answer.status_code for answer in answers)


@pytest.mark.django_db(transaction=True)
def test_of_six_new_tables_with_the_same_people_one_is_laid(world, at_once):
    address = CREATIONS["table_new"].at(world)
    before = Table.objects.count()

    answers = at_once(address, [opens(world) | {"id": uuid4()} for _ in range(6)])

    assert statuses(answers) == [302, *[422] * 5]
    assert Table.objects.count() == before + 1


@pytest.mark.django_db(transaction=True)
def test_one_new_table_from_twenty_phones_is_one_and_all_are_led_to_it(world, at_once):
    """Some of them find its people seated already, by themselves."""
    address, body = (
        CREATIONS["table_new"].at(world),
        opens(world) | {"id": str(uuid4())},
    )

    answers = at_once(address, [body] * 20)

    table = Table.objects.get(number=2)
    assert {told(answer) for answer in answers} == {f"/tables/{table.pk}/"}


@pytest.mark.django_db(transaction=True)
def test_of_six_names_that_differ_in_case_one_comes_to_the_club(world, at_once):
    names = ["Żaneta", "ŻANETA", "żaneta", "żanetA", "ŻAneta", "żANETA"]
    address = CREATIONS["players"].at(world)
    bodies = [{"action": "add", "name": name, "id": uuid4()} for name in names]

    answers = at_once(address, bodies)

    assert statuses(answers) == [302, *[422] * 5]
    assert [p.name.casefold() for p in Player.objects.all()].count("żaneta") == 1
    assert [b"already plays here" in answer.content for answer in answers].count(
        True
    ) == 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["api_players", "players"])
def test_the_same_new_player_from_eight_phones_comes_once(world, at_once, name):
    way = CREATIONS[name]
    bodies = [way.sent(world) | {"id": str(uuid4())} for _phone in range(8)]

    answers = at_once(way.at(world), bodies)

    assert statuses(answers)[1:] == [422] * 7
    assert way.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_four_new_seasons_at_once_one_begins(world, at_once):
    world.close_season()
    address = CREATIONS["season_new"].at(world)

    answers = at_once(address, [{"name": "2027", "id": uuid4()} for _ in range(4)])

    assert {answer.status_code for answer in answers} <= {302, 422}
    assert Season.objects.filter(name="2027").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_players_renamed_alike_at_once_keep_two_names(world, at_once):
    address = CREATIONS["players"].at(world)
    bodies = [
        {"action": "rename", "player": player.pk, "name": "Żaneta", "nickname": ""}
        for player in world.people
    ]

    answers = at_once(address, bodies)

    assert statuses(answers) == [302, *[422] * 5]
    assert Player.objects.filter(name="Żaneta").count() == 1


@pytest.mark.django_db(transaction=True)
def test_six_evenings_that_differ_are_six(world, at_once):
    bodies = [begins(world) | {"id": uuid4()} for _phone in range(6)]
    before = Evening.objects.count()

    answers = at_once(CREATIONS["evening_new"].at(world), bodies)

    assert statuses(answers) == [302] * 6
    assert Evening.objects.count() == before + 6


# Closing


def test_closing_sent_again_after_somebody_reopened_leaves_it_open(world, phone):
    way = CREATIONS["close"]
    address, sent, _before = made(way, world, phone)
    first = post(phone(), address, sent)
    journal.reopen_evening(world.evening, by=world.owner, reason="one more")

    again = post(phone(), address, sent)

    assert told(again) == told(first)
    world.evening.refresh_from_db()
    assert world.evening.closed_at is None


# What a view lets through


def refusals(world):
    season = world.close_season()
    hand, problem = world.hands[0], journal.id_conflict()
    return {
        "refused": (journal.Refused([problem]), 422, "This id is used elsewhere"),
        "closed": (journal.Closed(world.evening), 409, "is closed: an owner"),
        "season": (journal.SeasonClosed(season), 409, "has to be reopened first"),
        "taken": (journal.Taken(hand), 409, "Hand 1 is already recorded"),
        "stale": (journal.Stale(None, ()), 409, "Somebody else was quicker"),
        "race": (IntegrityError("UNIQUE"), 409, "Somebody else was quicker"),
    }


@pytest.mark.parametrize(
    "why", ["refused", "closed", "season", "taken", "stale", "race"]
)
def test_a_refusal_that_a_view_lets_through_is_told(world, why):
    error, status, says = refusals(world)[why]
    request = RequestFactory().post("/clubs/new/", {"name": "Zamość"})
    request.user, request.htmx = world.owner, False

    answer = RefusalMiddleware(lambda _request: None).process_exception(request, error)

    assert answer.status_code == status
    assert says in answer.text
    assert 'name="name" value="Zamość"' in answer.text


def test_a_fault_of_ours_stays_one(rf):
    middleware = RefusalMiddleware(lambda _request: None)

    assert middleware.process_exception(rf.post("/"), ZeroDivisionError()) is None


def test_a_program_is_told_that_the_season_is_closed(world, phone):
    way = CREATIONS["api_club_evenings"]
    address, sent, before = made(way, world, phone)
    world.close_season()

    answer = post(phone(), address, sent)

    assert (answer.status_code, answer.json()["type"]) == (
        409,
        "urn:kontra:season-closed",
    )
    assert way.count() == before


def test_a_season_is_not_called_as_another_was(world, phone):
    closed = world.close_season()
    address = CREATIONS["season_new"].at(world)

    page = phone().post(address, {"id": uuid4(), "name": closed.name})

    assert page.status_code == 422
    assert f"There is already a season {closed.name}" in page.text
    assert f'value="{closed.name}"' not in phone().get(address).text
