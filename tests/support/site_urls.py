"""URLs of the site that show something of a club, filled in with its ids.

They are read from the URL configuration: the test that opens them fails on a new one
that cannot be filled in here. The admin site is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain

from django.urls import URLResolver, get_resolver

import scoring
from ledger.exports.csv.files import CSV_FILES
from ledger.imports.columns import Mode
from ledger.models import Action, Hand, Player
from ledger.security import sign_in_links
from ledger.statistics import FIGURES

PART = re.compile(r"(?:([\w-]+)/)?<\w+:(\w+)>")
"""An id in a route, with the word before it, which tells what it is an id of."""
POSTED = {
    *("sign_out", "language", "light", "take_back", "undo", "slip_preview", "rating"),
    *("api_preview", "api_reverse", "undo_correction", "api_undo"),
}
"""URLs that accept POST alone: a GET gets 405."""
NEAR = {
    *("table", "slip", "seats", "evening", "history", "close", "api_table"),
    *("hand", "correct", "insert", "api_hand"),
}
"""URLs that change with every hand: opened at each step."""
OPERATORS = "admin/"
OTHERS = 12
"""Others are opened by turns, at one step in so many; in the end all are."""


@dataclass(frozen=True)
class Address:
    name: str
    path: str
    closed: bool
    """The evening is closed, so that pages to write in it answer 409."""

    @property
    def answers(self):
        """Return the codes that are right."""
        if self.name in POSTED:
            return {405}
        closed = {409} if self.closed else set()
        return ALSO.get(self.name, {200}) | closed


ALSO = {
    "season_new": {302},  # one runs
    "close": {200, 302},  # it is closed
    "hands_behind": {200, 404},  # without a figure
    "table_csv": {200, 422},  # without a table
}


def routes(patterns=None, before=""):
    """Yield the name and the route of every address."""
    for one in patterns if patterns is not None else get_resolver().url_patterns:
        route = before + str(one.pattern)
        if route.startswith(OPERATORS):
            continue
        if not isinstance(one, URLResolver):
            yield one.name, route
        elif one.namespace is None:
            yield from routes(one.url_patterns, route)


class Book:
    """What the addresses of *club* are filled in with; *turn* lets them take turns.

    Between, it is the table *at* that is opened, and its evening.
    """

    def __init__(self, club, owner, link, job, sheet):
        self.club, self.owner = club, owner
        self.link, self.job, self.sheet = link, job, sheet
        self.turn = 0
        self.at = None

    def addresses(self, *, all_of_them=False):
        """Yield every address, each plain and with one of its questions."""
        self.turn += 1
        self.all = all_of_them
        closed = self.club.evenings.filter(closed_at__isnull=False).exists()
        for place, (name, route) in enumerate(routes()):
            if not self.all and (name in POSTED or not self._due(name, place)):
                continue
            for path in self._filled(route):
                yield Address(name, f"/{path}", closed)
                for question in self._some(QUESTIONS.get(name, ()), 1):
                    asked = question.format(**self._asked())
                    yield Address(name, f"/{path}?{asked}", closed)

    def _due(self, name, place):
        return name in NEAR or (place + self.turn) % OTHERS == 0

    def _filled(self, route, before=None):
        part = PART.search(route)
        if part is None:
            yield route
            return
        segment, name = part.groups()
        values = FILLED[segment if segment in FILLED else name](self, before)
        start, end = part.span()
        word = f"{segment}/" if segment else ""
        for value in values:
            yield from self._filled(f"{route[:start]}{word}{value}{route[end:]}", value)

    def _some(self, found, most):
        """Return so many of what was *found*, others at every turn."""
        found = list(found)
        if self.all or len(found) <= most:
            return found
        start = self.turn % len(found)
        return (found[start:] + found[:start])[:most]

    @property
    def invited(self):
        """The two parts of a link that signs the owner in."""
        return sign_in_links.link_path(self.owner).strip("/").split("/")[1:]

    def evenings(self):
        """Return the evening that is played; in the end those before it too."""
        return list(self.club.evenings.all()) if self.all else [self.at.evening]

    def people(self):
        """Return one of the people; in the end some, the pot among them."""
        found = list(self.club.players.order_by("kind", "pk"))
        start = self.turn % len(found)
        return found[-3:] if self.all else (found[start:] + found[:start])[:1]

    def tables(self):
        """Return the table that is played at; in the end all."""
        if not self.all:
            return [self.at]
        return [t for evening in self.evenings() for t in evening.tables.all()]

    def hands(self):
        """Return the hand that was touched last, and one taken back; in the end all."""
        if self.all:
            return list(Hand.objects.filter(table__evening__club=self.club))
        here = Hand.objects.filter(table=self.at)
        touched = here.order_by("-steps__action__number", "pk")
        voided = here.filter(voided=True).order_by("number", "pk")
        return dict.fromkeys(chain(touched[:1], self._some(voided, 1)))

    def next_to(self, hand):
        """Return another hand of the same table."""
        hand = Hand.objects.get(pk=hand)
        others = Hand.objects.filter(table=hand.table_id).exclude(pk=hand.pk)
        return [other.pk for other in self._some(others.order_by("number"), 1)]

    def _asked(self):
        """Return what questions are asked about."""
        found = self.club.players.order_by("pk").values_list("pk", flat=True)
        everybody = (list(found) * 2)[self.turn % len(found) :]
        pots = Player.objects.filter(club=self.club, kind="pot")
        evening = self._some(self.evenings(), 1)[0]
        return {
            "one": everybody[0],
            "other": everybody[1],
            "pot": pots[0].pk if pots else everybody[0],
            "evening": evening.pk,
            "season": evening.season_id,
            "figure": self._some(FIGURES, 1)[0],
            "table": self._some(CSV_FILES, 1)[0],
            "action": self._last_action(),
        }

    def _last_action(self):
        last = Action.objects.filter(entries__club=self.club)
        found = last.order_by("-at").values_list("pk", flat=True).first()
        return found or Action.objects.values_list("pk", flat=True).first()


FILLED = {
    "clubs": lambda book, _before: [book.club.pk],
    "seasons": lambda book, _before: book.club.seasons.values_list("pk", flat=True),
    "evenings": lambda book, _before: [evening.pk for evening in book.evenings()],
    "tables": lambda book, _before: [table.pk for table in book.tables()],
    "hands": lambda book, _before: [hand.pk for hand in book.hands()],
    "exchange": lambda book, before: book.next_to(before),
    "players": lambda book, _before: [
        player.pk for player in book.people() if not player.is_pot
    ],
    "statement": lambda book, _before: [player.pk for player in book.people()],
    "imports": lambda book, _before: [book.sheet],
    "import": lambda book, _before: [[*Mode][book.turn % 3].value],
    "kind": lambda book, _before: [["csv", "xlsx"][book.turn % 2]],
    "jobs": lambda book, _before: [book.job],
    "s": lambda book, _before: [book.link],
    "uid": lambda book, _before: [book.invited[0]],
    "token": lambda book, _before: [book.invited[1]],
    "variants": lambda book, _before: list(scoring.VARIANTS),
}
"""Ids by the word that stands before them in a route."""

QUESTIONS = {
    "table": ("all", "done={action}"),
    "seats": ("from=1", "from=2"),
    "evening": ("method=hands", "method=pot", "done={action}"),
    "card": ("method=hands",),
    "settle": (
        "season={season}",
        "until=2026-11-15",
        "sure&method=fewest",
        "sure&player={one}",
        "sure&evening={evening}&method=carry",
        "evening={evening}",
        "method=hands",
        "done={action}",
    ),
    "statement": (
        "evening={evening}",
        "with={other}",
        "season={season}&with={other}",
        "csv",
        "evening={evening}&csv&with={other}",
        "evening={evening}&with={other}",
        "season={season}",
        "all",
    ),
    "hands_behind": ("figure={figure}&player={one}", "figure={figure}"),
    "files": ("season={season}",),
    "table_csv": ("table={table}&separator=comma&decimal=point",),
    "pot": ("kind=fine&evening={evening}", "kind=prize&season={season}", "page=2"),
    "reseat": ("player={one}&other={other}&from=1", "player={pot}&other={one}&from=1"),
    "pay": ("evening={evening}&payer={one}&payee=pot&minor=5", "season={season}"),
    "season": ("across=date", "by=average"),
    "player": ("season={season}",),
    "statistics": ("season={season}",),
    "api_hands": ("page=1",),
}
"""Query strings of pages, one of them at a time."""
