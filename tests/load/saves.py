"""Saving a hand under few and many phones, and what each page costs: `make saves`.

Every phone sits at a table of its own, opens the slip and saves as the script does.
The checkouts named by --beside are measured by turns with this one, in the same run,
each on a server and a database of its own: the machine is as busy for all.

    python -m tests.load.saves --clients 1,16,64 --seconds 20 --beside ../before
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from threading import Event
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
from environ import Env

from tests.load.phones import JSON, Phone
from tests.load.server import ROOT, Server

FOUND = """
import json, sys, django
django.setup()
from ledger.models import User
from django.core.management import call_command
from ledger import journal
from ledger.models import Player
from tests.load.club import sign_in
call_command("migrate", verbosity=0)
club = journal.found_club("Kozy", owner=User.objects.create_user("owner"))
phones = int(sys.argv[1])
people = [Player.objects.create(club=club, name=f"{n}") for n in range(4 * phones)]
cookies = [sign_in(club, f"phone-{n}") for n in range(phones)]
print(json.dumps([club.pk, [player.pk for player in people], cookies]))
"""
TICKS = os.sysconf("SC_CLK_TCK") / 1000


class Saver(Phone):
    def run(self):
        while not self.stop.is_set():
            self.save()
        self._hang_up()

    def save(self):
        path = f"/tables/{self.table}/hands/new/"
        form = self._form(self.get("blank slip", path).text, path)
        filled = form.filled(
            **self._facts(form), won="1", ending="played", override="on", shows="on"
        )
        begin = time.perf_counter()
        answer = self.post("post", path, filled)
        if answer.status == 302:
            answer = self.get("lead", answer.place)
        self.times["save"].append(time.perf_counter() - begin)
        if answer.status != 200:
            self.faults.append(f"save: {answer.status}")


class Side:
    """A checkout with its server, its club and what was measured of them."""

    def __init__(self, root, folder):
        self.root, self.name = root, root.name
        self.times, self.seconds = defaultdict(list), defaultdict(float)
        self.cpu, self.faults = defaultdict(list), []
        self.server = Server(folder, root)

    def open(self, phones):
        self.club, people, cookies = self._founded(phones)
        self.server.start()
        self.phones = [self._phone(cookie) for cookie in cookies]
        for number, phone in enumerate(self.phones):
            phone.table, phone.evening = self._laid(phone, people[4 * number :][:4])

    def _founded(self, phones):
        done = subprocess.run(
            [self.root / ".venv/bin/python", "-c", FOUND, str(phones)],
            cwd=self.root,
            env=self.server.env | {"DJANGO_SETTINGS_MODULE": "ledger.settings"},
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(done.stdout)

    def _phone(self, cookie, table=None):
        return Saver(self.server.port, cookie, table, [], Event(), Random(1))

    def _laid(self, phone, seats):
        """Start an evening as a program does; return its table and itself."""
        sent = {"name": "Friday", "date": "2026-11-20", "variant": "taroki"}
        sent |= {"seats": seats, "dealer": seats[0]}
        path = f"/api/clubs/{self.club}/evenings/"
        for id in ({"id": str(uuid4())}, {}):  # which an older checkout does not know
            answer = phone.post("evening", path, json.dumps(sent | id), JSON)
            if answer.status == 201:
                break
        assert answer.status == 201, answer.text
        made = json.loads(answer.text)
        return made["tables"][0]["id"], made["id"]

    def save(self, clients, seconds):
        """Let *clients* phones save for some seconds."""
        stop, savers = Event(), []
        for phone in self.phones[:clients]:
            cookie = phone.cookie.partition(";")[0]
            savers.append(self._phone(cookie, phone.table))
            savers[-1].stop = stop
        begin = time.perf_counter()
        for saver in savers:
            saver.start()
        stop.wait(seconds)
        stop.set()
        for saver in savers:
            saver.join()
            self.times[clients] += saver.times["save"]
            self.faults += saver.faults
        self.seconds[clients] += time.perf_counter() - begin

    def pages(self, times):
        """Ask for each page that often, and note what it costs the server."""
        phone = self.phones[0]
        table = f"/tables/{phone.table}/"
        slip = f"{table}hands/new/"
        form = phone._form(phone.get("slip", slip).text, slip)
        tap = form.filled(**phone._facts(form), won="1")
        costs = {
            "save": phone.save,  # with the slip before it
            "blank slip": lambda: phone.get("slip", slip),
            "tap": lambda: phone.post("tap", f"{table}hands/preview/", tap),
            "table": lambda: phone.get("table", table),
            "evening": lambda: phone.get("evening", f"/evenings/{phone.evening}/"),
            "club": lambda: phone.get("club", f"/clubs/{self.club}/"),
            "home": lambda: phone.get("home", "/"),
        }
        for name, ask in costs.items():
            before = self._cpu()
            for _time in range(times):
                ask()
            self.cpu[name].append((self._cpu() - before) / times)

    def _cpu(self):
        """Return the milliseconds that the workers have worked."""
        master = self.server.run.pid
        workers = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        told = (Path(f"/proc/{pid}/stat").read_text() for pid in workers)
        numbers = (one.rpartition(")")[2].split()[11:13] for one in told)
        return sum(int(user) + int(system) for user, system in numbers) / TICKS


@contextmanager
def side(root, phones):
    """Yield a checkout that serves, on SQLite or as DATABASE_URL says."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kontra-"))
        url = os.environ.pop("DATABASE_URL", "")
        if url.startswith("postgres"):
            stack.enter_context(database_of_its_own(url))
        made = Side(root, folder)
        stack.callback(made.server.stop)
        made.open(phones)
        yield made


@contextmanager
def database_of_its_own(url):
    at, name = Env.db_url_config(url), f"saves_{uuid4().hex[:8]}"
    server = psycopg.connect(
        host=at["HOST"], user=at["USER"], dbname=at["NAME"], autocommit=True
    )
    path = urlsplit(url).path.rpartition("/")[0]
    with server:
        server.execute(f"CREATE DATABASE {name}")
        own = urlsplit(url)._replace(path=f"{path}/{name}")
        os.environ["DATABASE_URL"] = own.geturl()
        try:
            yield
        finally:
            os.environ["DATABASE_URL"] = url
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def asked():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", default="1,16,64")
    parser.add_argument("--seconds", type=float, default=20, help="of each of these")
    parser.add_argument("--rounds", type=int, default=2, help="by turns, in that time")
    parser.add_argument(
        "--pages", type=int, default=40, help="times that each is asked"
    )
    parser.add_argument("--beside", type=Path, action="append", default=[])
    return parser.parse_args()


def main():
    options = asked()
    clients = [int(number) for number in options.clients.split(",")]
    with ExitStack() as stack:
        roots = [ROOT, *(path.resolve() for path in options.beside)]
        sides = [stack.enter_context(side(root, max(clients))) for root in roots]
        for one in sides:
            one.pages(20)  # what is loaded first is loaded now
            one.cpu.clear()
        for _round in range(options.rounds):
            for one in sides:
                one.pages(options.pages // options.rounds)
            for number in clients:
                for one in sides:
                    one.save(number, options.seconds / options.rounds)
        report(sides, clients)


def report(sides, clients):
    engine = urlsplit(os.environ.get("DATABASE_URL", "sqlite:")).scheme
    print(f"{engine}, load of the machine {os.getloadavg()[0]:.1f}")
    print(f"{'saving, ms':24}{'hands/s':>10}{'p50':>8}{'p95':>8}{'worst':>8}")
    for number in clients:
        for one in sides:
            taken = sorted(one.times[number])
            each = [taken[len(taken) * part // 100] for part in (50, 95)] + taken[-1:]
            shown = "".join(f"{seconds * 1000:8.0f}" for seconds in each)
            rate = len(taken) / one.seconds[number]
            print(f"{number:3} clients, {one.name:12}{rate:10.1f}{shown}")
    print(f"{'CPU of the server, ms':24}", *(f"{one.name:>10}" for one in sides))
    for name in sides[0].cpu:
        costs = (sum(one.cpu[name]) / len(one.cpu[name]) for one in sides)
        print(f"{name:24}", *(f"{cost:10.1f}" for cost in costs))
    for one in sides:
        for fault in [*one.faults, *(f for phone in one.phones for f in phone.faults)]:
            print(f"{one.name}: {fault}")


if __name__ == "__main__":
    main()
