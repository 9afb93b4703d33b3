"""Pages against the floor, in a young club and in one of ten thousand hands.

The young one has as many evenings as a page lists, of one hand each.

    make bench

Each figure is a median in milliseconds, through the whole middleware on a SQLite
file, and beside it how often the floor of the same run goes into it.
"""

from __future__ import annotations

import datetime
import statistics
import time
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

import scoring
from ledger import journal
from ledger.models import Player, User
from ledger.security import sign_in_links
from tests.bench import floor

HANDS, EVENING = 10_000, 25
YOUNG = 30
ROUNDS = 60
AS_A_PHONE = "application/x-www-form-urlencoded"

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.bench.floor"),
    pytest.mark.usefixtures("as_in_earnest"),
]


@pytest.fixture
def club():
    owner = User.objects.create_user("owner")
    club = journal.found_club("Kozy", owner=owner)
    for name in ("Ania", "Bartek", "Celina", "Darek", "Ewa"):
        Player.objects.create(club=club, name=name)
    return club


def start(club):
    people = list(club.players.order_by("pk"))
    evening = journal.start_evening(
        club,
        name="Friday",
        date=datetime.date(2026, 11, 20),
        edition=journal.edition_of(club, scoring.tariff("taroki")),
        seats=people,
        dealer=people[4],
        by=User.objects.get(),
        currency="PLN",
        stake=20,
    )
    return evening.tables.select_related("edition", "evening__club").get()


def play(table, hands):
    by = User.objects.get()
    for _hand in range(hands):
        players = journal.preview(table, {}).deal.players
        journal.record_hand(table, id=uuid4(), record=taroki(players), by=by)


def taroki(players):
    return {
        "contract": "3",
        "declarer": players[0].pk,
        "partner": players[2].pk,
        "won": True,
        "contra": 1,
        "bonuses": [{"bonus": "trul", "side": "declarer", "made": True}],
    }


def grown(club, hands, each=EVENING):
    """Let the club play *hands* hands in evenings of *each*, and the floor as many."""
    with connection.cursor() as cursor:
        for _hand in range(hands):
            floor.write(cursor)
    for _evening in range(hands // each):
        table = start(club)
        play(table, each)
        journal.close_evening(table.evening, by=User.objects.get())


def median(act):
    times = []
    for _round in range(ROUNDS):
        begin = time.perf_counter()
        answer = act()
        times.append(time.perf_counter() - begin)
        assert answer.status_code in (200, 302), answer.status_code
    return statistics.median(times) * 1000


def measured(client, club):
    table = start(club)
    play(table, EVENING - 5)
    at_once, _nothing = saved(client, club, shows="on")
    saving, seeing = saved(client, club)
    one, other = club.players.order_by("pk").values_list("pk", flat=True)[:2]
    statement = f"/clubs/{club.pk}/statement/{one}/"
    between = f"currency=PLN&with={other}"
    shown = {
        "floor: save": median(lambda: client.post("/floor/save/")),
        "floor: page": median(lambda: client.get("/floor/page/")),
        "save and see": at_once,
        "save, no script": saving,
        "table after it": seeing,
        "home": median(lambda: client.get("/")),
        "club": median(lambda: client.get(f"/clubs/{club.pk}/")),
        "settle": median(lambda: client.get(f"/clubs/{club.pk}/settle/")),
        "statement": median(lambda: client.get(f"{statement}?currency=PLN")),
        "between two": median(lambda: client.get(f"{statement}?{between}")),
        "evening": median(lambda: client.get(f"/evenings/{table.evening_id}/")),
        "blank slip": median(lambda: client.get(f"/tables/{table.pk}/hands/new/")),
    }
    for evening in club.evenings.filter(closed_at=None):
        journal.close_evening(evening, by=User.objects.get())
    return shown


def saved(client, club, **shows):
    """Return the medians of saving a hand and of seeing the new tally.

    A phone that *shows* the answer itself has the tally in it.
    """
    saving, seeing = [], []
    for number in range(ROUNDS):
        if number % EVENING == 0:
            table = start(club)
        slip = urlencode(posted(journal.preview(table, {}).deal) | shows)
        begin = time.perf_counter()
        answer = client.post(f"/tables/{table.pk}/hands/new/", slip, AS_A_PHONE)
        end = time.perf_counter()
        assert answer.status_code == (200 if shows else 302), answer.content
        if not shows:
            client.get(answer.url)
        saving.append(end - begin)
        seeing.append(time.perf_counter() - end)
    return statistics.median(saving) * 1000, statistics.median(seeing) * 1000


def posted(deal):
    return {
        "id": str(uuid4()),
        "number": str(deal.number),
        "contract": "3",
        "declarer": str(deal.players[0].pk),
        "partner": str(deal.players[2].pk),
        "won": "1",
        "contra": "1",
        "trul-silent": "declarer",
        "override": "on",
    }


def test_pages_against_the_floor(club, capsys):
    floor.lay()
    client = Client()
    client.force_login(User.objects.get(), backend=sign_in_links.BACKEND)
    grown(club, YOUNG, each=1)
    young = measured(client, club)
    grown(club, HANDS)

    old = measured(client, club)

    with capsys.disabled():
        print(f"\nms, median      {'young':>8}{HANDS:>14}{'grows':>8}{'× floor':>9}")
        for name in old:
            base = old["floor: save" if "save" in name else "floor: page"]
            print(
                f"{name:16}{young[name]:8.1f}{old[name]:14.1f}"
                f"{old[name] / young[name]:8.2f}{old[name] / base:9.1f}"
            )
