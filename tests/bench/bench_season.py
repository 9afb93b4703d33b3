"""Pages of a season that grows from a thousand hands to a hundred thousand.

    make bench

The clubs are invented (`manage.py play`), one after another into the same ledger. Each
figure is a median in milliseconds; beside it how often the floor of the same moment
goes into it, how much it grew, and the queries. BENCH_HANDS=1000,10000 plays less.
"""

from __future__ import annotations

import os
import statistics
import time

import pytest
from django.db import connection
from django.test import Client

from ledger.demo import play
from ledger.demo.deals.games import GAMES
from ledger.demo.play import ClubSpec
from ledger.models import Club, User
from ledger.security import sign_in_links
from tests.bench import floor

SIZES = [int(size) for size in os.getenv("BENCH_HANDS", "1000,10000,100000").split(",")]
ROUNDS = 25
FLOOR = "floor: page"

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.bench.floor"),
    pytest.mark.usefixtures("as_in_earnest"),
]


def played(hands, owner):
    """Return a club with one season of so many hands, and the seconds it took."""
    begin = time.perf_counter()
    wish = ClubSpec(f"Club of {hands}", hands, seed=1, games=tuple(GAMES), seasons=1)
    for _evening in play.play_club(wish, owner):
        pass
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "postgresql" else "SELECT 1")
        for _hand in range(hands):
            floor.write(cursor)
    return Club.objects.get(name=wish.name), time.perf_counter() - begin


def pages(club):
    season = club.seasons.get()
    evening = club.evenings.latest("date", "pk")
    player = club.players.people().order_by("pk")[0]
    return {
        FLOOR: "/floor/page/",
        "season": f"/seasons/{season.pk}/",
        "season, a year": f"/seasons/{season.pk}/?since=2025-06-26&until=2026-06-26",
        "player": f"/clubs/{club.pk}/players/{player.pk}/",
        "club statistics": f"/clubs/{club.pk}/statistics/",
        "club": f"/clubs/{club.pk}/",
        "home": "/",
        "evening": f"/evenings/{evening.pk}/",
        "history": f"/evenings/{evening.pk}/history/",
        "settle": f"/clubs/{club.pk}/settle/",
        "statement": f"/clubs/{club.pk}/statement/{player.pk}/",
    }


def measured(client, club):
    """Return the median, the queries and the bytes of each page."""
    return {name: seen(client, address) for name, address in pages(club).items()}


def seen(client, address):
    times = []
    for _round in range(ROUNDS):
        begin = time.perf_counter()
        answer = client.get(address)
        times.append(time.perf_counter() - begin)
        assert answer.status_code == 200, (address, answer.status_code)
    asked = []

    def counted(execute, sql, *rest):
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(counted):
        client.get(address)
    return statistics.median(times) * 1000, len(asked), len(answer.content)


def test_pages_of_a_season_that_grows(capsys):
    owner = User.objects.create_user("owner")
    floor.lay()
    client = Client()
    client.force_login(owner, backend=sign_in_links.BACKEND)
    found, seconds = {}, {}

    for hands in SIZES:
        club, seconds[hands] = played(hands, owner)
        found[hands] = measured(client, club)

    with capsys.disabled():
        told(found, seconds)
    for name in ("season", "season, a year", "player", "club statistics"):
        assert len({queries for _ms, queries, _bytes in of(found, name)}) == 1, name


def of(found, name):
    return [rows[name] for rows in found.values()]


def told(found, seconds):
    took = ", ".join(f"{hands} hands in {s:.0f} s" for hands, s in seconds.items())
    print(f"\nplayed: {took}")
    heads = "".join(f"{hands:>10}{'× floor':>9}" for hands in found)
    print(f"ms, median      {heads}{'grows':>8}{'queries':>9}{'bytes':>9}")
    for name in found[SIZES[0]]:
        rows, floors = of(found, name), [floor for floor, *_rest in of(found, FLOOR)]
        shown = "".join(
            f"{ms:10.1f}{ms / base:9.1f}"
            for (ms, _queries, _bytes), base in zip(rows, floors, strict=True)
        )
        grows = rows[-1][0] / rows[-2 if len(rows) > 1 else -1][0]
        print(f"{name:16}{shown}{grows:8.2f}{rows[-1][1]:9}{rows[-1][2]:9}")
