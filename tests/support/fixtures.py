"""Fixtures of all tests: a club with an owner and six players, its tables and hands.

Fixtures that act are functions: `lay` starts an evening and returns its table, `record`
records a hand, `night` plays an evening, `correct` and `undo` change it; `upload`,
`choose` and `apply_sheet` import an old sheet; `together` runs calls at once.
"""

from __future__ import annotations

import datetime
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse

from ledger import journal
from ledger.journal import Amendment
from ledger.models import Entry, Member, OldSheet, Player, Posting, User
from ledger.security import sign_in_links
from tests.support.tables import start_table

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")


@pytest.fixture
def owner(db):
    return User.objects.create_user("owner")


@pytest.fixture
def club(owner):
    return journal.found_club("Kozy", owner=owner, language="pl")


@pytest.fixture
def scorer(club):
    return joined(club, "scorer", Member.Role.SCORER)


@pytest.fixture
def member(club):
    """Somebody who only plays, and may look."""
    return joined(club, "member", Member.Role.PLAYER)


@pytest.fixture
def stranger(db):
    return User.objects.create_user("stranger")


def joined(club, name, role):
    user = User.objects.create_user(name)
    club.members.create(user=user, role=role)
    return user


@pytest.fixture
def as_(client):
    """Return a function that gives the client signed in as somebody."""

    def signed_in(user):
        client.force_login(user, backend=sign_in_links.BACKEND)
        return client

    return signed_in


@pytest.fixture
def people(club):
    return [Player.objects.create(club=club, name=name) for name in NAMES]


@pytest.fixture
def lay(club, people, owner):
    """Return a function that starts an evening and returns its table."""

    def laid(seats=4, variant="taroki", rules=None, **more):
        money = {"currency": "PLN", "stake": 20}
        game = {"variant": variant, "rules": rules}
        return start_table(club, people[:seats], owner, **game, **money | more)

    return laid


@pytest.fixture
def table(lay):
    return lay()


@pytest.fixture
def record(owner):
    """Return a function that records a hand, by default a won one of forehand's."""

    def recorded(table, hand=None, **more):
        preview = journal.preview(
            table, {}, **{k: more[k] for k in ("dealer", "resting") if k in more}
        )
        return journal.record_hand(
            table,
            **{
                "id": uuid4(),
                "record": hand or won(preview.deal.players),
                "by": owner,
                "override": True,
            }
            | more,
        )

    return recorded


CONTRACT = {"taroki": "3", "paskievics": "one"}


@pytest.fixture
def night(club, owner, lay, record, people):
    """A function that plays an evening: forehand and the third win each hand by 3."""

    def played(day, wins, *, seats=4, close=True, **more):
        table = lay(seats, **more)
        table.evening.date = datetime.date.fromisoformat(day)
        table.evening.save(update_fields=["date"])
        for _hand in range(wins):
            deal = journal.preview(table, {}).deal
            record(table, won(deal.players, CONTRACT[table.edition.variant]))
        if close:
            journal.close_evening(table.evening, by=owner)
        return table

    return played


def won(players, contract=None):
    """Forehand and the third play a contract and win it."""
    return {
        "contract": contract or "3",
        "declarer": players[0].pk,
        "partner": players[2].pk,
        "card_points": 41,
    }


def enter(evening, by, kind, **gains):
    """Write an entry that is no hand: points by name, at the evening's stake."""
    entry = Entry(
        id=uuid4(),
        club=evening.club,
        evening=evening,
        kind=kind,
        currency=evening.currency,
        created_by=by,
    )
    people = {player.name: player for player in evening.club.players.all()}
    Posting.objects.bulk_create(
        Posting(entry=entry, player=people[name], points=points, money=points * 20)
        for name, points in gains.items()
    )
    entry.save(force_insert=True)


def squeezed(html):
    """Return *html* without the white space that only lays it out."""
    return re.sub(r"[ \n]*(<[^>]+>)[ \n]*", r"\1", re.sub(r"[ \n]+", " ", html))


def names(players):
    return " ".join(player.name for player in players)


@pytest.fixture
def correct(owner):
    """Return a function that makes a change to a table."""

    def corrected(table, change, **more):
        return journal.correct(table, change, **{"id": uuid4(), "by": owner} | more)

    return corrected


@pytest.fixture
def undo(owner):
    """Return a function that undoes the last action at a table."""

    def undone(table):
        action = journal.UndoStack.of(table).undo
        return journal.undo(action, id=uuid4(), by=owner)

    return undone


def restake(evening, currency, stake, **more):
    """Correct what a point of the evening is worth."""
    return journal.amend_evening(
        evening, Amendment(currency=currency, stake=stake), **more
    )


# Old sheets


@pytest.fixture
def upload(as_, owner, club):
    """Return a function that uploads a file and returns the kept sheet."""

    def uploaded(data, mode="points", name="old.csv", **more):
        data = data.encode() if isinstance(data, str) else data
        id = uuid4()
        answer = as_(owner).post(
            reverse("imports", args=[club.pk]),
            {
                "id": str(id),
                "mode": mode,
                "variant": "taroki",
                "currency": "PLN",
                "stake": "0,20",
                "file": SimpleUploadedFile(name, data),
            }
            | more,
        )
        assert answer.status_code == 302, answer.context["form"].errors
        return OldSheet.objects.get(pk=id)

    return uploaded


@pytest.fixture
def choose(as_, owner):
    """Return a function that posts choices about a sheet and returns its page."""

    def chosen(sheet, /, **more):
        url = reverse("import_sheet", args=[sheet.pk])
        page = as_(owner).get(url)
        columns = page.context.get("columns", ())
        sent = {f"column-{c.number}": c.meaning for c in columns}
        names = page.context.get("names", ())
        sent |= {f"who:{one.name.key}": one.chosen for one in names}
        answer = as_(owner).post(url, sent | {"season": "Earlier"} | more)
        sheet.refresh_from_db()
        return as_(owner).get(url) if answer.status_code == 302 else answer

    return chosen


@pytest.fixture
def apply_sheet(choose):
    """Return a function that applies a sheet, after the choices that it needs."""

    def applied(sheet, /, **more):
        for _choice in range(2):  # the file, then what is in it
            choose(sheet, **more)
        page = choose(sheet, **more, apply="yes")
        assert sheet.action is not None, (
            page.context["review"].problems,
            page.context.get("problems"),
        )
        return sheet.action

    return applied


REFUSALS = (
    journal.Taken,
    journal.Refused,
    journal.Stale,
    journal.Closed,
    journal.SeasonClosed,
    journal.Removed,
)


@pytest.fixture
def together():
    """Return a function that runs calls at the same moment, each on its own phone."""

    def ran(*calls):
        start = Barrier(len(calls))

        def phone(call):
            try:
                start.wait(timeout=10)
                return call()
            except REFUSALS as told:
                return told
            finally:
                connection.close()

        with ThreadPoolExecutor(len(calls)) as phones:
            return list(phones.map(phone, calls))

    return ran
