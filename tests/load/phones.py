"""Many phones at a few tables, through the real server: `make load`.

Each phone records hands by the page and by the API, sends the same again as after a
time-out or from two tabs, changes and undoes hands, and comes too late. The server may
be killed meanwhile. At the end every acknowledged hand is there, once, and the audit
finds nothing; any fault makes the exit status 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from urllib.parse import urlencode
from uuid import UUID, uuid4

from tests.load.pages import forms
from tests.load.server import Server

CSRF = "0123456789abcdef" * 2
TOO_LATE = re.compile(
    "comes next at this table|is not playing this hand|Choose the (declarer|partner)"
    "|has just been saved with the same facts"
)
"""Sentences of a refusal of a slip that no longer fits what others have written."""
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
PATIENCE = 120
"""Seconds for which a phone sends the same again before it gives up."""


@dataclass
class Slip:
    """One hand that somebody wants recorded, under whatever ids it was sent."""

    facts: dict
    ids: list = field(default_factory=list)
    saved: UUID | None = None
    left: bool = False
    """The scorer was told that it is not saved, and let it be."""
    unsure: bool = False
    """It was also sent without an answer, which may arrive after the refusal."""


@dataclass(frozen=True)
class Answer:
    status: int
    place: str
    text: str

    def id(self, name):
        """Return the id that the answer acknowledges under *name*."""
        found = re.search(rf"[?&]{name}=([0-9a-f-]{{36}})", self.place)
        return UUID(found[1]) if found else None


class Phone(Thread):
    """A scorer's phone at one table; it runs until *stop* is set."""

    def __init__(self, port, cookie, table, recent, stop, chance):
        super().__init__(daemon=True)
        self.port, self.table, self.recent = port, table, recent
        self.cookie = f"{cookie}; csrftoken={CSRF}"
        self.stop, self.chance = stop, chance
        self.line, self.unanswered = None, 0
        self.slips, self.faults = [], []
        self.changed, self.done = set(), set()
        self.counts, self.times = Counter(), defaultdict(list)

    def run(self):
        acts = [self.page, self.api, self.change, self.look]
        while not self.stop.is_set():
            (act,) = self.chance.choices(acts, [5, 5, 2, 1])
            try:
                act()
            except Exception as error:
                self.faults.append(f"{act.__name__}: {error!r}")
        self._hang_up()

    # what a phone does

    def page(self):
        """Fill in the slip and save it; told that the number is taken, choose."""
        path = f"/tables/{self.table}/hands/new/"
        form = self._form(self.get("slip", path).text, path)
        facts = self._facts(form)
        filled = form.filled(
            **facts, won="1", ending="played", contra="0", override="on"
        )
        if self.chance.random() < 0.5:
            self.post("tap", f"/tables/{self.table}/hands/preview/", filled)
        slip = self._new(facts, form.value("id"))
        answer = self._send("save", path, filled)
        while answer.status == 409 and self.chance.random() < 0.7:
            answer = self._send("save", path, self._as_another(slip, answer, path))
        self._settle(slip, answer.id("saved"), answer)

    def api(self):
        """Record a hand as a program does, with its number or without."""
        at = json.loads(self.get("api table", f"/api/tables/{self.table}/").text)
        players = self.chance.sample(at["next"]["players"], 2)
        contract = {"taroki": "3", "paskievics": "two", "palatine": "two"}
        facts = {
            "contract": contract[at["table"]["variant"]],
            "declarer": players[0],
            "partner": players[1],
        }
        id = str(uuid4())
        sent = {"id": id, "override": True, "hand": facts | {"won": True}}
        if self.chance.random() < 0.3:
            sent["number"] = at["next"]["number"]
        slip = self._new(facts, id)
        path = f"/api/tables/{self.table}/hands/"
        answer = self._send("api save", path, json.dumps(sent), JSON)
        saved = UUID(json.loads(answer.text)["id"]) if answer.status < 300 else None
        self._settle(slip, saved, answer)

    def change(self):
        """Open one of the last hands and do something to it that its page offers."""
        if not self.recent:
            return
        hand = self.chance.choice(list(self.recent))
        path = f"/hands/{hand}/"
        page = self.get("hand", path).text
        offers = sorted(set(re.findall(rf'href="({path}[a-z-]+/)"', page)))
        offers += [form.action for form in forms(page, path) if path in form.action]
        if not offers:
            return
        offer = self.chance.choice(offers)
        if not offer.endswith("/undo/"):
            page = self.get("change", offer).text
        ready = [form for form in forms(page, offer) if form.action == offer]
        self.changed.add(hand)
        for form in ready:
            filled = form.fields
            if form.choices:
                filled = form.filled(**self._facts(form))
            answer = self._send("change", offer, filled)
            self.counts["changed" if answer.status == 302 else "change refused"] += 1
            if done := answer.id("done"):
                self.done.add(done)

    def look(self):
        self.get("table", f"/tables/{self.table}/")

    # slips

    def _form(self, page, path):
        return next(form for form in forms(page, path) if form.action == path)

    def _facts(self, form):
        """Tap a contract that needs a partner, two players, and a plain win."""
        declarer, partner = self.chance.sample(form.choices["declarer"], 2)
        contract = form.choices["contract"][0]
        return {"contract": contract, "declarer": declarer, "partner": partner}

    def _new(self, facts, id):
        self.unanswered = 0
        slip = Slip(facts, [UUID(id)])
        self.slips.append(slip)
        return slip

    def _as_another(self, slip, answer, path):
        """Save a hand that is not the first of its number under the next one."""
        self.counts["number taken"] += 1
        form = self._form(answer.text, path)
        slip.ids.append(UUID(form.value("id")))
        slip.ids = list(dict.fromkeys(slip.ids))
        return form.filled(**dict(form.buttons[-1:]))

    def _settle(self, slip, saved, answer):
        slip.saved, slip.unsure = saved, self.unanswered > 0
        if saved is None:
            slip.left = True
            self.counts["left"] += 1
            if answer.status != 409 and not TOO_LATE.search(answer.text):
                self.faults.append(f"not saved: {answer.status} {_words(answer.text)}")
        elif saved not in slip.ids:
            self.faults.append(f"{slip} was answered as {saved}")
        else:
            self.counts["saved"] += 1
            self.recent.append(saved)

    # the line

    def get(self, what, path):
        answer = self._timed(what, "GET", path)
        if answer.status != 200:
            self.faults.append(f"GET {path}: {answer.status} {_words(answer.text)}")
        return answer

    def post(self, what, path, fields, kind=FORM):
        body = fields if kind == JSON else urlencode(fields)
        return self._timed(what, "POST", path, body, kind)

    def _send(self, what, path, fields, kind=FORM):
        """Post, and at times the same again: nobody heard, or it was two tabs."""
        body = fields if kind == JSON else urlencode(fields)
        luck = self.chance.random()
        if luck < 0.1:
            self._unheard(path, body, kind)
        answer = self._timed(what, "POST", path, body, kind)
        if luck > 0.9 and answer.status < 400:
            self.counts["sent again"] += 1
            again = self._timed(what, "POST", path, body, kind)
            if again.status >= 400 or _acknowledged(again) != _acknowledged(answer):
                self.faults.append(
                    f"sent again, {path} said {again.status} {again.place}, "
                    f"not {answer.place}: {_words(again.text)}"
                )
        return answer

    def _unheard(self, path, body, kind):
        """Send it on another line and hang up before the answer."""
        self.counts["not heard"] += 1
        self.unanswered += 1
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request("POST", path, body, self._headers(kind))
            time.sleep(self.chance.choice([0, 0, 0.01, 0.1]))
        except (OSError, HTTPException):
            self.counts["cut off"] += 1
        finally:
            line.close()

    def _timed(self, what, method, path, body=None, kind=FORM):
        begin = time.perf_counter()
        answer = self._asked(method, path, body, kind)
        self.times[what].append(time.perf_counter() - begin)
        if answer.status >= 500:
            self.faults.append(f"{method} {path}: {answer.status}")
        if answer.status == 429:
            self.counts["throttled"] += 1
            time.sleep(1)
        return answer

    def _asked(self, method, path, body, kind):
        """Ask until there is an answer: the server may be dead for a while."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.line = self.line or HTTPConnection(
                    "127.0.0.1", self.port, timeout=PATIENCE
                )
                self.line.request(method, path, body, self._headers(kind))
                told = self.line.getresponse()
                text = told.read().decode()
                return Answer(told.status, told.headers.get("Location", ""), text)
            except (OSError, HTTPException):
                self._hang_up()
                if time.monotonic() > until:
                    raise
                self.counts["cut off"] += 1
                self.unanswered += 1
                time.sleep(0.1)

    def _headers(self, kind):
        return {"Cookie": self.cookie, "X-CSRFToken": CSRF, "Content-Type": kind}

    def _hang_up(self):
        if self.line:
            self.line.close()
        self.line = None


def _acknowledged(answer):
    """Return the parts of an answer that are the same for every retry."""
    if answer.place:
        return answer.place
    return json.loads(answer.text)["id"] if answer.text.startswith("{") else ""


def _words(page):
    """Return the sentences of a page that say what is wrong."""
    said = re.findall(r'role="alert">(.+?)<', page) or [page[:300]]
    return " ".join(said)


# The whole run


def asked():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--phones", type=int, default=16)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    return parser.parse_args()


def main():
    options = asked()
    with tempfile.TemporaryDirectory(prefix="kontra-load-") as folder:
        os.environ["DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "ledger.settings"
        import django

        django.setup()
        sys.exit(1 if play(options, folder) else 0)


def play(options, folder):
    """Run it all and return the number of faults."""
    from django.core.management import call_command
    from django.db import connection

    from tests.load import club

    call_command("migrate", verbosity=0)
    tables = club.open_tables(options.tables)
    server = Server(folder)
    stop, chance = Event(), random.Random(options.seed)
    recent = {table.pk: deque(maxlen=6) for table in tables}
    phones = [
        Phone(
            server.port,
            club.sign_in(tables[0].evening.club, f"phone-{number}"),
            table.pk,
            recent[table.pk],
            stop,
            random.Random(chance.random()),
        )
        for number in range(options.phones)
        for table in [tables[number % len(tables)]]
    ]
    connection.close()
    try:
        server.start()
        seconds = run(server, phones, stop, options, chance)
    finally:
        server.stop()
    wrong = [fault for phone in phones for fault in phone.faults]
    wrong += club.faults(phones)
    log = server.log.read_text()
    wrong += re.findall(r"Traceback[\s\S]+?\n\S.*", log)
    wrong += re.findall(r".*(?:is locked|deadlock).*", log)
    report(options, connection.vendor, phones, seconds, wrong)
    return len(wrong)


def run(server, phones, stop, options, chance):
    """Run the phones, and kill the server as often as asked; return the seconds."""
    begin = time.monotonic()
    for phone in phones:
        phone.start()
    try:
        for _time in range(options.kills):
            time.sleep(chance.uniform(0.2, 1.2))
            server.kill()
            server.start()
        while time.monotonic() < begin + options.seconds:
            time.sleep(0.05)
    finally:
        stop.set()
    for phone in phones:
        phone.join(2 * PATIENCE)
    return time.monotonic() - begin


def report(options, engine, phones, seconds, wrong):
    counts = sum((phone.counts for phone in phones), Counter())
    times = defaultdict(list)
    for phone in phones:
        for what, taken in phone.times.items():
            times[what] += taken
    requests = sum(len(taken) for taken in times.values())
    print(
        f"{engine}: {options.phones} phones at {options.tables} tables, "
        f"{seconds:.0f} s, {options.kills} kills, seed {options.seed}, "
        f"load of the machine {os.getloadavg()[0]:.1f}"
    )
    print(
        f"{counts['saved'] / seconds:.1f} hands/s, {requests / seconds:.0f} requests/s"
    )
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    for what, taken in sorted(times.items()):
        taken.sort()
        half, most = taken[len(taken) // 2], taken[len(taken) * 95 // 100]
        print(
            f"{what:>10}: p50 {half * 1000:.0f} ms, p95 {most * 1000:.0f} ms, "
            f"most {taken[-1] * 1000:.0f} ms, {len(taken)} times"
        )
    print(f"faults: {len(wrong)}")
    for fault, count in Counter(wrong).most_common(20):
        print(f"  {count} × {fault[-1500:]}")


if __name__ == "__main__":
    main()
