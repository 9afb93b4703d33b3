"""Every form and API call that creates something, with the data to send to it.

`CREATIONS` by the name of the URL; where a URL creates several kinds, the kind follows
after a blank. `OTHER_POSTS` are the other URLs that accept a POST.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from uuid import uuid4

from django.urls import reverse

import scoring
from ledger import journal, settlement
from ledger.imports import files
from ledger.journal import Amendment
from ledger.models import (
    Action,
    Club,
    Evening,
    OldSheet,
    Player,
    Season,
    ShareLink,
    Table,
    Token,
)
from ledger.settlement import SettlementScope
from ledger.table import changes
from tests.support.fixtures import NAMES, won

SHEET = b"""Date;Deal;Ania;Bartek;Celina;Darek
5.1.2024;1;6;-6;6;-6
5.1.2024;2;-4;12;-4;-4
"""


class World:
    """A club in the middle of an evening: two hands are played, more could sit down."""

    def __init__(self, owner):
        self.owner = owner
        self.club = journal.found_club("Kozy", owner=owner, language="pl")
        self.people = [self.club.players.create(name=name) for name in NAMES]
        self.more = [self.club.players.create(name=name) for name in ("W", "X", "Y")]
        self.table = self.lay(self.people[:5])
        self.evening = self.table.evening
        self.hands = [self.record() for _hand in range(2)]
        self.adjusted = self.adjust()
        self.other = self.lay(self.people[:4])
        """Of another evening."""
        self.used = self.record(self.other).pk

    def lay(self, seats):
        evening = journal.start_evening(
            self.club,
            name="Friday",
            date=datetime.date(2026, 11, 20),
            edition=journal.edition_of(self.club, scoring.tariff("taroki")),
            seats=seats,
            dealer=seats[-1],
            by=self.owner,
            currency="PLN",
            stake=20,
        )
        return evening.tables.select_related("edition", "evening__club").get()

    def record(self, table=None):
        table = table or self.table
        players = journal.preview(table, {}).deal.players
        version = journal.record_hand(
            table, id=uuid4(), record=won(players), by=self.owner, override=True
        )
        return version.hand

    def adjust(self):
        gains = {self.people[0]: 2, self.people[1]: -2}
        return journal.adjust(
            self.evening, gains, reason="Misdeal", id=uuid4(), by=self.owner
        )

    def scope(self):
        return SettlementScope.of_evening(Evening.objects.get(pk=self.evening.pk))

    def seen(self, hand):
        return str(hand.versions.latest("number").pk)

    def close_season(self):
        for evening in self.club.evenings.filter(closed_at=None):
            journal.close_evening(evening, by=self.owner)
        season = self.club.seasons.get()
        journal.close_season(season, by=self.owner)
        return season


@dataclass(frozen=True)
class Creation:
    """A way to make something: where it is asked for, what is sent, how many there are.

    *before* prepares the club and returns what the other two are called with.
    """

    at: Callable[[World], str]
    sent: Callable[[World], dict[str, Any]]
    count: Callable[[], int]
    before: Callable[[World], object] = lambda _world: None
    blank: bool = True
    """Tell whether the form is at the URL itself, so that its id is read there."""


def of(model, **where):
    return lambda: model.objects.filter(**where).count()


def actions(kind):
    return of(Action, kind=kind)


def at(name, of=lambda _world: None, query=""):
    """Return where a form stands, by the name of the address and whose it is."""

    def address(world):
        asked = of(world)
        args = [] if asked is None else [asked.pk]
        return reverse(name, args=args) + query.format(w=world)

    return address


def club(world):
    return world.club


def evening(world):
    return world.evening


def table(world):
    return world.table


def first(world):
    return world.hands[0]


def seated(world, players):
    pks = [player.pk for player in players]
    return {"order": pks, "player": pks, "dealer": pks[-1]}


def begins(world):
    game = {"variant": "taroki", "currency": "PLN", "stake": "0,20"}
    when = {"name": "Friday at Kozy", "date": "2020-11-20"}
    return game | when | seated(world, world.people[:4])


def opens(world):
    return {"variant": "taroki"} | seated(world, [world.people[5], *world.more])


def row(world):
    plan = settlement.plan(world.scope(), "fewest")
    return plan.rows[0]


def pays(world):
    due = row(world)
    who = {"payer": due.payer.pk, "payee": due.payee.pk}
    return who | {"amount": "0,20", "paid_by": "", "how": "cash", "note": ""}


def taps(world):
    due = row(world)
    who = {"payer": due.payer.pk, "payee": due.payee.pk}
    return who | {"minor": due.amount, "plan": "fewest"}


def settles(world):
    rows = settlement.plan(world.scope(), "fewest").rows
    return {"row": [f"{r.payer.pk} {r.payee.pk} {r.amount}" for r in rows]}


def charges(world):
    return {"amount": "1", "who": [world.people[0].pk], "reason": "Table money"}


def awards(world):
    return charges(world) | {"who": world.people[0].pk}


def adjusts(world):
    said = {"reason": "Misdeal", "unit": "points"}
    for player, way in zip(world.people, ("pays", "gets"), strict=False):
        said |= {f"way-{player.pk}": way, f"amount-{player.pk}": "6"}
    return said


def hand(world):
    players = journal.preview(world.table, {}).deal.players
    return {
        "number": "3",
        "contract": "1",
        "declarer": players[0].pk,
        "partner": players[2].pk,
        "won": "0",
    }


def changed(world):
    hand = world.hands[0]
    facts = hand.versions.get().record
    said = {name: facts[name] for name in ("declarer", "partner")}
    return said | {"contract": "2", "card_points": "41", "seen": world.seen(hand)}


def forgotten(world):
    return changed(world) | {"contract": "1"}


def confirms(world):
    return {"seen": world.seen(world.hands[0])}


def reseats(world):
    two = {"player": world.people[0].pk, "other": world.people[1].pk, "from": 1}
    return two | confirms(world)


def undoes(world):
    return {"action": str(journal.UndoStack.of(world.table).undo.pk)}


def taken_back(world):
    hand = world.hands[0]
    journal.correct(world.table, changes.Void(hand), id=uuid4(), by=world.owner)


def corrects(world):
    evening = Evening.objects.get(pk=world.evening.pk)
    plan = journal.plan_amendment(evening, Amendment(currency="EUR", stake=10))
    kept = {"name": evening.name, "date": evening.date.isoformat()}
    stake = {"currency": "EUR", "stake": "0.10", "reason": "abroad"}
    return kept | stake | {"seen": plan.seen}


def empty(world):
    world.empty = world.lay(world.people[:4]).evening


def renames(world):
    asked = {"name": "Zamość", "language": "pl"}
    before, after = journal.plan_club_amendment(world.club, **asked)
    return asked | {"seen": journal.club_fingerprint(world.club, before, after)}


def renamed(world):
    journal.amend_club(world.club, name="Zamość", id=uuid4(), by=world.owner)


def undoes_correction(_world):
    return {"action": str(Action.objects.get(kind="amend").pk)}


def paid(world):
    due = row(world)
    journal.pay(world.scope(), due.payer, due.payee, 20, id=uuid4(), by=world.owner)


def takes_back(world):
    return {"action": str(Action.objects.get(kind="pay").pk), "next": "/"}


def uploads(world):
    file = BytesIO(SHEET)
    file.name = "old.csv"
    game = {"variant": "taroki", "currency": "PLN", "stake": "0,20"}
    return game | {"mode": "points", "file": file}


def uploaded(world):
    """Save a pending sheet that is ready to be applied."""
    choices = {
        "mode": "points",
        "variant": "taroki",
        "rules": {},
        "currency": "PLN",
        "stake": 20,
        "season": "Earlier",
    }
    world.sheet = OldSheet.objects.create(
        id=uuid4(),
        club=world.club,
        name="old.csv",
        digest="x",
        content=files.content_of("old.csv", SHEET),
        choices=choices,
        uploaded_by=world.owner,
    )


def evening_closed(world):
    journal.close_evening(world.evening, by=world.owner)


def joins(world):
    return {"do": "join", "name": "Żaneta", "where": f"after-{world.people[0].pk}"}


def sits(world):
    leaves = journal.preview(world.table, {}).deal.players[0]
    return {"sit": "on", "newcomer": "Żaneta", "leaves": leaves.pk}


def sends_hand(world):
    players = journal.preview(world.table, {}).deal.players
    return {"hand": won(players), "override": True}


GAME = {"variant": "taroki", "rules": {}}


def sends_evening(world):
    seats = [player.pk for player in world.people[:4]]
    when = {"name": "Friday", "date": "2020-11-20", "currency": "PLN", "stake": 20}
    return GAME | when | {"seats": seats, "dealer": seats[0]}


def sends_table(world):
    seats = [player.pk for player in (world.people[5], *world.more)]
    return {"seats": seats, "dealer": seats[0]}


CREATIONS = {
    "club_new": Creation(
        at("club_new"),
        lambda _world: {"name": "Zamość", "language": "pl"},
        of(Club, name="Zamość"),
    ),
    "players": Creation(
        at("players", club),
        lambda _world: {"action": "add", "name": "Żaneta"},
        of(Player, name="Żaneta"),
    ),
    "evening_new": Creation(at("evening_new", club), begins, of(Evening)),
    "evening_new with a newcomer": Creation(
        at("evening_new", club),
        lambda world: begins(world) | {"add": "yes", "new_player": "Żaneta"},
        of(Player, name="Żaneta"),
    ),
    "table_new": Creation(at("table_new", evening), opens, of(Table)),
    "table_new with a newcomer": Creation(
        at("table_new", evening),
        lambda world: opens(world) | {"add": "yes", "new_player": "Żaneta"},
        of(Player, name="Żaneta"),
    ),
    "season_new": Creation(
        at("season_new", club),
        lambda _world: {"name": "2027"},
        of(Season, name="2027"),
        before=World.close_season,
    ),
    "tokens": Creation(at("tokens"), lambda _world: {"name": "scoreboard"}, of(Token)),
    "share": Creation(
        at("share", evening),
        lambda _world: {"days": "14", "method": "fewest"},
        of(ShareLink),
    ),
    "pay": Creation(at("pay", club, "?currency=PLN"), pays, actions("pay")),
    "evening_pay": Creation(at("evening_pay", evening), pays, actions("pay")),
    "evening_pay by a tap": Creation(at("evening_pay", evening), taps, actions("pay")),
    **{
        f"pot {kind}": Creation(
            at("pot", club, "?evening={w.evening.pk}&kind=" + kind),
            awards if kind in ("fine", "prize") else charges,
            actions("prize" if kind == "prize" else "fee"),
        )
        for kind in ("each", "together", "fine", "prize")
    },
    "adjust": Creation(at("adjust", evening), adjusts, actions("adjust")),
    "adjust and cancel": Creation(
        at("adjust", evening),
        lambda world: {"cancel": str(world.adjusted.pk)},
        actions("undo"),
    ),
    "evening_correct": Creation(
        at("evening_correct", evening), corrects, actions("amend")
    ),
    "evening_remove": Creation(
        lambda world: reverse("evening_remove", args=[world.empty.pk]),
        lambda _world: {},
        actions("amend"),
        before=empty,
    ),
    "club_settings": Creation(at("club_settings", club), renames, actions("amend")),
    "undo_correction": Creation(
        at("undo_correction", club),
        undoes_correction,
        actions("undo"),
        before=renamed,
        blank=False,
    ),
    "api_undo": Creation(
        at("api_undo", club), undoes_correction, actions("undo"), before=renamed
    ),
    "settle": Creation(
        at("settle", club, "?evening={w.evening.pk}&method=fewest&sure=yes"),
        settles,
        actions("settle"),
    ),
    "settle by carrying over": Creation(
        at("settle", club, "?evening={w.evening.pk}&method=carry&sure=yes"),
        lambda _world: {},
        actions("carry"),
    ),
    "settle alone": Creation(
        at("settle", club, "?evening={w.evening.pk}&player={w.people[0].pk}&sure=yes"),
        lambda world: {
            "row": [
                f"{r.payer.pk} {r.payee.pk} {r.amount}"
                for r in settlement.plan_for_one(world.scope(), world.people[0])[0]
            ]
        },
        actions("settle"),
    ),
    "take_back": Creation(
        at("take_back", club), takes_back, actions("undo"), before=paid, blank=False
    ),
    "imports": Creation(at("imports", club), uploads, of(OldSheet)),
    "import_sheet": Creation(
        lambda world: reverse("import_sheet", args=[world.sheet.pk]),
        lambda _world: {"apply": "yes"},
        actions("import"),
        before=uploaded,
    ),
    "slip": Creation(at("slip", table), hand, actions("record")),
    "slip with a newcomer": Creation(
        at("slip", table), sits, of(Player, name="Żaneta")
    ),
    "correct": Creation(at("correct", first), changed, actions("correct")),
    "insert": Creation(at("insert", first), forgotten, actions("insert")),
    "void": Creation(at("void", first), confirms, actions("void")),
    "restore": Creation(
        at("restore", first), confirms, actions("restore"), before=taken_back
    ),
    "swap_sides": Creation(at("swap_sides", first), confirms, actions("swap_sides")),
    "reorder": Creation(
        lambda world: reverse("reorder", args=[hand.pk for hand in world.hands]),
        confirms,
        actions("reorder"),
    ),
    "reseat": Creation(
        at("reseat", table, "?player={w.people[0].pk}&other={w.people[1].pk}&from=1"),
        reseats,
        actions("reseat"),
    ),
    "undo": Creation(at("undo", table), undoes, actions("undo"), blank=False),
    "seats": Creation(at("seats", table), joins, of(Player, name="Żaneta")),
    "seats and leave": Creation(
        at("seats", table),
        lambda world: {"do": "leave", "player": world.people[4].pk},
        actions("lineup"),
    ),
    "close": Creation(at("close", evening), lambda _world: {}, actions("close")),
    "reopen": Creation(
        at("reopen", evening),
        lambda _world: {"reason": "more"},
        actions("reopen"),
        before=evening_closed,
    ),
    "season_close": Creation(
        lambda world: reverse("season_close", args=[world.club.seasons.get().pk]),
        lambda _world: {},
        of(Action, kind="close", evening=None),
    ),
    "season_reopen": Creation(
        lambda world: reverse("season_reopen", args=[world.club.seasons.get().pk]),
        lambda _world: {"reason": "more"},
        actions("reopen"),
        before=World.close_season,
    ),
    "api_players": Creation(
        at("api_players", club),
        lambda _world: {"name": "Żaneta"},
        of(Player, name="Żaneta"),
    ),
    "api_club_evenings": Creation(
        at("api_club_evenings", club), sends_evening, of(Evening)
    ),
    "api_tables": Creation(at("api_tables", evening), sends_table, of(Table)),
    "api_hands": Creation(at("api_hands", table), sends_hand, actions("record")),
    "api_reverse": Creation(
        lambda world: reverse("api_reverse", args=[world.hands[1].pk]),
        lambda _world: {},
        of(Action, kind__in=["undo", "void"]),
    ),
}
"""Names of all creations."""

OTHER_POSTS = {
    "api_preview": "weighs a hand",
    "slip_preview": "weighs a hand",
    "language": "a cookie",
    "light": "a cookie",
    "password": "changes what is kept of somebody",
    "rating": "a switch of the club",
    "season_book": "a file that is gone after a day",
    "sign_in": "signs in",
    "sign_in_link": "signs in",
    "sign_out": "signs out",
    "ways": "how the club settles",
}

ID = re.compile(r'name="id"\s+value="([^"]+)"')


def id_of_blank(client, way, address):
    """Return the id that the blank form carries; a program makes its own."""
    if not way.blank or address.startswith("/api/"):
        return str(uuid4())
    page = client.get(address).content.decode()
    found = ID.search(page)
    return found[1] if found else str(uuid4())


def post(client, address, sent):
    if address.startswith("/api/"):
        return client.post(address, sent, content_type="application/json")
    for value in sent.values():
        if isinstance(value, BytesIO):
            value.seek(0)
    return client.post(address, sent)
