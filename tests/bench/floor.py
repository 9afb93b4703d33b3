"""The least that a ledger in Django can do: the floor that pages are measured by.

One view stores a hand of one row and four, and answers the new balances; the other
shows the balances and the last twenty hands. Both pass the whole middleware, and
know neither rules nor seats.
"""

from __future__ import annotations

from uuid import uuid4

from django.contrib.auth.decorators import login_required
from django.db import connection, transaction
from django.http import HttpResponse
from django.template import engines
from django.urls import include, path

PAGE = """{% for name, points in balances %}<p>{{ name }} {{ points }}</p>{% endfor %}
{% for row in rows %}<p>{{ row }}</p>{% endfor %}"""


def lay():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE floor_hand (id TEXT PRIMARY KEY, facts TEXT)")
        cursor.execute(
            "CREATE TABLE floor_part (hand TEXT, player INTEGER, points INTEGER)"
        )
        cursor.execute("CREATE INDEX floor_index ON floor_part (player, points)")


def write(cursor):
    hand = str(uuid4())
    cursor.execute("INSERT INTO floor_hand VALUES (%s, %s)", [hand, "{}"])
    for player, points in enumerate((3, -3, 3, -3)):
        values = [hand, player, points]
        cursor.execute("INSERT INTO floor_part VALUES (%s, %s, %s)", values)


def balances(cursor):
    cursor.execute("SELECT player, SUM(points) FROM floor_part GROUP BY player")
    return cursor.fetchall()


@login_required
def save(request):
    with transaction.atomic(), connection.cursor() as cursor:
        write(cursor)
        shown = balances(cursor)
    return HttpResponse(repr(shown))


@login_required
def page(request):
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM floor_hand ORDER BY rowid DESC LIMIT 20")
        context = {"balances": balances(cursor), "rows": cursor.fetchall()}
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


urlpatterns = [
    path("floor/save/", save),
    path("floor/page/", page),
    path("", include("ledger.urls")),
]
